"""The cells on which an answer rests, from the tree that also gives the answer."""

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache

from clinicnum.templates.compile_tree import NOWHERE, moment
from clinicnum.templates.evaluation_input import Answer, Case
from clinicnum.templates.memoize import Memoized
from clinicnum.templates.record_selection import selected_records
from clinicnum.templates.tree import (
    EACH,
    EARLIEST,
    LATEST,
    NEXT,
    CountNode,
    Node,
    OverNode,
    OverPairsNode,
    RootNode,
    SlopeNode,
    TimeOfExtremeNode,
    TimeOfNode,
    VitalNode,
)
from clinicnum.templates.tree_walk import children
from clinicnum.types import SIX_VITALS, Cell, Vital

Places = Callable[[Case], Iterable[int]]
"""Function: case -> records (indices) that one vital is read from."""

ORDER: dict[Vital, int] = {vital: i for i, vital in enumerate(SIX_VITALS)}


def evidence(root: RootNode, case: Case, gold: Answer) -> tuple[Cell, ...]:
    """The cells on which the answer rests, ordered by record, then vital.

    A first crossing rests on every record up to it (a last one, from it on), a count or an extreme on all.
    What is computed from times alone rests on no cell.
    """
    cells = {(index, rank) for rank, places in _readings(root) for index in places(case)}
    return tuple([_cell(index, rank) for index, rank in sorted(cells)])


@lru_cache(maxsize=4096)
def _cell(index: int, rank: int) -> Cell:
    return Cell(record=index, vital=SIX_VITALS[rank])


def _reading_plan(root: Node) -> tuple[tuple[int, Places], ...]:
    return tuple((ORDER[vital], places) for vital, places in readings(root, {}))


_readings = Memoized(_reading_plan)


def readings(node: Node, scope: dict[str, Places]) -> Iterator[tuple[Vital, Places]]:
    """Yield every vital sign that a tree reads, with the records it is read from; `scope` gives those of
    `each` and `next`.
    """
    if isinstance(node, VitalNode):
        yield node.vital, _places(node.at, scope)
    scope = scope_below(node, scope)
    for _, child in children(node):
        yield from readings(child, scope)


def scope_below(node: Node, scope: dict[str, Places]) -> dict[str, Places]:
    """To which records `each` and `next` refer below a node."""
    if isinstance(node, OverNode | SlopeNode):
        return {EACH: selected_records(node)}
    if isinstance(node, OverPairsNode):
        return {EACH: lambda case: range(_size(case) - 1), NEXT: lambda case: range(1, _size(case))}
    if isinstance(node, TimeOfNode):
        return {EACH: _until_crossing(node)}
    if isinstance(node, CountNode | TimeOfExtremeNode):
        return {EACH: lambda case: range(_size(case))}
    return scope


def _size(case: Case) -> int:
    return len(case.table.times)


def _until_crossing(node: TimeOfNode) -> Places:
    crossing, first = moment(node), node.which == "first"

    def places(case: Case) -> range:
        index = crossing(case, NOWHERE)
        return range(index + 1) if first else range(index, _size(case))

    return places


def _places(at: str, scope: dict[str, Places]) -> Places:
    if at in scope:
        return scope[at]
    if at == EARLIEST:
        return lambda case: (0,)
    if at == LATEST:
        return lambda case: (_size(case) - 1,)
    return lambda case: (case.at[at],)
