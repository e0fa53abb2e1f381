"""Extract the answer from a generated text, and say in which form it was given.

Places are tried in this order: the last JSON object with the key `answer`; the last `\\boxed{...}` or
`<answer>...</answer>`; the last "the answer is ..."; the only value in the whole text. JSON, boxes and tags
are binding: if they hold no single value, no other place is tried. A value in doubt (`doubtful_values`) is
read by `parse_flexibly` alone. `numbers`, `datetimes`, `dates_and_durations`, `chosen_option` and `units`
document which spellings are read and which are refused, `abstention` what counts as abstaining. Thinking at
the beginning of a text is skipped, and so is a further question that the model made up. In a truncated text
only a marked answer that the truncation cannot have shortened counts. Only the last 50,000 characters are
read. No text raises an exception.
"""

from collections.abc import Collection, Sequence
from datetime import datetime

from clinicnum.parsing.answer_value_signs import is_final, is_rejected
from clinicnum.parsing.doubtful_values import (
    DOUBTS,
    IN_PROSE,
    SEVERAL_MARKED,
    UNKNOWN_DENIAL,
    UNSIGNED,
    UNWORKED,
    denies_in_other_script,
    is_told_in_passing,
    other_values,
)
from clinicnum.parsing.find_marked_answers import marked_places
from clinicnum.parsing.flexible_answer import read_beside_refusal, read_conclusion
from clinicnum.parsing.foreign_months_and_numbers import small_number
from clinicnum.parsing.implied_options import implied_option, shortened
from clinicnum.parsing.invented_chat_turns import after_prompt, own_parts, question_after
from clinicnum.parsing.marked_answer import Place
from clinicnum.parsing.marked_value import read_marked
from clinicnum.parsing.option_texts import AND_MORE
from clinicnum.parsing.option_verdicts import option_left
from clinicnum.parsing.parse_result import Found, Reading, Refused, value_reading
from clinicnum.parsing.question_for_parser import Question, ValueKind
from clinicnum.parsing.self_corrections import correction_after, is_corrected_between
from clinicnum.parsing.thinking import split_thinking
from clinicnum.parsing.unmarked_answer import OFFERS, read_whole, written_in
from clinicnum.translatable_text import Translatable

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
TIMED = frozenset({"datetime", "any", "choice"})
"""Kinds of value for which a partial time is completed from the records' times."""


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
    return _parse(text, Question(kind, times, asked, options), cut_off=cut_off, careful=True)


def _parse(text: str, question: Question, *, cut_off: bool, careful: bool) -> Reading:
    """The marked or only answer of a text; if `careful`, values in doubt are left out."""
    tail = _own_words(text)
    if not tail or tail.isspace():
        return nothing_said(text, cut_off=cut_off)
    moved = len(text) - len(tail)
    reading = nothing_said(text, cut_off=cut_off)
    for own in own_parts(tail, question.asked):
        part = _until_new_question(own, question)
        reading = _read(part, question, moved, cut_off=cut_off and part == tail, careful=careful)
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
        if place.span and isinstance(read_marked(place, question), Found)
    ]
    asks = question_after(text, min(answers)) if answers else None
    return text if asks is None else text[:asks]


def _read(tail: str, question: Question, moved: int, *, cut_off: bool, careful: bool) -> Reading:
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
        elif careful and later is None and (doubt := _doubt(reading, place, tail, question)):
            return Reading("unparsable", place.form, doubt)
        if reading.kind != "unparsable" or place.binding or is_final(place.before):
            return reading
        like_option = question.kind == "choice" and place.opens_like_option_a
        problem = problem or (None if like_option else reading)
    if cut_off:
        return Reading("truncated", None, "cut off before an answer was marked as one, as in “Answer: …”")
    reading = read_whole(tail, question, problem, careful=careful)
    return _spanned(reading, written_in(tail, reading.found), moved)


def _doubt(reading: Reading, place: Place, text: str, question: Question) -> str | None:
    """The reason to doubt a value that is marked by words alone; None if there is none."""
    found = reading.found
    if found is None or place.binding or is_final(place.before):
        return None
    if question.kind in ("number", "count", "any") and is_told_in_passing(place.raw, found):
        return IN_PROSE
    others = (other for other in marked_places(text) if not other.binding and other.span != place.span)
    rivals = (read_marked(other, question) for other in others if not _is_replaced(other, place, text))
    return SEVERAL_MARKED if other_values(found, rivals) else None


def _is_replaced(earlier: Place, later: Place, text: str) -> bool:
    """Whether a text takes its earlier answer back before it gives the later one."""
    if earlier.span is None or later.span is None:
        return False
    return is_corrected_between(text[earlier.span[1] : later.span[0]])


def parse_flexibly(
    text: str,
    marked: Reading,
    *,
    kind: ValueKind,
    times: Collection[datetime] = (),
    asked: str = "",
    options: Sequence[str] = (),
) -> Reading:
    """Extract the answer as a careful reader would, if `parse_answer` found none (its result is `marked`)."""
    in_passing = marked.form == "prose" and kind != "any"
    if (marked.kind != "unparsable" and not in_passing) or _is_final(marked):
        return marked
    question = Question(kind, times, asked, options)
    if marked.why in DOUBTS:
        doubted = _parse(text, question, cut_off=False, careful=False)
        if doubted.kind == "value":
            return doubted
    tail = _own_words(text)
    for own in own_parts(tail, asked):
        outcome = _unmarked(own, question, marked, beside=in_passing and kind != "choice")
        if isinstance(outcome, Found):
            span = written_in(own, outcome)
            return _spanned(value_reading("conclusion", outcome), span, len(text) - len(tail))
    return marked


def _is_final(marked: Reading) -> bool:
    """Whether a marked answer is no value, and yet nothing else in the text may be the answer."""
    return marked.form is not None and marked.why in (UNWORKED, UNSIGNED, AND_MORE)


def _unmarked(text: str, question: Question, marked: Reading, *, beside: bool) -> Found | Refused:
    """The answer of a text that marks none; with `beside`, only a value stated beside an abstention."""
    if question.kind != "choice" and denies_in_other_script(text):
        return Refused(UNKNOWN_DENIAL)
    outcome = read_beside_refusal(text, question) if beside else read_conclusion(text, question)
    short = shortened(question.options) if isinstance(outcome, Refused) and question.kind == "choice" else ()
    if short:
        outcome = read_conclusion(text, question._replace(options=short))
    if isinstance(outcome, Refused) and question.kind in ("number", "count"):
        number = None if beside else small_number(text)
        return outcome if number is None else question.read(str(number))
    if isinstance(outcome, Refused) and question.kind == "choice" and marked.form in (None, "prose"):
        options, asked = question.options, question.asked
        letter = option_left(text, options, asked)
        if letter:
            return Found(None, letter, None, plain=False, detail="option_left")
        letter = implied_option(text, options, asked, declines=marked.form == "prose")
        return Found(None, letter, None, plain=False, detail="implied") if letter else outcome
    return outcome


def nothing_said(text: str, *, cut_off: bool) -> Reading:
    """The result for a text that is empty, or that holds nothing but thinking; `truncated` if it was
    `cut_off`.
    """
    what = (
        Translatable("the model wrote nothing but its thinking")
        if text.strip()
        else Translatable("the model wrote nothing")
    )
    return Reading("truncated" if cut_off else "empty", None, what)


def _spanned(reading: Reading, span: tuple[int, int] | None, moved: int) -> Reading:
    if span is None:
        return reading
    kind, form, why, found, _ = reading  # not _replace, which is slow
    return Reading(kind, form, why, found, (span[0] + moved, span[1] + moved))


def _from_place(place: Place, question: Question, cut_off: bool) -> Reading:
    if place.null:
        return Reading("abstention", place.form, "answers null")
    if place.before and question.declined_by(place.before):
        return Reading("abstention", place.form, "declines to give the answer")
    outcome = read_marked(place, question)
    if outcome is None:
        return Reading("abstention", place.form, "the answer declines")
    if isinstance(outcome, Refused):
        return Reading("unparsable", place.form, outcome.why)
    if cut_off and place.open_end and outcome.at_end:
        return Reading("truncated", place.form, "cut off within the answer")
    return value_reading(place.form, outcome)
