"""Findings from a score's status alone: no answer, a broken text, the right value in another form."""

import re
from collections.abc import Iterable

from clinicnum.diagnosis.finding import Finding, Place
from clinicnum.diagnosis.numbers_in_text import Moment, fold_case, moments_in, numbers_in, without_times
from clinicnum.taxonomy_codes import (
    DATETIME_FORM,
    EMPTY,
    FALSE_ABSTENTION,
    GARBLED,
    NOT_ASKED_FORM,
    OTHER_QUESTION,
    PARTIAL_ANSWER,
    PRECISION,
    REFUSAL,
    REPETITION,
    TRUNCATED,
    UNIT,
    WRONG_LANGUAGE,
)
from clinicnum.types import Generation, Instance, Score

_TAIL = 12
"""Length of the tail that a loop repeats."""
_REPEATS = 2.5
"""Fewest repeats, up to the end of the text, that make a loop."""
_REPEATS_CUT_OFF = 2.2
"""The same for a text that was cut off."""
_LOOP = 40
"""Fewest non-blank characters in a loop."""
_LOOP_CUT_OFF, _REPEATS_SHORT = 24, 3.0
"""Length and repeats of a shorter loop if the text was cut off."""
_KEPT = re.compile(r"^(?:[ \t]*\d{1,3}[.)](?=\s))?(.*)$", re.MULTILINE)
"""A line without the counter of a list."""
_REFUSES = re.compile(
    r"\b(?:as an ai|language model|medical advice|consult (?:a|your)"
    r"|(?:ask|see|contact) (?:a|your) (?:doctor|nurse|physician|clinician|healthcare)"
    r"|healthcare (?:professional|provider)|not (?:qualified|allowed|permitted|comfortable)|policy"
    r"|(?:can ?not|can'?t|unable to|won'?t|will not) (?:assist|help|comply|fulfil"
    r"|provide (?:medical|clinical|advice))"
    r"|i(?:'m| am) sorry,? (?:but )?i can(?:no|')t)\b"
)
_ODD = re.compile(r"[^\w\s.,:;!?'\"%°/()\[\]{}<>=+*|~≈×÷−–—-]|\ufffd")
_WORD = re.compile(r"[^\W\d_]{2,}")
_INTRODUCES = {"the", "final", "answer", "is", "was", "at", "time"}
"""Words around an answer that say nothing themselves."""
_MANY = 20
"""More symbols or numbers than a short answer has."""
_NO_MEANING = 0.3
"""A text with a larger share of odd characters is garbled."""


def unanswered(instance: Instance, generation: Generation, score: Score) -> list[Finding]:
    """Findings on a text from which no value was read; none for an error."""
    text = generation.text
    if generation.finish_reason == "error":
        return []  # there was no text to be at fault
    if score.status == "empty":
        return [Finding(EMPTY, "empty_text", "Nothing was written.")]
    if score.status == "abstained":
        if instance.answer is None:
            return []
        if _REFUSES.search(fold_case(text.replace("’", "'"))):
            return [Finding(REFUSAL, "refuses", "It declines for another reason than lacking data.")]
        said = "It says that the answer is not documented, and it is."
        return [Finding(FALSE_ABSTENTION, "abstains", said, (), tuple(_evidence(instance)))]
    if score.status == "unparsable":
        not_asked = _partial(instance, text) or _echoed_time(instance, text)
        if not_asked:
            return not_asked
    cut_off = score.status == "truncated"
    broken = loop(text, cut_off=cut_off) or _odd(text, cut_off=cut_off)
    if broken is not None:
        return [broken]
    if cut_off:
        end = len(text.rstrip())
        spans = ((max(0, end - 40), end),) if end else ()
        return [Finding(TRUNCATED, "cut_off", "The text ends at its length limit.", spans)]
    return _partial(instance, text)


def _evidence(instance: Instance) -> list[Place]:
    return [(cell.record, cell.vital) for cell in instance.evidence]


def loop(text: str, *, cut_off: bool = False) -> Finding | None:
    """A passage that repeats up to the end of the text, ignoring blanks and list counters; None if there is
    none.

    In a text that was `cut_off`, fewer repetitions suffice.
    """
    kept = [i for part in _KEPT.finditer(text) for i in range(*part.span(1)) if not text[i].isspace()]
    body = "".join(text[i] for i in kept)
    if len(body) < (_LOOP_CUT_OFF if cut_off else _LOOP):
        return None
    before = body.rfind(body[-_TAIL:], 0, len(body) - 1)
    if before < 0:
        return None
    period = len(body) - _TAIL - before
    start = len(body) - period
    while start and body[start - 1] == body[start - 1 + period]:
        start -= 1
    spun = len(body) - start
    short = cut_off and spun >= max(_LOOP_CUT_OFF, _REPEATS_SHORT * period)
    if not short and spun < max(_LOOP, (_REPEATS_CUT_OFF if cut_off else _REPEATS) * period):
        return None
    once = text[kept[start] : kept[start + period]]
    sentence = f"It repeats itself to the end: “{' '.join(once.split())[:60]}”."
    return Finding(REPETITION, "repeats_to_the_end", sentence, ((kept[start], kept[-1] + 1),))


def _odd(text: str, *, cut_off: bool) -> Finding | None:
    """A text of broken characters or in another script; in a complete text, also one of symbols or
    numbers only.
    """
    letters = [character for character in text[:2000] if character.isalpha()]
    foreign = sum(not _is_latin(character) for character in letters)
    if len(letters) >= 8 and foreign > len(letters) / 2:
        return Finding(WRONG_LANGUAGE, "another_script", "It is written in another script than the question.")
    body = text.strip()
    low = fold_case(body)
    odd = len(_ODD.findall(body)) - foreign
    figures = len(numbers_in(without_times(low, moments_in(low))))
    if len(body) >= 8 and (
        odd > _NO_MEANING * len(body)
        or (not cut_off and _is_signs(low))
        or (figures >= _MANY and len(letters) < figures)
    ):
        return Finding(GARBLED, "no_meaning", "The text has no meaning that one could judge.")
    return None


def _is_signs(body: str) -> bool:
    """Whether a text consists of symbols instead of words."""
    signs = sum(not (character.isalnum() or character.isspace()) for character in body)
    words = set(_WORD.findall(body))
    return signs >= _MANY and len(words) <= 3 and signs > len(body) / 4


def _is_latin(character: str) -> bool:
    return character < "\u0250" or "\u1e00" <= character <= "\u1eff" or character in "µμΔ"


def _partial(instance: Instance, text: str) -> list[Finding]:
    """A date without a time, where both were asked for."""
    if instance.answer_type != "datetime" or instance.answer is None:
        return []
    low = fold_case(text)
    moments = moments_in(low)
    dates = {moment.date for moment in moments}
    if dates != {instance.answer[:10]} or any(moment.clock for moment in moments):
        return []
    if numbers_in(without_times(low, moments)):
        return []
    spans = tuple((moment.start, moment.end) for moment in moments[:3])
    return [
        Finding(PARTIAL_ANSWER, "date_without_time", "The date is right, and the time is not given.", spans)
    ]


def _echoed_time(instance: Instance, text: str) -> list[Finding]:
    """A time of the question, and nothing else, where a number was asked for."""
    if instance.answer_type not in ("number", "count") or instance.answer is None:
        return []
    low = fold_case(text)
    moments = moments_in(low)
    rest = without_times(low, moments)
    if not moments or not _minutes(moments) <= _minutes(moments_in(fold_case(instance.question))) - {""}:
        return []
    if numbers_in(rest) or set(_WORD.findall(rest)) - _INTRODUCES:
        return []
    spans = tuple((moment.start, moment.end) for moment in moments[:3])
    shown = text[spans[0][0] : spans[0][1]]
    sentence = f"{shown} is a time that the question names; a number was asked for."
    return [Finding(OTHER_QUESTION, "time_of_the_question", sentence, spans)]


def _minutes(moments: Iterable[Moment]) -> set[str]:
    """Hour and minute of each; "" for a date alone."""
    return {(moment.clock or "")[:5] for moment in moments}


def misformed(instance: Instance, generation: Generation, score: Score, span: "Span") -> list[Finding]:
    """Findings on a right value that is not strictly right: first unit or rounding, then form."""
    from clinicnum.parsing.units import compare_units
    from clinicnum.scoring import read_generated

    spans = (span,) if span else ()
    found: list[Finding] = []
    reading = read_generated(generation.text, instance, cut_off=generation.finish_reason == "length")
    value = reading.found if reading else None
    if value is not None and instance.answer_type in ("number", "count"):
        if compare_units(instance.unit, value.unit) not in ("none", "asked"):
            asked = instance.unit or "no unit"
            found.append(
                Finding(UNIT, "another_unit", f"The value is right, in {value.unit} for {asked}.", spans)
            )
        wanted, given = instance.decimals, len(value.written.partition(".")[2])
        if wanted is not None and given != wanted and not found:
            sentence = f"The value is right, with {given} decimals where {wanted} were asked."
            found.append(Finding(PRECISION, "other_decimals", sentence, spans))
    form, _, detail = (score.form or "").partition(":")
    if instance.answer_type == "datetime" and detail == "time_only":
        sentence = "The time is right, and the date that was asked for is not given."
        found.append(Finding(PARTIAL_ANSWER, "time_without_date", sentence, spans))
    elif instance.answer_type == "datetime" and (detail or (form == "json" and not found)):
        sentence = "The moment is right, in another notation than asked."
        found.append(Finding(DATETIME_FORM, "other_notation", sentence, spans))
    if form != "json" or not found:
        sentence = "The value is right, and not given in the form asked for."
        found.append(Finding(NOT_ASKED_FORM, f"written_as_{form or 'text'}", sentence, spans))
    return found


Span = tuple[int, int] | None
