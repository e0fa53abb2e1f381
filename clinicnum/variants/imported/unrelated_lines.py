"""Lines with numbers that have nothing to do with a patient or with medicine, put below an imported text.

A line is used only if it shares no word or number with the item, and none of its numbers would score as
right.
"""

import random
import re
from collections.abc import Iterable
from decimal import Decimal, InvalidOperation

from clinicnum.types import Instance

NOTICES = (
    "Notice on the wall: the lift to floors 3 and 4 is out of order until 16:35.",
    "Notice on the wall: the car park shuts at 22:10, a ticket costs 4.50.",
    "Notice on the wall: the canteen serves soup until 13:45 and seats 85 guests.",
    "Printed in the margin: copier 18, paper tray 2, 640 sheets left.",
    "Printed in the margin: archive shelf 27, folder 7310, leaf 2 of 6.",
    "Printed in the margin: new curtains ordered for rooms 212 to 219, invoice 5508.",
)
_WORDS = re.compile(r"[a-z]{4,}|\d+(?:\.\d+)?")


def fitting_notice(item: Instance, rng: random.Random) -> str | None:
    """A random line that shares no word and no number with the item; None if there is none."""
    asked = set(_words((item.context, item.question, item.answer or "", *item.options)))
    fits = [
        one
        for one in NOTICES
        if asked.isdisjoint(_words([one.partition(":")[2]])) and not could_be_gold(item, one)
    ]
    return rng.choice(fits) if fits else None


def without_notice(context: str) -> str:
    """The text without a line of NOTICES at its end."""
    before, _, last = context.rpartition("\n")
    return before if last in NOTICES else context


def _words(texts: Iterable[str]) -> list[str]:
    return _WORDS.findall("\n".join(texts).lower())


def could_be_gold(item: Instance, line: str) -> bool:
    """Whether a number of a line would be scored as right."""
    numbers = [Decimal(one) for one in re.findall(r"\d+(?:\.\d+)?", line)]
    try:
        low, high = (Decimal(limit) for limit in (item.lower or "", item.upper or ""))
    except InvalidOperation:
        return False
    return any(low <= number <= high for number in numbers)
