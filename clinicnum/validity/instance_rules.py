"""Rules V1 to V6 and V8 on records, context, answer and question.

A rule returns its name when it fails, None when it holds.

V1 the reader recovers exactly the records and the givens; V2 times are unique (ties and missing crossings:
the evaluator); V3 the answer is the exact value rounded once; V4 it is no tie at the asked digit before that;
V5 every vital has one unit, and a value without unit is plausible in one alone (table: `reading.units`); V6
every value is plausible; V8 nothing contradicts the records: no other value of a vital, no word that implies
its state, an earlier visit, another patient or a superseded entry only where the question says that it does
not count.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from functools import lru_cache
from operator import attrgetter, itemgetter
from typing import NamedTuple, get_args

from clinicnum.records.vitals import implausible
from clinicnum.templates.evaluate_tree import Answer
from clinicnum.templates.exact_numbers import is_tie
from clinicnum.types import Given, Record, RepresentationName, Vital
from clinicnum.validity.context_reader import Reading, UnreadableError, read

VITALS: tuple[Vital, ...] = get_args(Vital)

UNITS: Mapping[str, frozenset[str]] = {
    "temperature_c": frozenset({"°C"}),
    "heart_rate_bpm": frozenset({"bpm", "/min"}),
    "resp_rate_bpm": frozenset({"breaths/min", "/min"}),
    "spo2_pct": frozenset({"%"}),
    "sbp_mmhg": frozenset({"mmHg"}),
    "dbp_mmhg": frozenset({"mmHg"}),
    "pain": frozenset({"/10"}),
}
"""Spellings of a vital's units, one of which must be used throughout a context."""

_recorded_vitals = attrgetter(*VITALS)
_read_vitals = itemgetter(*VITALS)

TENTH = Decimal("0.1")
BARE = frozenset({""})

THIS_VISIT = re.compile(
    r"\b(?:(?:this|the (?:present|current)) (?:visit|stay|encounter|presentation|attendance|admission)"
    r"|(?:not|without|excluding|leav\w+ out|ignor\w+|disregard\w+) (?:\w+ ){0,2}earlier visits?)\b",
    re.IGNORECASE,
)
"""Phrases with which a question limits itself to the records of this visit."""
SET_APART: Mapping[str, tuple[re.Pattern[str], str]] = {
    "earlier_visit": (THIS_VISIT, "the question does not say whether the earlier visit counts"),
    "superseded": (
        re.compile(
            r"\bsuperseded entr(?:y|ies)\b[^.]*\b(?:go by the records|do(?:es)? not count)\b", re.IGNORECASE
        ),
        "the question does not say that a superseded entry does not count",
    ),
    "other_patient": (
        re.compile(r"\banother patient does not count\b|\bthis patient only\b", re.IGNORECASE),
        "the question does not say that another patient's values do not count",
    ),
}
"""Contents of a context besides records -> what its question must say about them, else the fault."""


class Fault(NamedTuple):
    """A rule that a context or question breaks."""

    rule: str
    """The broken rule, such as `V1.differs.note`."""
    reason: str
    """The reason in words, with what was found."""


def check_records(records: Sequence[Record]) -> str | None:
    """The first rule that records break: V2 (times), V3 (a value finer than it is recorded) or V6; None if
    all hold.
    """
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


def check_context(
    records: Sequence[Record],
    givens: Sequence[Given],
    name: RepresentationName,
    text: str,
    *,
    frame: bool = False,
) -> str | None:
    """The first of V1, V2, V5 and V8 that a rendering of records and givens breaks; None if all hold.
    `frame`: a user's note surrounds it.
    """
    faults, _ = _context_faults(records, givens, name, text, frame=frame)
    return faults[0].rule if faults else None


def check_question(question: str, set_apart: Collection[str]) -> list[Fault]:
    """Faults (V8) of a question that fails to say that what the context holds beside the records does not
    count.

    `set_apart` names what the context holds, by keys of `SET_APART`.
    """
    return [
        Fault(f"V8.{name}", reason)
        for name, (said, reason) in SET_APART.items()
        if name in set_apart and not said.search(question)
    ]


def check_instance_text(
    records: Sequence[Record],
    givens: Sequence[Given],
    name: RepresentationName,
    context: str,
    question: str,
    *,
    frame: bool = False,
) -> tuple[Fault, ...]:
    """Every fault of a context (V1, V2 for repeated times, V5, V8) and of its question (V8).

    `frame`: whether the context is a user's note into which the records were put.
    """
    faults, set_apart = _context_faults(records, givens, name, context, frame=frame)
    return (*faults, *check_question(question, set_apart))


def _context_faults(
    records: Sequence[Record], givens: Sequence[Given], name: str, text: str, *, frame: bool
) -> tuple[list[Fault], Collection[str]]:
    """The faults, and which of `SET_APART` the text holds."""
    try:
        reading = read(text, frame=frame)
    except UnreadableError as error:
        # Only V1 (reading) and V5 (units) name the representation.
        rule = f"{error.rule}.{name}" if error.rule[:2] in ("V1", "V5") else error.rule
        return [Fault(rule, str(error))], ()
    faults = []
    difference = _difference(reading, records, givens)
    if difference is not None:
        faults.append(Fault(f"V1.differs.{name}", difference))
    wrong = _wrong_units(reading)
    if wrong is not None:
        faults.append(Fault(f"V5.unit.{name}", wrong))
    beside = (reading.earlier, reading.superseded, reading.other_patients)
    return faults, [name for name, rows in zip(SET_APART, beside, strict=True) if rows]


def _difference(reading: Reading, records: Sequence[Record], givens: Sequence[Given]) -> str | None:
    if len(reading.rows) != len(records):
        return f"{len(reading.rows)} records in the context, {len(records)} in the instance"
    for (time, values), record in zip(reading.rows, records, strict=True):
        expected = _moment(record.charttime)
        if time != expected:
            return f"a record of {time} in the context, of {expected} in the instance"
        if len(values) != len(VITALS) or _read_vitals(values) != _recorded_vitals(record):
            return _first_difference(time, values, record)
    shown = [(label, value if unit is None else f"{value} {unit}") for label, value, unit in reading.givens]
    asked = [(g.name, g.value if g.unit is None else f"{g.value} {g.unit}") for g in givens]
    if sorted(shown) != sorted(asked):
        return f"givens {shown} in the context, {asked} in the instance"
    for field, said in reading.patient:
        if any(str(getattr(record, field)) != said for record in records):
            return f"{field} is {said} in the context, another in the instance"
    return None


@lru_cache(maxsize=1024)
def _moment(charttime: datetime) -> str:
    """The time as the reader returns it; cached, since each representation asks for it."""
    return charttime.isoformat(sep=" ")


def _first_difference(time: str, values: Mapping[str, Decimal | None], record: Record) -> str:
    for vital in VITALS:
        if vital not in values:
            return f"nothing said of {vital} at {time}"
        value = getattr(record, vital)
        if values[vital] != value:
            return f"{vital} at {time} is {values[vital]} in the context, {value} in the instance"
    return f"more vitals at {time} than an instance has"


def _wrong_units(reading: Reading) -> str | None:
    """The fault of a unit that does not fit; a value without unit is plausible in a single unit, or
    the reader would have refused it.
    """
    for vital, units in reading.units.items():
        stated = units - BARE
        if len(stated) > 1 or not stated <= UNITS[vital]:
            return f"{vital} in {', '.join(sorted(stated))}"
    return None


def check_answer(gold: Answer, decimals: int | None) -> str | None:
    """The first of V3 and V4 that the answer breaks; None if both hold.

    `decimals` are those that the question asks for; None where it asks for no number.
    """
    if gold.exact is None or decimals is None:
        return None
    if is_tie(gold.exact, decimals):
        return "V4.tie_at_asked_digit"
    # Off by less than half of the asked digit: rounded once. Integers, as this is faster.
    shown, below = Decimal(gold.text).as_integer_ratio()
    off = abs(shown * gold.exact.denominator - gold.exact.numerator * below)
    return None if 2 * 10**decimals * off < below * gold.exact.denominator else "V3.answer_not_exact"
