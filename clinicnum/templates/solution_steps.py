"""Write the steps of a working: the tree becomes functions that compute the same numbers as the evaluator and
describe how.

A step is a phrase without a full stop that holds as printed. Numbers that it uses stand in an earlier step,
in the readings, or in the step itself.
"""

from collections.abc import Callable, Iterator

from clinicnum.records.vitals import VITAL_SIGNS
from clinicnum.templates.aggregation_steps import over, over_pairs, slope
from clinicnum.templates.compile_tree import moment, number, truth
from clinicnum.templates.evaluation_input import Case
from clinicnum.templates.exact_numbers import Ratio, equals_text, is_short, ratio_text, rounded, working_text
from clinicnum.templates.ratio_arithmetic import ARITHMETIC, total
from clinicnum.templates.solution_phrases import band_text, operand, points_text
from clinicnum.templates.solution_state import Clause, Show, ShowMoment, Working
from clinicnum.templates.tree import (
    EACH,
    NEXT,
    RECORD_BY_RECORD,
    AbsoluteNode,
    AllNode,
    AnyNode,
    ArithmeticNode,
    AtNode,
    CompareNode,
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
from clinicnum.templates.tree_walk import children
from clinicnum.types import Vital

SIGNS = {"add": "+", "subtract": "-", "multiply": "x", "divide": "/"}
COMPARATORS = {"above": ">", "below": "<", "at_least": ">=", "at_most": "<="}


def show(node: Node) -> Show:
    """A function that computes a number, writes the steps that lead to it, and returns it."""
    special = SHOWN.get(type(node))
    if special is not None:
        return special(node)
    value = number(node)
    return lambda working, each: value(working.case, each)


def _arithmetic(node: ArithmeticNode) -> Show:
    left, right, sign, operation = show(node.left), show(node.right), SIGNS[node.op], ARITHMETIC[node.op]

    def write(working: Working, each: int) -> Ratio:
        one, other = left(working, each), right(working, each)
        result = operation(one, other)
        equals = equals_text(result, (one, other))
        working.steps.append(f"{operand(one)} {sign} {operand(other)} {equals}")
        return result

    return write


def _sum(node: SumNode) -> Show:
    parts = [show(part) for part in node.of]

    def write(working: Working, each: int) -> Ratio:
        values = [part(working, each) for part in parts]
        result = total(values)
        working.steps.append(f"{' + '.join(map(operand, values))} {equals_text(result, values)}")
        return result

    return write


def _absolute(node: AbsoluteNode) -> Show:
    of = show(node.of)

    def write(working: Working, each: int) -> Ratio:
        value = of(working, each)
        result = (abs(value[0]), value[1])
        working.steps.append(f"|{working_text(value)}| {equals_text(result)}")
        return result

    return write


def _round(node: RoundNode) -> Show:
    of = show(node.of)

    def write(working: Working, each: int) -> Ratio:
        value = of(working, each)
        digits = working.case.decimals if node.decimals is None else node.decimals
        working.steps.append(f"{working_text(value)} rounded: {ratio_text(value, digits)}")
        return rounded(value, digits)

    return write


def _points(node: PointsNode) -> Show:
    of, name, worth = show(node.of), _name(node.of, with_unit=True), number(node)

    def write(working: Working, each: int) -> Ratio:
        value = of(working, each)
        points = worth(working.case, each)
        said = name(working, value)
        working.steps.append(f"{said}: {points_text(points[0])} ({band_text(node.bands, value)})")
        return points

    return write


def _given_points(node: GivenPointsNode) -> Show:
    def write(working: Working, each: int) -> Ratio:
        points = node.points[working.case.givens[node.name]]
        working.steps.append(f"{working.given_text(node.name)}: {points_text(points)}")
        return points, 1

    return write


def _one_if(node: OneIfNode) -> Show:
    where = clause(node.where)

    def write(working: Working, each: int) -> Ratio:
        said, holds = where(working, each)
        working.steps.append(f"{said}, so {int(holds)}")
        return int(holds), 1

    return write


def _minutes(node: MinutesNode) -> Show:
    start, end, minutes = show_moment(node.start), show_moment(node.end), number(node)
    neighbours = (node.start, node.end) == (AtNode(op="at", at=EACH), AtNode(op="at", at=NEXT))

    def write(working: Working, each: int) -> Ratio:
        times = working.case.table.times
        since, until = times[start(working, each)], times[end(working, each)]
        result = minutes(working.case, each)
        between = "" if neighbours else f"from {since} to {until}: "
        about = "" if is_short(result) else "about "
        working.steps.append(f"{between}{about}{working_text(result)} min")
        return result

    return write


def show_moment(node: Node) -> ShowMoment:
    """A function that finds a moment, writes how it was found, and returns the index of its record."""
    place = moment(node)
    if isinstance(node, TimeOfNode):
        write, last = condition_in_turn(node.where), f"it {node.which} holds at"
        first = node.which == "first"
    elif isinstance(node, TimeOfExtremeNode):
        write, last, first = value_in_turn(node.of), f"the {node.which} stands at", None
    else:
        return lambda working, each: place(working.case, each)

    def write_all(working: Working, each: int) -> int:
        index = place(working.case, each)
        for i in seen(working.case, first, index):
            write(working, i)
        working.steps.append(f"{last} {working.case.table.times[index]}")
        return index

    return write_all


def seen(case: Case, first: bool | None, index: int) -> range:
    """Indices of the records inspected to find `index`: up to a first crossing, from a last one on, otherwise
    all.
    """
    size = len(case.table.times)
    if first is None:
        return range(size)
    return range(index + 1) if first else range(index, size)


def condition_in_turn(node: Node) -> Callable[[Working, int], None]:
    """A function that writes, for the record of a given index, whether a condition holds."""
    where, read = clause(node), list(dict.fromkeys(_read_unnamed(node)))

    def write(working: Working, index: int) -> None:
        inside = _with_values_read(working, index, read)
        inside.steps.append(where(inside, index)[0])
        working.put(working.case.table.times[index], inside)

    return write


def value_in_turn(node: Node) -> Callable[[Working, int], None]:
    """A function that writes, for the record of a given index, how a number is computed."""
    of, read = show(node), list(dict.fromkeys(_read_unnamed(node)))

    def write(working: Working, index: int) -> None:
        inside = _with_values_read(working, index, read)
        of(inside, index)
        working.put(working.case.table.times[index], inside)

    return write


def _with_values_read(working: Working, index: int, read: list[Vital]) -> Working:
    inside = working.aside()
    if read:
        inside.steps.append(", ".join([working.cell_text(index, vital) for vital in read]))
    return inside


def _read_unnamed(node: Node) -> Iterator[Vital]:
    """Vitals of the record at hand that have to be stated before the steps, as no step names them: all but
    those that are themselves compared or given points. A vital may come twice.
    """
    if isinstance(node, VitalNode) and node.at == EACH:
        yield node.vital
    for _, child in children(node):
        named = isinstance(node, CompareNode | PointsNode) and isinstance(child, VitalNode)
        if not named and not isinstance(child, RECORD_BY_RECORD):
            yield from _read_unnamed(child)


def clause(node: Node) -> Clause:
    """A function that writes the steps of a condition's numbers, and returns the condition in words and
    whether it holds.
    """
    if isinstance(node, CompareNode):
        return _compare(node)
    holds = truth(node)
    if isinstance(node, NotNode):
        parts, joint = [clause(node.not_)], "not"
    elif isinstance(node, AllNode):
        parts, joint = [clause(part) for part in node.all], "all of"
    elif isinstance(node, AnyNode):
        parts, joint = [clause(part) for part in node.any], "any of"
    else:
        raise TypeError(f"{type(node).__name__} is not a condition")

    def say(working: Working, each: int) -> tuple[str, bool]:
        inside = "; ".join([part(working, each)[0] for part in parts])
        verdict = holds(working.case, each)
        return f"{joint} [{inside}]: {'yes' if verdict else 'no'}", verdict

    return say


def _compare(node: CompareNode) -> Clause:
    left, right, holds = show(node.left), show(node.right), truth(node)
    name, other, sign = _name(node.left), _name(node.right), COMPARATORS[node.comparator]

    def say(working: Working, each: int) -> tuple[str, bool]:
        one, two = left(working, each), right(working, each)
        verdict = holds(working.case, each)
        said = f"{name(working, one)} {sign} {other(working, two)}: {'yes' if verdict else 'no'}"
        return said, verdict

    return say


def _name(node: Node, *, with_unit: bool = False) -> Callable[[Working, Ratio], str]:
    """The name of a number where it is used: that of its vital or given, or the number itself."""
    if isinstance(node, VitalNode):
        sign = VITAL_SIGNS[node.vital]
        unit = f" {sign.unit}" if with_unit else ""
        return lambda working, value: f"{sign.label} {working_text(value)}{unit}"
    if isinstance(node, GivenNode):
        return lambda working, value: working.given_text(node.name)
    return lambda working, value: working_text(value)


SHOWN: dict[type[Node], Callable[..., Show]] = {
    ArithmeticNode: _arithmetic,
    SumNode: _sum,
    AbsoluteNode: _absolute,
    RoundNode: _round,
    PointsNode: _points,
    GivenPointsNode: _given_points,
    OneIfNode: _one_if,
    OverNode: lambda node: over(node, show(node.of)),
    OverPairsNode: lambda node: over_pairs(node, show(node.of)),
    SlopeNode: lambda node: slope(node, show(node.of)),
    MinutesNode: _minutes,
}
