"""Read tables: a header of vital signs with units and one row per record; columns separated by `|`,
tab, `;` or `,`.
"""

import re
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from clinicnum.validity.reading.lines_after_records import given, read_line_below, words_only
from clinicnum.validity.reading.memoize import Memo
from clinicnum.validity.reading.reading_result import Draft, UnreadableError
from clinicnum.validity.reading.times import cell as time_cell
from clinicnum.validity.reading.units import measured
from clinicnum.validity.reading.vital_names import PRESSURES, vital_of

PIPE = " | "
UNDOCUMENTED = "-"
HEADS = ("| time |", "time\t", "time;", "time,")
"""Beginnings of a table's header."""

_GIVENS_HEAD = re.compile(r"\| given(?P<pipe> \| )value \||given(?P<mark>\t|; ?|, ?)value")
_HEAD_CELL = re.compile(r"([A-Za-z][A-Za-z0-9 ]*)(?: \(([^()]+)\))?")


def read_table(lines: list[str], start: int, draft: Draft) -> None:
    """Add the records of the table with the header `lines[start]`, and what the lines after it say, to
    `draft`.

    Raises UnreadableError for a header, row or other line that generated tables cannot have.
    """
    for line in lines[:start]:
        words_only(line)
    delimiter, columns, spoken = _columns(lines[start])
    draft.spoken.update(spoken)
    width = len(columns) + 1
    body = _body(lines, start, delimiter, width)
    for at, line in enumerate(body):
        if not (line.startswith("| ") if delimiter == PIPE else line[:4].isdigit()):
            return _below(body[at:], draft)
        cells = _cells(line, delimiter)
        if len(cells) != width:
            raise UnreadableError(f"{len(cells)} cells in {width} columns: {line!r}")
        row: dict[str, Decimal | None] = {}
        draft.rows.append((time_cell(cells.pop(0)), row))
        for (vital, values), cell in zip(columns, cells, strict=True):
            row[vital] = values[cell]
    return None


def _body(lines: list[str], head: int, delimiter: str, width: int) -> list[str]:
    """The lines after the header and, if the delimiter is `|`, after the line of dashes below it.

    Raises UnreadableError if that line is missing.
    """
    if delimiter != PIPE:
        return lines[head + 1 :]
    if lines[head + 1 : head + 2] != ["|" + "---|" * width]:
        raise UnreadableError("a table without its rule")
    return lines[head + 2 :]


def _cells(line: str, delimiter: str) -> list[str]:
    if delimiter != PIPE:
        return line.split(delimiter)
    if not (line.startswith("| ") and line.endswith(" |")):
        raise UnreadableError(f"a line that is no row: {line!r}")
    return line[2:-2].split(PIPE)


class Head(NamedTuple):
    """What a table's header says of its columns."""

    delimiter: str
    columns: tuple[tuple[str, Memo[Decimal | None]], ...]
    """Each column's vital, and a mapping of cell texts to values."""
    spoken: frozenset[str]
    """`vital unit` of each column; the unit is empty where the header has none."""


@lru_cache(maxsize=1024)
def _columns(head: str) -> Head:
    mark = head[len("time")]
    delimiter = PIPE if head.startswith("|") else mark + " " if head[5:6] == " " else mark
    units: dict[str, str] = {}
    for cell in _cells(head, delimiter)[1:]:
        match = _HEAD_CELL.fullmatch(cell)
        vital = None if match is None else vital_of(match[1])
        if match is None or vital is None or vital == PRESSURES:
            raise UnreadableError(f"a column headed {cell!r}")
        if vital in units:
            raise UnreadableError(f"{vital} has two columns")
        units[vital] = match[2] or ""
    columns = tuple((vital, _column(vital, unit)) for vital, unit in units.items())
    return Head(delimiter, columns, frozenset(f"{vital} {unit}" for vital, unit in units.items()))


@lru_cache(maxsize=64)
def _column(vital: str, unit: str) -> Memo[Decimal | None]:
    _, values = measured(vital, unit)
    return Memo(lambda cell: None if cell == UNDOCUMENTED else values[cell], 2048)


def _below(lines: list[str], draft: Draft) -> None:
    """Read what follows a table's rows: a table of givens, recognised lines, or words."""
    at = 0
    while at < len(lines):
        head = _GIVENS_HEAD.fullmatch(lines[at])
        if head is not None:
            at = _givens(lines, at, head["pipe"] or head["mark"], draft)
            continue
        if not read_line_below(lines[at], draft):
            words_only(lines[at])
        at += 1


def _givens(lines: list[str], at: int, delimiter: str, draft: Draft) -> int:
    """Read the table of givens with the header `lines[at]`; returns the index of the line after it."""
    at += 1
    if delimiter == PIPE:
        if lines[at : at + 1] != ["|---|---|"]:
            raise UnreadableError("a table of givens without its rule")
        at += 1
    while at < len(lines) and delimiter in lines[at] and not lines[at].endswith("."):
        cells = _cells(lines[at], delimiter)
        if len(cells) != 2:
            raise UnreadableError(f"{len(cells)} cells in a table of givens: {lines[at]!r}")
        given(cells[0], cells[1], draft)
        at += 1
    return at
