"""The analysis-ready table, the model in every form, and which revision is the last."""

import io
import json
from datetime import UTC, datetime
from typing import Any

import openpyxl
import pandas as pd
import pyarrow.parquet as pq
import pytest

from clinicnum.annotations.adjudication import Adjudication
from clinicnum.annotations.exports.analysis_table import analysis_table
from clinicnum.annotations.exports.annotation_tables import annotations_table, labels_table
from clinicnum.annotations.exports.data_files import csv_files, jsonl_files, parquet_files, rows_workbook
from clinicnum.annotations.exports.hugging_face import hugging_face_files
from clinicnum.annotations.exports.label_studio import TASKS, label_studio_files
from clinicnum.annotations.judgement import Judgement, Label
from clinicnum.annotations.report.export_table import RowTable
from clinicnum.annotations.report.study_tables import StudyTables
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.types import Suggestion
from tests.annotations.report_example import study

MODEL = "SmolLM2-135M-Instruct"
GENERATION = study().inclusions[0].generation_id
OMITTED = Judgement(
    item_judgement="valid",
    response_judgement="failure",
    labels=(Label(code="omission", primary=True),),
    severity="4",
)


def records(table: RowTable) -> list[dict[str, Any]]:
    return [dict(zip([one.name for one in table.fields], row, strict=True)) for row in table.rows]


def decided() -> StudyTables:
    """The study with a decision on the first generation drawn, and two suggestions for it."""
    tables = study()
    decision = Adjudication(
        adjudication_id="d1",
        study_id="study",
        generation_id=GENERATION,
        adjudicator_id="J1",
        judgement=OMITTED,
        taken_over=False,
        cites=(),
        stands=True,
        taxonomy_version="1",
        created_at=datetime(2026, 1, 1, tzinfo=UTC),
    )
    suggestions = tuple(
        Suggestion(generation_id=GENERATION, code=code, rule="r", rank=rank, sentence="s")
        for rank, code in ((2, "hallucination"), (1, "omission"))
    )
    return tables.model_copy(update={"adjudications": (decision,), "suggestions": suggestions})


def test_one_row_a_generation_holds_all_that_an_analysis_joins() -> None:
    tables = decided()
    rows = records(analysis_table(StudyView(tables)))
    assert [row["generation_id"] for row in rows] == [one.generation_id for one in tables.generations]
    row = next(row for row in rows if row["generation_id"] == GENERATION)
    answered = next(one for one in tables.generations if one.generation_id == GENERATION)
    asked = next(one for one in tables.instances if one.instance_id == answered.instance_id)
    scored = next(one for one in tables.scores if one.generation_id == GENERATION)
    assert row["model"] == MODEL
    assert (row["question"], row["gold"], row["parsed"]) == (asked.question, asked.answer, scored.parsed)
    assert (row["status"], row["strict"], row["lenient"]) == (scored.status, scored.strict, scored.lenient)
    assert (row["suggestion"], row["weight"]) == ("omission", 2.0)
    assert (row["adjudicated_response"], row["adjudicated_primary"]) == ("failure", "omission")
    assert (row["consensus_response"], row["consensus_primary"]) == ("failure", "omission")
    assert row["judgements"] == 3


def test_what_was_not_drawn_has_no_weight_and_no_label() -> None:
    tables = study()
    drawn = {one.generation_id for one in tables.inclusions}
    for row in records(analysis_table(StudyView(tables))):
        if row["generation_id"] not in drawn:
            named = ("weight", "suggestion", "consensus_response", "adjudicated_response", "severity")
            assert [row[name] for name in named] == [None] * len(named)


def test_credentialed_questions_stay_out_of_it() -> None:
    rows = records(analysis_table(StudyView(study(source="mimic-iv-ed"))))
    assert {row["question"] for row in rows} == {None}


def test_every_form_names_the_model() -> None:
    tables = decided()
    assert MODEL in csv_files(tables)["scores.csv"]
    assert MODEL in csv_files(tables)["analysis.csv"]
    (line, *_) = jsonl_files(tables)["analysis.jsonl"].splitlines()
    assert json.loads(line)["model"] == MODEL
    for name in ("scores", "analysis"):
        made = pq.read_table(io.BytesIO(parquet_files(tables)[f"{name}.parquet"]))
        assert set(made.column("model").to_pylist()) == {MODEL}
    book = openpyxl.load_workbook(io.BytesIO(rows_workbook(tables)))
    for name in ("scores", "analysis"):
        heads = [cell.value for cell in book[name][1]]
        assert book[name].cell(2, heads.index("model") + 1).value == MODEL
    tasks = json.loads(label_studio_files(tables)[TASKS])
    assert {task["data"]["model"] for task in tasks} == {MODEL}
    folder = hugging_face_files(tables, generated_by="test")
    for name in ("generations", "analysis"):
        made = pd.read_parquet(io.BytesIO(folder[f"data/{name}.parquet"]))
        assert set(made["model"]) == {MODEL}


def test_two_runs_of_one_model_are_told_apart() -> None:
    tables = study()
    first, *others = tables.generations
    moved = first.model_copy(update={"run_id": "run2"})
    runs = {**tables.runs, "run2": tables.runs["run1"]}
    moved_tables = tables.model_copy(update={"generations": (moved, *others), "runs": runs})
    rows = records(analysis_table(StudyView(moved_tables)))
    assert {(row["model"], row["run_id"]) for row in rows} == {(MODEL, "run1"), (MODEL, "run2")}


@pytest.mark.parametrize("make", [annotations_table, labels_table])
def test_the_last_revision_of_each_judgement_is_marked(make: Any) -> None:
    first = study().annotations[0]
    later = first.model_copy(update={"revision": 2, "annotation_id": "later"})
    repeat = first.model_copy(update={"round": "repeat", "annotation_id": "again"})
    other = first.model_copy(update={"annotator_id": "annotator-9", "annotation_id": "other"})
    rows = records(make([first, later, repeat, other]))
    assert {row["annotation_id"]: row["last"] for row in rows} == {
        first.annotation_id: False,
        "later": True,
        "again": True,
        "other": True,
    }
