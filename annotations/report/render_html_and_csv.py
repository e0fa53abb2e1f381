"""A report as one self-contained HTML file and as CSV tables.

The page holds its style sheet and its pictures, makes no request, and links only to itself, so that no
link is dead where the page is alone. Every text is escaped: what a model or an annotator wrote is shown,
never run as markup.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from clinicnum.annotations.explanations.explanation_lookup import (
    key_figure_explanation,
    section_explanation,
    table_explanation,
)
from clinicnum.annotations.report.csv_without_formulas import csv_text
from clinicnum.annotations.report.figure_help import report_explanations
from clinicnum.annotations.report.format_cells import (
    bar_of,
    displayed_columns,
    flat,
    is_interval,
    is_total,
    marks_of,
    notes_of,
    shown,
    small_print,
)
from clinicnum.annotations.report.report_content import Cell, Column, ColumnKind, Report, Table

PAGE_ROWS = 60
"""Most rows of a table that the page shows; the CSV has all."""
FILES_SAID = (
    "Files of tables (.csv) that are named here are no part of this page: they are in the report's folder, "
    "and in a bundle or archive of it."
)
"""Where to find the files, in words."""


def render_html(report: Report) -> str:
    """The report as one HTML document that opens offline."""
    from importlib import resources

    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    from clinicnum.annotations.report.plots import draw, is_wide

    environment = Environment(
        loader=PackageLoader("clinicnum.annotations.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals |= {
        "grid_of": grid_of,
        "files_said": FILES_SAID,
        "notes_of": page_notes,
        "drawn": draw,
        "is_wide": is_wide,
        "key_figure_explanation": key_figure_explanation,
        "section_explanation": section_explanation,
        "table_explanation": table_explanation,
        "report_explanations": report_explanations,
    }
    css = (
        resources.files("clinicnum.annotations.report")
        .joinpath("templates/report.css")
        .read_text(encoding="utf-8")
    )
    page = environment.get_template("report.html.j2")
    return page.render(report=report, css=Markup(css))  # noqa: S704 - our own file


@dataclass(frozen=True)
class GridCell:
    """One cell of a table as the HTML page shows it."""

    text: str
    css: str
    small: tuple[str, ...]
    note: int | None
    """Number of the cell's remark."""
    bar: tuple[float, float | None, float | None] | None
    has_bar: bool


@dataclass(frozen=True)
class Grid:
    """A table as the page shows it."""

    groups: tuple[tuple[str, int], ...]
    """Each heading above several columns, with the number of columns; empty if there are none."""
    heads: tuple[tuple[str, str, bool], ...]
    """For each column: label, CSS class, and whether a column of bars follows."""
    rows: tuple[tuple[str, tuple[GridCell, ...]], ...]
    """For each row: CSS class and cells."""
    more: int
    """Number of rows that only the CSV has."""
    undefined: tuple[tuple[str, str], ...]
    """Names of rows without a value, with the reason."""


def grid_of(table: Table) -> Grid:
    """A table laid out for the page."""
    laid, notes = displayed_columns(table), page_notes(table)
    valued = [row for row in table.rows if _has_value(table, row)]
    groups: list[tuple[str, int]] = []
    for displayed in laid:
        name, span = displayed.column.group or "", 2 if _has_bar(table, displayed.column) else 1
        if groups and groups[-1][0] == name:
            span += groups.pop()[1]
        groups.append((name, span))
    return Grid(
        groups=tuple(groups) if any(name for name, _ in groups) else (),
        heads=tuple((one.column.label, one.column.kind, _has_bar(table, one.column)) for one in laid),
        rows=tuple(
            (
                "total" if is_total(table, row) else "",
                tuple(
                    GridCell(
                        text=shown(row[one.at], one.column.kind),
                        css=_cell_css(row[one.at], one.column.kind),
                        small=small_print(one, row),
                        note=notes.get(str(row[one.at])) if one.column.kind == "note" else None,
                        bar=bar_of(table, row) if _has_bar(table, one.column) else None,
                        has_bar=_has_bar(table, one.column),
                    )
                    for one in laid
                ),
            )
            for row in valued[:PAGE_ROWS]
        ),
        more=max(0, len(valued) - PAGE_ROWS),
        undefined=_undefined(table),
    )


def page_notes(table: Table) -> dict[str, int]:
    """The numbered remarks of the rows that the page shows."""
    return notes_of(table, lambda row: _has_value(table, row))


def _has_value(table: Table, row: tuple[Cell, ...]) -> bool:
    return table.value is None or table.cell(row, table.value) is not None


def _undefined(table: Table) -> tuple[tuple[str, str], ...]:
    """The names of rows without a value, grouped by the reason in their `note` column."""
    at = next((at for at, column in enumerate(table.columns) if column.kind == "note"), None)
    names: dict[str, list[str]] = {}
    for row in table.rows:
        if not _has_value(table, row):
            names.setdefault(str(row[at]) if at is not None else "no value", []).append(_row_name(table, row))
    return tuple((", ".join(found), reason) for reason, found in names.items())


def _row_name(table: Table, row: tuple[Cell, ...]) -> str:
    """The text cells of a row, which tell it from other rows."""
    cells = zip(table.columns, row, strict=True)
    return " ".join(str(cell) for column, cell in cells if column.kind in ("text", "code") and cell)


def _has_bar(table: Table, column: Column) -> bool:
    return table.bar is not None and column.key == table.bar[0]


def _cell_css(cell: Cell, kind: ColumnKind) -> str:
    return f"{kind} nil" if cell == 0 and kind in ("count", "share") else kind


def report_csvs(report: Report) -> dict[str, str]:
    """File name -> CSV text, one for each table, in full precision.

    Intervals become two columns; the last columns name the kind of annotators and mark credentialed data.
    """
    marks = marks_of(report)
    return {f"{table.id}.csv": table_csv(table, marks) for one in report.sections for table in one.tables}


def table_csv(table: Table, marks: Mapping[str, str]) -> str:
    """One table as CSV; `marks` are further columns with the same value in every row."""
    heads = [head for column in table.columns for head in _heads(column)]
    rows = ([*flat(table, row), *marks.values()] for row in table.rows)
    return csv_text([*heads, *marks], rows)


def _heads(column: Column) -> tuple[str, ...]:
    return (f"{column.key}_low", f"{column.key}_high") if is_interval(column.kind) else (column.key,)
