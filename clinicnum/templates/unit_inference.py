"""Units of numbers, where known. Adding or comparing numbers of different known units is a fault."""

from collections.abc import Mapping

from clinicnum.records.vitals import VITAL_SIGNS
from clinicnum.templates.slots_and_givens import ChoiceGiven, NumberGiven, RecordGiven
from clinicnum.templates.template_fault import FaultError, Path, child_path
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
)
from clinicnum.templates.tree_walk import children

POINTS = "points"
MINUTES = "min"
SAME = {"minutes": MINUTES, "minute": MINUTES, "point": POINTS}
"""Other spellings of a unit."""

Units = Mapping[str, NumberGiven | ChoiceGiven | RecordGiven]


def unit_of(node: Node, path: Path, givens: Units) -> str | None:
    """The unit of a number; None if unknown (constants, products, quotients, counts).

    Raises FaultError where units that are added, subtracted or compared contradict each other.
    """
    parts = [(child_path(path, step), child) for step, child in children(node)]
    units = [(place, unit_of(child, place, givens)) for place, child in parts]
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
        return _common(units)
    if isinstance(node, AbsoluteNode | RoundNode | OverNode | OverPairsNode):
        return units[0][1]
    return None


def _common(units: list[tuple[Path, str | None]]) -> str | None:
    known = [(place, canonical_unit(unit)) for place, unit in units if unit is not None]
    for place, unit in known:
        if unit != known[0][1]:
            raise FaultError(place, f"contradictory units: {unit} is added to or compared with {known[0][1]}")
    return known[0][1] if known else None


def canonical_unit(unit: str) -> str:
    """The unit in its canonical spelling (`min` for `minutes`); a unit without another spelling as it is."""
    return SAME.get(unit, unit)
