"""Compare a ClinicNumRobBench gold with the exact answer.

A number is right if it is the exact value, or the exact value rounded half-up to the digits the question asks
for; how many zeros it is written with does not matter (`63.0` is 63). Where the exact value is a tie at that
digit either neighbour may be meant. A time is right if it is the same second, however pandas wrote it.
"""

import re
from decimal import Decimal
from fractions import Fraction

from clinicnum.lint.read_robbench_context import TIME, NotUnderstoodError, iso_time
from clinicnum.templates.evaluate_tree import Answer
from clinicnum.templates.exact_numbers import Exact, exact_text, is_tie

_NUMBER = re.compile(r"[+-]?\d+(?:\.\d*)?")
_TIME = re.compile(rf"({TIME})(?:\.0+)?")


def gold_number(text: str) -> Decimal | None:
    """The number in a gold; None if there is none."""
    return Decimal(text) if _NUMBER.fullmatch(text) else None


def gold_time(text: str) -> str | None:
    """The time in a gold as `YYYY-MM-DD HH:MM:SS`; None if there is none."""
    match = _TIME.fullmatch(text)
    if match is None:
        return None
    try:
        return iso_time(match[1])
    except NotUnderstoodError:
        return None


def is_right(gold: Decimal, answer: Answer, decimals: int | None) -> bool:
    """Whether a benchmark's gold equals our own answer, rounded to `decimals` (None: not rounded)."""
    assert answer.exact is not None  # Only a time has no exact value.
    return Fraction(gold) == answer.exact if decimals is None else gold == Decimal(answer.text)


def is_neighbour(gold: Decimal, value: Exact, decimals: int | None) -> bool:
    """Whether `value` lies exactly between two numbers of so many decimals, of which `gold` is one."""
    if decimals is None or not is_tie(value, decimals):
        return False
    return abs(Fraction(gold) - value) == Fraction(1, 2 * int(10**decimals))


def answer_in_message(answer: Answer, decimals: int | None) -> str:
    """The answer for a message: rounded, and exact where that differs."""
    if answer.exact is None:
        return answer.text
    exactly = exact_text(answer.exact)
    if decimals is None:
        return exactly
    return answer.text if Fraction(answer.text) == answer.exact else f"{answer.text} (exactly {exactly})"
