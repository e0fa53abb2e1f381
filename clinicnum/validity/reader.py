"""The V1 reader: recovers the (time, vital) table from a context's text, by itself.

It shares no code and no table with the renderers, so that a slip there cannot hide here. It is strict: a
number that it cannot attribute, a second value of a vital at a time, or a value before any time is an error.
"""

import re
from dataclasses import dataclass
from decimal import Decimal

TIME = r"\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}"
NUMBER = r"\d+(?:\.\d+)?"
UNITS = ("°C", "°F", "bpm", "breaths/min", "%", "mmHg", "/10")
NAMES = {
    "temperature_c": ("temperature", "temp", "t"),
    "heart_rate_bpm": ("heart rate", "hr", "pulse"),
    "resp_rate_bpm": ("respiratory rate", "resp rate", "rr"),
    "spo2_pct": ("spo2", "o2 sat", "oxygen saturation"),
    "sbp_mmhg": ("systolic blood pressure", "systolic pressure", "systolic bp", "sbp"),
    "dbp_mmhg": ("diastolic blood pressure", "diastolic pressure", "diastolic bp", "dbp"),
    "pain": ("pain score", "pain"),
    "blood_pressure": ("blood pressure", "bp"),
}
VITAL_OF = {name: vital for vital, names in NAMES.items() for name in names}
_NAME = "|".join(re.escape(name) for name in sorted(VITAL_OF, key=len, reverse=True))
_UNIT = "|".join(re.escape(unit) for unit in UNITS)
_JOIN = r"(?:\s*[:=]\s*|\s+(?:of|was|is)\s+|\s+)"

_TOKEN = re.compile(
    rf"(?P<time>{TIME})"
    rf"|\b(?P<name>{_NAME}){_JOIN}(?:(?P<absent>not (?:documented|recorded))"
    rf"|(?P<first>{NUMBER})(?:/(?P<second>{NUMBER})(?=\s*mmHg))?\s*(?P<unit>{_UNIT})?)"
    rf"|\bno (?P<denied>{_NAME}) (?:documented|recorded)"
    r"|(?P<stray>\d)",
    re.IGNORECASE,
)
_HEAD_CELL = re.compile(rf"(?P<name>{_NAME}) \((?P<unit>{_UNIT})\)", re.IGNORECASE)


class UnreadableError(Exception):
    """The text has no sole reading; the message says why."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a text says."""

    rows: tuple[tuple[str, dict[str, Decimal | None]], ...]
    """Per record in the order of the text: time, and each vital spoken of (None: said to be undocumented)."""
    units: dict[str, frozenset[str]]
    """Units with which each vital was given; the empty string where a value had none."""


def read(text: str) -> Reading:
    """Read a table or prose. Raises UnreadableError where a value's meaning is not certain."""
    return _read_table(text) if "\n|" in text or text.startswith("|") else _read_prose(text)


def _read_prose(text: str) -> Reading:
    rows: list[tuple[str, dict[str, Decimal | None]]] = []
    units: dict[str, set[str]] = {}
    for token in _TOKEN.finditer(text):
        if token["stray"]:
            raise UnreadableError(f"a number without a meaning at character {token.start()}")
        if token["time"]:
            rows.append((token["time"], {}))
            continue
        if not rows:
            raise UnreadableError("a value before any time")
        for vital, value in _values(token):
            if vital in rows[-1][1]:
                raise UnreadableError(f"a second value of {vital} at {rows[-1][0]}")
            rows[-1][1][vital] = value
            if value is not None:
                units.setdefault(vital, set()).add(token["unit"] or "")
    return _reading(rows, units)


def _values(token: re.Match[str]) -> list[tuple[str, Decimal | None]]:
    vital = VITAL_OF[(token["name"] or token["denied"]).lower()]
    if vital == "blood_pressure":
        if token["second"]:
            return [("sbp_mmhg", Decimal(token["first"])), ("dbp_mmhg", Decimal(token["second"]))]
        if token["first"]:
            raise UnreadableError("one number for a blood pressure")
        return [("sbp_mmhg", None), ("dbp_mmhg", None)]
    if token["second"]:
        raise UnreadableError(f"two numbers for {vital}")
    return [(vital, Decimal(token["first"]) if token["first"] else None)]


def _read_table(text: str) -> Reading:
    lines = text.splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("|"))
    if any(character.isdigit() for line in lines[:start] for character in line):
        raise UnreadableError("a number outside the table")
    head = _cells(lines[start])
    columns: list[str] = []
    units: dict[str, set[str]] = {}
    for cell in head[1:]:
        match = _HEAD_CELL.fullmatch(cell)
        if match is None:
            raise UnreadableError(f"a column headed {cell!r}")
        columns.append(VITAL_OF[match["name"].lower()])
        units.setdefault(columns[-1], set()).add(match["unit"])
    if len(set(columns)) != len(columns):
        raise UnreadableError("a vital has two columns")
    rows: list[tuple[str, dict[str, Decimal | None]]] = []
    for line in lines[start + 2 :]:
        cells = _cells(line)
        if len(cells) != len(head) or not re.fullmatch(TIME, cells[0]):
            raise UnreadableError(f"a line that is no row: {line!r}")
        rows.append((cells[0], dict(zip(columns, map(_table_value, cells[1:]), strict=True))))
    return _reading(rows, units)


def _cells(line: str) -> list[str]:
    if not (line.startswith("|") and line.endswith("|")):
        raise UnreadableError(f"a line that is no row: {line!r}")
    return [cell.strip() for cell in line[1:-1].split("|")]


def _table_value(cell: str) -> Decimal | None:
    if cell == "-":
        return None
    if not re.fullmatch(NUMBER, cell):
        raise UnreadableError(f"a cell that is no number: {cell!r}")
    return Decimal(cell)


def _reading(rows: list[tuple[str, dict[str, Decimal | None]]], units: dict[str, set[str]]) -> Reading:
    return Reading(tuple(rows), {vital: frozenset(found) for vital, found in units.items()})
