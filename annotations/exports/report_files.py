"""A report as files: HTML, Markdown and JSON, its tables as CSV, LaTeX and XLSX, its figures as SVG and PDF.

All are made from the same tables of values, so that a figure is the same in every file.
"""

import json

from pydantic import ValidationError

from clinicnum.annotations.exports.xlsx import Sheet, workbook_bytes
from clinicnum.annotations.report.format_cells import flat, is_interval, marks_of
from clinicnum.annotations.report.markdown_and_latex import report_texts
from clinicnum.annotations.report.plots import pdf_file, svg_file
from clinicnum.annotations.report.render_html_and_csv import render_html, report_csvs
from clinicnum.annotations.report.report_content import Column, ColumnKind, Report, Table
from clinicnum.errors import InputError
from clinicnum.io.jsonl import first_problem

_FORMATS: dict[ColumnKind, str] = {
    "count": "#,##0",
    "share": "0.0%",
    "share_interval": "0.0%",
    "points": "+0.0%;-0.0%;0.0%",
    "points_interval": "+0.0%;-0.0%;0.0%",
    "number": "0.000",
    "rate": "0.0",
    "rate_interval": "0.0",
    "p": "0.000",
    "interval": "0.000",
}
PAGE, FIGURES = "report.html", "report.json"


DRAWN = "figures"
"""Folder of the plots."""


def report_files(report: Report) -> dict[str, str | bytes]:
    """File name -> content, for all formats of a report but the workbook."""
    texts = {PAGE: render_html(report), FIGURES: report_json(report), **report_csvs(report)}
    return {**texts, **report_texts(report), **_drawn(report)}


def _drawn(report: Report) -> dict[str, str | bytes]:
    """Every figure as SVG and PDF, and an `index.json` of their captions, CSV tables and files; the same
    report gives the same bytes.
    """
    files: dict[str, str | bytes] = {}
    index = []
    for plot in report.plots:
        names = {kind: f"{DRAWN}/{plot.id}.{kind}" for kind in ("svg", "pdf")}
        files |= {names["svg"]: svg_file(plot), names["pdf"]: pdf_file(plot)}
        index.append(
            {
                "id": plot.id,
                "caption": plot.caption,
                "table": f"{plot.table}.csv",
                "files": list(names.values()),
            }
        )
    if index:
        files[f"{DRAWN}/index.json"] = json.dumps(index, indent=1, ensure_ascii=False) + "\n"
    return files


def report_json(report: Report) -> str:
    """Every figure, caption and text of a report as JSON; `read_report` reads it back to the last digit.

    Raises ValueError for NaN or infinity: an undefined figure is None, with its reason beside it.
    """
    return json.dumps(report.model_dump(mode="json"), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def read_report(text: str | bytes, name: str) -> Report:
    """A report from its JSON. Raises InputError, naming the file, if the text is not a report."""
    try:
        return Report.model_validate_json(text)
    except ValidationError as error:
        raise InputError(
            f"{name}: not a report of this version: {first_problem(error)}; "
            "use the version of clinicnum that made it"
        ) from error


def report_workbook(report: Report) -> bytes:
    """The report's tables as XLSX: a sheet of contents, then one sheet per table; figures have 16 digits.

    Raises InputError for a table that is too long for a sheet, MissingExtra without xlsxwriter.
    """
    tables = [table for section in report.sections for table in section.tables]
    marks = marks_of(report)
    contents = Sheet(
        title="contents",
        heads=("Table", "What it shows", "Note", "Counted from", *marks),
        rows=[(one.id, one.caption, one.note, one.trace, *marks.values()) for one in tables],
        widths=(28, 40, 80, 60, *(16 for _ in marks)),
    )
    warnings = Sheet("warnings", ("Warning",), [(one,) for one in report.warnings], widths=(160,))
    first = [warnings] if report.data_use else []
    return workbook_bytes([*first, contents, *(_sheet(one, marks) for one in tables)])


def _sheet(table: Table, marks: dict[str, str]) -> Sheet:
    columns = [(head, column.kind) for column in table.columns for head in _heads(column)]
    return Sheet(
        title=table.id,
        heads=(*(head for head, _ in columns), *marks),
        rows=[[*flat(table, row), *marks.values()] for row in table.rows],
        formats=(*(_FORMATS.get(kind, "General") for _, kind in columns), *("General" for _ in marks)),
    )


def _heads(column: Column) -> tuple[str, ...]:
    if is_interval(column.kind):
        return f"{column.label}, low", f"{column.label}, high"
    return (column.label,)
