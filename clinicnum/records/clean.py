"""Clean the text cells of a row into documented values; undocumented and implausible ones are counted by
rule.

Temperature: °F and °C are mixed in one column, so where no unit is said it is decided value by value (above
45 it can only be °F), converted exactly and rounded once, half-up, to 0.1 °C. A value out of range, a
diastolic pressure not below its systolic one, and pain that is not a number ("asleep") become undocumented;
the row stays.

All that cleaning does to documented cells and to rows is counted, under these names in `Loaded.counts`:

    temperature_c.from_fahrenheit   values converted
    temperature_c.rounded           values in °C that had more than one decimal
    VITAL.out_of_range              values that became undocumented
    pain.not_a_number               values that became undocumented
    dbp_not_below_sbp               rows of which both pressures became undocumented
    duplicate_time.identical        rows dropped: one like them at the same time of the same stay is kept
    duplicate_time.contradicting    rows dropped: several at the same time of the same stay, not alike
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from clinicnum.errors import InputError
from clinicnum.records.column_units import TemperatureUnit
from clinicnum.records.vitals import VITAL_SIGNS
from clinicnum.types import Record, Vital

FAHRENHEIT_ABOVE = Decimal(45)
OLDEST_YEARS = 130
_TENTH = Decimal("0.1")
_CELSIUS = VITAL_SIGNS["temperature_c"]


def clean_vitals(
    cells: Mapping[Vital, str],
    where: str,
    counts: Counter[str],
    *,
    columns: Mapping[Vital, str] | None = None,
    temperature_unit: TemperatureUnit | None = None,
) -> dict[Vital, Decimal]:
    """Documented, plausible values of one row.

    `where` (`file:line`) and `columns` (the vitals' names in the file) are for errors. Raises InputError for
    text in a number column (pain excepted) and for a temperature that cannot be in the unit given.
    """
    values: dict[Vital, Decimal] = {}
    for vital, text in cells.items():
        if not text:
            continue
        cell = _read(vital, text, temperature_unit if vital == "temperature_c" else None)
        if cell.fault is not None:
            raise InputError(f"{where}: {(columns or {}).get(vital, vital)} is {cell.fault}")
        for rule in cell.rules:
            counts[rule] += 1
        if cell.value is not None:
            values[vital] = cell.value
    if "sbp_mmhg" in values and "dbp_mmhg" in values and values["dbp_mmhg"] >= values["sbp_mmhg"]:
        del values["sbp_mmhg"], values["dbp_mmhg"]
        counts["dbp_not_below_sbp"] += 1
    return values


class _Cell(NamedTuple):
    """The value of one cell, or why it has none."""

    value: Decimal | None
    rules: tuple[str, ...] = ()
    fault: str | None = None
    """What is wrong with the cell, what was expected, what to do."""


@lru_cache(maxsize=1 << 16)  # a column has few distinct cells
def _read(vital: Vital, text: str, unit: TemperatureUnit | None) -> _Cell:
    if not text.strip():
        return _Cell(None)
    value = number(text)
    if value is None and vital == "pain":
        return _Cell(None, ("pain.not_a_number",))
    if value is None:
        remedy = "write a decimal point" if _has_decimal_comma(text) else "correct the cell"
        return _Cell(None, fault=f"{shortened(text)}; expected a number or an empty cell; {remedy}")
    rules: tuple[str, ...] = ()
    if vital == "temperature_c":
        if unit is not None and (fault := _wrong_unit(value, unit)):
            return _Cell(None, fault=fault)
        value, rules = _celsius(value, unit)
    sign = VITAL_SIGNS[vital]
    if sign.low <= value <= sign.high:
        return _Cell(value, rules)
    return _Cell(None, (*rules, f"{vital}.out_of_range"))


def number(text: str) -> Decimal | None:
    """A finite number written with digits, sign, point and exponent; None for anything else, and if very
    large or small.
    """
    text = text.strip()
    if not text.isascii() or "_" in text:  # Decimal takes both
        return None
    try:
        value = Decimal(text)
    except InvalidOperation:
        return None
    if not value.is_finite() or abs(value.adjusted()) > 12:
        return None
    return Decimal(int(value)) if value == value.to_integral_value() else value.normalize()


def shortened(text: str) -> str:
    """A cell as quoted in an error: on one line, at most 40 characters."""
    text = text.strip()
    return repr(text if len(text) <= 40 else text[:40] + "...")


def _has_decimal_comma(text: str) -> bool:
    return "," in text and number(text.replace(",", ".")) is not None


def _wrong_unit(value: Decimal, unit: TemperatureUnit) -> str | None:
    """Why a temperature is implausible in its unit but plausible in the other; None unless both hold."""
    other: TemperatureUnit = "°C" if unit == "°F" else "°F"
    if _plausible(value, unit) or not _plausible(value, other):
        return None
    return f"{value} and said to be in {unit}; it can only be {other}; correct the unit or the value"


def _plausible(value: Decimal, unit: TemperatureUnit) -> bool:
    return _CELSIUS.low <= (_from_fahrenheit(value) if unit == "°F" else value) <= _CELSIUS.high


def _celsius(value: Decimal, unit: TemperatureUnit | None) -> tuple[Decimal, tuple[str, ...]]:
    if unit == "°F" or (unit is None and value > FAHRENHEIT_ABOVE):
        return _from_fahrenheit(value), ("temperature_c.from_fahrenheit",)
    rounded = value.quantize(_TENTH, ROUND_HALF_UP)
    return rounded, () if rounded == value else ("temperature_c.rounded",)


def _from_fahrenheit(value: Decimal) -> Decimal:
    # A tie at 0.1 °C divides evenly by 9, so the 28-digit quotient never hides one.
    return ((value - 32) * 5 / 9).quantize(_TENTH, ROUND_HALF_UP)


def parse_time(text: str, where: str, column: str) -> datetime:
    """A local time in whole seconds, given at least to the minute. Raises InputError naming the cell."""
    text = text.strip()
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        time = None
    written = (
        text[4:5] == text[7:8] == "-" and text[13:14] == ":"
    )  # fromisoformat takes dates and weeks alone
    if time is None or not written or time.tzinfo is not None or time.microsecond:
        raise InputError(
            f"{where}: {column} is {shortened(text)}; expected YYYY-MM-DD HH:MM:SS; correct the cell"
        )
    return time


def checked_age(years: int, where: str, source: str) -> int:
    """Return `years` if a person can be so old. Raises InputError naming the cells (`source`) it was computed
    from.
    """
    if not 0 <= years <= OLDEST_YEARS:
        raise InputError(f"{where}: {source} gives {years} years; expected 0 to {OLDEST_YEARS}; correct it")
    return years


def unique_times(records: Iterable[Record], counts: Counter[str]) -> tuple[Record, ...]:
    """Sort by subject, stay and time; of several rows at one time keep one if all are equal, else none."""
    kept: list[Record] = []
    for _, group in groupby(sorted(records, key=_place), key=_place):
        first, *others = group
        if all(other == first for other in others):
            kept.append(first)
            counts["duplicate_time.identical"] += len(others)
        else:
            counts["duplicate_time.contradicting"] += 1 + len(others)
    return tuple(kept)


def _place(record: Record) -> tuple[str, str, datetime]:
    return record.subject_id, record.stay_id, record.charttime
