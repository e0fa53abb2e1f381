"""Describe a tree in clinical words, with brackets only where needed."""

from collections.abc import Callable
from typing import Any

from clinicnum.records.vitals import VITAL_SIGNS
from clinicnum.templates.solution_steps import SIGNS
from clinicnum.templates.template import Template
from clinicnum.templates.tree import (
    ALL_RECORDS,
    EACH,
    EARLIEST,
    LATEST,
    NEXT,
    AbsoluteNode,
    AllNode,
    AnyNode,
    ArithmeticNode,
    AtNode,
    CompareNode,
    ConstantNode,
    CountNode,
    GivenNode,
    GivenPointsNode,
    MinutesNode,
    Node,
    NotNode,
    OneIfNode,
    OverNode,
    OverPairsNode,
    PointsNode,
    RoundNode,
    SlopeNode,
    SumNode,
    TimeOfExtremeNode,
    TimeOfNode,
    VitalNode,
)

COMPARED = {"above": "above", "below": "below", "at_least": "at least", "at_most": "at most"}
HOW = {
    "mean": "mean",
    "sum": "sum",
    "highest": "highest",
    "lowest": "lowest",
    "range": "range (highest less lowest)",
}


NEIGHBOURS = (AtNode(op="at", at=EACH), AtNode(op="at", at=NEXT))


def said(node: Node, template: Template) -> str:
    """What a node computes, in words on one line; names of slots and givens come from the template."""
    write = _WORDS[type(node)]
    return write(node, template)


def _where(at: str) -> str:
    places = {EACH: "", NEXT: " of the next record", EARLIEST: " of the earliest record"}
    places[LATEST] = " of the latest record"
    return places.get(at, f" at {{{at}}}")


def _given(node: GivenNode | GivenPointsNode, template: Template) -> str:
    given = template.givens.get(node.name)
    return node.name if given is None else given.label


def _arithmetic(node: ArithmeticNode, template: Template) -> str:
    left, right = (_operand(part, template) for part in (node.left, node.right))
    return f"{left} {SIGNS[node.op]} {right}"


def _operand(node: Node, template: Template) -> str:
    words = said(node, template)
    return f"({words})" if isinstance(node, ArithmeticNode | SumNode | OneIfNode | RoundNode) else words


def _sum(node: SumNode, template: Template) -> str:
    return " + ".join(_operand(part, template) for part in node.of)


def _compare(node: CompareNode, template: Template) -> str:
    return f"{said(node.left, template)} {COMPARED[node.comparator]} {said(node.right, template)}"


def _points(node: PointsNode, template: Template) -> str:
    limited = [f"{band.points} up to {band.at_most}" for band in node.bands if band.at_most is not None]
    return f"points of {said(node.of, template)} ({', '.join(limited)}, else {node.bands[-1].points})"


def _given_points(node: GivenPointsNode, template: Template) -> str:
    points = ", ".join(f"{option} {points}" for option, points in node.points.items())
    return f"points of {_given(node, template)} ({points})"


def _records(take: str, n: int | None) -> str:
    if take == ALL_RECORDS:
        return "all records"
    return f"the {n} {take if take in (EARLIEST, LATEST) else f'{{{take}}}'} records"


def _over(node: OverNode, template: Template) -> str:
    return f"{HOW[node.how]} of {_operand(node.of, template)} over {_records(node.take, node.n)}"


def _pairs(node: OverPairsNode, template: Template) -> str:
    return f"{HOW[node.how]} of {_operand(node.of, template)} over each record and the next"


def _slope(node: SlopeNode, template: Template) -> str:
    return f"slope per hour of {_operand(node.of, template)} over {_records(node.take, node.n)}"


def _round(node: RoundNode, template: Template) -> str:
    digits = template.decimals if node.decimals is None else node.decimals
    return f"{said(node.of, template)}, rounded to {digits} decimal{'' if digits == 1 else 's'}"


def _at(node: AtNode, template: Template) -> str:
    if node.at == EACH:
        return "the time of the record"
    return f"the time{_where(node.at)}" if node.at in (NEXT, EARLIEST, LATEST) else f"{{{node.at}}}"


def _minutes(node: MinutesNode, template: Template) -> str:
    if (node.start, node.end) == NEIGHBOURS:
        return "minutes to the next record"
    return f"minutes from {said(node.start, template)} to {said(node.end, template)}"


def _joined(word: str) -> Callable[[Any, Template], str]:
    def write(node: AllNode | AnyNode, template: Template) -> str:
        parts = node.all if isinstance(node, AllNode) else node.any
        texts = [said(part, template) for part in parts]
        inner = [
            f"({t})" if isinstance(p, AllNode | AnyNode) else t for p, t in zip(parts, texts, strict=True)
        ]
        return f" {word} ".join(inner)

    return write


_WORDS: dict[type[Node], Callable[[Any, Template], str]] = {
    VitalNode: lambda node, template: f"{VITAL_SIGNS[node.vital].label}{_where(node.at)}",
    GivenNode: _given,
    GivenPointsNode: _given_points,
    ConstantNode: lambda node, template: f"{node.value:f}",
    ArithmeticNode: _arithmetic,
    SumNode: _sum,
    AbsoluteNode: lambda node, template: f"size of ({said(node.of, template)})",
    PointsNode: _points,
    OneIfNode: lambda node, template: f"1 if {said(node.where, template)}, else 0",
    RoundNode: _round,
    OverNode: _over,
    OverPairsNode: _pairs,
    SlopeNode: _slope,
    MinutesNode: _minutes,
    AtNode: _at,
    CompareNode: _compare,
    AllNode: _joined("and"),
    AnyNode: _joined("or"),
    NotNode: lambda node, template: f"not ({said(node.not_, template)})",
    CountNode: lambda node, template: f"number of records with {said(node.where, template)}",
    TimeOfNode: lambda node, template: f"time of the {node.which} record with {said(node.where, template)}",
    TimeOfExtremeNode: lambda node, template: f"time of the {node.which} {_operand(node.of, template)}",
}
