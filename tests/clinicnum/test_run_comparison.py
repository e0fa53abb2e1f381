"""Runs side by side: on which questions, how they differ, and what is refused."""

import pytest

from clinicnum.errors import InputError
from clinicnum.robustness import Answer, Run, compare_runs
from clinicnum.stats.accuracy import accuracy_table
from clinicnum.stats.headline_accuracy import headline
from clinicnum.types import Generation, Score
from tests.db.examples import instance


def run(name: str, right: set[int], *, of: int = 20, failed: frozenset[int] = frozenset()) -> Run:
    """A run that answers the first `of` questions of 20."""
    answers = {}
    for number in range(of):
        asked = instance(number).model_copy(
            update={
                "flags": (),
                "operation": "retrieval" if number % 2 else "arithmetic",
                "representation": "note" if number < 10 else "structured",
            }
        )
        made = Generation(
            generation_id=f"{name}{number}",
            run_id=name,
            instance_id=asked.instance_id,
            text="",
            finish_reason="stop",
        )
        status = "error" if number in failed else "correct" if number in right else "incorrect"
        lenient = status == "correct"
        score = Score.model_validate(
            {
                "generation_id": made.generation_id,
                "parsed": None,
                "form": None,
                "status": status,
                "strict": lenient,
                "lenient": lenient,
                "flexible": lenient,
                "reason": "",
            }
        )
        answers[asked.instance_id] = Answer(asked, made, score)
    return Run(name, answers)


def test_accuracy_is_on_the_questions_that_all_answered() -> None:
    found = compare_runs([run("a", set(range(15)), failed=frozenset({19})), run("b", set(range(5)), of=12)])
    assert found.n_common == 12
    assert [(one.name, one.n_answered, one.n_failed) for one in found.runs] == [("a", 19, 1), ("b", 12, 0)]
    totals = [one.accuracy.overall for one in found.runs]
    assert [(one.n, one.correct) for one in totals if one] == [(12, 12), (12, 5)]
    assert [(row.operation, row.representation) for row in found.runs[0].accuracy.rows] == [
        (row.operation, row.representation) for row in found.runs[1].accuracy.rows
    ]


def test_differences_count_the_questions_that_one_alone_got_right() -> None:
    found = compare_runs([run("a", set(range(18))), run("b", {0, 1, 18}), run("c", {0, 1, 18})])
    by_pair = {(one.first, one.second, one.on): one for one in found.differences}
    assert len(by_pair) == len(found.differences) == 9, "three pairs, two operations and all"
    whole = by_pair["a", "b", "all"]
    assert (whole.n, whole.only_first, whole.only_second, whole.difference) == (20, 16, 1, 0.75)
    assert whole.p is not None
    assert whole.p_corrected == pytest.approx(2 * whole.p), "of three pairs two can be told apart"
    assert by_pair["b", "c", "all"].p_corrected is None


@pytest.mark.parametrize(
    ("names", "complaint"),
    [
        ("", "2 to 8 runs, not 0"),
        ("a", "not 1"),
        ("abcdefghi", "not 9"),
        ("aa", "two runs are called 'a'"),
    ],
)
def test_what_is_no_comparison_is_refused(names: str, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        compare_runs([run(name, set(), of=1) for name in names])


def test_the_headline_is_the_grand_total_of_the_table() -> None:
    answers = list(run("a", set(range(0, 20, 3)), failed=frozenset({4})).answers.values())
    total = accuracy_table((one.instance, one.score) for one in answers).overall
    assert total is not None
    kept = [one for one in answers if not one.failed]
    found = headline((one.subject, one.instance.template_id, one.right) for one in kept)
    assert (found.n, found.correct, found.accuracy) == (total.n, total.correct, total.accuracy)
    assert found.interval == total.interval
    assert headline([]).accuracy is None
