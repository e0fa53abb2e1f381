"""Page, command, report and exported rows of one study give the same figures to the last digit."""

import html
import json
import re
import zipfile
from pathlib import Path
from typing import Any

import pytest

from clinicnum.annotations.agreement.format_results import interval_text, value_text
from clinicnum.annotations.agreement.types import NONE
from clinicnum.db.engine import make_engine, reading
from clinicnum.db.work.studies.load_whole_study import load_study_agreement
from clinicnum.scripts.cli import run_command
from tests.scripts.study_made import Made, csv_rows, make_study, write_all

Figures = dict[str, dict[str, tuple[Any, ...]]]
"""Layer -> coefficient -> (value, low, high, standard error, items, annotators)."""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    return make_study(tmp_path_factory.mktemp("made"))


@pytest.fixture(scope="module")
def written(made: Made) -> Path:
    return write_all(made)


def of_json(payload: dict[str, Any]) -> dict[str, tuple[Any, ...]]:
    return {
        one["name"]: (
            one["value"],
            *(one["ci95"] or (None, None)),
            one["se"],
            one["n_items"],
            one["n_annotators"],
        )
        for one in payload["coefficients"]
    }


def of_report(loaded: dict[str, Any]) -> Figures:
    named = [table for section in loaded["sections"] for table in section["tables"]]
    return {
        table["id"].removeprefix("agreement_"): {
            row[0]: (row[1], *(row[2] or (None, None)), *row[3:6]) for row in table["rows"]
        }
        for table in named
        if table["id"].startswith("agreement_")
        and [one["key"] for one in table["columns"]][:2] == ["name", "value"]
    }


def of_csv(text: str) -> dict[str, tuple[Any, ...]]:
    def number(cell: str) -> float | None:
        return float(cell) if cell else None

    return {
        row["name"]: (
            *(number(row[key]) for key in ("value", "ci95_low", "ci95_high", "se")),
            int(row["n_items"]),
            int(row["n_annotators"]),
        )
        for row in csv_rows(text)
    }


def test_page_command_report_and_export_give_the_same_figures_to_the_last_digit(
    made: Made, written: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert made.run("agreement", "--study", made.study, "--json") == 0
    command = {one["name"]: of_json(one) for one in json.loads(capsys.readouterr().out)["layers"]}
    with zipfile.ZipFile(written / "made.zip") as bundle:
        texts = [name for name in bundle.namelist() if not name.endswith(".pdf")]
        bundled = {name: bundle.read(name).decode() for name in texts}
    assert len(command) == 8
    defined = sum(one[0] is not None for layer in command.values() for one in layer.values())
    assert defined > 100
    from_report = of_report(json.loads((written / "report" / "report.json").read_text()))
    assert from_report == of_report(json.loads(bundled["report/report.json"]))
    for layer, shown in from_report.items():
        # The report leaves out single categories that no label names, or every one; all else stands in all.
        left_out = {name: one[0] for name, one in command[layer].items() if name not in shown}
        assert all("[" in name and value in (None, 1.0) for name, value in left_out.items()), left_out
        assert shown == {name: command[layer][name] for name in shown}
        assert of_csv((written / "report" / f"agreement_{layer}.csv").read_text()) == shown
        assert of_csv(bundled[f"report/agreement_{layer}.csv"]) == shown
    check_page(made, (written / "report" / "report.html").read_text(encoding="utf-8"))


def check_page(made: Made, report_page: str) -> None:
    """The agreement page and the report's page show each figure in the same characters."""
    from clinicnum.ui.pages.agreement.coefficient_titles import coefficient_title
    from clinicnum.ui.pages.agreement.view import coefficient_rows, layer_title

    engine = make_engine(made.url)
    with reading(engine) as session:
        found = load_study_agreement(session, made.study)
    engine.dispose()
    on_page = [row[:4] for row in coefficient_rows(found.agreement.layers)]
    in_report = rows_of(report_page)
    for layer in found.agreement.layers:
        assert layer.result is not None
        for one in layer.result.coefficients:
            shown = [value_text(one), interval_text(one) or "–"]
            assert [layer_title(layer), coefficient_title(one.name), *shown] in on_page
            if one.value is not None and "[" not in one.name:
                # The report's tables follow in the layers' order, each name once a table.
                later = in_report[one.name]
                at = next(at for at, cells in enumerate(later) if has(cells, shown))
                in_report[one.name] = later[at + 1 :]


def has(cells: list[str], shown: list[str]) -> bool:
    text = " ".join(cells).replace("−", "-")
    return all(one in text for one in shown)


def rows_of(markup: str) -> dict[str, list[list[str]]]:
    """First cell -> the other cells, as text, of each table row that begins with it, in order."""
    found: dict[str, list[list[str]]] = {}
    for row in re.findall(r"<tr[^>]*>(.*?)</tr>", markup, re.DOTALL):
        texts = re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row, re.DOTALL)
        cells = [html.unescape(re.sub(r"<[^>]+>", "", text)).strip() for text in texts]
        if cells:
            found.setdefault(cells[0], []).append(cells[1:])
    return found


def test_the_exported_rows_alone_give_the_same_agreement(
    made: Made, written: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    exported = csv_rows((written / "export" / "annotations.csv").read_text())
    subjects = {
        one["generation_id"]: one["subject_id"]
        for one in csv_rows((written / "export" / "scores.csv").read_text())
    }
    last = {(one["generation_id"], one["annotator_id"]): one for one in exported}
    labels = made.folder / "labels.csv"
    lines = [
        f"{item},{annotator},{one['primary'].partition('.')[0]},{subjects[item]}"
        for (item, annotator), one in last.items()
    ]
    labels.write_text("\n".join(["item,annotator,label,subject", *lines]) + "\n")
    assert made.run("agreement", "--study", made.study, "--json") == 0
    layers = json.loads(capsys.readouterr().out)["layers"]
    study = next(one for one in layers if one["name"] == "primary")
    assert study["population"]["categories"][-1] == NONE
    categories = ",".join(study["population"]["categories"])
    arguments = ("--from", str(labels), "--scale", "nominal", "--categories", categories)
    assert run_command(["agreement", *arguments, "--cluster", "subject", "--json"]) == 0
    assert of_json(json.loads(capsys.readouterr().out)) == of_json(study)
