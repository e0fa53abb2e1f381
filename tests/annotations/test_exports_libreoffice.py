"""LibreOffice opens workbooks and CSV: they hold the very rows, and none of them is a formula or a link.

Run by `scripts/dev/evidence exports`; the suite opens the same workbooks with openpyxl.
"""

import csv
import io
import os
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from clinicnum.annotations.exports.data_files import csv_files, rows_workbook, study_tables
from clinicnum.annotations.exports.report_files import report_files, report_workbook
from clinicnum.annotations.exports.xlsx import Sheet, workbook_bytes
from clinicnum.annotations.report.build import build_report
from clinicnum.annotations.report.csv_without_formulas import csv_text
from tests.annotations.formula_study import formula_study
from tests.annotations.formula_texts import FORMULAS
from tests.annotations.report_example import study

pytestmark = pytest.mark.skipif(
    os.environ.get("CLINICNUM_LIBREOFFICE") != "1", reason="LibreOffice: run by scripts/dev/evidence exports"
)
# Comma, quote, UTF-8, from line 1, no column formats, no language, quote no numbers, content as it is and not
# as it is shown, formulas as such, all sheets.
FILTER = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,false,true,false,false,-1"
# Whoever opens a file may be told to take all of this: special numbers, no spaces before a text, formulas.
READ = "CSV:{ends},34,76,1,,0,false,true,false,false,true,0,true"
_RUNS = re.compile(
    r'table:formula="(?!of:=(?:TRUE|FALSE)\(\)")[^"]*"|<text:a [^>]*>|<table:(?:dde|cell-range-source)[^>]*>'
)
ENDS = {"comma": 44, "semicolon": 59, "tab": 9}


def soffice(folder: Path, *arguments: str) -> None:
    profile = f"-env:UserInstallation={(folder / 'profile').as_uri()}"
    command = ["soffice", profile, "--headless", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr


def alive(files: Mapping[str, str | bytes], folder: Path, ends: str = "comma") -> dict[str, list[str]]:
    """File -> its formulas and links, as LibreOffice keeps them in a sheet of its own format."""
    (folder / "in").mkdir(parents=True)
    for name, content in files.items():
        (folder / "in" / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    kind = [f"--infilter={READ.format(ends=ENDS[ends])}"] if all(".csv" in name for name in files) else []
    paths = [str(folder / "in" / name) for name in files]
    soffice(folder, *kind, "--convert-to", "fods", "--outdir", str(folder / "out"), *paths)
    made = {name: (folder / "out" / name).with_suffix(".fods").read_text("utf-8") for name in files}
    return {name: _RUNS.findall(text) for name, text in made.items()}


def opened(book: bytes, folder: Path) -> dict[str, list[list[str]]]:
    """Sheet -> rows, as LibreOffice reads the workbook."""
    (folder / "book.xlsx").write_bytes(book)
    soffice(folder, "--convert-to", FILTER, "--outdir", str(folder), str(folder / "book.xlsx"))
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


def test_most_of_the_list_lives_in_it_when_nothing_stands_before(tmp_path: Path) -> None:
    lines = io.StringIO()
    csv.writer(lines).writerows([one] for one in FORMULAS)
    found = alive({"raw.csv": lines.getvalue()}, tmp_path)["raw.csv"]
    print(f"{len(found)} of {len(FORMULAS)} texts live in a file that neutralises nothing")
    assert len(found) >= 35


@pytest.mark.parametrize("ends", ENDS)
def test_no_text_lives_in_any_csv_whatever_it_is_told_of_the_ends_of_cells(tmp_path: Path, ends: str) -> None:
    tables = formula_study()
    made = {**csv_files(tables), **report_files(build_report(tables, generated_by="=test"))}
    files = {name: text for name, text in made.items() if name.endswith(".csv")}
    files["alone.csv"] = csv_text(["x", "y"], [[one, one] for one in FORMULAS])
    found = alive(files, tmp_path, ends)
    print(
        f"{len(FORMULAS)} texts in {len(found)} files, read with {ends}: {sum(map(len, found.values()))} live"
    )
    assert {name: some for name, some in found.items() if some} == {}


def test_no_text_lives_in_any_workbook(tmp_path: Path) -> None:
    tables = formula_study()
    found = alive(
        {
            "rows.xlsx": rows_workbook(tables),
            "report.xlsx": report_workbook(build_report(tables, generated_by="=test")),
            "alone.xlsx": workbook_bytes([Sheet("=x", FORMULAS, [FORMULAS])]),
        },
        tmp_path,
    )
    print(f"{len(FORMULAS)} texts in {len(found)} workbooks: {sum(map(len, found.values()))} live")
    assert {name: some for name, some in found.items() if some} == {}
