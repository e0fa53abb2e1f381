"""`clinicnum agreement` on a labels file: what it prints and what it refuses."""

import csv
import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from clinicnum.annotations.agreement import agreement as compute
from clinicnum.annotations.agreement.labels_csv import read_label_columns
from clinicnum.errors import InputError
from clinicnum.scripts.commands.agreement import agreement

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
    assert "the scale is nominal: labels are not sets" in out


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
