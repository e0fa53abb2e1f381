"""Compare a report with the one rebuilt from the raw rows: which figures differ, and by how much."""

import math
from collections.abc import Iterator
from typing import Any

from clinicnum.annotations.bundle.bundle_file_paths import FIGURES
from clinicnum.annotations.bundle.manifest import Fault
from clinicnum.annotations.report.failure_class_shares import VALUES_ONLY
from clinicnum.annotations.report.report_content import Cell, Report, Table
from clinicnum.annotations.report.sections.failure_signatures import TOO_FEW_RIGHT

TOLERANCE = 1e-9
"""Relative and absolute: another processor may sum in another order, so that the last digits differ."""
MOST_NAMED = 20
_EARLIER_LABELS = (
    ("pairs drawn for annotation", "drawn for annotation"),
    ("drawn for annotation, 1 stratum", "drawn for annotation, 1 strata"),
    (" (group_id) beside another answer", " with another item"),
    (" (group_id)", ""),
    ("texts beside questions", "texts"),
    ("agreement or adjudication", "the three-reader rule"),
)
"""(present wording, earlier wording) of what rows of tables are of."""
_MADE_OTHERWISE = frozenset({"planner", "grras", "unsaid", "advice_stages"})
"""Tables whose simulations drew other numbers in earlier layouts, that are prose, that list what a version
lacks, or that sum up the verdicts of another table."""
_IN_WORDS = ("text", "code", "note")
"""Kinds of columns that hold no figure."""
_NOW_UNDECIDED = (VALUES_ONLY, TOO_FEW_RIGHT)
"""Reasons for which a row gives no share, or no verdict, that earlier layouts gave."""


def different_figures(given: Report, rebuilt: Report) -> tuple[Fault, ...]:
    """One fault for each figure or text that differs from the rebuilt one, at most `MOST_NAMED` of them."""
    found = _differences(given.model_dump(mode="json"), rebuilt.model_dump(mode="json"), _names(given))
    faults = [Fault(file=FIGURES, what=what) for what, _ in zip(found, range(MOST_NAMED), strict=False)]
    return tuple(faults)


def count_figures(report: Report) -> int:
    """Number of cells of the report's tables that hold a number or an interval."""
    rows = [row for section in report.sections for table in section.tables for row in table.rows]
    return sum(isinstance(cell, (int, float, tuple)) for row in rows for cell in row)


def in_earlier_layout(given: Report, rebuilt: Report) -> Report:
    """The report in its earlier layout, with the rows of its tables as this version rebuilds them.

    A table that this version lacks, or makes with other columns, becomes empty, so that it differs. Tables
    that are not comparable between versions stay as given, and so do remarks and verdicts, which are texts.
    """
    tables = {table.id: table for section in rebuilt.sections for table in section.tables}

    def anew(table: Table) -> Table:
        if table.id in _MADE_OTHERWISE:
            return table
        found = tables.get(table.id)
        same = found is not None and found.keys == table.keys
        rows = found.rows if found is not None and same else ()
        before = table.rows if len(table.rows) == len(rows) else rows
        return table.model_copy(
            update={"rows": tuple(_earlier_row(table, *both) for both in zip(rows, before, strict=True))}
        )

    return given.model_copy(
        update={
            "sections": tuple(
                section.model_copy(update={"tables": tuple(map(anew, section.tables))})
                for section in given.sections
            )
        }
    )


def _earlier_row(table: Table, row: tuple[Cell, ...], given: tuple[Cell, ...]) -> tuple[Cell, ...]:
    """The rebuilt row with the remarks of the given row; the given row itself where only later layouts leave
    the share or verdict undecided.
    """
    if any(isinstance(cell, str) and cell.endswith(_NOW_UNDECIDED) for cell in row):
        return given
    told = _compared(table)
    return tuple(
        _earlier_label(cell) if number in told else before
        for number, (cell, before) in enumerate(zip(row, given, strict=True))
    )


def _compared(table: Table) -> frozenset[int]:
    """Indices of the columns to compare: those of figures, and those before the first, which name the row;
    all columns if none has figures.
    """
    figures = [number for number, one in enumerate(table.columns) if one.kind not in _IN_WORDS]
    every = range(len(table.columns))
    return frozenset(figures) | set(range(figures[0])) if figures else frozenset(every)


def _earlier_label(cell: Cell) -> Cell:
    if isinstance(cell, str):
        for now, then in _EARLIER_LABELS:
            cell = cell.replace(now, then)
    return cell


def _names(report: Report) -> dict[tuple[int, int], Table]:
    return {
        (section, table): named
        for section, part in enumerate(report.sections)
        for table, named in enumerate(part.tables)
    }


def _differences(given: Any, rebuilt: Any, tables: dict[tuple[int, int], Table]) -> Iterator[str]:
    for path, one, other in _walk(given, rebuilt, ()):
        yield f"{_place(path, tables)} is {_short(one)}, but the raw rows give {_short(other)}"


_Path = tuple[str | int, ...]


def _walk(one: Any, other: Any, path: _Path) -> Iterator[tuple[_Path, Any, Any]]:
    """Yield the leaves, or whole branches of different shape, in which the JSON trees `one` and `other`
    differ.
    """
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        for key in one:
            yield from _walk(one[key], other[key], (*path, key))
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for at, (left, right) in enumerate(zip(one, other, strict=True)):
            yield from _walk(left, right, (*path, at))
    elif not _same(one, other):
        yield path, one, other


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
    return type(one) is type(other) and bool(one == other)


def _place(path: _Path, tables: dict[tuple[int, int], Table]) -> str:
    match path:
        case ("sections", int(section), "tables", int(at), "rows", int(row), int(column), *_):
            table = tables[section, at]
            return f"table {table.id}, row {row + 1} ({_row_name(table, row)}), {table.columns[column].key}"
        case ("sections", int(section), "tables", int(at), *rest):
            return f"table {tables[section, at].id}, {_dotted(rest)}"
        case _:
            return _dotted(path)


def _row_name(table: Table, row: int) -> str:
    return ", ".join(cell for cell in table.rows[row][:2] if isinstance(cell, str)) or "no name"


def _dotted(path: _Path | list[str | int]) -> str:
    return ".".join(str(part) for part in path)


def _short(value: Any) -> str:
    if isinstance(value, (dict, list)):
        return f"{len(value)} entries"
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."
