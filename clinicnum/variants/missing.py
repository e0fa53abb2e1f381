"""Family `missing`: a needed value is not documented, or findings are denied.

A masked question has no answer because two plausible values in the gap would give two answers. The question
says how what is undocumented counts, in words that a documented question could bear too.
"""

import random
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal

from clinicnum.questions import NotAskedError, RejectedError
from clinicnum.records.vitals import VITAL_SIGNS
from clinicnum.templates.evaluate import evidence
from clinicnum.types import Cell, Distractor
from clinicnum.variants.draft import (
    Draft,
    NotApplicableError,
    Withheld,
    case_of,
    gold_of,
    resolution,
    with_value,
)

UNDOCUMENTED = (
    "A needed value that is not documented counts as unknown: "
    "it is not taken to be normal or zero, nor is its record left out."
)
ASSUMED = "hallucination.unsupported_assumption"
MISSED = "omission.missed_record"
DRAWS = 6
"""Completions drawn after the two ends of the range."""

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
"""None of them is a vital sign, implies the state of one, or is a given of a template."""


def masked(draft: Draft, rng: random.Random) -> Draft:
    """One needed value is withheld, where that leaves two answers possible."""
    cells = evidence(draft.asked.template.tree, draft.case, draft.gold)
    for cell in rng.sample(cells, len(cells)):
        other = _completion(draft, cell, rng)
        if other is not None:
            value = getattr(draft.records[cell.record], cell.vital)
            return _withhold(draft, Withheld(cell, ((value, draft.gold.text), other)))
    raise NotApplicableError("no needed value leaves the answer open")


def _completion(draft: Draft, cell: Cell, rng: random.Random) -> tuple[Decimal, str] | None:
    """A value of the cell within the ranges of V6 that gives another answer, with that answer."""
    sign, step = VITAL_SIGNS[cell.vital], resolution(cell.vital)
    steps = int((sign.high - sign.low) / step)
    for place in (0, steps, *(rng.randrange(steps + 1) for _ in range(DRAWS))):
        value = sign.low + step * place
        changed = with_value(draft, cell, value)
        if changed is not None and changed.gold.text != draft.gold.text:
            return value, changed.gold.text
    return None


def _withhold(draft: Draft, withheld: Withheld) -> Draft:
    cell = withheld.cell
    record = draft.records[cell.record].model_copy(update={cell.vital: None})
    return replace(
        draft,
        records=(*draft.records[: cell.record], record, *draft.records[cell.record + 1 :]),
        withheld=withheld,
        anew=True,
        words=replace(draft.words, rules=(*draft.words.rules, UNDOCUMENTED)),
        temptations=(*draft.temptations, *_temptations(draft, cell)),
    )


def _temptations(draft: Draft, cell: Cell) -> Iterator[Distractor]:
    """What filling the gap would give: a neighbour's value, or the record left out."""
    for rule, index in (("carried_forward", cell.record - 1), ("carried_back", cell.record + 1)):
        value = getattr(draft.records[index], cell.vital) if 0 <= index < len(draft.records) else None
        changed = None if value is None else with_value(draft, cell, value)
        if changed is not None:
            yield Distractor.model_construct(value=changed.gold.text, rule=rule, code=ASSUMED)
    if not draft.case.at:
        left = (*draft.records[: cell.record], *draft.records[cell.record + 1 :])
        try:
            gold = gold_of(draft.asked, case_of(draft, left))
        except (RejectedError, NotAskedError):
            return
        yield Distractor.model_construct(value=gold.text, rule="record_left_out", code=MISSED)


def negated(draft: Draft, rng: random.Random) -> Draft:
    """Denied findings stand below the records; none has to do with a vital sign, or with what a note says."""
    said = draft.context.lower()
    free = [symptom for symptom in SYMPTOMS if symptom not in said]
    if len(free) < 2:
        raise NotApplicableError("the note speaks of every finding")
    first, second = rng.sample(free, 2)
    return replace(draft, context=f"{draft.context}\nNo {first}. Denies {second}.")
