"""Select the records that a node aggregates, and the record that an anchor or slot names."""

from collections.abc import Callable
from functools import partial

from clinicnum.templates.evaluation_input import Case, UndefinedError
from clinicnum.templates.tree import ALL_RECORDS, EACH, EARLIEST, LATEST, NEXT, OverNode, SlopeNode

Moment = Callable[[Case, int], int]
Take = Callable[[Case], range]


def selected_records(node: OverNode | SlopeNode) -> Take:
    """A function that selects from a case the indices of the records that a node aggregates; it raises
    UndefinedError if there are too few.
    """
    take, n = node.take, node.n

    def take_all(case: Case) -> range:
        size = len(case.table.times)
        if not size:
            raise UndefinedError("V2.too_few_records")
        return range(size)

    def take_n(case: Case) -> range:
        size = len(case.table.times)
        if n is None or size < n:
            raise UndefinedError("V2.too_few_records")
        return range(n) if case.choices.get(take, take) == EARLIEST else range(size - n, size)

    return take_all if take == ALL_RECORDS else take_n


def anchored_record(at: str) -> Moment:
    """A function that finds on a case the index of the record that a slot or one of ANCHORS names."""
    if at == EACH:
        return lambda case, each: each
    if at == NEXT:
        return lambda case, each: each + 1
    if at in (EARLIEST, LATEST):
        return partial(_end_of_table, at == LATEST)
    return lambda case, each: case.at[at]


def _end_of_table(last: bool, case: Case, each: int) -> int:
    if not case.table.times:
        raise UndefinedError("V2.no_record")
    return len(case.table.times) - 1 if last else 0
