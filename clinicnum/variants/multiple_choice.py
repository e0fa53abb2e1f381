"""Variants `options`: the gold and three wrong answers to choose from, in five orders.

The four are the same in each order. Over the five, the gold stands at every place, at one of them twice;
which place that is, and so where the gold stands first, follows from the question's group.
`answer` stays the gold itself: an option's letter is its place, whatever the order.
"""

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from decimal import Decimal
from itertools import count

from clinicnum.variants.answer_bounds import Range
from clinicnum.variants.variant_draft import NotApplicableError, VariantDraft, plausible_mistakes, possible

SHUFFLES = (1, 2, 3, 4, 5)
PLACES = 4
NEAR = Decimal("0.05")
"""Step between near values as a share of the gold; a step is at least one answer unit."""


def shuffle(number: int) -> Callable[[VariantDraft, random.Random], VariantDraft]:
    """The kind of variant that offers the options in order `number`, one of SHUFFLES."""

    def change(draft: VariantDraft, rng: random.Random) -> VariantDraft:
        # One generator for all five orders of a question, so that the wrong answers are the same in each.
        common = random.Random(f"options:{draft.base.group_id}:{draft.gold.text}")  # noqa: S311  not secret
        wrong = _wrong(draft, common)
        place = (common.randrange(PLACES) + number) % PLACES
        rng.shuffle(wrong)
        return replace(draft, options=(*wrong[:place], draft.gold.text, *wrong[place:]))

    return change


def _wrong(draft: VariantDraft, rng: random.Random) -> list[str]:
    """Three answers other than the gold: those to which mistakes lead, filled up with near values.

    A time is one of the context's: one that no record has is wrong at a glance.
    """
    values = sorted({item.value for item in plausible_mistakes(draft)} - {draft.gold.text})
    found = rng.sample(values, min(PLACES - 1, len(values)))
    near = iter(draft.case.table.times) if draft.gold.exact is None else _near_numbers(draft)
    while len(found) < PLACES - 1:
        value = next(near, None)
        if value is None:
            raise NotApplicableError("fewer than four answers are possible")
        if value != draft.gold.text and value not in found:
            found.append(value)
    return found


def _near_numbers(draft: VariantDraft) -> Iterator[str]:
    """Yield the gold plus and minus one step, then two, and so on; below zero only if the gold is."""
    gold = Decimal(draft.gold.text)
    unit = Decimal(1).scaleb(-(draft.asked.template.decimals or 0))
    step = max(unit, (abs(gold) * NEAR).quantize(unit))
    low, high = possible(draft)
    if gold >= 0:
        low = max(low or Decimal(0), Decimal(0))
    range_ = Range(low, high)
    for multiple in count(1):
        values = [v for v in (gold + multiple * step, gold - multiple * step) if range_.holds(v)]
        if not values:
            return
        for value in values:
            yield f"{value:f}" if value else f"{abs(value):f}"
