"""Evaluate an operation tree on a table of records, exactly. The only place where golds are computed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from clinicnum.records.vitals import time_text
from clinicnum.templates.exact import Exact, exact, rounded, rounded_text
from clinicnum.templates.tree import (
    EACH,
    ArithmeticNode,
    Condition,
    ConstantNode,
    CountNode,
    MeanNode,
    Node,
    RootNode,
    RoundNode,
    TimeOfExtremeNode,
    TimeOfNode,
    VitalNode,
    nodes,
    vitals_of,
)
from clinicnum.types import SIX_VITALS, Cell, Record, Vital


class UndefinedError(Exception):
    """The tree has no answer on this table; the message is the validity rule that says so."""


@dataclass(frozen=True, slots=True)
class Table:
    """Records as the evaluator reads them."""

    times: tuple[str, ...]
    values: tuple[Mapping[Vital, Exact], ...]
    """Per record, the documented vitals only."""

    def without(self, index: int) -> "Table":
        """The table with one record missed."""
        return Table(
            self.times[:index] + self.times[index + 1 :], self.values[:index] + self.values[index + 1 :]
        )


@dataclass(frozen=True, slots=True)
class Case:
    """One filling of a template's slots on one table."""

    table: Table
    decimals: int
    """Digits that the question asks for."""
    at: Mapping[str, int]
    """Record slots: index into the table."""
    choices: Mapping[str, str]
    """Choice slots: the chosen word."""

    def with_table(self, table: Table) -> "Case":
        """The same filling on another table."""
        return replace(self, table=table)

    def with_at(self, at: Mapping[str, int]) -> "Case":
        """The same table with other records in the slots."""
        return replace(self, at=at)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a tree gives."""

    text: str
    exact: Exact | None
    """None for a time."""
    record: int | None
    """The record whose time is the answer; None for a number."""


def table_of(records: Sequence[Record]) -> Table:
    """The evaluator's view of records."""
    values: list[dict[Vital, Exact]] = []
    for record in records:
        row: dict[Vital, Exact] = {}
        for vital in SIX_VITALS:
            value = getattr(record, vital)
            if value is not None:
                row[vital] = exact(value)
        values.append(row)
    return Table(tuple(time_text(record) for record in records), tuple(values))


def answer(root: RootNode, case: Case) -> Answer:
    """The answer as asked. Raises UndefinedError naming the validity rule that fails."""
    if isinstance(root, RoundNode):
        value = number(root.of, case, None)
        digits = case.decimals if root.decimals is None else root.decimals
        return Answer(rounded_text(value, digits), value, None)
    if isinstance(root, CountNode):
        total = sum(holds(root.where, case, i) for i in range(len(case.table.times)))
        return Answer(str(total), total, None)
    index = _crossing(root, case) if isinstance(root, TimeOfNode) else _extreme(root, case)
    return Answer(case.table.times[index], None, index)


def _crossing(root: TimeOfNode, case: Case) -> int:
    order = range(len(case.table.times))
    for index in order if root.which == "first" else reversed(order):
        if holds(root.where, case, index):
            return index
    raise UndefinedError("V2.no_crossing")


def _extreme(root: TimeOfExtremeNode, case: Case) -> int:
    values = [number(root.of, case, i) for i in range(len(case.table.times))]
    if not values:
        raise UndefinedError("V2.no_record")
    best = max(values) if root.which == "highest" else min(values)
    if values.count(best) > 1:
        raise UndefinedError("V2.tie")
    return values.index(best)


def holds(condition: Condition, case: Case, each: int | None) -> bool:
    """Whether a condition holds, on unrounded values."""
    left, right = number(condition.left, case, each), number(condition.right, case, each)
    if condition.comparator == "above":
        return left > right
    if condition.comparator == "below":
        return left < right
    return left >= right if condition.comparator == "at_least" else left <= right


def number(node: Node, case: Case, each: int | None) -> Exact:
    """The exact value of a number node; `each` is the record that `at: each` means."""
    if isinstance(node, VitalNode):
        return _cell(case.table, record_index(node, case, each), node.vital)
    if isinstance(node, ConstantNode):
        return exact(node.value)
    if isinstance(node, ArithmeticNode):
        return _arithmetic(node.op, number(node.left, case, each), number(node.right, case, each))
    if isinstance(node, MeanNode):
        taken = mean_records(node, case)
        return Fraction(sum(_cell(case.table, i, node.vital) for i in taken), node.n)
    if isinstance(node, RoundNode):
        digits = case.decimals if node.decimals is None else node.decimals
        return rounded(number(node.of, case, each), digits)
    raise TypeError(f"{type(node).__name__} is not a number")


def record_index(node: VitalNode, case: Case, each: int | None) -> int:
    """The record that a vital is read from."""
    if node.at != EACH:
        return case.at[node.at]
    if each is None:
        raise TypeError("`at: each` outside a condition or an extreme")
    return each


def mean_records(node: MeanNode, case: Case) -> range:
    """The records that a mean takes. Raises UndefinedError if there are too few."""
    size = len(case.table.times)
    if size < node.n:
        raise UndefinedError("V2.too_few_records")
    return (
        range(node.n) if case.choices.get(node.take, node.take) == "earliest" else range(size - node.n, size)
    )


def _cell(table: Table, index: int, vital: Vital) -> Exact:
    value = table.values[index].get(vital)
    if value is None:
        raise UndefinedError("V1.not_documented")
    return value


def _arithmetic(op: str, left: Exact, right: Exact) -> Exact:
    if op == "add":
        return left + right
    if op == "subtract":
        return left - right
    if op == "multiply":
        return left * right
    if right == 0:
        raise UndefinedError("V3.division_by_zero")
    return Fraction(left, right)


def evidence(root: RootNode, case: Case, gold: Answer) -> tuple[Cell, ...]:
    """The cells that the answer rests on, by record then vital.

    A first crossing rests on every record up to it (a last one, from it on), a count or an extreme on all.
    """
    cells: set[tuple[int, Vital]] = set()
    for node in nodes(root):
        if isinstance(node, VitalNode) and node.at != EACH:
            cells.add((case.at[node.at], node.vital))
        elif isinstance(node, MeanNode):
            cells.update((i, node.vital) for i in mean_records(node, case))
    if not isinstance(root, RoundNode):
        seen = range(len(case.table.times))
        if isinstance(root, TimeOfNode) and gold.record is not None:
            seen = seen[: gold.record + 1] if root.which == "first" else seen[gold.record :]
        cells.update((i, vital) for i in seen for vital in vitals_of(root))
    return tuple(
        Cell(record=i, vital=vital)
        for i, vital in sorted(cells, key=lambda c: (c[0], SIX_VITALS.index(c[1])))
    )
