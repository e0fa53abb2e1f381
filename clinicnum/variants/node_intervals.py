"""Compute an interval that contains every value of a node of an operation tree; it may be too wide, never
too narrow.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from clinicnum.records.vitals import VITAL_SIGNS
from clinicnum.templates.slots_and_givens import GivenSpec, NumberGiven
from clinicnum.templates.tree import (
    EACH,
    EARLIEST,
    LATEST,
    NEXT,
    AbsoluteNode,
    AllNode,
    ArithmeticNode,
    AtNode,
    CompareNode,
    Condition,
    ConstantNode,
    GivenNode,
    GivenPointsNode,
    MinutesNode,
    Node,
    OneIfNode,
    OverNode,
    OverPairsNode,
    PointsNode,
    RoundNode,
    SumNode,
    VitalNode,
)
from clinicnum.variants.interval_arithmetic import (
    ANY,
    Interval,
    difference,
    intersection,
    product,
    quotient,
    total,
)


@dataclass(frozen=True, slots=True)
class Setting:
    """The constraints under which a tree's numbers are computed."""

    records: int
    span: Fraction
    """Minutes from the earliest record to the latest."""
    specs: Mapping[str, GivenSpec]
    givens: Mapping[str, str]
    places: Mapping[str, int]
    """Record slot -> index of its record."""
    known: tuple[CompareNode, ...] = ()
    """Comparisons that are known to hold."""


def undecided(condition: CompareNode, setting: Setting) -> bool:
    """Whether a comparison can both hold and fail; one that cannot, such as "heart rate at least 1", is not
    plausible.
    """
    left, right = interval(condition.left, setting), interval(condition.right, setting)
    return not (_below(left, right) or _below(right, left))


def _below(one: Interval, other: Interval) -> bool:
    return one[1] is not None and other[0] is not None and one[1] < other[0]


def interval(node: Node, setting: Setting) -> Interval:
    """The interval that contains every value of a number."""
    found = _interval(node, setting)
    for condition in setting.known:
        if condition.left == node and isinstance(condition.right, ConstantNode):
            limit = Fraction(condition.right.value)
            above = condition.comparator in ("above", "at_least")
            found = intersection(found, (limit, None) if above else (None, limit))
    return found


def _interval(node: Node, setting: Setting) -> Interval:
    if isinstance(node, VitalNode):
        sign = VITAL_SIGNS[node.vital]
        return Fraction(sign.low), Fraction(sign.high)
    if isinstance(node, ConstantNode):
        return Fraction(node.value), Fraction(node.value)
    if isinstance(node, GivenNode):
        return _of_given(node, setting)
    if isinstance(node, GivenPointsNode | PointsNode | OneIfNode):
        return _of_points(node)
    if isinstance(node, OverNode):
        return _of_records(node, setting)
    if isinstance(node, OverPairsNode):
        return _of_pairs(node, setting)
    if isinstance(node, MinutesNode):
        return _of_minutes(node, setting)
    return _of_parts(node, setting)


def _of_points(node: GivenPointsNode | PointsNode | OneIfNode) -> Interval:
    if isinstance(node, OneIfNode):
        return Fraction(0), Fraction(1)
    points = (
        [band.points for band in node.bands] if isinstance(node, PointsNode) else list(node.points.values())
    )
    return Fraction(min(points)), Fraction(max(points))


def _of_parts(node: Node, setting: Setting) -> Interval:
    if isinstance(node, ArithmeticNode):
        return _of_arithmetic(node, setting)
    if isinstance(node, RoundNode):
        return interval(node.of, setting)
    if isinstance(node, SumNode):
        low, high = total([interval(part, setting) for part in node.of])
        return low, None if high is None else high - _excluded(node)
    if isinstance(node, AbsoluteNode):
        low, high = interval(node.of, setting)
        return Fraction(0), None if low is None or high is None else max(abs(low), abs(high))
    return ANY


def _of_given(node: GivenNode, setting: Setting) -> Interval:
    spec = setting.specs[node.name]
    if isinstance(spec, NumberGiven):
        return Fraction(spec.low), Fraction(spec.high)
    value = Fraction(setting.givens[node.name])
    return value, value


def _of_arithmetic(node: ArithmeticNode, setting: Setting) -> Interval:
    left = interval(node.left, setting)
    if node.op == "multiply" and isinstance(node.left, OneIfNode):
        # A factor of 1 if a condition holds, else 0: the other factor is bounded under that condition.
        known = (*setting.known, *compared(node.left.where))
        low, high = interval(node.right, replace(setting, known=known))
        zero = Fraction(0)
        return None if low is None else min(low, zero), None if high is None else max(high, zero)
    right = interval(node.right, setting)
    if node.op == "add":
        return total([left, right])
    if node.op == "multiply":
        return product(left, right)
    if node.op == "divide":
        return intersection(quotient(left, right), _of_share(node, setting))
    found = difference(left, right)
    return intersection(found, (Fraction(0), None)) if _is_pulse_pressure(node) else found


def _is_pulse_pressure(node: ArithmeticNode) -> bool:
    """Whether a number is systolic minus diastolic pressure of one record; V6 guarantees that it is
    positive.
    """
    left, right = node.left, node.right
    return (
        isinstance(left, VitalNode)
        and isinstance(right, VitalNode)
        and (left.vital, right.vital, left.at) == ("sbp_mmhg", "dbp_mmhg", right.at)
    )


def _of_share(node: ArithmeticNode, setting: Setting) -> Interval:
    """The interval of `(a - b) / a`, at most 1, or of `(a - b) / b`, at least -1, if neither a nor b can be
    negative; ANY for other quotients.
    """
    left = node.left
    if not (isinstance(left, ArithmeticNode) and left.op == "subtract"):
        return ANY
    lows = [interval(part, setting)[0] for part in (left.left, left.right)]
    if any(low is None or low < 0 for low in lows):
        return ANY
    return Fraction(-1) if left.right == node.right else None, Fraction(
        1
    ) if left.left == node.right else None


def _excluded(node: SumNode) -> int:
    """Number of yes-or-no parts that cannot hold together with another, such as too warm and too cold."""
    found = [p.where for p in node.of if isinstance(p, OneIfNode) and isinstance(p.where, CompareNode)]
    above = [c for c in found if c.comparator in ("above", "at_least")]
    below = [c for c in found if c.comparator in ("below", "at_most")]
    return sum([any(_exclude(one, other) for other in below) for one in above])


def _exclude(one: CompareNode, other: CompareNode) -> bool:
    if one.left != other.left or not isinstance(one.right, ConstantNode):
        return False
    return isinstance(other.right, ConstantNode) and other.right.value < one.right.value


def _of_records(node: OverNode, setting: Setting) -> Interval:
    low, high = interval(node.of, setting)
    if node.how == "range":
        return Fraction(0), None if low is None or high is None else high - low
    if node.how == "sum":
        count = Fraction(setting.records if node.n is None else node.n)
        return product((low, high), (count, count))
    return low, high


def _of_pairs(node: OverPairsNode, setting: Setting) -> Interval:
    if node.how != "sum":
        return interval(node.of, setting)
    of = node.of
    if isinstance(of, ArithmeticNode) and of.op == "multiply" and _is_to_next(of.right):
        # The minutes of all pairs add up to the time that the records span.
        return product(interval(of.left, setting), (setting.span, setting.span))
    if isinstance(of, MinutesNode) and _is_to_next(of):
        return setting.span, setting.span
    pairs = Fraction(max(setting.records - 1, 0))
    return product(interval(of, setting), (pairs, pairs))


def _is_to_next(node: Node) -> bool:
    return isinstance(node, MinutesNode) and _ends(node) == (EACH, NEXT)


def _ends(node: MinutesNode) -> tuple[str | None, str | None]:
    start, end = (moment.at if isinstance(moment, AtNode) else None for moment in (node.start, node.end))
    return start, end


def _of_minutes(node: MinutesNode, setting: Setting) -> Interval:
    start, end = _ends(node)
    if (start, end) == (EARLIEST, LATEST):
        return setting.span, setting.span
    places = setting.places
    if start == EARLIEST or end == LATEST or (start, end) == (EACH, NEXT):
        return Fraction(0), setting.span
    if start is not None and end is not None and places.get(start, 1) <= places.get(end, 0):
        return Fraction(0), setting.span
    return -setting.span, setting.span


def compared(condition: Condition) -> tuple[CompareNode, ...]:
    """Comparisons that are sure to hold whenever a condition does."""
    if isinstance(condition, CompareNode):
        return (condition,)
    if isinstance(condition, AllNode):
        return tuple(one for part in condition.all for one in compared(part))
    return ()
