"""What keeps a value from being an answer: it repeats the question, or the text itself takes it back."""

import re
from functools import lru_cache

from clinicnum.parsing.question_context import Question

_REJECTED = re.compile(
    r"[^\n]{0,120}?\b(?:(?:but|however|although|though|yet),?\s"
    r"(?:it|this|that|(?:the|this|that)\s(?:answer|option|choice|value|result))|which)\s"
    r"(?:(?:is|does|do)(?:n['’]t|\snot)\s(?:\w+\s){0,3}?(?:correct|right|match|exact|available|listed|fit)"
    r"|is\s(?:incorrect|inaccurate|inexact|wrong))\b",
    re.IGNORECASE,
)
"""Words after an answer that take it back without giving another."""
_FINAL = re.compile(
    r"\b(?:final|revised|corrected|updated|reconsidered)\s(?:answer|result)\W*$", re.IGNORECASE
)
_NUMBER_WITH_WORD = re.compile(
    r"(?:(?P<name>\w*)\s?(?P<equals>=)\s?)?(?<![\w.,])(?P<number>[0-9][0-9,]*(?:\.[0-9]+)?)(?![.,]?[0-9])"
    r"[\s\\)$-]{1,5}(?P<word>[A-Za-z]+)"
)
"""A number, the word after it, and what is said to equal it."""
_COUNTED = re.compile(r"\bhow (?:many|much)\s+(?:\w+\s)?([a-z]{3,})", re.IGNORECASE)


_ALTERNATIVES = re.compile(
    r"\b(\w{1,9})\s?=\s?[-−]?[0-9][0-9.,]{0,15}\s(?:or|and|ou|oder)\s\1\s?=\s?[-−]?[0-9]", re.IGNORECASE
)
"""Several values of the same thing: "n = 3 or n = 6"."""
_FACTORIAL = re.compile(r"[0-9]!\s?=[^\n]{0,300}=\s?(?=[-−]?[0-9])")
"""A factorial worked out, of which only the last value is the answer: "4! = 4 x 3 x 2 = 24"."""


def names_alternatives(answer: str) -> bool:
    """Whether a marked answer gives several values of one thing."""
    return _ALTERNATIVES.search(answer) is not None


def worked_out(answer: str) -> str:
    """What a marked answer comes to if it works out a factorial; else the answer as it is."""
    match = _FACTORIAL.search(answer) if "!" in answer else None
    return answer[match.end() :] if match else answer


def is_rejected(after: str) -> bool:
    """Whether the text right after an answer says that it is not right."""
    return _REJECTED.match(after) is not None


def is_final(before: str) -> bool:
    """Whether the words that mark an answer say that no other counts: "Final answer:"."""
    return _FINAL.search(before.rstrip()) is not None


def without_echoes(text: str, question: Question) -> str:
    """`text` without the numbers that stand in the question beside the same word: "the 10-year risk".

    What is counted is left: "5 apples" answers "How many apples?" whatever else the question says.
    """
    asked = _pairs(question.asked) if question.kind in ("number", "count", "any") else ()
    if not asked:
        return text
    counted = {match[1].lower().rstrip("s") for match in _COUNTED.finditer(question.asked)}

    def left(match: re.Match[str]) -> str:
        pair = _pair(match)
        if pair not in asked or pair[2] in counted:
            return match[0]
        return f" {match['word']}"

    return _NUMBER_WITH_WORD.sub(left, text)


@lru_cache(maxsize=1000)
def _pairs(asked: str) -> frozenset[tuple[str | None, str, str]]:
    """The numbers of a question with their words, and again without what equals them."""
    pairs = [_pair(match) for match in _NUMBER_WITH_WORD.finditer(asked)]
    return frozenset(pairs) | {(None, number, word) for _, number, word in pairs}


def _pair(match: re.Match[str]) -> tuple[str | None, str, str]:
    name = match["name"] if match["equals"] else None
    return name, match["number"].replace(",", ""), match["word"].lower().rstrip("s")
