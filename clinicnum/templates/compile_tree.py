"""Compile an operation tree to nested closures, made once and called on many cases.

A number is a `Ratio` (numerator, denominator above 0), a moment an index into the table, a condition a bool.
`each` is the index of the record that `at: each` refers to; outside any record-by-record node it is NOWHERE.
"""

from bisect import bisect_left
from collections.abc import Callable
from functools import partial
from math import lcm
from operator import ge, gt, le, lt
from sys import maxsize

from clinicnum.templates.evaluation_input import Case, UndefinedError
from clinicnum.templates.exact_numbers import Ratio, ratio_of_text, rounded
from clinicnum.templates.memoize import Memoized
from clinicnum.templates.ratio_arithmetic import ARITHMETIC, COMBINE, best, divide, equal, slope_sums, total
from clinicnum.templates.record_selection import Moment, anchored_record, selected_records
from clinicnum.templates.tree import (
    ANCHORS,
    EACH,
    AbsoluteNode,
    AllNode,
    AnyNode,
    ArithmeticNode,
    AtNode,
    CompareNode,
    ConstantNode,
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

Number = Callable[[Case, int], Ratio]
Truth = Callable[[Case, int], bool]

NOWHERE = maxsize
"""An index beyond any table, so that a misplaced `at: each` fails instead of reading some record."""

ZERO, ONE = (0, 1), (1, 1)


def _number(node: Node) -> Number:
    return NUMBERS[type(node)](node)


number = Memoized(_number)
"""The closure of a number node. Trees that differ in one place share the closures of the rest."""


def truth(node: Node) -> Truth:
    """A function that evaluates a condition on a case. All parts are evaluated, so that an undefined part
    makes it undefined.
    """
    if isinstance(node, CompareNode):
        return _compare(node)
    if isinstance(node, NotNode):
        inner = truth(node.not_)
        return lambda case, each: not inner(case, each)
    if isinstance(node, AllNode):
        every = [truth(part) for part in node.all]
        return lambda case, each: all([part(case, each) for part in every])
    if isinstance(node, AnyNode):
        some = [truth(part) for part in node.any]
        return lambda case, each: any([part(case, each) for part in some])
    raise TypeError(f"{type(node).__name__} is not a condition")


def moment(node: Node) -> Moment:
    """A function that finds a moment on a case: the index of the record whose time is meant."""
    if isinstance(node, AtNode):
        return anchored_record(node.at)
    if isinstance(node, TimeOfNode):
        return partial(_crossing, truth(node.where), node.which == "first")
    if isinstance(node, TimeOfExtremeNode):
        return partial(_extreme, number(node.of), node.which == "highest")
    raise TypeError(f"{type(node).__name__} is not a moment")


def _crossing(where: Truth, first: bool, case: Case, each: int) -> int:
    order = range(len(case.table.times))
    for index in order if first else reversed(order):
        if where(case, index):
            return index
    raise UndefinedError("V2.no_crossing")


def _extreme(of: Number, highest: bool, case: Case, each: int) -> int:
    values = [of(case, index) for index in range(len(case.table.times))]
    if not values:
        raise UndefinedError("V2.no_record")
    found = best(values, highest)
    if sum([equal(value, found) for value in values]) > 1:
        raise UndefinedError("V2.tie")
    return values.index(found)


def _vital(node: VitalNode) -> Number:
    at, vital = node.at, node.vital

    def of_each(case: Case, each: int) -> Ratio:
        value = case.table.values[each].get(vital)
        if value is None:
            raise UndefinedError("V1.not_documented")
        return value

    def of_slot(case: Case, each: int) -> Ratio:
        value = case.table.values[case.at[at]].get(vital)
        if value is None:
            raise UndefinedError("V1.not_documented")
        return value

    if at == EACH:
        return of_each
    if at not in ANCHORS:
        return of_slot
    where = anchored_record(at)
    return lambda case, each: of_each(case, where(case, each))


def _given(node: GivenNode) -> Number:
    name = node.name
    return lambda case, each: ratio_of_text(case.givens[name])


def _given_points(node: GivenPointsNode) -> Number:
    name, points = node.name, {option: (value, 1) for option, value in node.points.items()}
    return lambda case, each: points[case.givens[name]]


def _constant(node: ConstantNode) -> Number:
    value = node.value.as_integer_ratio()
    return lambda case, each: value


def _arithmetic(node: ArithmeticNode) -> Number:
    operation, left, right = ARITHMETIC[node.op], number(node.left), number(node.right)
    if isinstance(node.right, ConstantNode):
        constant = node.right.value.as_integer_ratio()
        return lambda case, each: operation(left(case, each), constant)
    return lambda case, each: operation(left(case, each), right(case, each))


def _sum(node: SumNode) -> Number:
    parts = [number(part) for part in node.of]
    return lambda case, each: total([part(case, each) for part in parts])


def _absolute(node: AbsoluteNode) -> Number:
    of = number(node.of)

    def absolute(case: Case, each: int) -> Ratio:
        numerator, denominator = of(case, each)
        return abs(numerator), denominator

    return absolute


def _points(node: PointsNode) -> Number:
    of, worth = number(node.of), [(band.points, 1) for band in node.bands]
    limits = [band.at_most.as_integer_ratio() for band in node.bands if band.at_most is not None]
    scale = lcm(*[denominator for _, denominator in limits])
    scaled = [numerator * scale // denominator for numerator, denominator in limits]

    def points(case: Case, each: int) -> Ratio:
        numerator, denominator = of(case, each)
        # Scaled limits are integers, so a value is within one if and only if its ceiling is.
        return worth[bisect_left(scaled, -(-numerator * scale // denominator))]

    return points


def _one_if(node: OneIfNode) -> Number:
    where = truth(node.where)
    return lambda case, each: ONE if where(case, each) else ZERO


def _round(node: RoundNode) -> Number:
    of, digits = number(node.of), node.decimals
    return lambda case, each: rounded(of(case, each), case.decimals if digits is None else digits)


def _over(node: OverNode) -> Number:
    of, records, combine = number(node.of), selected_records(node), COMBINE[node.how]
    return lambda case, each: combine([of(case, i) for i in records(case)])


def _over_pairs(node: OverPairsNode) -> Number:
    of, combine = number(node.of), COMBINE[node.how]

    def over_pairs(case: Case, each: int) -> Ratio:
        pairs = range(len(case.table.times) - 1)
        if not pairs:
            raise UndefinedError("V2.too_few_records")
        return combine([of(case, i) for i in pairs])

    return over_pairs


def _slope(node: SlopeNode) -> Number:
    of, records = number(node.of), selected_records(node)

    def slope(case: Case, each: int) -> Ratio:
        indices = records(case)
        if len(indices) < 2:
            raise UndefinedError("V2.too_few_records")
        across, along = slope_sums([case.table.seconds[i] for i in indices], [of(case, i) for i in indices])
        numerator, denominator = divide(across, (along, 1))
        return numerator * 3600, denominator

    return slope


def _minutes(node: MinutesNode) -> Number:
    start, end = moment(node.start), moment(node.end)

    def minutes(case: Case, each: int) -> Ratio:
        seconds = case.table.seconds
        return seconds[end(case, each)] - seconds[start(case, each)], 60

    return minutes


NUMBERS: dict[type[Node], Callable[..., Number]] = {
    VitalNode: _vital,
    GivenNode: _given,
    GivenPointsNode: _given_points,
    ConstantNode: _constant,
    ArithmeticNode: _arithmetic,
    SumNode: _sum,
    AbsoluteNode: _absolute,
    PointsNode: _points,
    OneIfNode: _one_if,
    RoundNode: _round,
    OverNode: _over,
    OverPairsNode: _over_pairs,
    SlopeNode: _slope,
    MinutesNode: _minutes,
}


COMPARE: dict[str, Callable[[int, int], bool]] = {"above": gt, "below": lt, "at_least": ge, "at_most": le}


def _compare(node: CompareNode) -> Truth:
    holds, left, right = COMPARE[node.comparator], number(node.left), number(node.right)
    if isinstance(node.right, ConstantNode):
        return _against(holds, node.left, node.right.value.as_integer_ratio())

    def compare(case: Case, each: int) -> bool:
        (a, b), (c, d) = left(case, each), right(case, each)
        return holds(a * d, c * b)

    return compare


def _against(holds: Callable[[int, int], bool], node: Node, limit: Ratio) -> Truth:
    """The closure that compares a number with a constant; the commonest case, a vital of each record, saves
    a call.
    """
    of, (c, d) = number(node), limit

    def against(case: Case, each: int) -> bool:
        a, b = of(case, each)
        return holds(a * d, c * b)

    if not (isinstance(node, VitalNode) and node.at == EACH):
        return against
    vital = node.vital

    def vital_against(case: Case, each: int) -> bool:
        value = case.table.values[each].get(vital)
        if value is None:
            raise UndefinedError("V1.not_documented")
        return holds(value[0] * d, c * value[1])

    return vital_against
