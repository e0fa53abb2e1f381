"""Distractors: the answers to which single mistakes lead, with the mistake's taxonomy code.

Trees with one change are made once per template; the changes that depend on the records (a neighbouring
record, a record missed) are made per instance. A mistake that gives the right answer is no distractor; where
it is one of reading (record, vital, formula), the instance does not discriminate it and rule V7 flags that.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from clinicnum.taxonomy_codes import MISSED_RECORD, WRONG_RECORD
from clinicnum.templates.compile_tree import NOWHERE, moment, truth
from clinicnum.templates.evaluate_tree import text_writer
from clinicnum.templates.evaluation_input import Answer, Case, UndefinedError
from clinicnum.templates.evidence_cells import Places
from clinicnum.templates.memoize import Memoized
from clinicnum.templates.mistake_trees import wrong_trees
from clinicnum.templates.record_selection import selected_records
from clinicnum.templates.tree import (
    CountNode,
    Node,
    OverNode,
    OverPairsNode,
    RootNode,
    SlopeNode,
    TimeOfExtremeNode,
    TimeOfNode,
)
from clinicnum.templates.tree_mutations import OTHER_END
from clinicnum.templates.tree_walk import nodes
from clinicnum.templates.wrong_tree import READING_MISTAKES, WrongTree
from clinicnum.types import Distractor

__all__ = ["Distractors", "WrongTree", "distractors", "wrong_trees"]

MISSED_TRIED = 6
"""Maximum number of used records, evenly spread, whose omission is tried as a mistake."""


@dataclass(frozen=True)
class Distractors:
    """The results of the mistakes on one instance."""

    found: tuple[tuple[str, str, str], ...]
    """(value, rule, code) of the results that differ from the gold."""
    undiscriminated: bool
    """Whether a reading mistake gives the gold too."""

    @cached_property
    def items(self) -> tuple[Distractor, ...]:
        """The distractors of `found` as the objects that an instance holds."""
        return tuple([Distractor(value=value, rule=rule, code=code) for value, rule, code in self.found])


def distractors(root: RootNode, wrong: Iterable[WrongTree], case: Case, gold: Answer) -> Distractors:
    """The distractors of one instance, without repeated (value, code), in a fixed order."""
    right = gold.text
    found: dict[tuple[str, str], tuple[str, str, str]] = {}
    undiscriminated = False
    for rule, code, write, changed, telling in _attempts(root, wrong, case):
        try:
            value = write(changed)
        except UndefinedError:
            continue
        if value == right:
            undiscriminated = undiscriminated or (telling and code in READING_MISTAKES)
        elif (value, code) not in found:
            found[value, code] = (value, rule, code)
    return Distractors(tuple(found.values()), undiscriminated)


Attempt = tuple[str, str, Callable[[Case], str], Case, bool]


def _attempts(root: RootNode, wrong: Iterable[WrongTree], case: Case) -> Iterator[Attempt]:
    write = text_writer(root)
    for slot, index in case.at.items():
        name = "" if len(case.at) == 1 else f"_for_{slot}"
        for rule, to in (("previous_record", index - 1), ("next_record", index + 1)):
            if 0 <= to < len(case.table.times) and to not in case.at.values():
                yield rule + name, WRONG_RECORD, write, case.with_at({**case.at, slot: to}), True
    if len(case.at) > 1:
        slots = list(case.at)
        swapped = dict(zip(slots, reversed(list(case.at.values())), strict=True))
        yield "records_swapped", WRONG_RECORD, write, case.with_at(swapped), True
    for slot, choice in case.choices.items():
        other = OTHER_END[choice]
        yield f"{other}_for_{choice}", WRONG_RECORD, write, case.with_choice(slot, other), True
    for index in sorted({i for places in _decisive(root) for i in places(case)}):
        if index not in case.at.values():
            yield "record_missed", MISSED_RECORD, write, case.without(index), True
    for item in wrong:
        yield item.rule, item.code, text_writer(item.tree), case, item.telling


def _decisive_plan(root: Node) -> tuple[Places, ...]:
    """For each node that depends on single records, the function that gives, for a case, the records to omit.

    Omitting them is tried as a mistake: a moment's own record, the first record counted, and, of an
    aggregation, at most MISSED_TRIED of its records, evenly spread.
    """
    return tuple(places for node in nodes(root) if (places := _decisive_of(node)) is not None)


_decisive = Memoized(_decisive_plan)


def _decisive_of(node: Node) -> Places | None:
    if isinstance(node, TimeOfNode | TimeOfExtremeNode):
        place = moment(node)
        return lambda case: (place(case, NOWHERE),)
    if isinstance(node, CountNode):
        where = truth(node.where)
        return lambda case: [i for i in range(len(case.table.times)) if where(case, i)][:1]
    if isinstance(node, OverNode | SlopeNode):
        records = selected_records(node)
        return lambda case: _spread(records(case))
    if isinstance(node, OverPairsNode):
        return lambda case: _spread(range(len(case.table.times)))
    return None


def _spread(indices: range) -> list[int]:
    """At most MISSED_TRIED of the indices, evenly spread, including the first and the last."""
    size = len(indices)
    if size <= MISSED_TRIED:
        return list(indices)
    return [indices[i * (size - 1) // (MISSED_TRIED - 1)] for i in range(MISSED_TRIED)]
