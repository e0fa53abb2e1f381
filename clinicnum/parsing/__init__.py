"""Extract the answer from a generated text, and say in which form it was given.

Places are tried in this order: the last JSON object with the key `answer`; the last `\\boxed{...}` or
`<answer>...</answer>`; the last "the answer is ..."; the only value in the whole text. JSON, boxes and tags
are binding: if they hold no single value, no other place is tried. `numbers`, `datetimes`, `dates`,
`choices` and `units` document which spellings are read and which are refused, `abstention` what counts as
abstaining. Thinking at the beginning of a text is skipped, and so is a further question that the model made
up. In a truncated text only a marked answer that the truncation cannot have shortened counts. Only the last
50,000 characters are read. No text raises an exception.
"""

import re
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Literal, NamedTuple

from clinicnum.parsing.abstention import absences
from clinicnum.parsing.answer_markers import marked_places
from clinicnum.parsing.flexible_answer import (
    breaks_off,
    merely_mentions,
    read_beside_refusal,
    read_conclusion,
)
from clinicnum.parsing.guesses import guess_in
from clinicnum.parsing.invented_turns import after_prompt, own_parts, question_after
from clinicnum.parsing.marked_answer import Place
from clinicnum.parsing.minus_signs import DASHES
from clinicnum.parsing.missing_value_remarks import before_remark, without_remarks
from clinicnum.parsing.option_verdicts import option_left
from clinicnum.parsing.parse_result import Found, Refused
from clinicnum.parsing.question_context import Question, ValueKind
from clinicnum.parsing.rejected_values import (
    is_final,
    is_rejected,
    names_alternatives,
    without_echoes,
    worked_out,
)
from clinicnum.parsing.self_corrections import correction_after
from clinicnum.parsing.thinking import split_thinking

__all__ = [
    "OFFERS",
    "TIMED",
    "Found",
    "Reading",
    "ValueKind",
    "nothing_said",
    "parse_answer",
    "parse_flexibly",
]

MAX_TEXT = 50_000
MAX_UNMARKED = 5_000
MAX_AFTER = 400
"""Characters that may follow a lone value; after more text it counts as merely mentioned."""
MAX_GUESS = 400
"""Longest text, in characters, in which a value offered despite an abstention is read as the answer."""
OFFERS = "offers a value although it declines"
"""The reason why a longer text is not read that abstains and yet offers a value."""
TIMED = frozenset({"datetime", "any", "choice"})
"""Kinds of value for which a partial time is completed from the records' times."""
_LONE = {"datetime": "lone_time", "date": "lone_date", "choice": "lone_choice", "weeks": "lone_length"}
_APART = re.compile(rf"^[+{re.escape(DASHES)}][\s*_`$]{{1,4}}(?=[0-9.])")


class Reading(NamedTuple):
    """The result of reading an answer from a generation."""

    kind: Literal["value", "abstention", "unparsable", "empty", "truncated"]
    form: str | None
    """The form in which the answer was marked, and after a colon an unusual spelling: `boxed:thousands`."""
    why: str
    found: Found | None = None
    """The value; None unless `kind` is `value`."""
    span: tuple[int, int] | None = None
    """Start and end, in the text, of the value or of the marked abstention; None if unknown."""


def parse_answer(
    text: str,
    *,
    kind: ValueKind,
    times: Collection[datetime] = (),
    asked: str = "",
    options: Sequence[str] = (),
    cut_off: bool = False,
) -> Reading:
    """Extract the answer of the given kind from a generated text, which may be truncated (`cut_off`).

    `times` are the records' times, which complete a partial one. `asked` is the question, `options` are the
    texts of a multiple choice question in the order of their letters. The kind `any` (a number, or a date
    with time) is for unanswerable questions; `date` is a date alone, `weeks` a duration in weeks and days.
    """
    question = Question(kind, times, asked, options)
    tail = _own_words(text)
    if not tail or tail.isspace():
        return nothing_said(text, cut_off=cut_off)
    moved = len(text) - len(tail)
    reading = nothing_said(text, cut_off=cut_off)
    for own in own_parts(tail, asked):
        part = _until_new_question(own, question)
        reading = _read(part, question, moved, cut_off=cut_off and part == tail)
        if reading.kind in ("value", "abstention"):
            break
    return reading


def _own_words(text: str) -> str:
    """The end of a text, without its thinking and without a copy of the prompt."""
    return after_prompt(split_thinking(text)[0][-MAX_TEXT:])


def _until_new_question(text: str, question: Question) -> str:
    """Cut `text` before a new question after its first marked answer; what follows answers that one."""
    if "?" not in text and "？" not in text:
        return text
    answers = [
        place.span[1]
        for place in marked_places(text)
        if place.span and isinstance(_read_marked(place, question), Found)
    ]
    asks = question_after(text, min(answers)) if answers else None
    return text if asks is None else text[:asks]


def _read(tail: str, question: Question, moved: int, *, cut_off: bool) -> Reading:
    """Read the answer in `tail`, a text without its thinking, which begins at offset `moved` of the whole."""
    problem: Reading | None = None
    for place in marked_places(tail):
        later = correction_after(tail, place.span[1]) if place.span else None
        reading = _from_place(later, question, cut_off) if later else None
        if reading is None or reading.kind != "value":
            later, reading = None, _from_place(place, question, cut_off)
        reading = _spanned(reading, (later or place).span, moved)
        if reading.kind == "value" and place.span and later is None and is_rejected(tail[place.span[0] :]):
            reading = Reading("unparsable", place.form, "the text says that its answer is not right")
        if reading.kind != "unparsable" or place.binding or is_final(place.before):
            return reading
        like_option = question.kind == "choice" and place.opens_like_option_a
        problem = problem or (None if like_option else reading)
    if cut_off:
        return Reading("truncated", None, "cut off before an answer was marked")
    reading = _from_whole(tail, question, problem)
    return _spanned(reading, _written_in(tail, reading.found), moved)


def parse_flexibly(
    text: str,
    marked: Reading,
    *,
    kind: ValueKind,
    times: Collection[datetime] = (),
    asked: str = "",
    options: Sequence[str] = (),
) -> Reading:
    """Extract the answer as a careful reader would, if `marked`, the result of `parse_answer`, found none."""
    in_passing = marked.form == "prose" and kind != "any"
    if marked.kind != "unparsable" and not in_passing:
        return marked
    tail = _own_words(text)
    question = Question(kind, times, asked, options)
    for own in own_parts(tail, asked):
        outcome = _unmarked(own, question, marked, beside=in_passing and kind != "choice")
        if isinstance(outcome, Found):
            span = _written_in(own, outcome)
            return _spanned(_value("conclusion", outcome), span, len(text) - len(tail))
    return marked


def _unmarked(text: str, question: Question, marked: Reading, *, beside: bool) -> Found | Refused:
    """The answer of a text that marks none; with `beside`, only a value stated beside an abstention."""
    outcome = read_beside_refusal(text, question) if beside else read_conclusion(text, question)
    if isinstance(outcome, Refused) and question.kind == "choice" and marked.form in (None, "prose"):
        letter = option_left(text, question.options, question.asked)
        return Found(None, letter, None, plain=False, detail="option_left") if letter else outcome
    return outcome


def nothing_said(text: str, *, cut_off: bool) -> Reading:
    """The result for a text that is empty, or that holds nothing but thinking."""
    what = "the model wrote nothing but its thinking" if text.strip() else "the model wrote nothing"
    return Reading("truncated" if cut_off else "empty", None, what)


def _spanned(reading: Reading, span: tuple[int, int] | None, moved: int) -> Reading:
    if span is None:
        return reading
    kind, form, why, found, _ = reading  # not _replace, which is slow
    return Reading(kind, form, why, found, (span[0] + moved, span[1] + moved))


def _written_in(text: str, found: Found | None) -> tuple[int, int] | None:
    """The span of the last occurrence of a value in the text; None if it does not occur as it was read."""
    if found is None or found.detail == "option_text":
        return None
    after = "[0-9]" if found.written[-1].isdigit() else r"\w"  # "110bpm" is the number, "BP" no letter
    places = list(re.finditer(rf"(?<![\w.]){re.escape(found.written)}(?!{after})", text))
    return places[-1].span() if places else None


def _from_place(place: Place, question: Question, cut_off: bool) -> Reading:
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


def _read_marked(place: Place, question: Question) -> Found | Refused | None:
    """Read the value of a marked answer; None if it abstains. A blank may follow a minus sign."""
    if names_alternatives(place.raw):
        return Refused("several values of one thing")
    apart = _APART.match(place.raw) if place.binding or place.inline else None
    raw = ("+" if apart[0][0] == "+" else "-") + place.raw[apart.end() :] if apart else worked_out(place.raw)
    outcome = question.read(raw)
    if isinstance(outcome, Found) and outcome.plain and raw == place.raw:
        return outcome  # nothing but a value: no word that could decline
    if question.declined_by(raw) and not (isinstance(outcome, Found) and question.value_first(raw)):
        guessed = _guessed(raw, question)
        if guessed is not None:
            return guessed
        if question.kind == "any":
            return None
        early = question.read(before_remark(raw, asked=question.asked))
        return early._replace(plain=False, at_end=False) if isinstance(early, Found) else None
    if isinstance(outcome, Refused) and question.lacks_value(raw):
        return None
    return outcome._replace(plain=False) if raw != place.raw and isinstance(outcome, Found) else outcome


def _from_whole(text: str, question: Question, problem: Reading | None) -> Reading:
    declines = question.declined_by(text) or (question.kind == "any" and bool(absences(text)))
    rest = without_remarks(text, asked=question.asked) if declines and question.kind != "any" else text
    if question.kind == "choice" and declines and question.value_first(rest):
        declines = False  # "B, as the weight is not given"
    if declines and (rest == text or question.declined_by(rest)):
        return _declining(text, question)
    if problem:
        return problem
    if len(text) > MAX_UNMARKED:
        return Reading("unparsable", None, f"no marked answer in {len(text)} characters")
    if breaks_off(text, question):
        return Reading("unparsable", None, "the text ends before an answer")
    outcome = _lone_value(text, rest, question)
    if isinstance(outcome, Found):
        time = "lone_time" if isinstance(outcome.value, datetime) else "lone_number"
        return _value(_LONE.get(question.kind, time), outcome)
    if declines and not any(map(str.isalnum, rest)):
        return Reading("abstention", "prose", "declines without a marked answer")
    return Reading("unparsable", None, outcome.why)


def _declining(text: str, question: Question) -> Reading:
    """The result for a text that abstains, or that offers a value although it says that one is missing."""
    guessed = _guessed(text, question)
    if isinstance(guessed, Found) and len(text) <= MAX_GUESS:
        return _value("guess", guessed)
    if guessed is not None:
        return Reading("unparsable", None, OFFERS)
    return Reading("abstention", "prose", "declines without a marked answer")


def _lone_value(text: str, rest: str, question: Question) -> Found | Refused:
    """The only value of `rest` (`text` without remarks), unless it is a number of the question."""
    outcome = question.read(rest, anywhere=True)
    own = without_echoes(rest, question) if isinstance(outcome, Found) else rest
    if own != rest:
        outcome = question.read(own, anywhere=True)
    if isinstance(outcome, Found) and merely_mentions(own, outcome, question):
        return Refused("its only value is merely mentioned")
    place = _written_in(text, outcome) if isinstance(outcome, Found) else None
    if place and len(text) - place[1] > MAX_AFTER:
        return Refused("its only value is mentioned far from its end")
    return outcome


def _guessed(text: str, question: Question) -> Found | Refused | None:
    """The value offered despite an abstention; Refused if it cannot be read, None if none is offered."""
    offer = guess_in(text) if question.kind in ("number", "count", "any") else None
    if offer is None:
        return None
    outcome = question.read(offer, anywhere=True)
    if isinstance(outcome, Refused):
        outcome = read_conclusion(offer, question)
    return outcome._replace(plain=False) if isinstance(outcome, Found) else outcome


def _value(form: str, found: Found) -> Reading:
    return Reading("value", f"{form}:{found.detail}" if found.detail else form, "read", found)
