"""How the cells of a table read and lie, for people: the same on the page, in Markdown and in LaTeX;
and for machines: the same in CSV and in the workbook.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from clinicnum.annotations.report.model import Cell, Column, ColumnKind, Report, Table
from clinicnum.credentialed import COLUMN

UNDEFINED = "–"
LEAST_P = 0.001


@dataclass(frozen=True)
class Block:
    """One column as it is laid out: what stands in it, and what in small print below."""

    at: int
    column: Column
    under: tuple[tuple[int, Column], ...]


def blocks(table: Table) -> tuple[Block, ...]:
    """The columns of a table as they are laid out; a `once` column in which all rows agree is left out."""
    found: list[Block] = []
    for at, column in enumerate(table.columns):
        if column.once and len({row[at] for row in table.rows}) == 1:
            continue
        if column.under and found:
            last = found.pop()
            found.append(Block(last.at, last.column, (*last.under, (at, column))))
        else:
            found.append(Block(at, column, ()))
    return tuple(found)


def shown(cell: Cell, kind: ColumnKind) -> str:
    """A cell as people read it; a dash for what is not there."""
    if cell is None:
        return UNDEFINED
    if isinstance(cell, tuple):
        low, high = (_number(end, kind).removesuffix(" %") for end in cell)
        return f"{low} to {high}{' %' if kind == 'share_interval' else ''}"
    if isinstance(cell, str):
        return cell
    return _number(cell, kind)


def small_print(block: Block, row: tuple[Cell, ...]) -> tuple[str, ...]:
    """What stands below a cell, named where a bare number would not tell; what is not there is left out."""
    said = []
    for at, column in block.under:
        cell = row[at]
        if cell is None:
            continue
        text = shown(cell, column.kind)
        if column.kind == "count":
            text = f"n = {text}"
        elif column.kind == "p":
            text = f"{column.label} {text}" if text.startswith("<") else f"{column.label} = {text}"
        said.append(text)
    return tuple(said)


def is_interval(kind: ColumnKind) -> bool:
    """Whether cells of this kind are pairs of numbers."""
    return kind.endswith("interval")


def marks_of(report: Report) -> dict[str, str]:
    """What stands in the last columns of every table for machines: who annotated, and credentialed data."""
    return {"annotator_kind": report.annotator_kind} | ({"data_use": COLUMN} if report.data_use else {})


def flat(table: Table, row: tuple[Cell, ...]) -> Iterator[str | int | float | None]:
    """A row for machines: an interval is two cells.

    Raises ValueError for a pair in a column that is not declared as intervals.
    """
    for column, cell in zip(table.columns, row, strict=True):
        if is_interval(column.kind):
            yield from cell if isinstance(cell, tuple) else (None, None)
        elif isinstance(cell, tuple):
            raise ValueError(f"column {column.key} holds an interval but is declared {column.kind}")
        else:
            yield cell


def _number(value: float, kind: ColumnKind) -> str:
    if kind.startswith("share"):
        return f"{100 * value:.1f} %"
    if kind.startswith("points"):
        return f"{100 * value:+.1f}".replace("-", "−").replace("+0.0", "0.0").replace("−0.0", "0.0")
    if kind == "count":
        return f"{value:,.0f}".replace(",", "\u202f")
    if kind == "p":
        return f"{value:.3f}" if value >= LEAST_P else f"< {LEAST_P}"
    return f"{value:.3f}".replace("-", "−")


def is_total(table: Table, row: tuple[Cell, ...]) -> bool:
    """Whether a row is a sum."""
    return row[0] == "all" if table.total is None else table.cell(row, table.total) == "all"


def notes_of(table: Table, only: Callable[[tuple[Cell, ...]], bool] = lambda _: True) -> dict[str, int]:
    """The remarks of a table's `note` columns, in the rows that are wanted, numbered as they appear."""
    notes: dict[str, int] = {}
    for row in filter(only, table.rows):
        for column, cell in zip(table.columns, row, strict=True):
            if column.kind == "note" and isinstance(cell, str):
                notes.setdefault(cell, len(notes) + 1)
    return notes


def bar_of(table: Table, row: tuple[Cell, ...]) -> tuple[float, float | None, float | None] | None:
    """The bar of a row in percent: length, and the ends of its whisker; None where there is no value."""
    if table.bar is None:
        return None
    value, interval = (table.cell(row, key) for key in table.bar)
    if not isinstance(value, (int, float)):
        return None
    low, high = interval if isinstance(interval, tuple) else (None, None)
    return 100 * value, None if low is None else 100 * low, None if high is None else 100 * high
