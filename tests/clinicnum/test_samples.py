"""Figures of several samples of one model, counted by hand and against their definitions."""

from itertools import combinations
from math import comb

import numpy as np
import pytest

from clinicnum.errors import InputError
from clinicnum.robustness import Run, compare_samples, join
from clinicnum.robustness.repeated_samples import majority_right, pass_at
from clinicnum.scoring import score
from tests.clinicnum.answering import generation, instance

RIGHT, WRONG, OTHER = '{"answer": 110}', '{"answer": 88}', '{"answer": 50}'
ABSTAINS, UNREAD = '{"answer": "not documented"}', "I like counting."
PLANNED = [(RIGHT, RIGHT, RIGHT)] * 4 + [(RIGHT, WRONG, RIGHT)] * 2 + [(WRONG, RIGHT, OTHER)] * 3
PLANNED += [(WRONG, WRONG, OTHER)] * 3


def _samples(planned: list[tuple[str, ...]]) -> list[Run]:
    """One run a sample; question i is about subject i modulo 6."""
    asked = {f"i{i}": instance(i) for i in range(len(planned))}
    runs = []
    for number, texts in enumerate(zip(*planned, strict=True)):
        pairs = list(zip(asked.values(), texts, strict=True))
        made = [generation(text, of=one, run=f"r{number}") for one, text in pairs]
        scores = [score(instance=one, generation=g) for (one, _), g in zip(pairs, made, strict=True)]
        runs.append(join("m", asked, made, scores))
    return runs


def _majority(*texts: str) -> float:
    return majority_right([run.answers["i0"] for run in _samples([texts])])


def test_figures_are_those_counted_by_hand() -> None:
    """Twelve questions, three samples: 4 right in all, 2 twice, 3 once, 3 never."""
    found = compare_samples(_samples(PLANNED))
    assert (found.n_samples, found.n_questions, found.n_left_out) == (3, 12, 0)
    assert found.accuracy.value == pytest.approx((4 * 3 + 2 * 2 + 3) / 36)
    shares = [one.value for one in (found.right_in_all, found.right_in_some, found.right_in_none)]
    assert shares == pytest.approx([4 / 12, 5 / 12, 3 / 12])
    assert found.agreement.value == pytest.approx((4 * 3 + 5 * 1 + 3 * 3) / 36)
    # Of three different values each counts alike: the third kind of question is right to a third.
    assert found.majority.value == pytest.approx((4 + 2 + 3 / 3) / 12)
    assert {k: one.value for k, one in found.pass_at.items()} == pytest.approx(
        {1: 19 / 36, 2: (4 + 2 * 1 + 3 * 2 / 3) / 12, 3: 9 / 12}
    )
    assert found.pass_at[1].value == pytest.approx(found.accuracy.value)


def test_pass_at_k_is_unbiased() -> None:
    """It is the share of all choices of k answers that hold a right one, and the product of the paper."""
    assert [pass_at(10, 3, k) for k in (1, 5, 10)] == pytest.approx([0.3, 1 - 21 / 252, 1.0])
    for n in range(1, 8):
        for c in range(n + 1):
            answers = [i < c for i in range(n)]
            for k in range(1, n + 1):
                chosen = [any(some) for some in combinations(answers, k)]
                assert pass_at(n, c, k) == pytest.approx(sum(chosen) / comb(n, k))
    for n, c, k in ((200, 3, 100), (200, 1, 10), (100, 40, 5)):
        product = 1.0 - np.prod(1.0 - k / np.arange(n - c + 1, n + 1))
        assert pass_at(n, c, k) == pytest.approx(product)


def test_the_majority_is_of_values_that_were_read() -> None:
    assert _majority(WRONG, RIGHT, '{"answer": 110.0}') == 1.0
    assert _majority(RIGHT, UNREAD, UNREAD) == 1.0
    assert _majority(ABSTAINS, RIGHT, ABSTAINS) == 0.0
    assert _majority(RIGHT, WRONG) == 0.5
    assert _majority(UNREAD, UNREAD) == 0.0


def test_the_answers_to_a_question_count_as_one_item() -> None:
    """Copies of one sample tell nothing new: the interval is that of the sample alone."""
    one = _samples(PLANNED)[0]
    alone, copied = compare_samples([one]), compare_samples([one] * 5)
    assert alone.accuracy.interval == copied.accuracy.interval
    assert (copied.agreement.value, copied.accuracy.n, copied.accuracy.n_subjects) == (1.0, 12, 6)
    assert alone.agreement.undefined == "one sample; two are needed to agree or not"
    assert list(copied.pass_at) == [1, 2, 4, 5]
    assert list(alone.pass_at) == [1]


def test_questions_without_an_answer_in_some_sample_are_left_out_and_counted() -> None:
    first, second, third = _samples(PLANNED)
    fewer = Run("m", {name: one for name, one in second.answers.items() if name not in ("i0", "i1")})
    found = compare_samples([first, fewer, third])
    assert (found.n_questions, found.n_left_out) == (10, 2)
    nothing = compare_samples([first, Run("m", {})])
    assert (nothing.accuracy.value, nothing.accuracy.undefined) == (
        *(None, "no question was answered in every sample"),
    )
    with pytest.raises(InputError, match="no sample was given"):
        compare_samples([])
