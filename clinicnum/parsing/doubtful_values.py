"""Reasons to doubt that a value found in a text is the text's answer.

The lenient verdict leaves out every value in doubt. The flexible one reads it all the same for the reasons in
DOUBTS. Neither reads a part of an uncomputed expression, a fall that may be meant as negative, or (but for
choices) an unmarked value in a text with a denial in a language whose refusals are not read.
"""

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal

from clinicnum.parsing import flexible_answer_patterns as patterns
from clinicnum.parsing.answer_sentences import characters_after_verb, sentences_of
from clinicnum.parsing.option_texts import plain_text
from clinicnum.parsing.parse_result import Found, Refused, cleaned
from clinicnum.parsing.question_for_parser import Question
from clinicnum.parsing.question_overlap import share_said
from clinicnum.translatable_text import Translatable

UNWORKED = Translatable("a formula or a placeholder, not a value")
UNSIGNED = Translatable("a fall in words, of which it is in doubt whether it is meant to be negative")
UNKNOWN_DENIAL = Translatable("a denial in a language in which an answer is not told from a refusal")
SEVERAL_MARKED = Translatable("different values are marked as the answer")
IN_PROSE = Translatable("a number within a sentence that does not state it as the answer")
IN_PASSING = Translatable("its only value stands in a longer text, and no words call it the answer")
DOUBTS = frozenset({SEVERAL_MARKED, IN_PROSE, IN_PASSING})
"""The reasons for which the lenient verdict leaves out a value that the flexible verdict reads."""

_COMMANDS = (
    "text|mu|mathrm|Omega|omega|degree|circ|times|cdot|approx|quad|pm|sim|Delta|ce|si|unit|euro|pounds|rm|bf"
)
_UNWORKED = re.compile(
    rf"\\(?!(?:{_COMMANDS})(?![A-Za-z]))[A-Za-z]+|[√∑∫π]|\)\s?[-+×*/]\s?[0-9(]"
    r"|\b(?:ln|log|sqrt|sin|cos|tan|exp)\b|^\W*(?:\.\.\.|…)\W*[\[<(]|\[[^\[\]]*[A-Za-z]{3}[^\[\]]*\]"
)
"""Signs that the side of an equation, or an answer, is a formula or a placeholder."""
_BEFORE = re.compile(r"(?:[A-Za-z]{2,}[^A-Za-z0-9]+){3,}")
"""Three words before a number."""
_SAID_JUST = 14
"""Maximum number of characters between a verb and its number."""
_LEAST_SHARED = 0.25
"""Minimum share of the question's words in a sentence on what is asked."""
_BRIEF = 3
"""Most words of a sentence that is nothing but its value."""
_DENIES = re.compile(r"(?<!\w)(?:نہیں|نہ|ليس|لم|غير|نیست|नहीं|אין|לא)(?!\w)")
"""Words for "not" in Urdu, Arabic, Persian, Hindi and Hebrew."""
_FALLS = re.compile(
    r"\b(?:decreas|declin|drop|fell|fall|reduc|low|less|down|loss|lost)\w*\b|低下|減少|下落|縮小|悪化|下降|减少",
    re.IGNORECASE,
)
_CHANGE_ASKED = re.compile(r"\bchange[ds]?\b|増減|変化|変動|变化", re.IGNORECASE)
_HEDGES = re.compile(r"\bdepends? on\b|\bone estimate\b|\bestimates? (?:var|rang)", re.IGNORECASE)
_ASKS_FOR = re.compile(r"\bplease\b|[?？]\W*$", re.IGNORECASE)


def is_unworked(raw: str) -> bool:
    """Whether a marked answer is an uncomputed formula or a placeholder, whose numbers are not the answer."""
    if not any(character in raw for character in "\\√∑∫π)[(") and not _UNWORKED.search(raw):
        return False
    return _UNWORKED.search(re.split(r"[=≈]", cleaned(raw))[-1]) is not None


def is_unsigned_fall(raw: str, found: Found, asked: str) -> bool:
    """Whether a text calls a positive value a decrease, where the question asks for a signed change."""
    if not isinstance(found.value, Decimal) or found.value <= 0 or not _CHANGE_ASKED.search(asked):
        return False
    return _FALLS.search(raw) is not None and not _FALLS.search(asked)


def is_told_in_passing(raw: str, found: Found) -> bool:
    """Whether a marked answer is a sentence that mentions the number without a verb that states it."""
    before, value, _ = cleaned(raw).partition(found.written)
    if not value or not _BEFORE.match(before) or "=" in before:
        return False
    return not _is_said_just_before(before + value, value)


def denies_in_other_script(text: str) -> bool:
    """Whether a text has a negation in a language in which refusals are not recognised."""
    return not text.isascii() and _DENIES.search(text) is not None


def other_values(found: Found, others: Iterable[Found | Refused | None]) -> bool:
    """Whether any of `others`, read from other marked answers of the text, has another value than `found`."""
    mine = found.value or found.written
    return any(isinstance(other, Found) and (other.value or other.written) != mine for other in others)


def lone_value_doubted(text: str, found: Found, question: Question) -> bool:
    """Whether `found`, the only value in a text, may not be its answer: no sentence states it as a result or
    chooses it from several.
    """
    sentences = sentences_of(text)
    said = found.written
    if found.detail == "option_text":
        said = question.options[ord(found.written) - ord("A")]
    holding = [one for one in sentences if _holds(one, said)] or sentences
    if all(patterns.SUPPOSES.match(one) or _ASKS_FOR.search(one) for one in holding):
        return True
    if _HEDGES.search(text):
        return True
    if len(sentences) == 1:
        return False
    return not any(_states(one, question) or _says_last(one, said, sentences, question) for one in holding)


def _holds(sentence: str, said: str) -> bool:
    return plain_text(said) in plain_text(sentence)


def _says_last(sentence: str, said: str, sentences: Sequence[str], question: Question) -> bool:
    """Whether a verb states the value, in the last sentence or in one about what is asked."""
    if question.kind == "choice" or not _is_said_just_before(sentence, said):
        return False
    return sentence is sentences[-1] or share_said(sentence, question.asked) >= _LEAST_SHARED


def _is_said_just_before(sentence: str, said: str) -> bool:
    """Whether a verb such as "is" stands right before a value."""
    apart = characters_after_verb(sentence.partition(said)[0])
    return apart is not None and apart <= _SAID_JUST


def _states(sentence: str, question: Question) -> bool:
    """Whether a sentence is hardly more than a value, or concludes, chooses or says what is asked."""
    if len(patterns.WORD.findall(sentence)) <= _BRIEF or share_said(sentence, question.asked) >= 0.5:
        return True
    chooses = question.kind == "choice" and patterns.CHOOSES.search(sentence)
    return bool(chooses or patterns.CONCLUDES.search(sentence))
