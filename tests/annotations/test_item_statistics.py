"""Item statistics against values derived by hand, independent libraries and a simulated truth."""

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import pointbiserialr, spearmanr
from sklearn.linear_model import LogisticRegression

from clinicnum.annotations.curation.item_statistics import MIN_RUNS, ItemStatistic, item_statistics

Counts = NDArray[np.int64]


def beside(item: list[int], rest: list[int], of: int) -> ItemStatistic:
    """The statistic of one question beside another item with `of` questions."""
    right = np.array([item, rest], dtype=np.int64).T
    asked = np.array([[1, of]] * len(item), dtype=np.int64)
    return item_statistics(right, asked)[0]


def test_both_indices_are_those_derived_by_hand() -> None:
    """Rest scores 0 to 9 (mean 4.5, squares 82.5); right are the runs 2, 5, 6, 8, 9 (mean 0.5, squares 2.5).

    Products: 2 + 5 + 6 + 8 + 9 - 5 x 4.5 = 7.5, so r = 7.5 / sqrt(82.5 x 2.5) = 0.5222. 27 % of 10 are 3:
    of the best three (7, 8, 9) two are right, of the worst (0, 1, 2) one: D = 2/3 - 1/3.
    """
    item = [0, 0, 1, 0, 0, 1, 1, 0, 1, 1]
    found = beside(item, list(range(10)), 9)
    assert found.item_total == pytest.approx(7.5 / (82.5 * 2.5) ** 0.5)
    assert found.item_total == pytest.approx(pointbiserialr(item, list(range(10))).statistic)
    assert found.upper_lower == pytest.approx(1 / 3)
    assert (found.runs, found.accuracy, found.undefined) == (10, 0.5, None)


def test_runs_that_tie_at_the_border_share_the_places_that_are_left() -> None:
    """The best three: 9, and 7, 7, 7 for two thirds each, one of them right: (1 + 2/3) / 3 - 1/3 = 2/9."""
    found = beside([0, 0, 1, 0, 1, 0, 1, 0, 0, 1], [0, 1, 2, 3, 4, 5, 7, 7, 7, 9], 9)
    assert found.upper_lower == pytest.approx(2 / 9)


def test_the_slope_is_that_of_a_logistic_regression_where_runs_are_many() -> None:
    rng = np.random.default_rng(4)
    rest = rng.integers(5, 95, size=60_000)
    z = (rest - rest.mean()) / rest.std()
    item = (rng.random(60_000) < 1 / (1 + np.exp(0.4 - 1.3 * z))).astype(np.int64)
    found = beside(item.tolist(), rest.tolist(), 100)
    theirs = LogisticRegression(C=np.inf).fit(z[:, None], item).coef_[0, 0]
    assert found.slope == pytest.approx(theirs, abs=0.005)


UNDEFINED: dict[str, tuple[list[int], list[int], str]] = {
    "too few runs": ([0, 1] * 4, list(range(8)), f"not enough runs: 8 of the {MIN_RUNS} needed"),
    "all right": ([1] * 12, list(range(12)), "no variation: all 12 runs are right on all of it"),
    "all wrong": ([0] * 12, list(range(12)), "no variation: all 12 runs are wrong on all of it"),
    "nothing to compare with": ([0, 1] * 6, [5] * 12, "all 12 runs have the same score on everything else"),
}


@pytest.mark.parametrize("case", UNDEFINED)
def test_what_cannot_be_computed_says_why(case: str) -> None:
    item, rest, reason = UNDEFINED[case]
    found = beside(item, rest, 20)
    assert reason in str(found.undefined)
    assert (found.item_total, found.upper_lower, found.slope) == (None, None, None)


def test_runs_without_the_item_do_not_count_for_it() -> None:
    right = np.array([[k % 2, k, 0] for k in range(12)] + [[0, 3, 0]] * 5, dtype=np.int64)
    asked = np.array([[1, 12, 0]] * 12 + [[0, 12, 0]] * 5, dtype=np.int64)
    some, _, nothing = item_statistics(right, asked)
    alone = beside([k % 2 for k in range(12)], list(range(12)), 12)
    assert (some.runs, some.item_total, some.upper_lower) == (12, alone.item_total, alone.upper_lower)
    assert (nothing.runs, nothing.accuracy, nothing.item_total) == (0, None, None)
    (lonely,) = item_statistics(right[:, :1], asked[:, :1])
    assert str(lonely.undefined).startswith("nothing to compare with")
    assert item_statistics(right[:, :0], asked[:, :0]) == ()
    assert [one.accuracy for one in item_statistics(right[:0], asked[:0])] == [None] * 3


def test_items_that_part_runs_perfectly_or_the_wrong_way_stay_finite_and_signed() -> None:
    steep, reverse = (
        beside([0] * 6 + [1] * 6, list(range(12)), 12),
        beside([1] * 6 + [0] * 6, list(range(12)), 12),
    )
    for one, sign in ((steep, 1), (reverse, -1)):
        assert one.item_total is not None
        assert one.slope is not None
        assert sign * one.item_total > 0.8
        assert 0.5 < sign * one.slope < 10
        assert one.upper_lower == sign


def two_parameter(seed: int, *, questions: int) -> tuple[NDArray[np.float64], Counts, Counts]:
    """200 models of normal ability; 100 items with discrimination 0.2 to 2.5 and normal difficulty."""
    rng = np.random.default_rng(seed)
    ability = rng.normal(size=(200, 1))
    discrimination, difficulty = rng.uniform(0.2, 2.5, size=100), rng.normal(size=100)
    chance = 1 / (1 + np.exp(-discrimination * (ability - difficulty)))
    right = rng.binomial(questions, chance).astype(np.int64)
    return discrimination, right, np.full_like(right, questions)


@pytest.mark.parametrize(("questions", "least"), [(1, 0.90), (5, 0.95)])
def test_items_are_ranked_as_their_true_discrimination_ranks_them(questions: int, least: float) -> None:
    """Who knew the abilities would reach 0.92 with one question an item: 200 answers are that noisy."""
    found = []
    for seed in range(10):
        truth, right, asked = two_parameter(seed, questions=questions)
        known = [(a, one.slope) for a, one in zip(truth, item_statistics(right, asked), strict=True)]
        pairs = [pair for pair in known if pair[1] is not None]  # an item that all get right ranks nowhere
        assert len(pairs) >= 98
        found.append(float(spearmanr(*zip(*pairs, strict=True)).statistic))
    between = f"{min(found):.3f} to {max(found):.3f}"
    print(f"\n{questions} questions an item: Spearman {np.mean(found):.3f}, {between}")
    assert np.mean(found) >= least


def test_five_thousand_items_are_done_together() -> None:
    rng = np.random.default_rng(1)
    asked = np.full((12, 5000), 4, dtype=np.int64)
    found = item_statistics(rng.integers(0, 5, size=asked.shape), asked)
    assert len(found) == 5000
    assert sum(one.slope is not None for one in found) > 4900
