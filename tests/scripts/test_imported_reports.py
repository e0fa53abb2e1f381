"""Reports of imported benchmarks, built from open data. All of them at full size: `scripts/dev/evidence
imported-reports --out FOLDER`."""

import csv
import json
from pathlib import Path

import pytest

from clinicnum.annotations.criteria.read import read_criteria
from clinicnum.io.benchmark import read_benchmark
from clinicnum.scripts.cli import run_command
from clinicnum.scripts.dev.imported_reports.__main__ import SMALL, main
from clinicnum.scripts.dev.imported_reports.make_item_files import (
    STATEMENT_COLUMNS,
    explanations_jsonl,
    rubric_csv,
    statements_csv,
)
from clinicnum.scripts.dev.imported_reports.workspace import Workspace
from tests.open_data import IN_CHECKOUT

MMLU = IN_CHECKOUT / "mmlu" / "clinical_knowledge_test.csv"
MEDCALC = IN_CHECKOUT / "medcalc-bench" / "test_data_v1.csv"


def test_a_report_is_built_and_verified_and_its_answers_are_asked_for_once(
    tmp_path: Path, small_model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "reports"
    asked = ["--out", str(out), "--small", "--only", "csv"]
    assert main(asked) == 0
    said = capsys.readouterr()
    assert said.out.startswith(str(out / "csv" / "report.html"))
    assert "figures recomputed from the raw rows and equal" in said.err
    report = json.loads((out / "csv" / "report.json").read_text(encoding="utf-8"))
    assert "scripted stand-ins" in report["warnings"][0]
    assert "adjudication" in {section["id"] for section in report["sections"]}
    assert (out / "csv" / "report.md").is_file()
    kept = _answers(out)
    assert len(kept) == 1
    space = Workspace(out.resolve(), "csv", IN_CHECKOUT, **SMALL)
    space.ask_model(space.items / "benchmark.jsonl", "small", new_tokens=24)
    assert _answers(out) == kept


def test_the_scripted_adjudicator_decides_ticks_of_criteria_too(tmp_path: Path, small_model: Path) -> None:
    out = tmp_path / "reports"
    assert main(["--out", str(out), "--small", "--only", "criteria"]) == 0
    with (out / "criteria" / "adjudications.csv").open(encoding="utf-8", newline="") as table:
        decided = list(csv.DictReader(table))
    assert decided
    assert any("=met" in one["decided"] for one in decided)


def _answers(out: Path) -> dict[str, int]:
    """The files of answers, with the time when each was last written."""
    return {path.name: path.stat().st_mtime_ns for path in (out / "answers").glob("*.jsonl")}


def test_statements_are_imported_as_questions_of_yes_and_no(tmp_path: Path) -> None:
    source, out = tmp_path / "statements.csv", tmp_path / "benchmark.jsonl"
    source.write_text(statements_csv(MMLU, limit=3), encoding="utf-8")
    asked = ("--format", "csv-choice", "--columns", STATEMENT_COLUMNS, "--open-data")
    assert run_command(["import", "items", "--from", str(source), "--out", str(out), *asked]) == 0
    found = list(read_benchmark(out).values())
    assert {one.options for one in found} == {("no", "yes")}
    assert [(one.subject_id, one.answer) for one in found] == [
        (f"q{number}", letter) for number in (1, 2, 3) for letter in ("B", "A")
    ]
    assert [one.dimensions["origin"] for one in found[2:4]] == ["MMLU's option D", "MMLU's option A"]
    assert "stamina." in found[2].question
    assert "strength." in found[3].question


def test_criteria_are_the_points_of_their_items_and_one_for_all(tmp_path: Path) -> None:
    source, rubric, out = (tmp_path / name for name in ("items.jsonl", "rubric.csv", "benchmark.jsonl"))
    source.write_text(explanations_jsonl(MEDCALC, limit=4), encoding="utf-8")
    rubric.write_text(rubric_csv(MEDCALC, limit=4), encoding="utf-8")
    assert run_command(["import", "items", "--format", "text", "--from", str(source), "--out", str(out)]) == 0
    points = [point for one in read_benchmark(out).values() for point in one.points]
    found = read_criteria(rubric)
    assert sorted(one.text for one in found if one.item) == sorted(point.text for point in points)
    assert [one.weight for one in found if one.must_have] == [3] * 4
    assert [one.weight for one in found if not one.item] == [-2]


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    assert main(["--out", str(tmp_path)]) == 2
    assert "is not empty and was not made by this program" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]
    assert main(["--out", str(tmp_path / "new"), "--only", "medcalc,poems"]) == 2
    assert "--only poems: no such report" in capsys.readouterr().err
    assert not (tmp_path / "new").exists()
