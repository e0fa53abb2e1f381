"""The unit that an answer must have, derived from the units it is computed from.

A dimension maps each basic unit to its power: bpm / mmHg is {bpm: 1, mmHg: -1}. Sums keep it, products and
quotients add and subtract powers. Degrees and percent are dropped from a product or quotient, for 1.8 x 37 °C
is no temperature and % / fraction no percentage.

A number must have a unit (`is_quantity`) if its dimension is a single basic unit, that of a vital sign or
given, or one of the latter per hour. Any other, such as bpm / mmHg, is an index, which needs none.
"""

from collections import Counter

from clinicnum.records.vitals import VITAL_SIGNS
from clinicnum.templates.tree import (
    AbsoluteNode,
    ArithmeticNode,
    GivenNode,
    MinutesNode,
    Node,
    OverNode,
    OverPairsNode,
    RoundNode,
    SlopeNode,
    SumNode,
    VitalNode,
)
from clinicnum.templates.unit_inference import Units

Dimension = tuple[tuple[str, int], ...]
"""(basic unit, power) pairs sorted by unit, without powers of 0."""
NONE: Dimension = ()
NO_SCALE = ("°C", "°F", "%")


def of_unit(unit: str | None) -> Dimension:
    """The dimension of a written unit: `mg/kg` is milligrams per kilogram; NONE without a unit."""
    if unit is None:
        return NONE
    above, *below = unit.split("/")
    return _dimension(Counter({above: 1}), Counter(below))


def unit_text(dimension: Dimension) -> str:
    """A dimension as a unit."""
    above = [name if power == 1 else f"{name}^{power}" for name, power in dimension if power > 0]
    below = [name if power == -1 else f"{name}^{-power}" for name, power in dimension if power < 0]
    return "/".join([" x ".join(above) or "1", *below])


def dimension(node: Node, givens: Units) -> Dimension:
    """The dimension of the number that a node computes; NONE for pure numbers and points."""
    if isinstance(node, VitalNode):
        return of_unit(VITAL_SIGNS[node.vital].unit)
    if isinstance(node, GivenNode):
        return of_unit(givens[node.name].unit)
    if isinstance(node, MinutesNode):
        return of_unit("min")
    if isinstance(node, AbsoluteNode | RoundNode | OverNode | OverPairsNode):
        return dimension(node.of, givens)
    if isinstance(node, SlopeNode):
        return _dimension(Counter(dict(dimension(node.of, givens))), Counter(["h"]))
    if isinstance(node, SumNode):
        return next(filter(None, (dimension(part, givens) for part in node.of)), NONE)
    if isinstance(node, ArithmeticNode):
        left, right = dimension(node.left, givens), dimension(node.right, givens)
        if node.op in ("add", "subtract"):
            return left or right
        one, other = _scaled(left), _scaled(right)
        if node.op == "multiply":
            one.update(other)
            return _dimension(one, Counter())
        return _dimension(one, other)
    return NONE


def is_quantity(of: Dimension, givens: Units) -> bool:
    """Whether a number of that dimension needs a unit, being one of a vital sign or given, or a basic
    unit's.
    """
    known = {of_unit(sign.unit) for sign in VITAL_SIGNS.values()}
    known |= {of_unit(given.unit) for given in givens.values()}
    basic = len(of) == 1 and of[0][1] == 1
    return bool(of) and (of in known or basic or _hourly(of, known))


def _hourly(of: Dimension, known: set[Dimension]) -> bool:
    """Whether a dimension is a known one per hour, as of a slope."""
    powers = Counter(dict(of))
    powers["h"] += 1
    return dict(of).get("h") == -1 and _dimension(powers, Counter()) in known


def _scaled(of: Dimension) -> Counter[str]:
    return Counter({name: power for name, power in of if name not in NO_SCALE})


def _dimension(above: Counter[str], below: Counter[str]) -> Dimension:
    powers = Counter(above)
    powers.subtract(below)
    return tuple(sorted((name, power) for name, power in powers.items() if power))
