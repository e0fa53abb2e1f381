"""Rules V1 to V6 on one context and one answer. A rule returns its name when it fails, None when it holds.

V1 the reader recovers exactly the records; V2 times are unique (ties and missing crossings: the evaluator);
V3 the answer is the exact value rounded once; V4 the exact value is no tie at the asked digit; V5 every value
has its one unit; V6 every value is plausible.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from typing import get_args

from clinicnum.records.vitals import implausible, time_text
from clinicnum.templates.evaluate import Answer
from clinicnum.templates.exact import is_tie
from clinicnum.types import Record, RepresentationName, Vital
from clinicnum.validity.reader import Reading, UnreadableError, read

UNITS: Mapping[str, str] = {
    "temperature_c": "°C",
    "heart_rate_bpm": "bpm",
    "resp_rate_bpm": "breaths/min",
    "spo2_pct": "%",
    "sbp_mmhg": "mmHg",
    "dbp_mmhg": "mmHg",
    "pain": "/10",
}
"""The only unit that each vital is written in."""

TENTH = Decimal("0.1")


def check_records(records: Sequence[Record]) -> str | None:
    """V2 (times), V3 (recorded resolution) and V6, on the records themselves."""
    times: set[datetime] = {record.charttime for record in records}
    if len(times) != len(records):
        return "V2.time_not_unique"
    for record in records:
        if record.charttime.microsecond:
            return "V2.time_finer_than_a_second"
        if record.temperature_c is not None and record.temperature_c % TENTH:
            return "V3.temperature_finer_than_shown"
        if implausible(record) is not None:
            return f"V6.{implausible(record)}"
    return None


def check_context(records: Sequence[Record], name: RepresentationName, text: str) -> str | None:
    """V1 and V5, on one rendering."""
    try:
        reading = read(text)
    except UnreadableError:
        return f"V1.unreadable.{name}"
    if list(reading.rows) != [(time_text(record), _row(record)) for record in records]:
        return f"V1.differs.{name}"
    return None if _units_hold(reading) else f"V5.unit.{name}"


def _row(record: Record) -> dict[str, Decimal | None]:
    return {vital: getattr(record, vital) for vital in get_args(Vital)}


def _units_hold(reading: Reading) -> bool:
    return all(units == {UNITS[vital]} for vital, units in reading.units.items())


def check_answer(gold: Answer, decimals: int | None) -> str | None:
    """V3 and V4, on the answer."""
    if gold.exact is None or decimals is None:
        return None
    if is_tie(gold.exact, decimals):
        return "V4.tie_at_asked_digit"
    # Off by less than half of the asked digit: rounded once, from the exact value.
    half = Fraction(1, 2 * int(10**decimals))
    return None if abs(Fraction(gold.text) - gold.exact) < half else "V3.answer_not_exact"
