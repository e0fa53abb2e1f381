"""`clinicnum agreement` on a labels file: what it prints and what it refuses."""

import csv
import json
import re
from io import StringIO
from pathlib import Path

import pytest
import typer
from rich.console import Console
from typer.testing import CliRunner

from clinicnum.annotations.agreement import AgreementResult, Rating
from clinicnum.annotations.agreement import agreement as compute
from clinicnum.annotations.agreement.format_results import interval_text, value_text
from clinicnum.annotations.agreement.labels_csv import read_label_columns
from clinicnum.annotations.agreement.types import Scale
from clinicnum.errors import InputError
from clinicnum.scripts.commands.agreement import agreement
from clinicnum.scripts.commands.text.agreement import print_result

LABELS = "item,annotator,label,subject\n" + "".join(
    f"i{item},{annotator},{'ab'[(item * step // 3) % 2]},s{item % 6}\n"
    for item in range(12)
    for annotator, step in (("x", 2), ("y", 3))
)


def run(*arguments: str) -> str:
    app = typer.Typer()
    app.command()(agreement)
    result = CliRunner().invoke(app, list(arguments))
    if result.exception is not None:
        raise result.exception
    return result.stdout


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    path = tmp_path / "labels.csv"
    path.write_text(LABELS, encoding="utf-8")
    return path


def test_json_is_what_the_one_function_computes(labels: Path) -> None:
    arguments = ("--from", str(labels), "--scale", "nominal", "--categories", "a, b", "--cluster", "subject")
    rows = read_label_columns(labels, cluster="subject")[0].ratings()
    result = compute(rows, scale="nominal", categories=["a", "b"], details=True)
    assert json.loads(run(*arguments, "--json")) == json.loads(json.dumps(result.to_json()))


def test_people_read_population_values_and_reasons(labels: Path) -> None:
    out = run("--from", str(labels), "--scale", "nominal", "--categories", "a,b")
    assert "12 items, 2 annotators, 24 labels, 12 pairs" in " ".join(out.split())
    assert "krippendorff_alpha_masi" in out
    assert "the scale is nominal: labels are not sets" in " ".join(out.split())


def test_out_takes_the_same_figures_as_json_and_csv(labels: Path, tmp_path: Path) -> None:
    printed = run(
        "--from",
        str(labels),
        "--scale",
        "nominal",
        "--categories",
        "a,b",
        "--json",
        "--out",
        str(tmp_path / "o"),
    )
    assert json.loads((tmp_path / "o" / "agreement.json").read_text()) == json.loads(printed)
    with (tmp_path / "o" / "agreement.csv").open(newline="") as handle:
        values = {row["name"]: row["value"] for row in csv.DictReader(handle)}
    for row in json.loads(printed)["coefficients"]:
        assert values[row["name"]] == ("" if row["value"] is None else str(row["value"]))


LONG = "contextual_inconsistency.another_question_answered"
NAMES = ("anaesthetist-on-call-1", "anaesthetist-on-call-2", "resident-of-the-week", "x")


def _terminal(result: AgreementResult, width: int) -> list[str]:
    console = Console(file=StringIO(), width=width, highlight=False)
    print_result(console, "Severity", result)
    assert isinstance(console.file, StringIO)
    return console.file.getvalue().splitlines()


@pytest.mark.parametrize("scale", ["nominal", "ordinal", "interval", "set"])
@pytest.mark.parametrize("n_annotators", [2, 4])
def test_every_figure_can_be_read_in_80_columns(scale: Scale, n_annotators: int) -> None:
    names = NAMES[:n_annotators]
    categories = ["0", "1", "2"] if scale in ("ordinal", "interval") else ["a", "b", LONG]
    labels = [
        Rating(f"i{item:02}", name, categories[(item * (step + 1) // 3) % 3], f"s{item % 15}")
        for item in range(60)
        for step, name in enumerate(names)
    ]
    weights = {one.item: 1 + int(one.item[1:]) % 3 for one in labels}
    result = compute(labels, scale=scale, categories=categories, details=True, weights=weights)
    lines = _terminal(result, 80)
    assert max(map(len, lines)) <= 80
    text = "\n".join(lines)
    assert "…" not in text, "no cell is cut"
    together = "".join(text.split())
    assert all(one.name in together for one in result.coefficients if "[" not in one.name)
    reasons = {one.undefined for one in result.coefficients if "[" not in one.name and one.undefined}
    assert all("".join(reason.split()) in together for reason in reasons)
    shown = {value_text(one) for one in result.coefficients if one.value is not None and "[" not in one.name}
    assert shown <= set(text.split())
    intervals = {interval_text(one) for one in result.coefficients if one.ci95 and "[" not in one.name}
    assert all(one in text for one in intervals)
    pair_figures = [
        line.split() for line in lines[lines.index(next(x for x in lines if x.startswith("Pairs"))) :]
    ]
    values = [one for row in pair_figures for one in row if re.fullmatch(r"-?\d\.\d{3}", one)]
    assert len(values) >= len(result.pairwise) * 2
    wide = " ".join(_terminal(result, 200))
    assert set(values) <= set(wide.split())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param([], "--from FILE and --scale", id="nothing given"),
        pytest.param(["--scale", "rational", "--categories", "a,b"], "'rational' is unknown", id="scale"),
        pytest.param(["--scale", "nominal"], "no categories declared", id="categories"),
        pytest.param(["--scale", "nominal", "--categories", "a"], "'b' on item", id="label not declared"),
        pytest.param(
            ["--scale", "nominal", "--categories", "a,b", "--cluster", "ward"],
            "no column 'ward'",
            id="cluster",
        ),
    ],
)
def test_bad_input_is_one_named_error_and_leaves_no_output(
    labels: Path, tmp_path: Path, arguments: list[str], message: str
) -> None:
    given = ["--from", str(labels), *arguments] if arguments else []
    with pytest.raises(InputError, match=message) as caught:
        run(*given, "--out", str(tmp_path / "o"))
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "o").exists()
