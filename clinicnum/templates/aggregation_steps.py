"""Write the solution steps that combine numbers of several records, such as means and slopes."""

from collections.abc import Iterable

from clinicnum.records.vitals import VITAL_SIGNS
from clinicnum.templates.compile_tree import NOWHERE, number
from clinicnum.templates.exact_numbers import Ratio
from clinicnum.templates.ratio_arithmetic import COMBINE
from clinicnum.templates.record_selection import selected_records
from clinicnum.templates.solution_phrases import combined_text, slope_texts
from clinicnum.templates.solution_state import Show, Working
from clinicnum.templates.tree import Node, OverNode, OverPairsNode, SlopeNode, VitalNode


def _once(node: Node, write: Show) -> Show:
    """`write`, run once per working: a number from several records together is the same for each."""

    def write_once(working: Working, each: int) -> Ratio:
        told = working.told.get(id(node))
        if told is None:
            told = working.told[id(node)] = write(working, each)
        return told

    return write_once


def _in_turn(of: Show, working: Working, heads: Iterable[tuple[int, str]]) -> list[Ratio]:
    values = []
    for index, head in heads:
        inside = working.aside()
        values.append(of(inside, index))
        working.put(head, inside)
    return values


def over(node: OverNode, of: Show) -> Show:
    """A function that writes each record's working, headed by its time, and the step that combines their
    numbers, and returns the result.
    """
    records, combine = selected_records(node), COMBINE[node.how]
    about = f"{VITAL_SIGNS[node.of.vital].label}: " if isinstance(node.of, VitalNode) else ""

    def write(working: Working, each: int) -> Ratio:
        times = working.case.table.times
        values = _in_turn(of, working, [(i, times[i]) for i in records(working.case)])
        result = combine(values)
        inside_of_another = "" if each == NOWHERE else about
        working.steps.extend(inside_of_another + text for text in combined_text(node.how, values, result))
        return result

    return _once(node, write)


def over_pairs(node: OverPairsNode, of: Show) -> Show:
    """A function that writes each pair's working, headed by its times, and how the pairs are combined, and
    returns the result.
    """
    combine = COMBINE[node.how]

    def write(working: Working, each: int) -> Ratio:
        times = working.case.table.times
        pairs = [(i, f"{times[i]} to {times[i + 1]}") for i in range(len(times) - 1)]
        values = _in_turn(of, working, pairs)
        result = combine(values)
        working.steps.extend(combined_text(node.how, values, result))
        return result

    return _once(node, write)


def slope(node: SlopeNode, of: Show) -> Show:
    """A function that writes each record's working, headed by its time, and the least-squares steps, and
    returns the slope.
    """
    records, slope_of = selected_records(node), number(node)

    def write(working: Working, each: int) -> Ratio:
        table, indices = working.case.table, records(working.case)
        values = _in_turn(of, working, [(i, table.times[i]) for i in indices])
        result = slope_of(working.case, each)
        start = table.times[indices[0]]
        working.steps.extend(slope_texts(start, [table.seconds[i] for i in indices], values, result))
        return result

    return _once(node, write)
