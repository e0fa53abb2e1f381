"""Cleaning: text cells of one row become documented values, or undocumented ones counted by rule.

Temperature: °F and °C are mixed in one column, so the unit is decided value by value (above 45 it can only
be °F), converted exactly and rounded once, half-up, to 0.1 °C. A value out of range, a diastolic pressure not
below its systolic one, and pain that is not a number ("asleep") become undocumented; the row stays.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation

from clinicnum.errors import InputError
from clinicnum.records.vitals import VITAL_SIGNS
from clinicnum.types import Record, Vital

FAHRENHEIT_ABOVE = Decimal(45)


def clean_vitals(cells: Mapping[Vital, str], where: str, counts: Counter[str]) -> dict[Vital, Decimal]:
    """Documented, plausible values of one row.

    `where` is `file:line`. Raises InputError for text in a number column (pain excepted).
    """
    values: dict[Vital, Decimal] = {}
    for vital, text in cells.items():
        if not text.strip():
            continue
        value = _number(text)
        if value is None and vital != "pain":
            raise InputError(
                f"{where}: {vital} is {text.strip()!r}; expected a number or an empty cell; correct the cell"
            )
        if value is None:
            counts["pain.not_a_number"] += 1
            continue
        if vital == "temperature_c":
            value = _celsius(value, counts)
        sign = VITAL_SIGNS[vital]
        if sign.low <= value <= sign.high:
            values[vital] = value
        else:
            counts[f"{vital}.out_of_range"] += 1
    if "sbp_mmhg" in values and "dbp_mmhg" in values and values["dbp_mmhg"] >= values["sbp_mmhg"]:
        del values["sbp_mmhg"], values["dbp_mmhg"]
        counts["dbp_not_below_sbp"] += 1
    return values


def _number(text: str) -> Decimal | None:
    try:
        value = Decimal(text.strip())
    except InvalidOperation:
        return None
    if not value.is_finite() or abs(value.adjusted()) > 12:
        return None
    whole = value.to_integral_value()
    return whole if value == whole else value.normalize()


def _celsius(value: Decimal, counts: Counter[str]) -> Decimal:
    if value > FAHRENHEIT_ABOVE:
        counts["temperature_c.from_fahrenheit"] += 1
        # A tie at 0.1 °C divides evenly by 9, so the 28-digit quotient never hides one.
        value = (value - 32) * 5 / 9
    return value.quantize(Decimal("0.1"), ROUND_HALF_UP)


def parse_time(text: str, where: str, column: str) -> datetime:
    """A local time at whole seconds. Raises InputError naming the cell otherwise."""
    try:
        time = datetime.fromisoformat(text.strip())
    except ValueError:
        time = None
    if time is None or time.tzinfo is not None or time.microsecond:
        raise InputError(f"{where}: {column} is {text!r}; expected YYYY-MM-DD HH:MM:SS; correct the cell")
    return time


def unique_times(records: Iterable[Record], counts: Counter[str]) -> tuple[Record, ...]:
    """Sort by subject, stay and time; keep one of equal rows at a time, none of rows that contradict."""
    at: dict[tuple[str, str, datetime], list[Record]] = {}
    for record in records:
        at.setdefault((record.subject_id, record.stay_id, record.charttime), []).append(record)
    kept: list[Record] = []
    for key in sorted(at):
        same = at[key]
        if all(other == same[0] for other in same):
            kept.append(same[0])
            counts["duplicate_time.identical"] += len(same) - 1
        else:
            counts["duplicate_time.contradicting"] += len(same)
    return tuple(kept)
