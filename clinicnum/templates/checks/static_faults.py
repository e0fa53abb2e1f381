"""Find the faults of a template that show without sample patients, each under a fixed name. Faults that only
show on sample patients are in `clinicnum.authoring.template_trial_faults`.

rounded_threshold  A number is rounded before it meets a threshold: in a comparison, or in bands of points.
                   Thresholds meet unrounded values (V3), else 64.6 is not below 65.
ties               A superlative of rounded numbers: rounding makes equal what was not.
divides_by_zero    A divisor is 0 on all records: a constant 0, a number less itself, a product with 0.
missing_unit       The answer has a unit by what it is computed from (`dimensional_analysis`), and the
                   template names none; or a given without unit is added to or compared with a number that
                   has one; or a wording states a threshold and its unit nowhere.
gives_answer_away  The answer is the same on all records; or a wording says what the answer is, or states a
                   value of a vital sign that the rule does not use.
wording_differs    A wording states a threshold that the rule does not use.
wording_contradicts  A wording asks something else than the rule computes, by the grammar of `proof`.

What a template requires decides what is asked, not the answer: it may round, to ask that a value is whole.
A template's `mistakes` are wrong on purpose and are not looked at.
"""

from collections.abc import Iterator

from clinicnum.templates.checks.constant_folding import constant_value
from clinicnum.templates.checks.dimensional_analysis import dimension, is_quantity, unit_text
from clinicnum.templates.checks.wording_faults import wording_faults
from clinicnum.templates.checks.wording_proofs import contradictions
from clinicnum.templates.fault_messages import Fault, Path
from clinicnum.templates.template import Template
from clinicnum.templates.template_fault import child_path
from clinicnum.templates.tree import (
    ArithmeticNode,
    CompareNode,
    GivenNode,
    Node,
    PointsNode,
    RoundNode,
    SumNode,
    TimeOfExtremeNode,
)
from clinicnum.templates.tree_walk import children
from clinicnum.translatable_text import Translatable

ROUNDED_TIE = {
    "highest": Translatable("rounded numbers tie: look for the highest unrounded number; remove the round"),
    "lowest": Translatable("rounded numbers tie: look for the lowest unrounded number; remove the round"),
}


def named_faults(template: Template) -> Iterator[Fault]:
    """Yield every named fault of a well-formed template."""
    for place, node in places(template.tree, ("tree",)):
        yield from _rounding_faults(node, place)
        yield from _node_faults(node, place, template)
    for i, condition in enumerate(template.requires):
        for place, node in places(condition, ("requires", i)):
            yield from _node_faults(node, place, template)
    yield from _answer_faults(template)
    told = list(wording_faults(template))
    yield from told
    # One fault per wording: a number that the rule does not use also makes a contradiction.
    places_told = {fault.path for fault in told}
    yield from (fault for fault in contradictions(template) if fault.path not in places_told)


def places(node: Node, path: Path) -> Iterator[tuple[Path, Node]]:
    """Yield a node and its descendants with their paths, parents first."""
    yield path, node
    for step, child in children(node):
        yield from places(child, child_path(path, step))


def _rounding_faults(node: Node, path: Path) -> Iterator[Fault]:
    if isinstance(node, CompareNode | PointsNode):
        for place in _rounds(node, path):
            message = Translatable(
                "thresholds meet unrounded numbers (V3), this one is rounded; remove the round"
            )
            yield Fault(rule="rounded_threshold", path=place, message=message)
    if isinstance(node, TimeOfExtremeNode):
        for place in _rounds(node, path):
            message = ROUNDED_TIE[node.which]
            yield Fault(rule="ties", path=place, message=message)


def _node_faults(node: Node, path: Path, template: Template) -> Iterator[Fault]:
    if isinstance(node, ArithmeticNode) and node.op == "divide" and constant_value(node.right) == 0:
        yield Fault(
            rule="divides_by_zero",
            path=(*path, "right"),
            message=Translatable("the divisor is 0 whatever the records say; divide by something else"),
        )
    if isinstance(node, CompareNode | SumNode) or (
        isinstance(node, ArithmeticNode) and node.op in ("add", "subtract")
    ):
        yield from _bare_givens(node, template)


def _rounds(node: Node, path: Path) -> Iterator[Path]:
    """Yield paths of roundings directly below a threshold; those below an inner threshold are reported
    there.
    """
    for step, child in children(node):
        place = child_path(path, step)
        if isinstance(child, RoundNode):
            yield place
        elif not isinstance(child, CompareNode | PointsNode | TimeOfExtremeNode):
            yield from _rounds(child, place)


def _bare_givens(node: Node, template: Template) -> Iterator[Fault]:
    parts = [child for _, child in children(node)]
    units = [part for part in parts if dimension(part, template.givens)]
    for part in parts:
        if units and isinstance(part, GivenNode) and template.givens[part.name].unit is None:
            unit = unit_text(dimension(units[0], template.givens))
            yield Fault(
                rule="missing_unit",
                path=("givens", part.name, "unit"),
                message=Translatable(
                    "given {name} has no unit, but meets a number in {unit}; say its unit",
                    name=part.name,
                    unit=unit,
                ),
            )


def _answer_faults(template: Template) -> Iterator[Fault]:
    root = template.tree
    if not isinstance(root, RoundNode):
        return
    value = constant_value(root.of)
    if value is not None:
        message = Translatable(
            "the answer is {value:g} whatever the records say; compute it from the records",
            value=float(value),
        )
        yield Fault(rule="gives_answer_away", path=("tree", "of"), message=message)
    unit = dimension(root.of, template.givens)
    if template.unit is None and is_quantity(unit, template.givens):
        message = Translatable(
            "the answer is a number in {unit}, but no unit is named; fill in unit", unit=unit_text(unit)
        )
        yield Fault(rule="missing_unit", path=("unit",), message=message)
