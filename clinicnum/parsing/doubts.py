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
_NUMBER_WITH_WORD = re.compile(r"(?<![\w.,])([0-9][0-9,]*(?:\.[0-9]+)?)(?![.,]?[0-9])[\s-]{1,2}([A-Za-z]+)")
_COUNTED = re.compile(r"\bhow (?:many|much)\s+(?:\w+\s)?([a-z]{3,})", re.IGNORECASE)


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
        number, word = match[1].replace(",", ""), match[2].lower().rstrip("s")
        return f" {match[2]}" if (number, word) in asked and word not in counted else match[0]

    return _NUMBER_WITH_WORD.sub(left, text)


@lru_cache(maxsize=1000)
def _pairs(asked: str) -> frozenset[tuple[str, str]]:
    """Numbers of a question, each with the word after it."""
    return frozenset(
        (match[1].replace(",", ""), match[2].lower().rstrip("s"))
        for match in _NUMBER_WITH_WORD.finditer(asked)
    )
