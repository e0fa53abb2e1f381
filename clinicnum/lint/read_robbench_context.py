"""Read the context of a ClinicNumRobBench question: the value of each vital at each time.

The forms are those that its published scripts write (github.com/MinhVuong2000/ClinicNumRobBench): blocks in
braces (`structured`), and prose in which each record begins `At TIME,` (`templated`, the ablations, and
`natural`, where the first record is a whole patient note and the others are its vital-sign phrase). A value
is read only where a name of its vital stands before it. A vital given twice keeps all values.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import lru_cache

from clinicnum.lint.robbench_vital_names import NAMES, Told, vital_of_name
from clinicnum.types import Vital

TIME = r"\d{4}-\d{2}-\d{2}[ Tt]\d{2}:\d{2}:\d{2}"
NUMBER = r"\d{1,9}(?:\.\d{1,20})?(?!\d|\.\d)"
SIGNED = rf"-?{NUMBER}"
"""No vital is below zero, but a faulty conversion writes such values; they must not be read as positive."""
FIELDS: Mapping[str, Vital] = {
    "temperature": "temperature_c",
    "heart_rate": "heart_rate_bpm",
    "resp_rate": "resp_rate_bpm",
    "o2_sat": "spo2_pct",
}
"""Keys of a block that hold one number. `bp` holds two; `age`, `gender` and `pain` are not asked."""
IGNORED_FIELDS = frozenset({"age", "gender", "pain"})
UNDOCUMENTED = frozenset({"nan", "none", ""})

_BLOCK = re.compile(r"\{([^{}]*)\}")
_KEY = re.compile(r"[a-z0-9_]+")
_RECORD = re.compile(rf"(?:^|(?<=[\s.]))At ({TIME}),?\s")
_PRESSURE = re.compile(rf"({NUMBER})\s*/\s*({NUMBER})")
_NUMBER = re.compile(SIGNED)
_HARMLESS = re.compile(r"\b\d+-year-old\b|\bpain level is \S+", re.IGNORECASE)
_JOIN = r"(?:\s*\([^()\d]{1,40}\))?(?:\s*[:=,–]\s*|-|\s+-\s+|\s+)(?:(?:of|was|is|are|were|at|to)\s+)*"
_UNIT = r"(?:°\s*|degrees?\s+)?(?:C|F|Celsius|Fahrenheit)\b|℃|℉"
_TOLD = re.compile(
    rf"(?<![\w/])(?P<name>{'|'.join(map(re.escape, NAMES))}){_JOIN}"
    rf"(?P<first>{SIGNED}|nan\b)(?:\s*/\s*(?P<second>{NUMBER}))?(?!\s*(?:ms|mg|mmol|cm|kg|g/|mcg)\b)"
    rf"(?:\s*(?P<unit>{_UNIT}))?(?:\s*[(\[]\s*(?P<also>{NUMBER})\s*(?P<also_unit>{_UNIT})\s*[)\]])?",
    re.IGNORECASE,
)


class NotUnderstoodError(Exception):
    """The text has none of the known forms; the message says why."""


@dataclass(frozen=True, slots=True)
class ForeignRecord:
    """The values that a context gives for one time."""

    time: str
    """`YYYY-MM-DD HH:MM:SS`"""
    values: Mapping[Vital, tuple[Decimal, ...]]
    """Vital -> its distinct values, in the order of the text; usually one."""
    temperature_units: frozenset[str]
    """The units that temperatures are given in: `C`, `F`, or the empty string for none."""
    unclaimed: bool
    """A number in the record was assigned to no vital, so a value may have been missed."""


@lru_cache(maxsize=512)
def read_context(text: str) -> tuple[ForeignRecord, ...]:
    """The records in the order of the text. Raises NotUnderstoodError."""
    records = _blocks(text) if text.lstrip().startswith("{") else _prose(text)
    if not records:
        raise NotUnderstoodError("it holds no record")
    return records


def iso_time(text: str) -> str:
    """The time as `YYYY-MM-DD HH:MM:SS`. Raises NotUnderstoodError if it is not a valid time."""
    try:
        return datetime.fromisoformat(text).isoformat(sep=" ")
    except ValueError:
        raise NotUnderstoodError(f"{text} is no time") from None


def _blocks(text: str) -> tuple[ForeignRecord, ...]:
    rest = _BLOCK.sub("", text)
    if rest.strip(" \t\r\n,"):
        raise NotUnderstoodError("text stands outside the braces")
    return tuple(_block(match[1]) for match in _BLOCK.finditer(text))


def _block(body: str) -> ForeignRecord:
    cells: dict[str, str] = {}
    for line in filter(str.strip, body.splitlines()):
        key, colon, value = (part.strip() for part in line.partition(":"))
        if not colon or _KEY.fullmatch(key) is None or key in cells:
            raise NotUnderstoodError(f"a line in braces is not one `key: value`: {line.strip()[:80]!r}")
        cells[key] = value.removesuffix(",").strip()
    unknown = cells.keys() - FIELDS.keys() - IGNORED_FIELDS - {"chart_time", "bp"}
    if "chart_time" not in cells or unknown:
        raise NotUnderstoodError(f"keys in braces are {', '.join(cells)[:200]}")
    values: dict[Vital, tuple[Decimal, ...]] = {}
    for key, vital in FIELDS.items():
        cell = cells.get(key, "")
        if cell.lower() not in UNDOCUMENTED:
            values[vital] = (_decimal(cell),)
    pressure = cells.get("bp", "")
    if pressure and not {part.strip().lower() for part in pressure.split("/")} <= UNDOCUMENTED:
        values["sbp_mmhg"], values["dbp_mmhg"] = _pressures(pressure)
    return ForeignRecord(iso_time(cells["chart_time"]), values, frozenset({""}), unclaimed=False)


def _decimal(text: str) -> Decimal:
    if _NUMBER.fullmatch(text) is None:
        raise NotUnderstoodError(f"{text[:80]!r} is no number")
    return Decimal(text)


def _pressures(text: str) -> tuple[tuple[Decimal], tuple[Decimal]]:
    match = _PRESSURE.fullmatch(text)
    if match is None:
        raise NotUnderstoodError(f"{text[:80]!r} is no blood pressure")
    return (Decimal(match[1]),), (Decimal(match[2]),)


def _prose(text: str) -> tuple[ForeignRecord, ...]:
    starts = list(_RECORD.finditer(text))
    if not starts:
        raise NotUnderstoodError("it has neither braces nor `At TIME,`")
    if text[: starts[0].start()].strip():
        raise NotUnderstoodError("text stands before the first time")
    ends = [*(match.start() for match in starts[1:]), len(text)]
    told = (
        _segment(iso_time(start[1]), text[start.end() : end]) for start, end in zip(starts, ends, strict=True)
    )
    return tuple(_without_echoes(told))


def _without_echoes(records: Iterable[ForeignRecord]) -> Iterator[ForeignRecord]:
    """Yield the records without repeated times that have no value: padding repeats the first sentence."""
    seen: set[str] = set()
    for record in records:
        if record.values or record.time not in seen:
            yield record
        seen.add(record.time)


def _segment(time: str, text: str) -> ForeignRecord:
    values: dict[Vital, list[Decimal]] = {}
    units: set[str] = set()

    def unclaimed(match: re.Match[str]) -> str:
        """What remains of a token after removing its vital and its value; empty if nothing else is in it."""
        told = vital_of_name(match["name"])
        pairs = [] if told is None else _pairs(told, match)
        for vital, number in pairs:
            known = values.setdefault(vital, [])
            if number not in known:
                known.append(number)
        if told == "temperature_c" and pairs:
            units.add(_letter(match["unit"]))
            if match["also"]:
                units.add(_letter(match["also_unit"]))
        return "" if pairs or match["first"].lower() == "nan" else match[0]

    rest = _TOLD.sub(unclaimed, _HARMLESS.sub("", text))
    return ForeignRecord(
        time,
        {vital: tuple(numbers) for vital, numbers in values.items()},
        frozenset(units),
        unclaimed=any(character.isdigit() for character in rest),
    )


def _pairs(told: Told, match: re.Match[str]) -> list[tuple[Vital, Decimal]]:
    """The vitals and values in a token; none if a name is followed by something that cannot be its value."""
    first, second = match["first"], match["second"]
    if first.lower() == "nan":
        return []
    if told in ("pressure", "sbp_mmhg") and second is not None:
        return [("sbp_mmhg", Decimal(first)), ("dbp_mmhg", Decimal(second))]
    if told == "pressure" or second is not None:
        return []
    pairs = [(told, Decimal(first))]
    if match["also"] is not None and _letter(match["unit"]) == _letter(match["also_unit"]):
        pairs.append((told, Decimal(match["also"])))
    return pairs


def _letter(unit: str | None) -> str:
    """`C` or `F`; empty for a value without unit."""
    if not unit:
        return ""
    return "F" if "F" in unit.upper() or "℉" in unit else "C"
