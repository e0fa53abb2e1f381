"""Intervals over subjects: against independent computations, and what has none."""

import os
from math import sqrt

import numpy as np
import pytest
from scipy.special import ndtri
from scipy.stats import binomtest, t

from clinicnum.stats.clustered_intervals import (
    Subjects,
    bootstrap_interval,
    effective_subjects,
    quotient,
    share_interval,
    share_spread,
    wilson,
)
from clinicnum.stats.interval_estimate import share


@pytest.mark.parametrize(("k", "n"), [(7, 50), (0, 20), (1, 29), (29, 29), (81, 263)])
def test_wilson_equals_scipys(k: int, n: int) -> None:
    expected = binomtest(k, n).proportion_ci(method="wilson")
    z = np.array(1.959963984540054)
    low, high = wilson(np.array(k / n), np.array(float(n)), z)
    assert (float(low), float(high)) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_one_item_a_subject_is_wilson_with_one_item_less_and_t() -> None:
    # The jackknife variance of a mean of n independent 0/1 values is p (1 - p) / (n - 1), so the effective
    # size is n - 1. Here p = 12/40 and t(39; 0.975) = 2.0227.
    right = np.array([1.0] * 12 + [0.0] * 28)
    interval = share_interval(right, np.ones(40), 40)
    q = float(t.ppf(0.975, 39))
    low, high = wilson(np.array(0.3), np.array(39.0), np.array(q))
    assert interval.se == pytest.approx(sqrt(0.3 * 0.7 / 39))
    assert (interval.low, interval.high) == pytest.approx((float(low), float(high)))


def test_the_jackknife_error_is_that_of_leaving_subjects_out_one_by_one() -> None:
    rng = np.random.default_rng(0)
    wholes = rng.integers(0, 5, 25).astype(float)
    parts = np.array([rng.integers(0, whole + 1) for whole in wholes]).astype(float)
    counted = np.flatnonzero(wholes)
    left = [np.delete(parts, i).sum() / np.delete(wholes, i).sum() for i in counted]
    g = len(left)
    se = sqrt((g - 1) / g * sum((one - np.mean(left)) ** 2 for one in left))
    spread = share_spread(parts, wholes)
    assert float(spread.se) == pytest.approx(se)
    assert int(spread.n_subjects) == g < 25


def test_many_data_sets_at_once_are_each_alone() -> None:
    rng = np.random.default_rng(1)
    wholes = rng.integers(0, 4, (6, 20)).astype(float)
    parts = np.minimum(rng.integers(0, 3, (6, 20)), wholes)
    together = share_spread(parts, wholes)
    for i in range(6):
        alone = share_spread(parts[i], wholes[i])
        assert (together.low[i], together.high[i]) == pytest.approx((float(alone.low), float(alone.high)))


def test_correlated_items_widen_the_interval() -> None:
    subjects = [f"s{i // 4}" for i in range(160)]
    alike = share([(s, float(int(s[1:]) % 2)) for s in subjects])
    mixed = share([(s, float(i % 2)) for i, s in enumerate(subjects) if i != 7])
    assert alike.value == 0.5
    assert mixed.interval.low is not None
    assert alike.interval.low is not None
    assert alike.interval.low < mixed.interval.low - 0.1


def test_where_all_agree_each_subject_counts_as_one_item() -> None:
    # Wilson with n = 30 and p = 0 ends at t^2 / (30 + t^2), t(29; 0.975) = 2.04523.
    figure = share([(f"s{i % 30}", 0.0) for i in range(120)])
    assert (figure.value, figure.interval.low) == (0.0, 0.0)
    assert figure.interval.high == pytest.approx(2.04523**2 / (30 + 2.04523**2), abs=1e-5)
    assert figure.interval.warning == "no variation: each of 30 subjects counts once"
    assert figure.bootstrap.undefined == "no variation between resamples: the bootstrap has no width"


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ([(f"s{i % 4}", float(i % 3 == 0)) for i in range(40)], "4 subjects; an interval needs at least 5"),
        ([(f"s{i}", float(i % 3 == 0)) for i in range(9)], "9 items; an interval needs at least 10"),
        (
            [(f"s{i // 2}", float(i % 2)) for i in range(40)],
            "no variation between subjects: the jackknife has no width",
        ),
    ],
    ids=["too few subjects", "too few items", "subjects agree on a half"],
)
def test_no_interval_but_a_reason(values: list[tuple[str, float]], reason: str) -> None:
    figure = share(values)
    assert figure.value is not None
    assert (figure.interval.low, figure.interval.undefined) == (None, reason)


def test_nothing_has_a_reason_and_no_value() -> None:
    figure = share([], without="no base is right")
    assert (figure.value, figure.n, figure.undefined) == (None, 0, "no base is right")
    assert figure.interval.undefined == figure.bootstrap.undefined == "no base is right"


def test_the_bootstrap_is_that_of_subjects_and_the_same_for_a_seed() -> None:
    # One item a subject: a resampled mean is binomial(100, 0.3) / 100, whose 2.5 and 97.5 % points are 0.21
    # and 0.39.
    totals = np.column_stack([[1.0] * 30 + [0.0] * 70, np.ones(100)])
    uneven = np.column_stack([np.linspace(0.1, 0.9, 100), np.ones(100)])

    def mean(sums: np.ndarray) -> np.ndarray:
        return quotient(sums[:, 0], sums[:, 1])

    interval = bootstrap_interval(totals, mean, 100, resamples=4_000)
    assert (interval.low, interval.high) == pytest.approx((0.21, 0.39), abs=0.011)
    assert bootstrap_interval(uneven, mean, 100) == bootstrap_interval(uneven, mean, 100)
    assert bootstrap_interval(uneven, mean, 100) != bootstrap_interval(uneven, mean, 100, seed=1)


def test_a_bootstrap_that_is_often_undefined_gives_none() -> None:
    totals = np.column_stack([[0.0] * 9 + [1.0], [0.0] * 9 + [1.0]])
    interval = bootstrap_interval(totals, lambda sums: quotient(sums[:, 0], sums[:, 1]), 10)
    assert interval.undefined is not None
    assert interval.undefined.endswith("of 1000 resamples are undefined; more than 5 % allows no interval")


def test_totals_and_figures_do_not_depend_on_the_order() -> None:
    values = [(f"s{i % 7}", float(i % 3 == 0)) for i in range(50)]
    assert share(values) == share(values[::-1])
    totals = Subjects.of(["b", "a", "b"]).totals(np.array([[1.0, 1.0], [2.0, 1.0], [4.0, 1.0]]))
    assert totals.tolist() == [[2.0, 1.0], [5.0, 2.0]]


def test_subjects_of_one_size_are_worth_as_many_and_of_different_sizes_fewer() -> None:
    assert effective_subjects(np.full(12, 7.0)) == pytest.approx(12)
    assert effective_subjects(np.array([60.0, 1.0, 1.0])) == pytest.approx(62**2 / 3602)
    # A subject without items counts for nothing.
    assert effective_subjects(np.array([3.0, 3.0, 0.0])) == pytest.approx(2)


@pytest.mark.parametrize("subjects", [8, 15, 30])
def test_intervals_of_uneven_subjects_cover_the_truth(subjects: int) -> None:
    """1 to 60 items a subject: with t(subjects - 1) 91 to 94 % of such intervals held the truth."""
    sets, truth, shared = int(os.environ.get("CLINICNUM_SIMULATIONS", "400")), 0.7, 0.1
    rng = np.random.default_rng(subjects)
    sizes = np.round(np.exp(rng.uniform(0, np.log(60), (sets, subjects))))
    own = rng.standard_normal((sets, subjects, 60)) * np.sqrt(1 - shared)
    drawn = own + rng.standard_normal((sets, subjects, 1)) * np.sqrt(shared) < ndtri(truth)
    right = (drawn & (np.arange(60) < sizes[..., None])).sum(axis=-1).astype(float)
    spread = share_spread(right, sizes)
    known = ~np.isnan(spread.low)
    held = ((spread.low <= truth) & (truth <= spread.high))[known].mean()
    print(f"{subjects} subjects of 1 to 60 items: {100 * held:.1f} % of {known.sum()}")
    assert abs(held - 0.955) <= 0.02 + 4 * np.sqrt(0.05 * 0.95 / sets)
