"""No text that begins like a formula is one, in any file that a spreadsheet opens, however it parts cells."""

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path

import openpyxl
import pytest

from clinicnum.annotations.exports.data_files import csv_files, rows_workbook
from clinicnum.annotations.exports.report_files import report_files, report_workbook
from clinicnum.annotations.exports.xlsx import Sheet, workbook_bytes
from clinicnum.annotations.report.build import build_report
from clinicnum.annotations.report.csv_without_formulas import csv_text, neutralised
from clinicnum.annotations.report.study_tables import StudyTables
from tests.annotations.formula_study import formula_study
from tests.annotations.formula_texts import FORMULAS

BLANKS = re.compile("[\\s\x00-\x20\xa0\xad\u200b-\u200f\u2028-\u202e\u2060\ufeff]+")
SIGNS = "=+-@\uff1d\uff0b\uff0d\uff20"


def lives(cell: str) -> bool:
    """Whether some program might run the cell: after all that it may drop, a sign, and no plain number."""
    bare = BLANKS.sub("", cell)
    number = re.fullmatch(r"-?\d+(\.\d+)?([eE][+-]?\d+)?", bare)
    return bare not in ("", "+", "-") and bare[0] in SIGNS and number is None


@pytest.fixture(scope="module")
def tables() -> StudyTables:
    return formula_study()


@pytest.fixture(scope="module")
def files(tables: StudyTables) -> dict[str, str]:
    report = report_files(build_report(tables, generated_by="=test"))
    return {name: text for name, text in {**csv_files(tables), **report}.items() if name.endswith(".csv")}


def cells_of(book: bytes) -> Iterator[openpyxl.cell.Cell]:
    for sheet in openpyxl.load_workbook(io.BytesIO(book)):
        yield from (cell for row in sheet.iter_rows() for cell in row)


def test_most_of_the_list_is_a_formula_as_it_stands() -> None:
    assert len(set(FORMULAS)) == len(FORMULAS) >= 100
    assert sum(map(lives, FORMULAS)) >= 100


def test_no_text_alone_is_one_after_it_was_written_and_all_of_it_is_there() -> None:
    read = [
        row[0] for row in csv.reader(io.StringIO(csv_text(["x"], [[one] for one in FORMULAS]), newline=""))
    ]
    assert read[1:] == [neutralised(one) for one in FORMULAS]
    assert [one for one in read if lives(one)] == []
    assert [one.replace("'", "") for one in read[1:]] == [one.replace("'", "") for one in FORMULAS]


@pytest.mark.parametrize("ends", [",", ";", "\t"])
def test_no_cell_of_a_study_is_one_whatever_the_reader_takes_for_the_end_of_a_cell(
    files: dict[str, str], ends: str
) -> None:
    found = [
        (name, cell)
        for name, text in files.items()
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=ends)
        for cell in row
        if lives(cell)
    ]
    assert found == []


def test_no_line_of_a_file_begins_with_one_to_a_reader_that_knows_no_quotes(files: dict[str, str]) -> None:
    for text in files.values():
        for line in re.split(r"[\r\n]", text):
            assert not any(lives(cell) for cell in re.split(r"[;\t]", line)), line


def test_every_text_went_through_some_file(files: dict[str, str]) -> None:
    said = "".join(files.values()).replace("'", "").replace('""', '"')
    assert [one for one in FORMULAS if one.replace("'", "") not in said] == []


def test_no_cell_of_a_workbook_is_one(tables: StudyTables) -> None:
    report = build_report(tables, generated_by="=test")
    alone = workbook_bytes([Sheet("alone", FORMULAS, [FORMULAS])])
    for book in (rows_workbook(tables), report_workbook(report), alone):
        cells = list(cells_of(book))
        assert {cell.data_type for cell in cells} <= {"s", "inlineStr", "n", "b"}
        assert not any(cell.hyperlink for cell in cells)
        assert [cell.value for cell in cells if isinstance(cell.value, str) and lives(cell.value)] == []


def test_labels_brought_from_elsewhere_are_written_so(tmp_path: Path) -> None:
    from clinicnum.scripts.cli import run_command

    source, out = tmp_path / "given.csv", tmp_path / "labels.csv"
    with source.open("w", encoding="utf-8", newline="") as handle:
        rows = csv.writer(handle)
        rows.writerow(["item", "annotator", "label"])
        # A file with a NUL is refused as a whole.
        given = [one for one in FORMULAS if "\0" not in one]
        rows.writerows((one, f"{one} {number}", one) for number, one in enumerate(given))
    code = run_command(["import", "labels", "--format", "long", "--from", str(source), "--out", str(out)])
    assert code == 0
    with out.open(encoding="utf-8", newline="") as handle:
        read = list(csv.reader(handle))
    assert [cell for row in read for cell in row if lives(cell)] == []
