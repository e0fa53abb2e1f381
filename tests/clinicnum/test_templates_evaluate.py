"""The compiled tree against a plain interpreter of the same YAML: fractions, recursion, no shared code.

Random trees of every node on random tables with gaps. Evidence is tested by what it means: without one of its
cells there is no answer, and no other cell matters.
"""

from decimal import Decimal

import pytest

from clinicnum.templates import memoize
from clinicnum.templates.evaluate_tree import Answer, Case, UndefinedError, answer, evidence, table_of
from clinicnum.templates.memoize import Memoized
from clinicnum.templates.tree import ConstantNode, RootNode
from clinicnum.templates.worked_solution import worked_solution
from clinicnum.types import Record
from tests.clinicnum.plain_interpreter import NoAnswerError, Plain
from tests.clinicnum.random_trees import GIVENS, VITALS, given


def case_of(records: list[Record], time: int, which: str) -> Case:
    return Case(table_of(records), 3, {"time": time}, {"which": which}, GIVENS)


def answered(root: RootNode, case: Case) -> Answer | None:
    try:
        return answer(root, case)
    except UndefinedError:
        return None


@pytest.mark.parametrize("block", range(10))
def test_compiled_trees_mean_what_the_plain_interpreter_says(block: int) -> None:
    defined = 0
    for seed in range(300 * block, 300 * (block + 1)):
        data, root, records, time, which = given(seed, gaps=True)
        found = answered(root, case_of(records, time, which))
        try:
            expected = Plain(records, time, which).root(data)
        except NoAnswerError:
            assert found is None, (seed, data)
            continue
        assert found is not None, (seed, data)
        assert (found.record if found.exact is None else found.exact) == expected, (seed, data)
        defined += 1
    assert defined > 150


@pytest.mark.parametrize("block", range(4))
def test_evidence_is_what_the_answer_cannot_do_without_and_nothing_else_matters(block: int) -> None:
    cells = {True: 0, False: 0}
    for seed in range(9000 + 200 * block, 9000 + 200 * (block + 1)):
        _, root, records, time, which = given(seed, gaps=False)
        case = case_of(records, time, which)
        gold = answered(root, case)
        if gold is None:
            continue
        rests_on = {(cell.record, cell.vital) for cell in evidence(root, case, gold)}
        for index, record in enumerate(records):
            for vital in VITALS:
                changed = [*records]
                changed[index] = record.model_copy(update={vital: None})
                needed = (index, vital) in rests_on
                assert answered(root, case_of(changed, time, which)) == (None if needed else gold), (
                    seed,
                    index,
                    vital,
                )
                cells[needed] += 1
    assert min(cells.values()) > 100


def test_what_is_made_of_a_node_is_made_once_and_memory_stays_bounded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[int] = []
    monkeypatch.setattr(memoize, "LIMIT", 3)
    keep = Memoized(lambda node: made.append(id(node)))
    constants = [ConstantNode(op="constant", value=Decimal(1)) for _ in range(3)]
    for node in [*constants, *constants]:
        keep(node)
    assert made == [id(node) for node in constants]  # equal nodes are told apart
    keep(ConstantNode(op="constant", value=Decimal(2)))
    keep(constants[0])
    assert made[-1] == id(constants[0])  # forgotten at the limit, and made again


def test_every_random_tree_can_be_worked_out_in_words() -> None:
    for seed in range(20_000, 20_600):
        _, root, records, time, which = given(seed, gaps=True)
        case = case_of(records, time, which)
        gold = answered(root, case)
        if gold is not None:
            lines = worked_solution(root, case, gold)
            assert lines[-1].endswith(f"{gold.text}."), seed
            assert len(set(lines)) == len(lines)
