"""The worked solution in words, step by step, from the same tree as the gold."""

from collections.abc import Callable, Iterator
from types import MappingProxyType

from clinicnum.records.vitals import VITAL_SIGNS
from clinicnum.templates.compile_tree import NOWHERE
from clinicnum.templates.evaluation_input import Answer, Case
from clinicnum.templates.evidence_cells import Places, readings
from clinicnum.templates.memoize import Memoized
from clinicnum.templates.solution_state import Givens, Working
from clinicnum.templates.solution_steps import condition_in_turn, show, show_moment
from clinicnum.templates.tree import (
    RECORD_BY_RECORD,
    CountNode,
    GivenNode,
    Node,
    RootNode,
    RoundNode,
    TimeOfExtremeNode,
    TimeOfNode,
    VitalNode,
)
from clinicnum.templates.tree_walk import children
from clinicnum.types import SIX_VITALS, Vital

NO_LABELS: Givens = MappingProxyType({})


def worked_solution(root: RootNode, case: Case, gold: Answer, givens: Givens = NO_LABELS) -> tuple[str, ...]:
    """Sentences that lead from the records to the answer; `givens` are the template's, for their labels."""
    working = Working(case, givens)
    _writers(root)(working, gold)
    # A step that two parts of the tree share is said once.
    return tuple([f"{step[0].upper()}{step[1:]}." for step in dict.fromkeys(working.steps)])


Write = Callable[[Working, Answer], None]


def _writer(root: Node) -> Write:
    if isinstance(root, RoundNode):
        return _number_writer(root)
    if isinstance(root, CountNode):
        return _count_writer(root)
    moment = show_moment(root)

    def write(working: Working, gold: Answer) -> None:
        moment(working, NOWHERE)

    return write


_writers = Memoized(_writer)


def _number_writer(root: RoundNode) -> Write:
    read, compute = tuple(_reading_groups(root.of)), show(root.of)

    def write(working: Working, gold: Answer) -> None:
        _read(working, read)
        compute(working, NOWHERE)
        digits = working.case.decimals
        working.steps.append(f"with {digits} decimal{'' if digits == 1 else 's'}: {gold.text}")

    return write


def _count_writer(root: CountNode) -> Write:
    write_record = condition_in_turn(root.where)

    def write(working: Working, gold: Answer) -> None:
        for index in range(len(working.case.table.times)):
            write_record(working, index)
        working.steps.append(f"records in which it holds: {gold.text}")

    return write


Group = tuple[tuple[Vital, Places], ...] | GivenNode
"""Cells that are read together, record by record; or a given."""


def _reading_groups(node: Node) -> Iterator[Group]:
    """The values read before computing; records inspected to find a moment are mentioned there."""
    if isinstance(node, TimeOfNode | TimeOfExtremeNode):
        return
    if isinstance(node, GivenNode):
        yield node
    elif isinstance(node, (VitalNode, *RECORD_BY_RECORD)):
        yield tuple(readings(node, {}))
    else:
        for _, child in children(node):
            yield from _reading_groups(child)


def _read(working: Working, groups: tuple[Group, ...]) -> None:
    lines: dict[str, None] = {}
    for group in groups:
        if isinstance(group, GivenNode):
            lines[f"given: {working.given_text(group.name)}"] = None
            continue
        cells = {(i, SIX_VITALS.index(vital)) for vital, places in group for i in places(working.case)}
        for index, rank in sorted(cells):
            vital = SIX_VITALS[rank]
            at, cell = working.case.table.times[index], working.cell_text(index, vital)
            lines[f"at {at}: {cell} {VITAL_SIGNS[vital].unit}"] = None
    working.steps.extend(lines)
