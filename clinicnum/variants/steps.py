"""What `chain.extra_step` asks on top: a template whose tree, mistakes and form take one step more.

A number is doubled, or ten is added or taken off, before rounding; of a count the rest is asked; of a time
the minutes from the earliest record to it.
"""

import random
from decimal import Decimal
from typing import Any, Literal

from clinicnum.questions import Asked
from clinicnum.templates.template import Template
from clinicnum.templates.tree import (
    EARLIEST,
    ArithmeticNode,
    AtNode,
    ConstantNode,
    CountNode,
    MinutesNode,
    NotNode,
    RootNode,
    RoundNode,
)

Op = Literal["multiply", "add", "subtract"]
NUMBER_STEPS: tuple[tuple[Op, Decimal, str], ...] = (
    ("multiply", Decimal(2), "Then multiply the unrounded result by two: the product is the answer."),
    ("add", Decimal(10), "Then add ten to the unrounded result: the sum is the answer."),
    ("subtract", Decimal(10), "Then subtract ten from the unrounded result: the difference is the answer."),
)
COUNT_STEP = "Then count the remaining records, in which this did not hold: their number is the answer."
TIME_STEP = "Then take the minutes from the earliest record to that time: their number is the answer."
MECHANICAL = "mechanical"

_made: dict[tuple[int, int], tuple[Asked, Asked]] = {}
"""Templates with a step more, by the template's identity and the step; templates are few."""


def further(asked: Asked, rng: random.Random) -> tuple[Asked, str]:
    """The template with one step more, and the step in words."""
    tree = asked.template.tree
    place = rng.randrange(len(NUMBER_STEPS)) if isinstance(tree, RoundNode) else 0
    found = _made.get((id(asked), place))
    if found is None:
        # `asked` is kept too: while it lives, no other has its id.
        found = _made[id(asked), place] = (asked, Asked.of(_longer(asked.template, place)))
    if isinstance(tree, RoundNode):
        return found[1], NUMBER_STEPS[place][2]
    return found[1], COUNT_STEP if isinstance(tree, CountNode) else TIME_STEP


def _longer(template: Template, place: int) -> Template:
    mistakes = tuple(
        mistake.model_copy(update={"tree": _with_step(mistake.tree, place)}) for mistake in template.mistakes
    )
    update: dict[str, Any] = {"tree": _with_step(template.tree, place), "mistakes": mistakes}
    if isinstance(template.tree, RoundNode):
        update["tags"] = tuple(dict.fromkeys((*template.tags, MECHANICAL)))
    elif not isinstance(template.tree, CountNode):
        update |= {"answer_type": "number", "decimals": 0, "unit": "minutes"}
    return template.model_copy(update={**update, "steps": template.steps + 1})


def _with_step(tree: RootNode, place: int) -> RootNode:
    if isinstance(tree, RoundNode):
        op, value, _ = NUMBER_STEPS[place]
        more = ArithmeticNode(op=op, left=tree.of, right=ConstantNode(op="constant", value=value))
        return RoundNode(op="round", of=more, decimals=tree.decimals)
    if isinstance(tree, CountNode):
        return CountNode(op="count", where=NotNode.model_validate({"not": tree.where}))
    start = AtNode(op="at", at=EARLIEST)
    return RoundNode(op="round", of=MinutesNode(op="minutes", start=start, end=tree))
