"""LibreOffice opens the workbooks and shows the very rows, none of them as a formula.

Run by `scripts/evidence exports`; the suite opens the same workbooks with openpyxl.
"""

import csv
import io
import os
import subprocess
from pathlib import Path

import pytest

from annotations.exports.report_files import report_workbook
from annotations.exports.rows import rows_workbook, study_tables
from annotations.report.build import build_report
from tests.annotations.report_example import study

pytestmark = pytest.mark.skipif(
    os.environ.get("CLINICNUM_LIBREOFFICE") != "1", reason="LibreOffice: run by scripts/evidence exports"
)
# Comma, quote, UTF-8, from line 1, no column formats, no language, quote no numbers, content as it is and not
# as it is shown, formulas as such, all sheets.
FILTER = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,false,true,false,false,-1"


def opened(book: bytes, folder: Path) -> dict[str, list[list[str]]]:
    """Sheet -> rows, as LibreOffice reads the workbook."""
    (folder / "book.xlsx").write_bytes(book)
    profile = f"-env:UserInstallation={(folder / 'profile').as_uri()}"
    command = ["soffice", profile, "--headless", "--convert-to", FILTER, "--outdir", str(folder)]
    done = subprocess.run([*command, str(folder / "book.xlsx")], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    return {
        path.stem.removeprefix("book-"): list(csv.reader(io.StringIO(path.read_bytes().decode(), newline="")))
        for path in folder.glob("book-*.csv")
    }


def test_the_rows_of_a_study_full_of_hostile_text_are_text_in_it(tmp_path: Path) -> None:
    sheets = opened(rows_workbook(study()), tmp_path)
    for table in study_tables(study()):
        wanted = list(csv.reader(io.StringIO(table.csv(), newline="")))
        truths = {"True": "TRUE", "False": "FALSE"}
        shown = [[truths.get(cell, cell) for cell in row] for row in wanted]
        assert sheets[table.name] == shown
        assert not any(cell.startswith("=") for row in sheets[table.name] for cell in row)
    assert any(cell == "'=another value" for row in sheets["scores"] for cell in row)


def test_every_table_of_the_report_is_a_sheet_in_it(tmp_path: Path) -> None:
    report = build_report(study(), generated_by="test")
    sheets = opened(report_workbook(report), tmp_path)
    for section in report.sections:
        for table in section.tables:
            assert len(sheets[table.id[:31]]) == len(table.rows) + 1
