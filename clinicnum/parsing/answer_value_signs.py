"""Signs of whether a value in an answer is the answer.

They tell values of the question, of another person or thing, of another kind, and values that the text
rejects; and answers that are final, worked out, one of several alternatives, or broken off.
"""

import re
from collections.abc import Sequence
from decimal import Decimal
from functools import lru_cache

from clinicnum.parsing import flexible_answer_patterns as patterns
from clinicnum.parsing.numbers import numbers_in
from clinicnum.parsing.parse_result import Found, Refused, cleaned
from clinicnum.parsing.question_for_parser import Question

_REJECTED = re.compile(
    r"[^\n]{0,120}?\b(?:(?:but|however|although|though|yet),?\s"
    r"(?:it|this|that|(?:the|this|that)\s(?:answer|option|choice|value|result))|which)\s"
    r"(?:(?:is|does|do)(?:n['’]t|\snot)\s(?:\w+\s){0,3}?(?:correct|right|match|exact|available|listed|fit)"
    r"|is\s(?:incorrect|inaccurate|inexact|wrong))\b",
    re.IGNORECASE,
)
"""Words after an answer that call it wrong without giving another."""
_FINAL = re.compile(
    r"\b(?:final|revised|corrected|updated|reconsidered)\s(?:answer|result)\W*$", re.IGNORECASE
)
_NUMBER_WITH_WORD = re.compile(
    r"(?:(?P<name>\w*)\s?(?P<equals>=)\s?)?(?<![\w.,])(?P<number>[0-9][0-9,]*(?:\.[0-9]+)?)(?![.,]?[0-9])"
    r"[\s\\)$-]{1,5}(?P<word>[A-Za-z]+(?:/[A-Za-z]+)?)"
)
"""A number, the word after it, and the name before "=" if there is one."""
_COUNTED = re.compile(r"\bhow (?:many|much)\s+(\w+)(?:\s(\w+))?", re.IGNORECASE)
_COUNTED_THING = re.compile(r"\bhow many\s([a-z]{3,}s)\b", re.IGNORECASE)

_ALTERNATIVES = re.compile(
    r"\b(\w{1,9})\s?=\s?[-−]?[0-9][0-9.,]{0,15}\s(?:or|and|ou|oder)\s\1\s?=\s?[-−]?[0-9]"
    r"|(?<![\w.,])[0-9][0-9.,]*\s([^\s,]{2,12}),?\s(?:or|ou|oder)\s[0-9][0-9.,]*\s\2(?!\w)",
    re.IGNORECASE,
)
"""Several values for the same quantity: "n = 3 or n = 6", "33 minutes or 34 minutes"."""
_STOPPED = re.compile(r"[.!?。！？][\s*_\"')\]]*\Z")
_HALF = re.compile(
    r"(?![\s>]*[-*•|#])(?=(?:\W*\b\w+\b){3}|.*[\u3040-\u30ff\u4e00-\u9fff]{4}).*[\w,，、(]\s*\Z", re.DOTALL
)
"""An incomplete sentence that is not a list item."""
_ASKS_OF = re.compile(r"\b(?:do|does|did|will|would|can|could|has|is|was)\s(?P<whom>[A-Z][a-z]+)\b")
_NAME = re.compile(r"\b[A-Z][a-z]+\b")
_PRONOUN = re.compile(r"\b(?:he|she|they|his|her|their|it|total)\b", re.IGNORECASE)
_FACTORIAL = re.compile(r"[0-9]!\s?=[^\n]{0,300}=\s?(?=[-−]?[0-9])")
"""A factorial written out, of which only the last number is the answer: "4! = 4 x 3 x 2 = 24"."""


def names_alternatives(answer: str) -> bool:
    """Whether a marked answer gives several values for the same quantity: "n = 3 or n = 6"."""
    return _ALTERNATIVES.search(answer) is not None


def worked_out(answer: str) -> str:
    """The result of a factorial that an answer writes out ("4! = 4 x 3 x 2 = 24"); else the answer itself."""
    match = _FACTORIAL.search(answer) if "!" in answer else None
    return answer[match.end() :] if match else answer


def ends_halfway(sentences: Sequence[str]) -> bool:
    """Whether the last sentence breaks off although an earlier one is complete."""
    return (
        len(sentences) > 1
        and _HALF.match(sentences[-1]) is not None
        and any(_STOPPED.search(one) for one in sentences[:-1])
    )


def of_whom_asked(sentence: str, asked: str) -> str:
    """The part of a sentence on the person the question is about, if it names others too; else all of it."""
    whom = {match["whom"] for match in _ASKS_OF.finditer(asked)}
    if len(whom) != 1:
        return sentence
    name = whom.pop()
    others = set(_NAME.findall(sentence)) & set(_NAME.findall(asked)) - {name}
    _, found, after = sentence.rpartition(name)
    own = re.split(rf"\b(?:{'|'.join(others)})\b", after)[0] if others and found else ""
    return own if any(map(str.isdigit, own)) else sentence


def is_of_another(sentence: str, asked: str) -> bool:
    """Whether a sentence is about another person in the question than the one it asks about."""
    whom = {match["whom"] for match in _ASKS_OF.finditer(asked)}
    if len(whom) != 1 or whom & set(_NAME.findall(sentence)) or _PRONOUN.search(sentence):
        return False
    names = {name for name in _NAME.findall(asked) if re.search(rf"(?<![.?!] )(?<!^){name}\b", asked)}
    return bool(names & set(_NAME.findall(sentence)))


def counts_another(sentence: str, asked: str) -> bool:
    """Whether a sentence counts another thing in the question than the one asked for: girls, not boys."""
    counted = _COUNTED_THING.findall(asked)
    if len(counted) != 1:
        return False
    thing = counted[0].lower().rstrip("s")
    if re.search(rf"(?<!per )\b{thing}", sentence, re.IGNORECASE):
        return False
    said = [match["word"].lower() for match in _NUMBER_WITH_WORD.finditer(sentence)]
    return bool(said) and said[-1] in re.findall(r"[a-z]{3,}s\b", asked.lower())


def is_of_another_kind(outcome: Found | Refused, sentence: str, asked: str) -> bool:
    """Whether a value is a percentage or an amount of money although the question asks for a count, or money
    although it asks for a percentage.
    """
    if not isinstance(outcome, Found):
        return False
    amount = re.escape(outcome.written.lstrip("-"))
    money = re.search(rf"[$€£]\s?{amount}(?![0-9])", sentence)
    if money and patterns.PERCENTAGE_ASKED.search(asked):
        return True
    if not patterns.HOW_MANY_OF.search(asked):
        return False
    if outcome.unit == "%":
        return patterns.SHARE_ASKED.search(asked) is None
    return money is not None and patterns.MONEY_ASKED.search(asked) is None


def is_rejected(after: str) -> bool:
    """Whether the text right after an answer says that the answer is wrong."""
    return _REJECTED.match(after) is not None


def is_final(before: str) -> bool:
    """Whether the words before an answer mark it as the final one: "Final answer:"."""
    return _FINAL.search(before.rstrip()) is not None


def is_given(found: Found, question: Question) -> bool:
    """Whether a value is a number stated in the question, with the same unit or none."""
    given = _given(question.asked) if question.kind in ("number", "count") else ()
    return any(
        value == found.value and not (unit and found.unit and unit != found.unit) for value, unit in given
    )


def is_worked_out(found: Found, text: str) -> bool:
    """Whether an equation in the text has this value as its result."""
    return (
        re.search(rf"[=≈]\s?[$(*]*{re.escape(found.written)}(?![0-9]|[.,][0-9])", cleaned(text)) is not None
    )


@lru_cache(maxsize=1000)
def _given(asked: str) -> frozenset[tuple[Decimal, str | None]]:
    return frozenset((amount.value, amount.unit) for amount in numbers_in(asked))


def without_echoes(text: str, question: Question) -> str:
    """Remove numbers that occur in the question beside the same word: the 10 of "the 10-year risk".

    Numbers of the counted thing are kept: "5 apples" answers "How many apples?".
    """
    asked = _pairs(question.asked) if question.kind in ("number", "count", "any") else ()
    if not asked:
        return text
    counted = {
        word.lower().rstrip("s") for match in _COUNTED.finditer(question.asked) for word in match.groups("")
    }

    def left(match: re.Match[str]) -> str:
        pair = _pair(match)
        name, *of = pair
        named = name and len(name) > 2 and re.search(rf"\b{name}\b", question.asked, re.IGNORECASE)
        if (pair not in asked and not (named and (None, *of) in asked)) or pair[2] in counted:
            return match[0]
        return f" {match['word']}"

    return _NUMBER_WITH_WORD.sub(left, text)


@lru_cache(maxsize=1000)
def _pairs(asked: str) -> frozenset[tuple[str | None, str, str]]:
    """The numbers of a question as (name, number, next word), each also without its name."""
    pairs = [_pair(match) for match in _NUMBER_WITH_WORD.finditer(asked)]
    return frozenset(pairs) | {(None, number, word) for _, number, word in pairs}


def _pair(match: re.Match[str]) -> tuple[str | None, str, str]:
    name = match["name"] if match["equals"] else None
    return name, match["number"].replace(",", ""), match["word"].lower().rstrip("s")
