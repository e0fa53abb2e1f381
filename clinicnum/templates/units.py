"""The unit of a number, where it is certain. Adding or comparing certain units that differ is a fault."""

from collections.abc import Mapping

from clinicnum.records.vitals import VITAL_SIGNS
from clinicnum.templates.faults import FaultError, Path, below
from clinicnum.templates.slots import ChoiceGiven, NumberGiven, RecordGiven
from clinicnum.templates.tree import (
    AbsoluteNode,
    ArithmeticNode,
    CompareNode,
    GivenNode,
    GivenPointsNode,
    MinutesNode,
    Node,
    OverNode,
    OverPairsNode,
    PointsNode,
    RoundNode,
    SumNode,
    VitalNode,
    children,
)

POINTS = "points"
MINUTES = "min"
SAME = {"minutes": MINUTES, "minute": MINUTES, "point": POINTS}
"""Other spellings of a unit."""

Units = Mapping[str, NumberGiven | ChoiceGiven | RecordGiven]


def unit_of(node: Node, path: Path, givens: Units) -> str | None:
    """The unit of a number, None where unknown (constants, products, quotients, counts).

    Raises FaultError where units that are added, subtracted or compared contradict each other.
    """
    below_it = [unit_of(child, below(path, step), givens) for step, child in children(node)]
    if isinstance(node, VitalNode):
        return VITAL_SIGNS[node.vital].unit
    if isinstance(node, GivenNode):
        return givens[node.name].unit
    if isinstance(node, PointsNode | GivenPointsNode):
        return POINTS
    if isinstance(node, MinutesNode):
        return MINUTES
    if isinstance(node, SumNode | CompareNode) or (
        isinstance(node, ArithmeticNode) and node.op in ("add", "subtract")
    ):
        return _common(below_it, path)
    if isinstance(node, AbsoluteNode | RoundNode | OverNode | OverPairsNode):
        return below_it[0]
    return None


def _common(units: list[str | None], path: Path) -> str | None:
    known = list(dict.fromkeys(same_unit(unit) for unit in units if unit is not None))
    if len(known) > 1:
        raise FaultError(path, f"contradictory units: {' and '.join(known)} are added or compared")
    return known[0] if known else None


def same_unit(unit: str) -> str:
    """One spelling for each unit."""
    return SAME.get(unit, unit)
