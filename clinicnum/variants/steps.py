"""What `chain.extra_step` asks on top: a template whose tree, mistakes and form take one step more.

Which step depends on what is asked: of a count the rest, of a score what is lacking to its highest value, of
minutes the hours, of a time the minutes to it; other numbers are doubled, or changed by ten, degrees by one.
"""

from decimal import Decimal
from fractions import Fraction
from typing import Any, Literal, NamedTuple

from clinicnum.questions import Asked
from clinicnum.templates.case import Answer
from clinicnum.templates.exact import exact_text
from clinicnum.templates.template import Template
from clinicnum.templates.tree import (
    EARLIEST,
    ArithmeticNode,
    AtNode,
    ConstantNode,
    CountNode,
    GivenPointsNode,
    MinutesNode,
    Node,
    NotNode,
    NumberNode,
    OneIfNode,
    OverNode,
    OverPairsNode,
    PointsNode,
    RootNode,
    RoundNode,
    SumNode,
    TimeOfNode,
    VitalNode,
)
from clinicnum.variants.bounds import Setting, interval

Op = Literal["multiply", "add", "subtract"]


class Step(NamedTuple):
    """One step more."""

    words: str
    """As the question asks for it."""
    change: Literal["rest", "lacking", "hours", "minutes_to"] | tuple[Op, int]
    """What is done; with an operation, the number that it is done with."""

    def suits(self, gold: Answer) -> bool:
        """Whether what is added or taken off is at most half of what it is added to: no shock index of 11."""
        if not isinstance(self.change, tuple) or self.change[0] == "multiply" or gold.exact is None:
            return True
        return abs(Fraction(gold.exact)) >= 2 * self.change[1]


COUNT_STEP = Step(
    "Then count the remaining records, in which this did not hold: their number is the answer.", "rest"
)
PAIRS_STEP = Step(
    "Then count the remaining pairs of neighbouring records, in which this did not hold: "
    "their number is the answer.",
    "rest",
)
TIME_STEP = Step(
    "Then take the minutes from the earliest record to that time: their number is the answer.", "minutes_to"
)
LACKING = "Then subtract the result from {}, the highest that it can be: the difference is the answer."
HOURS_STEP = Step(
    "Then convert the unrounded minutes into hours: the number of hours is the answer.", "hours"
)
TWICE = Step("Then multiply the unrounded result by two: the product is the answer.", ("multiply", 2))
NUMBER_STEPS = (
    TWICE,
    Step("Then add ten to the unrounded result: the sum is the answer.", ("add", 10)),
    Step("Then subtract ten from the unrounded result: the difference is the answer.", ("subtract", 10)),
)
DEGREE_STEPS = (
    TWICE,
    Step("Then add one to the unrounded result: the sum is the answer.", ("add", 1)),
    Step("Then subtract one from the unrounded result: the difference is the answer.", ("subtract", 1)),
)
HOURS_DECIMALS = 2
MECHANICAL = "mechanical"
NO_STEP = "no further step leads to a value that could be"
"""Why there is none, as the kind does not apply."""

_made: dict[tuple[int, str], tuple[Asked, Asked]] = {}
"""Templates with a step more, by the template's identity and the step; templates are few."""


def steps_of(template: Template) -> tuple[Step, ...]:
    """The steps that a template may be asked with; () where none makes sense."""
    tree = template.tree
    if isinstance(tree, CountNode):
        return (COUNT_STEP,)
    if not isinstance(tree, RoundNode):
        return (TIME_STEP,)
    if _counts_pairs(tree.of):
        return (PAIRS_STEP,)
    if _is_score(tree.of):
        return (Step(LACKING.format(_highest(template)), "lacking"),)
    if template.unit == "minutes":
        return (HOURS_STEP,)
    if isinstance(tree.of, VitalNode) and tree.of.vital == "spo2_pct":
        return ()
    return DEGREE_STEPS if template.unit in ("°C", "°F") else NUMBER_STEPS


def _counts_pairs(node: Node) -> bool:
    return isinstance(node, OverPairsNode) and node.how == "sum" and isinstance(node.of, OneIfNode)


def _is_score(node: Node) -> bool:
    """Whether a number is made of points alone, so that its highest value follows from its bands."""
    if isinstance(node, SumNode):
        return all(map(_is_score, node.of))
    if isinstance(node, OverNode):
        return node.how in ("highest", "lowest") and _is_score(node.of)
    if isinstance(node, ArithmeticNode):
        return node.op == "multiply" and isinstance(node.left, ConstantNode) and _is_score(node.right)
    return isinstance(node, PointsNode | GivenPointsNode | OneIfNode)


def _highest(template: Template) -> str:
    assert isinstance(template.tree, RoundNode)
    high = interval(template.tree.of, Setting(1, Fraction(0), template.givens, {}, {}))[1]
    assert high is not None
    return exact_text(high)


def longer(asked: Asked, step: Step) -> Asked:
    """The template with that step more."""
    found = _made.get((id(asked), step.words))
    if found is None:
        # `asked` is kept too: while it lives, no other has its id.
        found = _made[id(asked), step.words] = (asked, Asked.of(_longer(asked.template, step)))
    return found[1]


def named_step(asked: Asked, question: str) -> Asked | None:
    """The template with the step more that a question names; None if it names none of its steps."""
    step = next((step for step in steps_of(asked.template) if step.words in question), None)
    return None if step is None else longer(asked, step)


def crossing(tree: RootNode) -> TimeOfNode | None:
    """The crossing to which a tree counts minutes: V7 asks of it whether the instance discriminates."""
    minutes = tree.of if isinstance(tree, RoundNode) else None
    end = minutes.end if isinstance(minutes, MinutesNode) else None
    return end if isinstance(end, TimeOfNode) else None


def _longer(template: Template, step: Step) -> Template:
    mistakes = tuple(
        mistake.model_copy(update={"tree": _with_step(mistake.tree, template, step)})
        for mistake in template.mistakes
    )
    update: dict[str, Any] = {"tree": _with_step(template.tree, template, step), "mistakes": mistakes}
    if step.change == "hours":
        update |= {"decimals": HOURS_DECIMALS, "unit": "hours"}
    elif step.change == "minutes_to":
        update |= {"answer_type": "number", "decimals": 0, "unit": "minutes"}
    elif step.change != "rest":
        update["tags"] = tuple(dict.fromkeys((*template.tags, MECHANICAL)))
    return template.model_copy(update={**update, "steps": template.steps + 1})


def _with_step(tree: RootNode, template: Template, step: Step) -> RootNode:
    if isinstance(tree, RoundNode):
        return RoundNode(op="round", of=_with_number(tree.of, template, step), decimals=tree.decimals)
    if isinstance(tree, CountNode):
        return CountNode(op="count", where=NotNode.model_validate({"not": tree.where}))
    start = AtNode(op="at", at=EARLIEST)
    return RoundNode(op="round", of=MinutesNode(op="minutes", start=start, end=tree))


def _with_number(node: NumberNode, template: Template, step: Step) -> NumberNode:
    if step.change == "rest":
        return _rest(node)
    if step.change == "lacking":
        return ArithmeticNode(op="subtract", left=_constant(Decimal(_highest(template))), right=node)
    if step.change == "hours":
        return ArithmeticNode(op="divide", left=node, right=_constant(Decimal(60)))
    assert isinstance(step.change, tuple)
    op, value = step.change
    return ArithmeticNode(op=op, left=node, right=_constant(Decimal(value)))


def _rest(node: NumberNode) -> NumberNode:
    """The other pairs; in a mistake, what it takes for them."""
    if isinstance(node, OverPairsNode | OverNode) and isinstance(node.of, OneIfNode):
        where = NotNode.model_validate({"not": node.of.where})
        return node.model_copy(update={"of": node.of.model_copy(update={"where": where})})
    return node


def _constant(value: Decimal) -> ConstantNode:
    return ConstantNode(op="constant", value=value)
