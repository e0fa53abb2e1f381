"""Reads the answer out of a generation and says in which form it stood.

Where: the last JSON object with `answer`, whatever stands around it; else the last `\\boxed{...}` or
`<answer>...</answer>`; else the last "the answer is ..."; else the only value in the whole text. JSON, a box
and a tag bind: if their content is no single value, nothing else is looked for. How numbers, dates and times,
options and units are read, and what is refused, is said in `numbers`, `datetimes`, `dates`, `choices` and
`units`; what counts as declining to answer in `abstention`. A value is not lost to a later remark that
something else is not documented. A block of thinking that opens the text is no part of the answer.

Of a text that was cut off, only a marked answer counts that the cut cannot have shortened. Only the last
50,000 characters are read. Nothing raises and nothing is evaluated.
"""

import re
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Literal, NamedTuple

from clinicnum.inference.thinking import split_thinking
from clinicnum.parsing.abstention import abstains, before_remark, without_remarks
from clinicnum.parsing.choices import begins_with_letter, chooses_to_decline, read_choice
from clinicnum.parsing.dates import read_date, read_weeks
from clinicnum.parsing.datetimes import read_datetime
from clinicnum.parsing.number_words import begins_with_number_words, without_zero_counts
from clinicnum.parsing.numbers import read_number
from clinicnum.parsing.places import Place, marked_places
from clinicnum.parsing.reading import Found, Refused

__all__ = ["TIMED", "Found", "Reading", "ValueKind", "nothing_said", "parse_answer"]

MAX_TEXT = 50_000
MAX_UNMARKED = 5_000
ValueKind = Literal["number", "count", "datetime", "any", "choice", "date", "weeks"]
TIMED = frozenset({"datetime", "any", "choice"})
"""Kinds of which a partial time is completed from those of the records."""
_LONE = {"datetime": "lone_time", "date": "lone_date", "choice": "lone_choice", "weeks": "lone_length"}
_APART = re.compile(r"^([-+−])\s{1,3}(?=[0-9.])")
_VALUE_FIRST = re.compile(r"[\s*`\"'(\[$]{0,9}[-+−]?\.?[0-9]")


class Reading(NamedTuple):
    """What was read out of a generation."""

    kind: Literal["value", "abstention", "unparsable", "empty", "truncated"]
    form: str | None
    """Where it stood, and after a colon how it was written if out of the ordinary: `boxed:thousands`."""
    why: str
    found: Found | None = None
    """Set exactly for `value`."""
    span: tuple[int, int] | None = None
    """Where in the text the value, or the marked words that decline, stand; None if that cannot be told."""


class _Question(NamedTuple):
    """What the reading needs to know of the question."""

    kind: ValueKind
    times: Collection[datetime]
    asked: str
    options: Sequence[str]

    def read(self, raw: str, *, anywhere: bool = False) -> Found | Refused:
        if self.kind == "datetime":
            return read_datetime(raw, times=self.times, anywhere=anywhere)
        if self.kind == "choice":
            return read_choice(raw, options=self.options, times=self.times, anywhere=anywhere)
        if self.kind == "date":
            return read_date(raw, anywhere=anywhere)
        if self.kind == "weeks":
            return read_weeks(raw, anywhere=anywhere)
        number = read_number(raw, count=self.kind == "count", anywhere=anywhere)
        if self.kind == "any" and isinstance(number, Refused):
            time = read_datetime(raw, times=self.times, anywhere=anywhere)
            return time if isinstance(time, Found) else number
        return number

    def declined_by(self, text: str) -> bool:
        if self.kind == "choice" and abstains(text):
            return not chooses_to_decline(text, self.options)
        return abstains(without_zero_counts(text) if self.kind == "count" else text)

    def value_first(self, raw: str) -> bool:
        """Whether an answer begins with its value: a later "not documented" is about something else."""
        if self.kind == "choice" and begins_with_letter(raw):
            return True
        return bool(_VALUE_FIRST.match(raw)) or begins_with_number_words(raw.lstrip(" *`\"'"))


def parse_answer(
    text: str,
    *,
    kind: ValueKind,
    times: Collection[datetime] = (),
    asked: str = "",
    options: Sequence[str] = (),
    cut_off: bool = False,
) -> Reading:
    """Read the answer of the given kind; `times` are those of the records, which complete a partial time.

    `any` takes a number or a date and time; it is for questions that have no answer. `asked` is the question;
    it tells a remark ("pain was not documented") from a refusal. `options` are the texts of a `choice`, whose
    letters follow their order; `date` and `weeks` are a date alone and a length of weeks and days.
    """
    question = _Question(kind, times, asked, options)
    tail = (split_thinking(text)[0] if "think" in text or "THINK" in text else text)[-MAX_TEXT:]
    if not tail or tail.isspace():
        return nothing_said(text, cut_off=cut_off)
    problem: Reading | None = None
    for place in marked_places(tail):
        reading = _spanned(_from_place(place, question, cut_off), place.span, len(text) - len(tail))
        if reading.kind != "unparsable" or place.binding:
            return reading
        problem = problem or reading
    if cut_off:
        return Reading("truncated", None, "cut off before an answer was marked")
    reading = _from_whole(tail, question, problem)
    return _spanned(reading, _written_in(tail, reading.found), len(text) - len(tail))


def nothing_said(text: str, *, cut_off: bool) -> Reading:
    """The reading of a text that holds nothing, or nothing but thinking."""
    what = "the model wrote nothing but its thinking" if text.strip() else "the model wrote nothing"
    return Reading("truncated" if cut_off else "empty", None, what)


def _spanned(reading: Reading, span: tuple[int, int] | None, moved: int) -> Reading:
    if span is None:
        return reading
    kind, form, why, found, _ = reading  # not _replace, which is slow
    return Reading(kind, form, why, found, (span[0] + moved, span[1] + moved))


def _written_in(text: str, found: Found | None) -> tuple[int, int] | None:
    """Where the only value of a text stands last, if it stands there as it was read."""
    if found is None or found.detail == "option_text":
        return None
    after = "[0-9]" if found.written[-1].isdigit() else r"\w"  # "110bpm" is the number, "BP" no letter
    places = list(re.finditer(rf"(?<![\w.]){re.escape(found.written)}(?!{after})", text))
    return places[-1].span() if places else None


def _from_place(place: Place, question: _Question, cut_off: bool) -> Reading:
    if place.null:
        return Reading("abstention", place.form, "answers null")
    if place.before and question.declined_by(place.before):
        return Reading("abstention", place.form, "declines to give the answer")
    outcome = _read_marked(place, question)
    if outcome is None:
        return Reading("abstention", place.form, "the answer declines")
    if isinstance(outcome, Refused):
        return Reading("unparsable", place.form, outcome.why)
    if cut_off and place.open_end and outcome.at_end:
        return Reading("truncated", place.form, "cut off within the answer")
    return _value(place.form, outcome)


def _read_marked(place: Place, question: _Question) -> Found | Refused | None:
    """What a marked answer holds; None if it declines.

    In JSON and boxes, where no bullets stand, a minus may stand apart from its number.
    """
    apart = place.binding and place.raw.startswith(("-", "+", "−"))
    raw = _APART.sub(r"\1", place.raw) if apart else place.raw
    outcome = question.read(raw)
    if isinstance(outcome, Found) and outcome.plain and raw == place.raw:
        return outcome  # nothing but a value: no word that could decline
    if question.declined_by(raw) and not (isinstance(outcome, Found) and question.value_first(raw)):
        if question.kind == "any":
            return None
        early = question.read(before_remark(raw, asked=question.asked))
        return early._replace(plain=False, at_end=False) if isinstance(early, Found) else None
    return outcome._replace(plain=False) if raw != place.raw and isinstance(outcome, Found) else outcome


def _from_whole(text: str, question: _Question, problem: Reading | None) -> Reading:
    declines = question.declined_by(text)
    rest = without_remarks(text, asked=question.asked) if declines and question.kind != "any" else text
    if question.kind == "choice" and declines and question.value_first(rest):
        declines = False  # "B, as the weight is not given"
    if declines and (rest == text or question.declined_by(rest)):
        return Reading("abstention", "prose", "declines without a marked answer")
    if problem:
        return problem
    if len(text) > MAX_UNMARKED:
        return Reading("unparsable", None, f"no marked answer in {len(text)} characters")
    outcome = question.read(rest, anywhere=True)
    if isinstance(outcome, Found):
        time = "lone_time" if isinstance(outcome.value, datetime) else "lone_number"
        return _value(_LONE.get(question.kind, time), outcome)
    if declines and not any(map(str.isalnum, rest)):
        return Reading("abstention", "prose", "declines without a marked answer")
    return Reading("unparsable", None, outcome.why)


def _value(form: str, found: Found) -> Reading:
    return Reading("value", f"{form}:{found.detail}" if found.detail else form, "read", found)
