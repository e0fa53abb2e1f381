"""Family `numeric`: one recorded value is another one; the gold is computed from the new records."""

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

from clinicnum.records.vitals import VITAL_SIGNS
from clinicnum.templates.evaluate import Answer, evidence
from clinicnum.types import Cell, Vital
from clinicnum.variants.draft import Changed, Draft, NotApplicableError, resolution, with_value

TRIES = 8
"""Values tried in each cell."""
REACH = 5
"""A changed value stays within this part (a fifth) of the vital's plausible range."""


def relevant(draft: Draft, rng: random.Random) -> Draft:
    """A needed value changes so that the gold moves by at least one answer unit."""
    cells = evidence(draft.asked.template.tree, draft.case, draft.gold)
    found = _first(draft, cells, rng, lambda gold: _moves(draft, gold))
    if found is None:
        raise NotApplicableError("no tried value moves the answer")
    return replace(draft, records=found.records, case=found.case, gold=found.gold, anew=True)


def irrelevant(draft: Draft, rng: random.Random) -> Draft:
    """A value that the answer does not rest on changes; the gold and its evidence do not."""
    tree = draft.asked.template.tree
    needed = evidence(tree, draft.case, draft.gold)
    taken = {(cell.record, cell.vital) for cell in needed}
    free = [
        Cell.model_construct(record=index, vital=vital)
        for index, record in enumerate(draft.records)
        for vital in VITAL_SIGNS
        if getattr(record, vital) is not None and (index, vital) not in taken
    ]
    found = _first(draft, free, rng, lambda gold: gold == draft.gold)
    if found is None:
        raise NotApplicableError("every value is needed")
    return replace(draft, records=found.records, case=found.case, anew=True)


def _first(
    draft: Draft, cells: Sequence[Cell], rng: random.Random, wanted: Callable[[Answer], bool]
) -> Changed | None:
    """The first change, in seeded order, whose gold is as wanted."""
    for cell in rng.sample(cells, len(cells)):
        old = getattr(draft.records[cell.record], cell.vital)
        for _ in range(TRIES):
            changed = with_value(draft, cell, _another(old, cell.vital, rng))
            if changed is not None and wanted(changed.gold):
                return changed
    return None


def _another(old: Decimal, vital: Vital, rng: random.Random) -> Decimal:
    """A value at most REACH away, in steps of the vital's resolution; it may lie out of range."""
    sign, step = VITAL_SIGNS[vital], resolution(vital)
    steps = int((sign.high - sign.low) / step) // REACH
    return old + step * rng.randrange(1, steps + 1) * rng.choice((1, -1))


def _moves(draft: Draft, gold: Answer) -> bool:
    """By one answer unit or more, before rounding and so after it too; a time, at all."""
    if gold.exact is None or draft.gold.exact is None:
        return gold.text != draft.gold.text
    unit = Fraction(1, 10 ** (draft.asked.template.decimals or 0))
    return abs(Fraction(gold.exact) - draft.gold.exact) >= unit
