"""Evaluate an operation tree exactly on a table of records. The only place where golds are computed."""

from collections.abc import Callable

from clinicnum.templates.compile_tree import NOWHERE, Truth, moment, number, truth
from clinicnum.templates.evaluation_input import Answer, Case, Table, UndefinedError, table_of
from clinicnum.templates.evidence_cells import evidence
from clinicnum.templates.exact_numbers import Ratio, ratio_text, reduced
from clinicnum.templates.memoize import Memoized
from clinicnum.templates.tree import Condition, CountNode, Node, RootNode, RoundNode

__all__ = [
    "Answer",
    "Case",
    "Table",
    "UndefinedError",
    "answer",
    "answer_text",
    "evidence",
    "holds",
    "table_of",
    "text_writer",
]


def answer(root: RootNode, case: Case) -> Answer:
    """A tree's answer on a case, in the requested form. Raises UndefinedError naming the broken validity
    rule.
    """
    return _solvers(root)(case)


def answer_text(root: RootNode, case: Case) -> str:
    """The text of a tree's answer on a case, which is faster to get than the whole `answer`."""
    return text_writer(root)(case)


def holds(condition: Condition, case: Case, each: int | None) -> bool:
    """Whether a condition holds on a case, unrounded; `each` is the index of the record to which `at: each`
    refers.
    """
    return _truths(condition)(case, NOWHERE if each is None else each)


def _solver(root: Node) -> Callable[[Case], Answer]:
    if isinstance(root, RoundNode):
        value, decimals = number(root.of), root.decimals

        def solve_number(case: Case) -> Answer:
            found = value(case, NOWHERE)
            digits = case.decimals if decimals is None else decimals
            return Answer(ratio_text(found, digits), reduced(found), None)

        return solve_number
    if isinstance(root, CountNode):
        where = truth(root.where)

        def solve_count(case: Case) -> Answer:
            found = _count(where, case)
            return Answer(str(found), found, None)

        return solve_count
    place = moment(root)

    def solve_moment(case: Case) -> Answer:
        index = place(case, NOWHERE)
        return Answer(case.table.times[index], None, index)

    return solve_moment


def _writer(root: Node) -> Callable[[Case], str]:
    if isinstance(root, RoundNode):
        return _number_writer(number(root.of), root.decimals)
    if isinstance(root, CountNode):
        where = truth(root.where)
        return lambda case: str(_count(where, case))
    place = moment(root)
    return lambda case: case.table.times[place(case, NOWHERE)]


def _number_writer(value: Callable[[Case, int], Ratio], decimals: int | None) -> Callable[[Case], str]:
    def write(case: Case) -> str:
        return ratio_text(value(case, NOWHERE), case.decimals if decimals is None else decimals)

    return write


def _count(where: Truth, case: Case) -> int:
    return sum([where(case, index) for index in range(len(case.table.times))])


_solvers, _truths = Memoized(_solver), Memoized(truth)
text_writer = Memoized(_writer)
"""The closure behind `answer_text`."""
