"""Exported rows: every form holds the same values, and nothing in them runs."""

import csv
import io
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import openpyxl
import pandas as pd
import pyarrow.parquet as pq
import pytest

from clinicnum.annotations.exports.annotation_tables import annotations_table, labels_table
from clinicnum.annotations.exports.data_files import csv_files, rows_workbook
from clinicnum.annotations.exports.hugging_face import hugging_face_files
from clinicnum.annotations.exports.label_studio import INTERFACE, TASKS, label_studio_files
from clinicnum.annotations.exports.parquet import parquet_bytes
from clinicnum.annotations.exports.report_files import report_json, report_workbook
from clinicnum.annotations.exports.score_and_generation_tables import instances_table, scores_table
from clinicnum.annotations.exports.xlsx import MOST_CHARACTERS, Sheet, workbook_bytes
from clinicnum.annotations.report.build import build_report
from clinicnum.annotations.report.csv_without_formulas import csv_text
from clinicnum.annotations.report.export_table import RowTable
from clinicnum.annotations.report.report_content import Report
from clinicnum.errors import InputError
from clinicnum.types import Instance
from tests.annotations.report_example import STRANGE, study
from tests.annotations.report_example_whole import whole_study

STAMP = "%Y-%m-%dT%H:%M:%S.%fZ"


@pytest.fixture(scope="module")
def report() -> Report:
    return build_report(study(), generated_by="test")


def tables() -> tuple[RowTable, ...]:
    return annotations_table(study().annotations), labels_table(study().annotations), scores_table(study())


def test_a_carriage_return_in_a_text_does_not_break_its_row() -> None:
    rows = [["a\rb", 'c"\n', "d\r\ne"], ["f", None, ""]]
    read = list(csv.reader(io.StringIO(csv_text(["x", "y", "z"], rows), newline="")))
    assert read == [["x", "y", "z"], ["a\rb", 'c"\n', "d\r\ne"], ["f", "", ""]]


def test_a_revision_is_a_row_with_each_value_under_its_name() -> None:
    first = (
        study()
        .annotations[0]
        .model_copy(
            update={
                "confidence": 2,
                "proposed_gold": "7",
                "round": "repeat",
                "revision": 3,
                "active_ms": 12,
                "contradictions": ("not_cut_off", "not_empty"),
            }
        )
    )
    table = annotations_table([first])
    read = dict(zip([field.name for field in table.fields], table.rows[0], strict=True))
    assert (read.pop("primary"), read.pop("labels")) == (first.labels[0].code, first.labels[0].code)
    assert read.pop("last") is True
    assert read.pop("contradictions") == "not_cut_off|not_empty"
    assert read == first.model_dump(mode="json", exclude={"labels", "contradictions"})


def test_each_code_is_a_row_with_its_evidence() -> None:
    table = labels_table(study().annotations)
    assert len(table.rows) == sum(len(one.labels) for one in study().annotations) > 0
    first = dict(zip([field.name for field in table.fields], table.rows[0], strict=True))
    assert json.loads(str(first["spans"])) == [[4, 14], [10, 28]]
    assert json.loads(str(first["context_spans"])) == [[0, 5]]
    assert first["level1"] == str(first["code"]).partition(".")[0]
    assert first["annotator_kind"] == "simulated"


def test_an_exported_instance_is_whole() -> None:
    table = instances_table(study())
    whole = [Instance.model_validate_json(str(row[-1])) for row in table.rows]
    assert tuple(whole) == study().instances


@pytest.mark.parametrize("table", tables(), ids=lambda table: table.name)
def test_parquet_holds_every_value_typed_and_with_its_meaning(table: RowTable) -> None:
    read = pq.read_table(io.BytesIO(parquet_bytes(table)))
    assert parquet_bytes(table) == parquet_bytes(table)
    for at, field in enumerate(table.fields):
        column = [row[at] for row in table.rows]
        if field.kind == "time":
            column = [datetime.strptime(str(one), STAMP).replace(tzinfo=UTC) for one in column]
        assert read.column(field.name).to_pylist() == column
        assert read.schema.field(field.name).metadata[b"description"].decode() == field.description


def test_the_data_package_reads_its_csv_files() -> None:
    whole = whole_study()
    decided = {"adjudications": whole.adjudications, "invalidations": whole.invalidations}
    files = csv_files(study().model_copy(update=decided))
    package = json.loads(files["datapackage.json"])
    assert package["annotator_kind"] == "simulated"
    casts: dict[str, Any] = {"integer": int, "number": float, "string": str}
    for resource in package["resources"]:
        rows = list(csv.DictReader(io.StringIO(files[resource["path"]], newline="")))
        fields = resource["schema"]["fields"]
        assert [field["name"] for field in fields] == list(rows[0])
        for field in fields:
            assert f"| `{field['name']}` |" in files["data_dictionary.md"]
            for cell in {row[field["name"]] for row in rows} - {""}:
                if field["type"] == "boolean":
                    assert cell in field["trueValues"] + field["falseValues"]
                elif field["type"] == "datetime":
                    datetime.strptime(cell, field["format"])
                else:
                    casts[field["type"]](cell)


class TestWorkbook:
    """XLSX opens, holds the same values, and runs nothing."""

    def test_every_figure_of_the_report_is_in_it_to_16_digits(self, report: Report) -> None:
        book = openpyxl.load_workbook(io.BytesIO(report_workbook(report)))
        named = [table for section in report.sections for table in section.tables]
        assert len(book.sheetnames) == len(named) + 1
        for table, sheet in zip(named, book.worksheets[1:], strict=True):
            rows = list(sheet.iter_rows(min_row=2, values_only=True))
            assert len(rows) == len(table.rows)
            for row, read in zip(table.rows, rows, strict=True):
                flat: list[Any] = []
                for column, cell in zip(table.columns, row, strict=True):
                    wide = column.kind.endswith("interval")
                    flat += (cell if isinstance(cell, tuple) else (None, None)) if wide else [cell]
                numbers = [one for one in flat if isinstance(one, (int, float))]
                # XlsxWriter writes 16 significant digits; Excel itself keeps 15.
                found = [one for one in read if isinstance(one, (int, float))]
                assert found == pytest.approx(numbers, rel=1e-15, abs=0)
                assert read[-1] == "simulated"

    def test_text_that_begins_like_a_formula_is_text(self) -> None:
        cells = ["=1+1", "+cmd", "-2+3", "@SUM(A1)", "\t=1", "-12.5", "#N/A", "plain"]
        book = openpyxl.load_workbook(
            io.BytesIO(workbook_bytes([Sheet("x", ("=head",), [[one] for one in cells])]))
        )
        read = [cell for (cell,) in book["x"].iter_rows()]
        assert {cell.data_type for cell in read} == {"s"}
        assert [cell.value for cell in read] == [
            "'=head",
            "'=1+1",
            "'+cmd",
            "'-2+3",
            "'@SUM(A1)",
            "\t'=1",
            "-12.5",
            "#N/A",
            "plain",
        ]

    def test_no_cell_of_a_study_full_of_hostile_text_is_a_formula(self) -> None:
        book = openpyxl.load_workbook(io.BytesIO(rows_workbook(study())))
        rows = ["annotations", "labels", "scores", "adjudications", "invalidations", "consensus", "analysis"]
        assert book.sheetnames == ["data dictionary", *rows]
        cells = [cell for sheet in book for row in sheet.iter_rows() for cell in row]
        assert {cell.data_type for cell in cells} <= {"s", "inlineStr", "n", "b"}
        assert "'=another value" in {cell.value for cell in cells}
        assert STRANGE in {cell.value for cell in cells}

    def test_the_same_rows_give_the_same_bytes_and_no_clock(self, report: Report) -> None:
        made = report_workbook(report)
        assert made == report_workbook(report)
        assert openpyxl.load_workbook(io.BytesIO(made)).properties.modified == datetime(2000, 1, 1)

    def test_what_a_cell_cannot_hold_is_shown_or_cut_and_says_so(self) -> None:
        rows = [["nul \x00 here"], ["x" * 40_000]]
        book = openpyxl.load_workbook(io.BytesIO(workbook_bytes([Sheet("x", ("a",), rows)])))
        short, long = (str(cell.value) for (cell,) in book["x"].iter_rows(min_row=2))
        assert short == "nul \ufffd here"
        assert len(long) == MOST_CHARACTERS
        assert long.endswith("cut: a cell holds 32,767 characters; whole in the CSV")

    def test_titles_are_what_the_format_takes(self) -> None:
        titles = ["a/b", "A_b", "t" * 40, "t" * 50]
        made = workbook_bytes(Sheet(title, ("a",), []) for title in titles)
        read = openpyxl.load_workbook(io.BytesIO(made)).sheetnames
        assert read == ["a_b", "A_b~2", "t" * 31, "t" * 29 + "~2"]

    def test_more_rows_than_a_sheet_holds_are_refused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("clinicnum.annotations.exports.xlsx.MOST_ROWS", 5)
        workbook_bytes([Sheet("x", ("a",), [[1]] * 4)])
        with pytest.raises(InputError, match="sheet 'x': 5 rows, but XLSX holds 4"):
            workbook_bytes([Sheet("x", ("a",), [[1]] * 5)])


def test_a_figure_that_is_no_number_is_refused_in_json(report: Report) -> None:
    section = report.sections[0]
    table = section.tables[0]
    at = next(at for at, one in enumerate(table.columns) if one.kind == "share")
    row = (*table.rows[0][:at], float("nan"), *table.rows[0][at + 1 :])
    broken = section.model_copy(update={"tables": (table.model_copy(update={"rows": (row,)}),)})
    with pytest.raises(ValueError, match="JSON"):
        report_json(report.model_copy(update={"sections": (broken,)}))


class TestLabelStudio:
    """Tasks that Label Studio can import, in the interface that is written beside them."""

    def test_the_labels_come_back_from_the_tasks(self) -> None:
        tasks = json.loads(label_studio_files(study())[TASKS])
        read = {
            (task["data"]["generation_id"], *self.chosen(one, "annotator")): self.chosen(one, "labels")
            for task in tasks
            for one in task["annotations"]
        }
        assert read == {
            (one.generation_id, one.annotator_id): [label.code for label in one.labels]
            for one in study().annotations
        }

    def test_every_result_names_a_tag_and_a_value_of_the_interface(self) -> None:
        files = label_studio_files(study())
        view = ElementTree.fromstring(files[INTERFACE])
        allowed = {tag.get("name"): {child.get("value") for child in tag} for tag in view}
        texts = {tag.get("name"): str(tag.get("value")).removeprefix("$") for tag in view.iter("Text")}
        for task in json.loads(files[TASKS]):
            assert set(texts.values()) <= set(task["data"])
            for part in (part for one in task["annotations"] for part in one["result"]):
                assert part["to_name"] in texts
                picked = part["value"].get(part["type"], [])
                assert part["type"] == "textarea" or set(picked) <= allowed[part["from_name"]]

    def test_offsets_are_those_of_a_browser(self) -> None:
        tables = study()
        first = tables.generations[1].model_copy(update={"text": "\U0001f600" * 4 + "The heart rate was 90."})
        generations = (tables.generations[0], first, *tables.generations[2:])
        files = label_studio_files(tables.model_copy(update={"generations": generations}))
        task = next(
            one for one in json.loads(files[TASKS]) if one["data"]["generation_id"] == first.generation_id
        )
        span = next(part["value"] for part in task["annotations"][0]["result"] if part["type"] == "labels")
        assert (span["start"], span["end"], span["text"]) == (8, 18, "The heart ")

    def test_evidence_in_the_context_is_a_label_of_the_context(self) -> None:
        task = json.loads(label_studio_files(study())[TASKS])[0]
        parts = [
            part for one in task["annotations"] for part in one["result"] if part["to_name"] == "context"
        ]
        assert {part["from_name"] for part in parts} == {"context_evidence"}
        assert parts[0]["value"]["text"] == task["data"]["context"][:5]

    @staticmethod
    def chosen(annotation: dict[str, Any], name: str) -> list[str]:
        found = [part["value"]["choices"] for part in annotation["result"] if part["from_name"] == name]
        return found[0] if found else []


def test_the_hugging_face_folder_names_files_that_are_there_and_says_who_annotated(tmp_path: Path) -> None:
    from huggingface_hub import DatasetCard

    files = hugging_face_files(study(), generated_by="test")
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(content)
    card = DatasetCard.load(tmp_path / "README.md")
    configs = {one["config_name"]: one["data_files"][0]["path"] for one in card.data.to_dict()["configs"]}
    assert set(configs.values()) | {"README.md"} == set(files)
    assert "simulated: 3 of 3 annotators" in card.text
    assert "license" not in card.data.to_dict()
    read = pd.read_parquet(tmp_path / configs["generations"])
    assert list(read["text"]) == [one.text for one in study().generations]
