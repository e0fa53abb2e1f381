"""All trees of a template with a single mistake, made once per template."""

from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal

from clinicnum.taxonomy_codes import PREMATURE_ROUNDING, UNIT, WRONG_RECORD, WRONG_VITAL
from clinicnum.templates.template import Template
from clinicnum.templates.tree import (
    AbsoluteNode,
    ArithmeticNode,
    AtNode,
    ConstantNode,
    Node,
    OneIfNode,
    OverNode,
    OverPairsNode,
    PointsNode,
    RootNode,
    RoundNode,
    SlopeNode,
    VitalNode,
)
from clinicnum.templates.tree_mutations import OTHER_END, SLIPS, Slip, in_hours, minutes_as_hours
from clinicnum.templates.tree_walk import children, nodes, one_change, replaced, with_child
from clinicnum.templates.wrong_tree import WrongTree
from clinicnum.types import SIX_VITALS, Vital

CONFUSED: dict[Vital, tuple[Vital, ...]] = {
    "temperature_c": ("heart_rate_bpm",),
    "heart_rate_bpm": ("sbp_mmhg", "resp_rate_bpm"),
    "resp_rate_bpm": ("heart_rate_bpm",),
    "spo2_pct": ("heart_rate_bpm",),
    "sbp_mmhg": ("dbp_mmhg",),
    "dbp_mmhg": ("sbp_mmhg",),
}
"""Vital -> the vitals read in its place, for trees in which not all are tried."""


def wrong_trees(template: Template) -> tuple[WrongTree, ...]:
    """All trees that differ from a template's by a single mistake, each once; the name that the template
    itself gives to a mistake takes precedence.
    """
    root = template.tree
    found: dict[str, WrongTree] = {}
    for wrong in _all(template):
        if wrong.tree != root:
            found.setdefault(wrong.tree.model_dump_json(), wrong)
    return tuple(found.values())


def _all(template: Template) -> Iterator[WrongTree]:
    root = template.tree
    yield from (WrongTree(m.rule, m.code, m.tree) for m in template.mistakes)
    yield from _other_vitals(root)
    for slips in SLIPS:
        yield from _slipped(root, slips)
    if not any(in_hours(node) for node in nodes(root)):
        yield from _slipped(root, minutes_as_hours)
    yield from _other_end(root)
    yield from _early_rounding(root)
    yield from _fahrenheit(template)


def _slipped(root: RootNode, slips: Callable[[Node], Iterable[Slip]]) -> Iterator[WrongTree]:
    for (rule, code), tree in one_change(root, slips):
        yield WrongTree(rule, code, tree)


def _other_vitals(root: RootNode) -> Iterator[WrongTree]:
    present = sorted({n.vital for n in nodes(root) if isinstance(n, VitalNode)}, key=SIX_VITALS.index)
    plain = isinstance(root, RoundNode) and isinstance(root.of, VitalNode)
    for vital in present:
        for other in SIX_VITALS if plain else CONFUSED[vital]:
            if other not in present:
                tree = replaced(root, lambda node, v=vital, o=other: _reading(node, v, o))  # type: ignore[misc]
                # Results such as points or yes and no often stay the same by chance.
                yield WrongTree(f"{other}_for_{vital}", WRONG_VITAL, tree, _is_read_as_number(root, vital))


def _reading(node: Node, vital: Vital, other: Vital) -> Node:
    if isinstance(node, VitalNode) and node.vital == vital:
        return node.model_copy(update={"vital": other})
    return node


def _is_read_as_number(node: Node, vital: Vital) -> bool:
    if isinstance(node, VitalNode):
        return node.vital == vital
    if isinstance(node, PointsNode | OneIfNode):
        return False
    return any(_is_read_as_number(child, vital) for _, child in children(node))


def _other_end(root: RootNode) -> Iterator[WrongTree]:
    """Yield trees with earliest and latest exchanged."""
    read = {n.at for n in nodes(root) if isinstance(n, VitalNode | AtNode) and n.at in OTHER_END}
    if read:
        rule = "ends_swapped" if len(read) > 1 else "_for_".join([OTHER_END[min(read)], min(read)])
        yield WrongTree(rule, WRONG_RECORD, replaced(root, _at_other_end))


def _at_other_end(node: Node) -> Node:
    if isinstance(node, VitalNode | AtNode) and node.at in OTHER_END:
        return node.model_copy(update={"at": OTHER_END[node.at]})
    return node


def _early_rounding(root: RootNode) -> Iterator[WrongTree]:
    """Yield trees with intermediate results rounded to the requested digits, and compared results to
    one digit and none.
    """
    if isinstance(root, RoundNode):
        early = root.of
        for step, child in children(root.of):
            early = with_child(early, step, replaced(child, lambda node: _rounded(node, None)))
        if early != root.of:
            yield WrongTree("rounded_early", PREMATURE_ROUNDING, root.model_copy(update={"of": early}))
        return
    for digits in (1, 0):
        tree = replaced(root, lambda node, d=digits: _rounded(node, d))  # type: ignore[misc]
        if tree != root:
            yield WrongTree(f"rounded_early_to_{digits}", PREMATURE_ROUNDING, tree)


def _rounded(node: Node, digits: int | None) -> Node:
    if isinstance(node, ArithmeticNode | SlopeNode):
        return RoundNode(op="round", of=node, decimals=digits)
    if isinstance(node, OverNode | OverPairsNode) and node.how == "mean":
        return RoundNode(op="round", of=node, decimals=digits)
    return node


def _fahrenheit(template: Template) -> Iterator[WrongTree]:
    """Yield the tree with the answer in °F; a temperature difference is only scaled."""
    root = template.tree
    if not isinstance(root, RoundNode) or template.unit != "°C":
        return
    given = ArithmeticNode(
        op="multiply", left=root.of, right=ConstantNode(op="constant", value=Decimal("1.8"))
    )
    if not any(map(_is_difference, nodes(root))):
        shift = ConstantNode(op="constant", value=Decimal(32))
        given = ArithmeticNode(op="add", left=given, right=shift)
    yield WrongTree("fahrenheit_for_celsius", UNIT, RoundNode(op="round", of=given))


def _is_difference(node: Node) -> bool:
    return (
        isinstance(node, AbsoluteNode)
        or (isinstance(node, ArithmeticNode) and node.op == "subtract")
        or (isinstance(node, OverNode) and node.how == "range")
    )
