"""Variants `context`: the same question, with additions to the records that do not count.

A superseded entry that conflicts with a record, passages of other patients, or so many of these that the
context is long. Each is marked as what it is, and the question says that it does not count.
"""

import random
from collections.abc import Callable
from dataclasses import replace

from clinicnum.taxonomy_codes import DISTRACTOR_USED
from clinicnum.types import Cell, Distractor
from clinicnum.variants.needed_values import nearby, needs, with_value
from clinicnum.variants.other_patient_passages import RULE, with_passages
from clinicnum.variants.record_line import values_text
from clinicnum.variants.variant_draft import NotApplicableError, VariantDraft

GO_BY_RECORDS = "Where a superseded entry differs from the records, go by the records."
DRAWS = 20
"""Values drawn for a cell until one would change the answer."""


def conflict(draft: VariantDraft, rng: random.Random) -> VariantDraft:
    """The variant with a superseded entry of one needed value that would change the answer.

    Raises NotApplicableError if no other value of a record would change it.
    """
    cells = [need for need in needs(draft) if isinstance(need, Cell)]
    for cell in rng.sample(cells, len(cells)):
        for _ in range(DRAWS):
            value = nearby(draft, cell, rng)
            changed = with_value(draft, cell, value)
            if changed is not None and changed.gold.text != draft.gold.text:
                entry = values_text(changed.records[cell.record], draft.style, only=(cell.vital,))
                return replace(
                    draft,
                    context=f"{draft.context}\nSuperseded entry (replaced by the record), {entry}.",
                    words=replace(draft.words, rules=(*draft.words.rules, GO_BY_RECORDS)),
                    temptations=(*draft.temptations, _using(changed.gold.text)),
                )
    raise NotApplicableError("no other value of a record would change the answer")


def _using(value: str) -> Distractor:
    return Distractor.model_construct(value=value, rule="superseded_entry", code=DISTRACTOR_USED)


def retrieved(draft: VariantDraft, rng: random.Random) -> VariantDraft:
    """The variant with passages of other patients before the records and after them.

    Raises NotApplicableError if too few passages are usable.
    """
    return _with_passages(draft, rng, None)


def long(words: int) -> Callable[[VariantDraft, random.Random], VariantDraft]:
    """The kind of variant that pads the context to `words` words with other patients' passages."""

    def change(draft: VariantDraft, rng: random.Random) -> VariantDraft:
        return _with_passages(draft, rng, words)

    return change


def _with_passages(draft: VariantDraft, rng: random.Random, words: int | None) -> VariantDraft:
    times = draft.case.table.times
    context = with_passages(
        draft.context,
        rng,
        words=words,
        style=draft.style,
        usable=lambda line: not any(time in line for time in times),
    )
    return replace(draft, context=context, words=replace(draft.words, rules=(*draft.words.rules, RULE)))
