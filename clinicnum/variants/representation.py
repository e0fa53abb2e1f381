"""Variants `representation`: the same records written differently; the reader of V1 proves that the new
context says the same.
"""

import random
from dataclasses import replace

from clinicnum.representations import BASE, Style, render_context
from clinicnum.variants.variant_draft import NotApplicableError, VariantDraft

FACTORS = ("abbreviated", "units", "shuffled", "separators")


def abbreviations(draft: VariantDraft, rng: random.Random) -> VariantDraft:
    """The variant in which the name of every vital sign is abbreviated."""
    return replace(draft, style=replace(draft.style, abbreviated=True))


def no_units(draft: VariantDraft, rng: random.Random) -> VariantDraft:
    """The variant without units; V5 rejects records in which a bare value could have either of two units."""
    return replace(draft, style=replace(draft.style, units=False))


def abbreviations_no_units(draft: VariantDraft, rng: random.Random) -> VariantDraft:
    """The variant with abbreviated names of vital signs and no units."""
    return no_units(abbreviations(draft, rng), rng)


def order(draft: VariantDraft, rng: random.Random) -> VariantDraft:
    """The variant with the vitals of each record in another order."""
    return replace(draft, style=replace(draft.style, shuffled=True))


def separators(draft: VariantDraft, rng: random.Random) -> VariantDraft:
    """The variant with other separators between the vitals."""
    return replace(draft, style=replace(draft.style, separators=True))


def rendered(draft: VariantDraft) -> str:
    """The draft's records and givens, written in the draft's style.

    Raises NotApplicableError if an option of the style changes nothing, such as abbreviations in a note that
    has no other names.
    """
    text = _text(draft, draft.style)
    for factor in FACTORS:
        if getattr(draft.style, factor) != getattr(BASE, factor):
            without = replace(draft.style, **{factor: getattr(BASE, factor)})
            if text == _text(draft, without):
                raise NotApplicableError(f"written so already: {factor}")
    return text


def _text(draft: VariantDraft, style: Style) -> str:
    if style == BASE and not draft.tree_or_records_changed:
        return draft.base.context
    name = draft.base.representation
    return render_context(draft.records, draft.givens, name, draft.key, style, draft.frame)
