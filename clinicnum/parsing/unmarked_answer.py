"""Read a text that marks no answer for the lenient verdict: its only value, or an abstention."""

import re
from datetime import datetime

from clinicnum.parsing.abstention import absences
from clinicnum.parsing.answer_value_signs import without_echoes
from clinicnum.parsing.doubtful_values import (
    IN_PASSING,
    UNKNOWN_DENIAL,
    denies_in_other_script,
    lone_value_doubted,
)
from clinicnum.parsing.flexible_answer import breaks_off, merely_mentions
from clinicnum.parsing.marked_value import guessed_value
from clinicnum.parsing.missing_value_remarks import without_remarks
from clinicnum.parsing.parse_result import Found, Reading, Refused, value_reading
from clinicnum.parsing.question_for_parser import Question
from clinicnum.translatable_text import Translatable

MAX_UNMARKED = 5_000
MAX_AFTER = 400
"""Characters that may follow a lone value; after more text it counts as merely mentioned."""
MAX_GUESS = 400
"""Longest text, in characters, in which a value offered despite an abstention is read as the answer."""
OFFERS = Translatable("offers a value although it declines")
"""The reason for not reading a longer text that abstains and yet offers a value."""
DECLINES = Translatable("declines, and no answer is marked as one, as in “Answer: …”")
_LONE = {"datetime": "lone_time", "date": "lone_date", "choice": "lone_choice", "weeks": "lone_length"}


def read_whole(text: str, question: Question, problem: Reading | None, *, careful: bool) -> Reading:
    """Read a text of which no marked answer could be read: its only value, or an abstention.

    `problem` is the failed reading of a marked answer, None if the text marks none. With one, only an
    abstention (or a value offered despite it) is looked for, and `problem` is returned if there is none.
    `careful` leaves out values in doubt.
    """
    declines = question.declined_by(text) or (question.kind == "any" and bool(absences(text)))
    rest = without_remarks(text, asked=question.asked) if declines and question.kind != "any" else text
    if question.kind == "choice" and declines and question.value_first(rest):
        declines = False  # "B, as the weight is not given"
    if declines and (rest == text or question.declined_by(rest)):
        return _declining(text, question)
    if problem:
        return problem
    if len(text) > MAX_UNMARKED:
        return Reading(
            "unparsable", None, f"no answer marked as one, as in “Answer: …”, in {len(text)} characters"
        )
    if breaks_off(text, question):
        return Reading("unparsable", None, "the text ends before an answer")
    outcome = _lone_value(text, rest, question)
    if isinstance(outcome, Found) and careful and lone_value_doubted(rest, outcome, question):
        return Reading("unparsable", None, IN_PASSING)
    if isinstance(outcome, Found):
        time = "lone_time" if isinstance(outcome.value, datetime) else "lone_number"
        return value_reading(_LONE.get(question.kind, time), outcome)
    if declines and not any(map(str.isalnum, rest)):
        return Reading("abstention", "prose", DECLINES)
    return Reading("unparsable", None, outcome.why)


def _declining(text: str, question: Question) -> Reading:
    """The result for a text that abstains, or that offers a value although it says that one is missing."""
    guessed = guessed_value(text, question)
    if isinstance(guessed, Found) and len(text) <= MAX_GUESS:
        return value_reading("guess", guessed)
    if guessed is not None:
        return Reading("unparsable", None, OFFERS)
    return Reading("abstention", "prose", DECLINES)


def _lone_value(text: str, rest: str, question: Question) -> Found | Refused:
    """The only value of `rest` (`text` without remarks), unless it is a number of the question."""
    outcome = question.read(rest, anywhere=True)
    if denies_in_other_script(text):
        return Refused(UNKNOWN_DENIAL)
    own = without_echoes(rest, question) if isinstance(outcome, Found) else rest
    if own != rest:
        outcome = question.read(own, anywhere=True)
    if isinstance(outcome, Found) and merely_mentions(own, outcome, question):
        return Refused("its only value is merely mentioned")
    place = written_in(text, outcome) if isinstance(outcome, Found) else None
    if place and len(text) - place[1] > MAX_AFTER:
        return Refused("its only value is mentioned far from its end")
    return outcome


def written_in(text: str, found: Found | None) -> tuple[int, int] | None:
    """The span of the last occurrence of a value in the text; None if it does not occur as it was read."""
    if found is None or found.detail == "option_text":
        return None
    after = "[0-9]" if found.written[-1].isdigit() else r"\w"  # "110bpm" is the number, "BP" no letter
    places = list(re.finditer(rf"(?<![\w.]){re.escape(found.written)}(?!{after})", text))
    return places[-1].span() if places else None
