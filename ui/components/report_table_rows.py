"""A report table as rows of text, with cells formatted exactly as in the report."""

from clinicnum.annotations.report.format_cells import (
    DisplayedColumn,
    displayed_columns,
    notes_of,
    shown,
    small_print,
)
from clinicnum.annotations.report.report_content import Cell, Table
from clinicnum.ui.components.language import _


def report_columns(table: Table) -> list[str]:
    """The column headings for `report_rows`, in the page's language."""
    return [_(one.column.label) for one in _laid(table)]


def report_rows(table: Table) -> list[list[str]]:
    """The table's rows; the report's small print follows its cell in parentheses."""
    laid, notes = _laid(table), notes_of(table)
    return [[_cell(one, notes, row) for one in laid] for row in table.rows]


def report_notes(table: Table) -> list[str]:
    """The table's note (unit and sample sizes), then the numbered remarks that its cells refer to."""
    remarks = [f"({number}) {text}." for text, number in notes_of(table).items()]
    return [table.note, *remarks] if table.note else remarks


def _laid(table: Table) -> list[DisplayedColumn]:
    has_notes = bool(notes_of(table))
    return [one for one in displayed_columns(table) if has_notes or one.column.kind != "note"]


def _cell(displayed: DisplayedColumn, notes: dict[str, int], row: tuple[Cell, ...]) -> str:
    cell, kind = row[displayed.at], displayed.column.kind
    if kind == "note":
        return f"({notes[cell]})" if isinstance(cell, str) else ""
    small = "; ".join(small_print(displayed, row))
    return f"{shown(cell, kind)} ({small})" if small else shown(cell, kind)
