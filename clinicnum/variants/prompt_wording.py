"""Variants `prompt`: the question and context of the base in another prompt. The wordings are in
`clinicnum.prompt`.
"""

import random
from collections.abc import Callable
from dataclasses import replace

from clinicnum.prompt import DEFAULT_PROMPT, WORDINGS
from clinicnum.records.vitals import VITAL_SIGNS
from clinicnum.templates.worked_solution import worked_solution
from clinicnum.types import Cell, Point
from clinicnum.variants.needed_values import needs, shown, value_of
from clinicnum.variants.variant_draft import VariantDraft

PROMPT_IDS = tuple(prompt_id for prompt_id in WORDINGS if prompt_id != DEFAULT_PROMPT)

READ = "State each value that the question needs, with its time."
WORK = "Show each step of the working, unrounded."
ANSWER = "Give the answer in the form asked."


def prompt(prompt_id: str) -> Callable[[VariantDraft, random.Random], VariantDraft]:
    """The kind of variant that asks with the prompt of this id."""

    def change(draft: VariantDraft, rng: random.Random) -> VariantDraft:
        points = _points(draft) if prompt_id == "checklist" else draft.points
        return replace(draft, prompt_id=prompt_id, points=points)

    return change


def _points(draft: VariantDraft) -> tuple[Point, ...]:
    """The points of a complete answer. Their texts depend only on the template and reveal nothing
    about the gold.
    """
    open_ = draft.withheld is not None
    points = [Point(id="values", text=READ, value=None if open_ else _values(draft))]
    if draft.asked.template.steps:
        points.append(Point(id="working", text=WORK, value=None if open_ else _working(draft)))
    points.append(Point(id="answer", text=ANSWER, value=None if open_ else draft.gold.text))
    return tuple(points)


def _values(draft: VariantDraft) -> str:
    values = []
    for need in needs(draft):
        text = shown(draft, need, value_of(draft, need))
        if isinstance(need, Cell):
            values.append(f"{draft.case.table.times[need.record]}: {VITAL_SIGNS[need.vital].label} {text}")
        else:
            values.append(f"{draft.asked.template.givens[need].label}: {text}")
    return "; ".join(values)


def _working(draft: VariantDraft) -> str:
    template = draft.asked.template
    return " ".join(worked_solution(template.tree, draft.case, draft.gold, template.givens))
