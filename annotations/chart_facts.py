"""What a chart of an item's vital signs shows besides the records: thresholds and formulas of its question.

Both are read from the operation tree of the item's template. Before the gold is revealed only thresholds
stated in the question itself are shown: the values of a formula, or the bands of a score that the annotator
should know, would give the gold away.
"""

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import cache
from typing import Any

from pydantic import TypeAdapter

from clinicnum.templates.canonical_tree import FLIPPED, NEGATED, form
from clinicnum.templates.compile_tree import number
from clinicnum.templates.evaluation_input import Case, Table, UndefinedError, table_of
from clinicnum.templates.exact_numbers import ratio_text
from clinicnum.templates.template import Template
from clinicnum.templates.tree import (
    EACH,
    AbsoluteNode,
    ArithmeticNode,
    Comparator,
    CompareNode,
    ConstantNode,
    Node,
    NotNode,
    NumberNode,
    PointsNode,
    RoundNode,
    SumNode,
    VitalNode,
)
from clinicnum.templates.tree_walk import children, nodes, replaced, vitals_of
from clinicnum.templates.unit_inference import unit_of
from clinicnum.templates.verbalize_tree import said
from clinicnum.types import Frozen, Instance, Vital

DECIMALS = 2
"""Decimals of a formula's values where the question asks for none."""


class Threshold(Frozen):
    """A limit with which the question compares a vital sign or a formula."""

    vital: Vital | None
    """None: it is a limit of `formula`."""
    formula: str | None
    comparator: Comparator
    value: str
    unit: str | None


class FormulaLane(Frozen):
    """A number that is computed from the vital signs of each record alone."""

    name: str
    unit: str | None
    values: tuple[str | None, ...]
    """One per record; None where a vital sign that it needs is not documented."""


class ChartFacts(Frozen):
    """Thresholds and formulas that an item's chart may show now."""

    thresholds: tuple[Threshold, ...] = ()
    formulas: tuple[FormulaLane, ...] = ()


def chart_facts(template: Template | None, instance: Instance, *, revealed: bool) -> ChartFacts:
    """Thresholds and formulas of the question; all of them only once the reference is open (`revealed`).

    Empty without a template, as for a question made elsewhere.
    """
    if template is None or not instance.records:
        return ChartFacts()
    found = dict.fromkeys(_thresholds(template.tree, template))
    asked = {Decimal(text) for text in re.findall(r"\d+(?:\.\d+)?", instance.question)}
    formulas = {_key(node): node for node in _formulas(template.tree)}
    table = table_of(instance.records)
    return ChartFacts(
        thresholds=tuple(one for one in found if revealed or Decimal(one.value) in asked),
        formulas=tuple(_lane(node, template, table) for node in formulas.values()) if revealed else (),
    )


def _thresholds(node: Node, template: Template, *, negated: bool = False) -> Iterator[Threshold]:
    """Yield every constant with which the tree compares a number that is read from one record."""
    if isinstance(node, NotNode):
        negated = not negated
    elif isinstance(node, CompareNode):
        for left, right, flip in ((node.left, node.right, False), (node.right, node.left, True)):
            if isinstance(right, ConstantNode):
                comparator = FLIPPED[node.comparator] if flip else node.comparator
                said_so = NEGATED[comparator] if negated else comparator
                yield from _limit(left, said_so, right.value, template)
    elif isinstance(node, PointsNode):
        for band in node.bands:
            if band.at_most is not None:
                yield from _limit(node.of, "at_most", band.at_most, template)
    for _, child in children(node):
        yield from _thresholds(child, template, negated=negated)


def _limit(node: Node, comparator: Any, value: Decimal, template: Template) -> Iterator[Threshold]:
    name, unit = _named(_of_each(node), template)
    common = {"comparator": comparator, "value": f"{value:f}", "unit": unit}
    if isinstance(node, VitalNode):
        yield Threshold(vital=node.vital, formula=None, **common)
    elif _is_formula(node):
        yield Threshold(vital=None, formula=name, **common)


def _formulas(node: Node) -> Iterator[Node]:
    """The largest parts of a tree that compute a number from several vital signs of one record."""
    if _is_formula(node):
        yield _of_each(node)
        return
    for _, child in children(node):
        yield from _formulas(child)


def _is_formula(node: Node) -> bool:
    parts = tuple(nodes(node))
    plain = all(isinstance(one, _PLAIN) for one in parts)
    read = {one.at for one in parts if isinstance(one, VitalNode)}
    return plain and len(read) == 1 and len(vitals_of(node)) > 1


_PLAIN = (VitalNode, ConstantNode, ArithmeticNode, SumNode, AbsoluteNode)


def _of_each(node: Node) -> Node:
    """The same expression with every vital sign read from the record at hand, whichever record the question
    names.
    """

    def anywhere(one: Node) -> Node:
        return one.model_copy(update={"at": EACH}) if isinstance(one, VitalNode) else one

    return replaced(node, anywhere)


def _lane(node: Node, template: Template, table: Table) -> FormulaLane:
    whole = isinstance(template.tree, RoundNode) and _key(_of_each(template.tree.of)) == _key(node)
    digits = template.decimals if whole and template.decimals is not None else DECIMALS
    value, case = number(node), Case(table, digits, {}, {})
    needed = vitals_of(node)

    def text(record: int) -> str | None:
        if not needed <= table.values[record].keys():
            return None
        try:
            return ratio_text(value(case, record), digits)
        except UndefinedError:  # a division by zero
            return None

    name, unit = _named(node, template)
    return FormulaLane(
        name=name,
        unit=unit,
        values=tuple(map(text, range(len(table.times)))),
    )


def _named(node: Node, template: Template) -> tuple[str, str | None]:
    """Name and unit of the number that a node computes; the unit is None where it is not certain."""
    return _names().get(_key(node)) or (said(node, template), unit_of(node, (), template.givens))


def _key(node: Node) -> str:
    """A key that is equal for formulas that differ only in the order or spelling of their parts."""
    return repr(form(node, {}))


@cache
def _names() -> dict[str, tuple[str, str | None]]:
    """Key of a formula (`_key`) -> the name by which clinicians know it, and its unit; every way of writing
    it has a key.
    """
    heart_rate, systolic, diastolic = (
        {"op": "vital", "vital": vital} for vital in ("heart_rate_bpm", "sbp_mmhg", "dbp_mmhg")
    )

    def of(op: str, left: Any, right: Any) -> dict[str, Any]:
        return {"op": op, "left": left, "right": right}

    two, three = ({"op": "constant", "value": value} for value in ("2", "3"))
    pulse = of("subtract", systolic, diastolic)
    mean = (
        of("add", of("divide", pulse, three), diastolic),
        of("divide", of("add", systolic, of("multiply", two, diastolic)), three),
    )
    named = [
        *((one, "mean arterial pressure", "mmHg") for one in mean),
        *((of("divide", heart_rate, one), "modified shock index", None) for one in mean),
        (of("divide", heart_rate, systolic), "shock index", None),
        (of("divide", systolic, heart_rate), "reverse shock index", None),
        (of("divide", heart_rate, diastolic), "diastolic shock index", None),
        (pulse, "pulse pressure", "mmHg"),
        (of("multiply", heart_rate, systolic), "rate pressure product", None),
    ]
    read = TypeAdapter[Node](NumberNode).validate_python
    return {_key(read(tree)): (name, unit) for tree, name, unit in named}
