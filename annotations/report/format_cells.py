"""Format table cells: for people, identically in HTML, Markdown and LaTeX; for programs, identically in CSV
and XLSX.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from clinicnum.annotations.report.report_content import Cell, Column, ColumnKind, Report, Table
from clinicnum.credentialed_data import COLUMN
from clinicnum.stats.rounded_figures import percent, rounded

UNDEFINED = "–"
LEAST_P = 0.001


@dataclass(frozen=True)
class DisplayedColumn:
    """One displayed column: a column, and the columns shown in small print below its values."""

    at: int
    column: Column
    under: tuple[tuple[int, Column], ...]


def displayed_columns(table: Table) -> tuple[DisplayedColumn, ...]:
    """The columns to show, each with the small-print (`under`) columns that follow it; a `once` column is
    left out if all rows have the same value.
    """
    found: list[DisplayedColumn] = []
    for at, column in enumerate(table.columns):
        if column.once and len({row[at] for row in table.rows}) == 1:
            continue
        if column.under and found:
            last = found.pop()
            found.append(DisplayedColumn(last.at, last.column, (*last.under, (at, column))))
        else:
            found.append(DisplayedColumn(at, column, ()))
    return tuple(found)


def shown(cell: Cell, kind: ColumnKind) -> str:
    """A cell as displayed; a missing value is a dash, a new line in code `\\n`."""
    if cell is None:
        return UNDEFINED
    if isinstance(cell, tuple):
        low, high = (_number(end, kind).removesuffix(" %") for end in cell)
        return f"{low} to {high}{' %' if kind == 'share_interval' else ''}"
    if isinstance(cell, str):
        return cell.replace("\n", "\\n") if kind == "code" else cell
    return _number(cell, kind)


def small_print(displayed: DisplayedColumn, row: tuple[Cell, ...]) -> tuple[str, ...]:
    """The small print below a cell, without missing values; a count is preceded by `n =`, a p-value by its
    label.
    """
    said = []
    for at, column in displayed.under:
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
    """Key -> value of the columns added to every table for programs: the kind of annotators, and for
    credentialed data a mark of that.
    """
    return {"annotator_kind": report.annotator_kind} | ({"data_use": COLUMN} if report.data_use else {})


def flat(table: Table, row: tuple[Cell, ...]) -> Iterator[str | int | float | None]:
    """The values of a row for CSV and XLSX; an interval becomes two cells.

    Raises ValueError for a pair in a column that is not declared as an interval.
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
        return f"{percent(value)} %"
    if kind.startswith("points"):
        said = rounded(100 * value, 1, signed=True)
        return said.replace("-", "−").replace("+0.0", "0.0").replace("−0.0", "0.0")
    if kind.startswith("rate"):
        return rounded(value, 1)
    if kind == "count":
        return f"{value:,.0f}".replace(",", "\u202f")
    if kind == "p":
        return f"{value:.3f}" if value >= LEAST_P else f"< {LEAST_P}"
    return f"{value:.3f}".replace("-0.000", "0.000").replace("-", "−")


def is_total(table: Table, row: tuple[Cell, ...]) -> bool:
    """Whether a row is a total: it holds `all` in the column `total`, or in its first cell if none is set."""
    return row[0] == "all" if table.total is None else table.cell(row, table.total) == "all"


def notes_of(table: Table, only: Callable[[tuple[Cell, ...]], bool] = lambda _: True) -> dict[str, int]:
    """Remark -> its number in order of appearance, from the `note` columns of the rows `only` selects."""
    notes: dict[str, int] = {}
    for row in filter(only, table.rows):
        for column, cell in zip(table.columns, row, strict=True):
            if column.kind == "note" and isinstance(cell, str):
                notes.setdefault(cell, len(notes) + 1)
    return notes


def bar_of(table: Table, row: tuple[Cell, ...]) -> tuple[float, float | None, float | None] | None:
    """The bar of a row in percent: its length and both ends of its interval; None without a value or bar."""
    if table.bar is None:
        return None
    value, interval = (table.cell(row, key) for key in table.bar)
    if not isinstance(value, (int, float)):
        return None
    low, high = interval if isinstance(interval, tuple) else (None, None)
    return 100 * value, None if low is None else 100 * low, None if high is None else 100 * high
