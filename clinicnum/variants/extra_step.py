"""The further step that `chain.extra_step` asks for: the template's tree, mistakes and form of the answer are
extended by it.

Each is a step that is taken at a bedside: for a count the other records, for a score the points below its
maximum, for a time the minutes to it, for a number its value in another unit. A number without a unit gets
none.
"""

from decimal import Decimal
from fractions import Fraction
from typing import Any, Literal, NamedTuple

from clinicnum.questions.ask_question import PreparedTemplate
from clinicnum.templates.exact_numbers import exact_text
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
from clinicnum.variants.node_intervals import Setting, interval


class Conversion(NamedTuple):
    """A conversion of a number to another unit."""

    op: Literal["multiply", "divide"]
    by: str
    unit: str | None
    decimals: int
    plus: str | None = None


class Step(NamedTuple):
    """A further step after a template's question."""

    words: str
    """The wording of the step in the question."""
    change: Literal["rest", "lacking", "minutes_to"] | Conversion
    """The operation of the step."""


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
CONVERTED: dict[str, Step] = {
    "minutes": Step(
        "Then convert the unrounded minutes into hours: the number of hours is the answer.",
        Conversion("divide", "60", "hours", 2),
    ),
    "mmHg": Step(
        "Then convert the unrounded result into kilopascals (1 mmHg = 0.133322 kPa): that is the answer.",
        Conversion("multiply", "0.133322", "kPa", 1),
    ),
    "bpm": Step(
        "Then say how many beats the unrounded result is in 15 seconds, a quarter of it: that is the answer.",
        Conversion("divide", "4", None, 2),
    ),
    "breaths/min": Step(
        "Then say how many breaths the unrounded result is in 30 seconds, half of it: that is the answer.",
        Conversion("divide", "2", None, 1),
    ),
    "%": Step(
        "Then give the unrounded result as a fraction of 1 instead of a percentage: that is the answer.",
        Conversion("divide", "100", None, 3),
    ),
    "mL": Step(
        "Then convert the unrounded result into litres: that is the answer.",
        Conversion("divide", "1000", "L", 3),
    ),
    "mL/h": Step(
        "Then convert the unrounded result into mL per minute: that is the answer.",
        Conversion("divide", "60", "mL/min", 2),
    ),
    "mg": Step(
        "Then convert the unrounded result into grams: that is the answer.",
        Conversion("divide", "1000", "g", 4),
    ),
}
"""Unit of the answer -> its conversion."""
FAHRENHEIT = Step(
    "Then convert the unrounded result into degrees Fahrenheit (°C x 1.8 + 32): that is the answer.",
    Conversion("multiply", "1.8", "°F", 1, plus="32"),
)
FAHRENHEIT_APART = Step(
    "Then say how many degrees Fahrenheit apart that is (1.8 °F for 1 °C, unrounded): that is the answer.",
    Conversion("multiply", "1.8", "°F", 1),
)
MECHANICAL = "mechanical"
NO_STEP = "no further step makes sense here"
"""The reason given if no further step fits."""

_made: dict[tuple[int, str], tuple[PreparedTemplate, PreparedTemplate]] = {}
"""Templates extended by a step, cached by the template's identity and the step."""


def step_of(template: Template) -> Step | None:
    """The further step that suits a template's kind of answer; None if none makes sense."""
    tree = template.tree
    if isinstance(tree, CountNode):
        return COUNT_STEP
    if not isinstance(tree, RoundNode):
        return TIME_STEP
    if _counts_pairs(tree.of):
        return PAIRS_STEP
    if template.unit == "points":
        return Step(LACKING.format(_highest(template)), "lacking") if _is_score(tree.of) else None
    if template.unit == "°C":
        return FAHRENHEIT if _is_temperature(tree.of) else FAHRENHEIT_APART
    return CONVERTED.get(template.unit or "")


def _is_temperature(node: Node) -> bool:
    """Whether a number in °C is a temperature; otherwise it is a temperature difference."""
    if isinstance(node, OverNode):
        return node.how in ("mean", "highest", "lowest") and _is_temperature(node.of)
    return isinstance(node, VitalNode)


def _counts_pairs(node: Node) -> bool:
    return isinstance(node, OverPairsNode) and node.how == "sum" and isinstance(node.of, OneIfNode)


def _is_score(node: Node) -> bool:
    """Whether a number consists of points only, so that its maximum follows from its bands."""
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


def longer(asked: PreparedTemplate, step: Step) -> PreparedTemplate:
    """The template extended by the step."""
    found = _made.get((id(asked), step.words))
    if found is None:
        # `asked` is kept too: while it lives, no other has its id.
        found = _made[id(asked), step.words] = (asked, PreparedTemplate.of(_longer(asked.template, step)))
    return found[1]


def named_step(asked: PreparedTemplate, question: str) -> PreparedTemplate | None:
    """The template extended by the step that a question names; None if the question names none."""
    step = step_of(asked.template)
    return longer(asked, step) if step is not None and step.words in question else None


def crossing(tree: RootNode) -> TimeOfNode | None:
    """The first or last crossing up to which a tree counts minutes, for its V7 flag; None for other trees."""
    minutes = tree.of if isinstance(tree, RoundNode) else None
    end = minutes.end if isinstance(minutes, MinutesNode) else None
    return end if isinstance(end, TimeOfNode) else None


def _longer(template: Template, step: Step) -> Template:
    mistakes = tuple(
        mistake.model_copy(update={"tree": _with_step(mistake.tree, template, step)})
        for mistake in template.mistakes
    )
    update: dict[str, Any] = {"tree": _with_step(template.tree, template, step), "mistakes": mistakes}
    if isinstance(step.change, Conversion):
        update |= {"decimals": step.change.decimals, "unit": step.change.unit}
    elif step.change == "minutes_to":
        update |= {"answer_type": "number", "decimals": 0, "unit": "minutes"}
    elif step.change == "lacking":
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
    assert isinstance(step.change, Conversion)
    found = ArithmeticNode(op=step.change.op, left=node, right=_constant(Decimal(step.change.by)))
    if step.change.plus is None:
        return found
    return ArithmeticNode(op="add", left=found, right=_constant(Decimal(step.change.plus)))


def _rest(node: NumberNode) -> NumberNode:
    """The count of those records that `node` does not count; a node that is no count is returned as it is."""
    if isinstance(node, OverPairsNode | OverNode) and isinstance(node.of, OneIfNode):
        where = NotNode.model_validate({"not": node.of.where})
        return node.model_copy(update={"of": node.of.model_copy(update={"where": where})})
    return node


def _constant(value: Decimal) -> ConstantNode:
    return ConstantNode(op="constant", value=value)
