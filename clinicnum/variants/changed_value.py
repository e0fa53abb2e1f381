"""Variants `numeric`: one value changes, and the gold is computed from the new records."""

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction

from clinicnum.records.vitals import VITAL_SIGNS
from clinicnum.templates.evaluate_tree import Answer, evidence
from clinicnum.types import Cell
from clinicnum.variants.needed_values import Need, nearby, needs, with_value
from clinicnum.variants.variant_draft import NotApplicableError, VariantDraft

TRIES = 8
"""Values tried for each cell or given."""


def relevant(draft: VariantDraft, rng: random.Random) -> VariantDraft:
    """The variant in which a needed value changes so that the gold moves by at least one answer unit.

    Raises NotApplicableError if no value that was tried moves it.
    """
    found = _first_change(draft, needs(draft), rng, lambda gold: _moves(draft, gold))
    if found is None:
        raise NotApplicableError("no tried value moves the answer")
    return found


def irrelevant(draft: VariantDraft, rng: random.Random) -> VariantDraft:
    """The variant in which a recorded value changes, but not the gold and its evidence.

    Raises NotApplicableError if every value is needed.
    """
    needed = {(c.record, c.vital) for c in evidence(draft.asked.template.tree, draft.case, draft.gold)}
    free = [
        Cell.model_construct(record=index, vital=vital)
        for index, record in enumerate(draft.records)
        for vital in VITAL_SIGNS
        if getattr(record, vital) is not None and (index, vital) not in needed
    ]
    found = _first_change(draft, free, rng, lambda gold: gold == draft.gold)
    if found is None:
        raise NotApplicableError("every value is needed")
    return found


def _first_change(
    draft: VariantDraft, places: Sequence[Need], rng: random.Random, wanted: Callable[[Answer], bool]
) -> VariantDraft | None:
    """The draft after the first change, in seeded order, whose gold satisfies `wanted`; None if there is
    none.
    """
    for place in rng.sample(places, len(places)):
        for _ in range(TRIES):
            changed = with_value(draft, place, nearby(draft, place, rng))
            if changed is not None and wanted(changed.gold):
                return replace(
                    draft,
                    records=changed.records,
                    givens=changed.givens,
                    case=changed.case,
                    gold=changed.gold,
                    tree_or_records_changed=True,
                )
    return None


def _moves(draft: VariantDraft, gold: Answer) -> bool:
    """Whether the gold moves by at least one answer unit before and after rounding (a time: at all)."""
    if gold.exact is None or draft.gold.exact is None:
        return gold.text != draft.gold.text
    unit = Fraction(1, 10 ** (draft.asked.template.decimals or 0))
    return abs(Fraction(gold.exact) - draft.gold.exact) >= unit
