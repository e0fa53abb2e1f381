"""The steps of a working: a tree once more as closures, which compute the same numbers and say how.

A step is a phrase without a full stop that holds as printed. Numbers that it uses stand in an earlier step,
in the readings, or in the step itself.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from clinicnum.records.vitals import VITAL_SIGNS
from clinicnum.templates.case import Case
from clinicnum.templates.compile import moment, number, taken, truth
from clinicnum.templates.exact import Ratio, equals_text, ratio_text, rounded, working_text
from clinicnum.templates.phrases import band_text, combined_text, operand, points_text, slope_texts
from clinicnum.templates.ratios import ARITHMETIC, COMBINE, total
from clinicnum.templates.slots import ChoiceGiven, NumberGiven, RecordGiven
from clinicnum.templates.tree import (
    EACH,
    NEXT,
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

SIGNS = {"add": "+", "subtract": "-", "multiply": "x", "divide": "/"}
COMPARATORS = {"above": ">", "below": "<", "at_least": ">=", "at_most": "<="}

Givens = Mapping[str, NumberGiven | ChoiceGiven | RecordGiven]


@dataclass(slots=True)
class Working:
    """A working as it is written."""

    case: Case
    givens: Givens
    steps: list[str] = field(default_factory=list)

    def aside(self) -> "Working":
        """A working of the same case, to be put into one step of this one."""
        return Working(self.case, self.givens)

    def label(self, name: str) -> str:
        """What a given is called."""
        return self.givens[name].label if name in self.givens else name.replace("_", " ")

    def given_text(self, name: str) -> str:
        """A given as the context says it."""
        unit = self.givens[name].unit if name in self.givens else None
        return f"{self.label(name)} {self.case.givens[name]}{f' {unit}' if unit else ''}"


Show = Callable[[Working, int], Ratio]
"""Writes the steps of a number; gives the number."""
Clause = Callable[[Working, int], tuple[str, bool]]
"""Writes the steps of a condition's numbers; gives the condition as a phrase, and whether it holds."""
ShowMoment = Callable[[Working, int], int]
"""Writes how a moment was found; gives the record."""


def show(node: Node) -> Show:
    """The closure that works out a number."""
    special = SHOWN.get(type(node))
    if special is not None:
        return special(node)
    value = number(node)
    return lambda working, each: value(working.case, each)


def in_turn(of: Callable[[Working, int], str | None]) -> Callable[[Working, int], None]:
    """Writes one step for one record: its time, the steps inside, and what `of` says at the end."""

    def write(working: Working, index: int) -> None:
        inside = working.aside()
        last = of(inside, index)
        parts = inside.steps if last is None else [*inside.steps, last]
        if parts:
            working.steps.append(f"{working.case.table.times[index]}: {'; '.join(parts)}")

    return write


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


def _over(node: OverNode) -> Show:
    of, records, combine = show(node.of), taken(node), COMBINE[node.how]

    def write(working: Working, each: int) -> Ratio:
        values: list[Ratio] = []
        for index in records(working.case):
            inside = working.aside()
            values.append(of(inside, index))
            if inside.steps:
                working.steps.append(f"{working.case.table.times[index]}: {'; '.join(inside.steps)}")
        result = combine(values)
        working.steps.extend(combined_text(node.how, values, result))
        return result

    return write


def _over_pairs(node: OverPairsNode) -> Show:
    of, combine = show(node.of), COMBINE[node.how]

    def write(working: Working, each: int) -> Ratio:
        values: list[Ratio] = []
        times = working.case.table.times
        for index in range(len(times) - 1):
            inside = working.aside()
            values.append(of(inside, index))
            if inside.steps:
                working.steps.append(f"{times[index]} to {times[index + 1]}: {'; '.join(inside.steps)}")
        result = combine(values)
        working.steps.extend(combined_text(node.how, values, result))
        return result

    return write


def _slope(node: SlopeNode) -> Show:
    of, records, slope = show(node.of), taken(node), number(node)

    def write(working: Working, each: int) -> Ratio:
        table, values = working.case.table, []
        indices = records(working.case)
        for index in indices:
            inside = working.aside()
            values.append(of(inside, index))
            if inside.steps:
                working.steps.append(f"{table.times[index]}: {'; '.join(inside.steps)}")
        result = slope(working.case, each)
        start = table.times[indices[0]]
        working.steps.extend(slope_texts(start, [table.seconds[i] for i in indices], values, result))
        return result

    return write


def _minutes(node: MinutesNode) -> Show:
    start, end, minutes = show_moment(node.start), show_moment(node.end), number(node)
    neighbours = (node.start, node.end) == (AtNode(op="at", at=EACH), AtNode(op="at", at=NEXT))

    def write(working: Working, each: int) -> Ratio:
        times = working.case.table.times
        since, until = times[start(working, each)], times[end(working, each)]
        result = minutes(working.case, each)
        between = "" if neighbours else f"from {since} to {until} "
        working.steps.append(f"{between}{equals_text(result)} min")
        return result

    return write


def show_moment(node: Node) -> ShowMoment:
    """The closure that says how a moment was found."""
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
    """The records that are looked at to find one: up to a first crossing, from a last one on, else all."""
    size = len(case.table.times)
    if first is None:
        return range(size)
    return range(index + 1) if first else range(index, size)


def condition_in_turn(node: Node) -> Callable[[Working, int], None]:
    """Writes, for one record, whether a condition holds."""
    where = clause(node)
    return in_turn(lambda inside, index: where(inside, index)[0])


def value_in_turn(node: Node) -> Callable[[Working, int], None]:
    """Writes, for one record, a number."""
    of = show(node)
    if not isinstance(node, VitalNode):
        return in_turn(lambda inside, index: of(inside, index) and None)
    label = VITAL_SIGNS[node.vital].label
    return in_turn(lambda inside, index: f"{label} {working_text(of(inside, index))}")


def clause(node: Node) -> Clause:
    """The closure that says a condition."""
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
    """How a number is called where it is used: by its vital or given, or by itself."""
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
    OverNode: _over,
    OverPairsNode: _over_pairs,
    SlopeNode: _slope,
    MinutesNode: _minutes,
}
