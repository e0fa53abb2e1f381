"""The jackknife interval and the rules for having none."""

from math import sqrt

import pytest

from clinicnum.stats.jackknife import cluster_jackknife_interval

MANY = [i / 20 for i in range(18)]


def test_interval_of_a_mean_is_the_t_interval() -> None:
    # Five subjects with one item each, values 1 to 5. The jackknife of a mean is the textbook t interval:
    # mean 3, sd sqrt(10/4), se = sd/sqrt(5) = 0.7071..., t(4; 0.975) = 2.7764 (two-sided 95 %).
    values = [1.0, 2.0, 3.0, 4.0, 5.0]
    replicates = [(sum(values) - value) / 4 for value in values]
    interval = cluster_jackknife_interval(replicates, 3.0, n_items=10)
    half = 2.776445 * sqrt(2.5) / sqrt(5)
    assert interval.low == pytest.approx(3 - half, abs=1e-5)
    assert interval.high == pytest.approx(3 + half, abs=1e-5)
    assert interval.warning == "only 5 subjects: read the interval with care"


@pytest.mark.parametrize(
    ("replicates", "items", "reason"),
    [
        ([0.1, 0.2, 0.3, 0.4], 40, "4 subjects; an interval needs at least 5"),
        ([0.1, 0.2, 0.3, 0.4, 0.5], 9, "9 items; an interval needs at least 10"),
        ([None, *MANY], 40, "1 of 19 replicates are undefined; more than 5 % allows no interval"),
        (
            [0.5] * 12,
            40,
            "the value is the same whichever one is left out: the jackknife has no width",
        ),
        ([], 0, "0 subjects; an interval needs at least 5"),
    ],
    ids=["too few subjects", "too few items", "too many undefined replicates", "no variation", "nothing"],
)
def test_no_interval_but_a_reason(replicates: list[float | None], items: int, reason: str) -> None:
    interval = cluster_jackknife_interval(replicates, 0.5, n_items=items)
    assert (interval.low, interval.high, interval.undefined) == (None, None, reason)


def test_one_undefined_replicate_in_twenty_is_left_out() -> None:
    interval = cluster_jackknife_interval([None, *[i / 20 for i in range(19)]], 0.5, n_items=40)
    assert interval.undefined is None
    assert interval.warning is None


def test_bounds_clip() -> None:
    interval = cluster_jackknife_interval([0.0, 1.0, 0.0, 1.0, 0.5], 0.5, n_items=10, bounds=(0, 1))
    assert (interval.low, interval.high) == (0, 1)
