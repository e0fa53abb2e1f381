"""Variants `missing`: a needed value is not documented, or findings are negated.

A masked question has no answer because two plausible values in the gap would give two answers. The question
says how what is undocumented counts, in words that a documented question could bear too.
"""

import random
from collections.abc import Iterator
from dataclasses import replace

from clinicnum.questions.ask_question import NotAskedError, RejectedError, gold_of
from clinicnum.taxonomy_codes import MISSED_RECORD, UNSUPPORTED_ASSUMPTION
from clinicnum.types import Cell, Distractor
from clinicnum.variants.needed_values import completions, needs, value_of, with_value, without
from clinicnum.variants.variant_draft import NotApplicableError, VariantDraft, WithheldValue, alert, case_of

UNDOCUMENTED = (
    "A needed value that is not documented counts as unknown: "
    "it is not taken to be normal or zero, nor is its record left out."
)

STEM = 5
"""Initial letters by which a finding is recognised in a note: nausea, nauseous."""

SYMPTOMS = (
    "cough",
    "nausea",
    "vomiting",
    "diarrhea",
    "rash",
    "dizziness",
    "dysuria",
    "leg swelling",
    "recent travel",
    "ear discharge",
)
"""Symptoms to negate: none is a vital sign, implies the state of one, or is a given of a template."""


def masked(draft: VariantDraft, rng: random.Random) -> VariantDraft:
    """The variant that withholds one needed value so that two answers remain possible.

    Raises NotApplicableError if no needed value leaves the answer open.
    """
    places = needs(draft)
    for place in rng.sample(places, len(places)):
        for value in completions(draft, place, rng):
            changed = with_value(draft, place, value)
            if changed is not None and changed.gold.text != draft.gold.text:
                shown = (value_of(draft, place), draft.gold.text)
                return _withhold(draft, WithheldValue(place, (shown, (value, changed.gold.text))))
    raise NotApplicableError("no needed value leaves the answer open")


def _withhold(draft: VariantDraft, withheld: WithheldValue) -> VariantDraft:
    words = replace(draft.words, rules=(*draft.words.rules, UNDOCUMENTED))
    tempted = draft.temptations
    if isinstance(withheld.need, Cell):
        tempted = (*tempted, *_temptations(draft, withheld.need))
    return replace(
        without(draft, withheld.need),
        withheld=withheld,
        tree_or_records_changed=True,
        words=words,
        temptations=tempted,
    )


def _temptations(draft: VariantDraft, cell: Cell) -> Iterator[Distractor]:
    """Yield the answers that filling the gap would give: a neighbour's value, or leaving the record out."""
    for rule, index in (("carried_forward", cell.record - 1), ("carried_back", cell.record + 1)):
        value = getattr(draft.records[index], cell.vital) if 0 <= index < len(draft.records) else None
        changed = None if value is None else with_value(draft, cell, value)
        if changed is not None:
            yield Distractor.model_construct(value=changed.gold.text, rule=rule, code=UNSUPPORTED_ASSUMPTION)
    if not draft.case.at:
        left = (*draft.records[: cell.record], *draft.records[cell.record + 1 :])
        try:
            gold = gold_of(draft.asked, case_of(draft, left))
        except (RejectedError, NotAskedError):
            return
        yield Distractor.model_construct(value=gold.text, rule="record_left_out", code=MISSED_RECORD)


def negated(draft: VariantDraft, rng: random.Random) -> VariantDraft:
    """The variant with two negated findings below the records, about no vital sign and nothing in a note.

    Raises NotApplicableError for a patient who is not fully alert, and for a note that speaks of nearly every
    finding.
    """
    if not alert(draft.givens):
        raise NotApplicableError("a patient who is not fully alert denies nothing")
    said = draft.context.lower()
    free = [s for s in SYMPTOMS if not any(word[:STEM] in said for word in s.split())]
    if len(free) < 2:
        raise NotApplicableError("the note speaks of every finding")
    first, second = rng.sample(free, 2)
    return replace(draft, context=f"{draft.context}\nNo {first}. Denies {second}.")
