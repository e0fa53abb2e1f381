"""Decide which cells of a table to withhold, so that no count below a limit is shown or can be derived.

After the CMS cell size suppression policy (resdac.org, 2024): no count of 1 to 10 is shown, nor one that
follows from other counts or from percentages; a zero is. Here the limit is `below`, and three rules hold:

1. a count of 1 to `below - 1` is withheld, and so is a share that stands for so few, or whose rest is so few;
2. in a row with a withheld count only zeros stay, and a largest count that far exceeds the others; every
   share, interval, difference and coefficient of the row is withheld;
3. for every way of summing up a table's rows, further counts are withheld, the smallest first, until no
   withheld count follows from the others and their total, whether the total is shown or not.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from clinicnum.annotations.report.report_content import Cell, Column, ColumnKind, Table

RATERS = "n_annotators"
"""The column that counts annotators, who are not patients."""
PLANS = frozenset({"planner"})
"""Tables on planned studies, which have no patients yet."""
_KEYS: tuple[ColumnKind, ...] = ("text", "code")
_DERIVED: tuple[ColumnKind, ...] = (
    "share",
    "points",
    "number",
    "rate",
    "rate_interval",
    "p",
    "share_interval",
    "points_interval",
    "interval",
)
_WHOLE = 1e-6
"""Tolerance within which a share times its base counts as a whole number."""
_SOLVED = 1e-9


@dataclass
class Counts:
    """The counts that a table reveals, directly or through shares, by row and column; None for no count."""

    values: list[list[int | None]]
    shown_by: list[tuple[int, ...]]
    """Column -> the cells that reveal its count: the count itself, or the share."""
    withheld: list[list[bool]]


def withheld_cells(table: Table, below: int) -> set[tuple[int, int]]:
    """(row, column) of the cells to withhold: counts from 1 to `below` - 1, further ones from which they
    could be computed, and values derived from counts.
    """
    if table.id in PLANS:
        return set()
    counts = _counts_of(table)
    for at, row in enumerate(counts.values):
        for column, value in enumerate(row):
            counts.withheld[at][column] = value is not None and 0 < value < below
    sums = list(_sums(table))
    while _spread_rows(table, counts, below) or _spread_sums(counts, sums, below):
        pass
    return {cell for at in range(len(table.rows)) for cell in _cells(table, counts, at)}


def _cells(table: Table, counts: Counts, at: int) -> Iterator[tuple[int, int]]:
    told = [column for column, withheld in enumerate(counts.withheld[at]) if withheld]
    for column in told:
        yield from ((at, cell) for cell in counts.shown_by[column])
    if told:
        yield from ((at, cell) for cell, column in enumerate(table.columns) if column.kind in _DERIVED)


def _counts_of(table: Table) -> Counts:
    of = [at for at, column in enumerate(table.columns) if is_count(column)]
    shares = [at for at, column in enumerate(table.columns) if column.kind == "share"]
    columns: list[list[int | None]] = [[_whole(row[at]) for row in table.rows] for at in of]
    shown_by: list[tuple[int, ...]] = [(at,) for at in of]
    for share in shares:
        for base in of:
            told = [_counts_of_share(row[share], row[base]) for row in table.rows]
            columns += [[one and one[0] for one in told], [one and one[1] for one in told]]
            shown_by += [(share,), (share,)]
    rows = [list(row) for row in zip(*columns, strict=True)] if columns else [[] for _ in table.rows]
    return Counts(rows, shown_by, [[False] * len(shown_by) for _ in table.rows])


def _whole(cell: Cell) -> int | None:
    return round(cell) if isinstance(cell, (int, float)) else None


def _counts_of_share(share: Cell, base: Cell) -> tuple[int, int] | None:
    """The count that a share of `base` stands for, and the remaining count; None if the share stands for no
    whole number.
    """
    if not isinstance(share, (int, float)) or not isinstance(base, (int, float)):
        return None
    part = share * base
    return (round(part), round(base - part)) if abs(part - round(part)) < _WHOLE else None


def _spread_rows(table: Table, counts: Counts, below: int) -> bool:
    """Withhold further counts in rows that have a withheld one (rule 2 above); True if there were any."""
    changed = False
    for values, withheld in zip(counts.values, counts.withheld, strict=True):
        if not any(withheld):
            continue
        cells = [at for at, value in enumerate(values) if value and _is_cell(table, counts.shown_by[at])]
        gone = sum(withheld[at] for at in cells)
        largest = max((values[at] or 0 for at in cells), default=0)
        keeps = largest >= below * (max(gone, len(cells) - 1) + 1)
        for at, value in enumerate(values):
            stays = not value or (keeps and value == largest and at in cells and not withheld[at])
            if not withheld[at] and not stays:
                withheld[at] = changed = True
    return changed


def _is_cell(table: Table, shown_by: tuple[int, ...]) -> bool:
    return table.columns[shown_by[0]].kind == "count"


def _sums(table: Table) -> Iterator[tuple[list[int], int | None]]:
    """Every sum in the table: the rows added up, and the row of their total (None if it is not shown)."""
    first = next((at for at, one in enumerate(table.columns) if one.kind not in _KEYS), len(table.columns))
    keys = range(first)
    for free in keys:
        groups: dict[tuple[Cell, ...], list[int]] = {}
        for at, row in enumerate(table.rows):
            groups.setdefault(tuple(row[key] for key in keys if key != free), []).append(at)
        for members in groups.values():
            total = next((at for at in members if table.rows[at][free] == "all"), None)
            parts = [at for at in members if at != total]
            if len(parts) > 1 or total is not None:
                yield parts, total
    if first != 1 and table.rows:
        total = next((at for at, row in enumerate(table.rows) if "all" in row[:first]), None)
        if total is None:
            yield list(range(len(table.rows))), None


def _spread_sums(counts: Counts, sums: Sequence[tuple[list[int], int | None]], below: int) -> bool:
    """Withhold further counts by column until none can be derived (rule 3 above); True if there were any."""
    return any([_spread_column(counts, column, sums, below) for column in range(len(counts.shown_by))])


def _spread_column(
    counts: Counts, column: int, sums: Sequence[tuple[list[int], int | None]], below: int
) -> bool:
    changed = False
    for parts, total in sums:
        changed |= _close(counts, column, parts, total, below)
    while solved := _solved(counts, column, sums):
        # First in the sums of the solved rows; if nothing is left to withhold there, anywhere.
        near = [one for parts, total in sums if {*parts, total} & solved for one in (*parts, total)]
        if not any(_withhold_smallest(counts, column, rows) for rows in (near, range(len(counts.values)))):
            break
        changed = True
    return changed


def _close(counts: Counts, column: int, parts: list[int], total: int | None, below: int) -> bool:
    """Withhold more parts of one sum until at least two are withheld and their sum is not small."""
    changed = False
    while True:
        gone = [at for at in parts if counts.withheld[at][column]]
        if not gone:
            return changed
        together = sum(counts.values[at][column] or 0 for at in gone)
        if len(gone) > 1 and together >= below * len(gone):
            return changed
        spare = [*parts, *([] if total is None else [total])]
        if total is not None and counts.withheld[total][column]:
            return changed
        if not _withhold_smallest(counts, column, spare):
            return changed
        changed = True


def _withhold_smallest(counts: Counts, column: int, rows: Iterable[int | None]) -> bool:
    """Withhold the smallest count of these rows that is shown and not 0; False if there is none."""
    left = [at for at in rows if at is not None and not counts.withheld[at][column]]
    shown = [(value, at) for at in left if (value := counts.values[at][column])]
    if not shown:
        return False
    counts.withheld[min(shown)[1]][column] = True
    return True


def _solved(counts: Counts, column: int, sums: Sequence[tuple[list[int], int | None]]) -> set[int]:
    """The withheld rows whose counts can be computed from all sums together."""
    unknown = [at for at, row in enumerate(counts.withheld) if row[column]]
    place = {at: number for number, at in enumerate(unknown)}
    equations = [_equation(parts, total, place) for parts, total in sums]
    equations = [one for one in equations if one.any()]
    if not equations:
        return set()
    _, values, vectors = np.linalg.svd(np.array(equations), full_matrices=True)
    free = vectors[int((values > _SOLVED).sum()) :]
    loose = np.abs(free).max(axis=0) if len(free) else np.zeros(len(unknown))
    return {at for at in unknown if loose[place[at]] < _SOLVED}


def _equation(parts: list[int], total: int | None, place: dict[int, int]) -> np.ndarray:
    """One sum as a linear equation: the coefficients of its unknown counts."""
    row = np.zeros(len(place))
    row[[place[at] for at in parts if at in place]] = 1
    if total in place:
        row[place[total]] = -1
    return row


def is_count(column: Column) -> bool:
    """Whether a column counts patients or data derived from them."""
    return column.kind == "count" and column.key != RATERS
