"""Reads the answer out of a generation and says in which form it stood.

Where: the last JSON object with `answer`, whatever stands around it; else the last `\\boxed{...}`; else the
last "the answer is ..."; else the only value in the whole text. A JSON object or a box binds: if its content
is no single value, nothing else is looked for. How numbers, dates and times and units are read, and what is
refused, is said in `numbers`, `datetimes` and `units`; what counts as declining to answer in `abstention`.

Of a text that was cut off, only a marked answer counts that the cut cannot have shortened. Only the last
50,000 characters are read. Nothing raises and nothing is evaluated.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Literal

from clinicnum.parsing.abstention import abstains
from clinicnum.parsing.datetimes import read_datetime
from clinicnum.parsing.numbers import read_number
from clinicnum.parsing.places import Place, marked_places
from clinicnum.parsing.reading import Found, Refused

__all__ = ["Found", "Reading", "ValueKind", "parse_answer"]

MAX_TEXT = 50_000
MAX_UNMARKED = 5_000
ValueKind = Literal["number", "count", "datetime", "any"]


@dataclass(frozen=True)
class Reading:
    """What was read out of a generation."""

    kind: Literal["value", "abstention", "unparsable", "empty", "truncated"]
    form: str | None
    """Where it stood, and after a colon how it was written if out of the ordinary: `boxed:thousands`."""
    why: str
    found: Found | None = None
    """Set exactly for `value`."""


def parse_answer(
    text: str, *, kind: ValueKind, times: Collection[datetime] = (), cut_off: bool = False
) -> Reading:
    """Read the answer of the given kind; `times` are those of the records, which complete a partial time.

    `any` takes a number or a date and time; it is for questions that have no answer.
    """
    tail = text[-MAX_TEXT:]
    if not tail.strip():
        return Reading("empty", None, "the model wrote nothing")
    problem: Reading | None = None
    for place in marked_places(tail):
        reading = _from_place(place, kind, times, cut_off)
        if reading.kind != "unparsable" or place.binding:
            return reading
        problem = problem or reading
    if cut_off:
        return Reading("truncated", None, "cut off before an answer was marked")
    if abstains(tail):
        return Reading("abstention", "prose", "declines without a marked answer")
    return _from_whole(tail, kind, times, problem)


def _from_place(place: Place, kind: ValueKind, times: Collection[datetime], cut_off: bool) -> Reading:
    if place.null:
        return Reading("abstention", place.form, "answers null")
    outcome = _read(place.raw, kind, times)
    if abstains(place.before):
        return Reading("abstention", place.form, "declines to give the answer")
    if isinstance(outcome, Found) and (_value_first(place.raw) or not abstains(place.raw)):
        if cut_off and place.open_end and outcome.at_end:
            return Reading("truncated", place.form, "cut off within the answer")
        return _value(place.form, outcome)
    if abstains(place.raw):
        return Reading("abstention", place.form, "the answer declines")
    why = outcome.why if isinstance(outcome, Refused) else "no value"
    return Reading("unparsable", place.form, why)


def _value_first(raw: str) -> bool:
    """Whether a marked answer begins with its value: a later "not documented" is about something else."""
    return raw.lstrip(" *`\"'")[:1].isdigit()


def _from_whole(text: str, kind: ValueKind, times: Collection[datetime], problem: Reading | None) -> Reading:
    if problem:
        return problem
    if len(text) > MAX_UNMARKED:
        return Reading("unparsable", None, f"no marked answer in {len(text)} characters")
    outcome = _read(text, kind, times, anywhere=True)
    if isinstance(outcome, Refused):
        return Reading("unparsable", None, outcome.why)
    return _value("lone_number" if isinstance(outcome.value, Decimal) else "lone_time", outcome)


def _value(form: str, found: Found) -> Reading:
    return Reading("value", f"{form}:{found.detail}" if found.detail else form, "read", found)


def _read(
    raw: str, kind: ValueKind, times: Collection[datetime], *, anywhere: bool = False
) -> Found | Refused:
    if kind == "datetime":
        return read_datetime(raw, times=times, anywhere=anywhere)
    number = read_number(raw, count=kind == "count", anywhere=anywhere)
    if kind == "any" and isinstance(number, Refused):
        time = read_datetime(raw, times=times, anywhere=anywhere)
        return time if isinstance(time, Found) else number
    return number
