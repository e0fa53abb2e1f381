"""Sensitivity where only some of each verdict were verified: derived figures and corners."""

from math import inf

import numpy as np
import pytest

from clinicnum.stats.clustered_intervals import Subjects
from clinicnum.stats.partial_verification import (
    Limits,
    binomial_limits,
    found_share,
    lowest_sensitivity,
    ratio_limits,
    share_limits,
    share_of_both,
)


def each(n: int) -> Subjects:
    """n items of n subjects."""
    return Subjects.of(f"s{place:04}" for place in range(n))


def counted(hits: int, n: int) -> Limits:
    return share_limits(each(n), np.repeat([1.0, 0.0], (hits, n - hits)), np.ones(n))


def test_the_end_of_a_ratio_is_where_a_difference_could_be_nothing() -> None:
    # MOVER-R is derived from one - ratio * other: at its low end the lower limit of that difference is 0.
    one, other = Limits(0.3, 0.22, 0.41), Limits(0.12, 0.05, 0.2)
    low, high = ratio_limits(one, other)
    below = np.hypot(one.value - one.low, low * (other.high - other.value))
    above = np.hypot(one.high - one.value, high * (other.value - other.low))
    assert one.value - low * other.value == pytest.approx(below)
    assert high * other.value - one.value == pytest.approx(above)


def test_a_test_is_corrected_for_what_was_not_verified() -> None:
    # Altman and Bland's 344 liver scans (BMJ 1994;308:1552), as halves of 526 abnormal and tenths of 810
    # normal: of the 732 ill 462 had an abnormal scan, of the 604 others 540 a normal one.
    positive, negative, q = counted(231, 263), counted(54, 81), 526 / 1336
    sensitivity = found_share(positive, negative.rest, q)
    specificity = found_share(negative, positive.rest, 1 - q)
    assert sensitivity is not None
    assert specificity is not None
    assert (sensitivity.value, specificity.value) == pytest.approx((462 / 732, 540 / 604))
    assert sensitivity.low < 462 / 732 < sensitivity.high


def test_eighteen_of_nine_hundred_without_a_miss_leave_sensitivity_as_low_as_37_percent() -> None:
    found = found_share(counted(100, 100), counted(0, 18), 0.1)
    assert found is not None
    assert (found.value, found.high) == (1.0, 1.0)
    assert found.low == pytest.approx(0.3747, abs=1e-4)
    assert lowest_sensitivity(100, 900, 18) == found.low


@pytest.mark.parametrize(
    ("share", "size", "expected"),
    [
        pytest.param(0.0, 18, (0.0, 1 - 0.025 ** (1 / 18)), id="none: the exact limit"),
        pytest.param(1.0, 100, (0.025**0.01, 1.0), id="all: the exact limit"),
        # Quantiles of beta(2.5, 8.5) and beta(5.5, 5.5).
        pytest.param(0.2, 10, (0.0441, 0.5028), id="two of ten"),
        pytest.param(0.5, 10, (0.2235, 0.7765), id="five of ten"),
    ],
)
def test_limits_of_one_share(share: float, size: float, expected: tuple[float, float]) -> None:
    assert binomial_limits(share, size) == pytest.approx(expected, abs=1e-4)


def test_items_of_one_subject_count_as_one_where_all_agree() -> None:
    whose = Subjects.of(f"s{n // 6}" for n in range(18))
    assert share_limits(whose, np.zeros(18), np.ones(18)).high == pytest.approx(1 - 0.025 ** (1 / 3))


def test_without_anything_to_find_there_is_no_share() -> None:
    assert found_share(counted(0, 20), counted(0, 20), 0.5) is None


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        pytest.param(Limits(0.5, 0.5, 0.5), Limits(0.25, 0.25, 0.25), (2.0, 2.0), id="both known"),
        pytest.param(Limits(1, 1, 1), Limits(0, 0, 0.2), (5.0, inf), id="none seen of the other"),
        pytest.param(
            Limits(0, 0, 0.2), Limits(0.5, 0.4, 0.6), (0.0, 0.2 / 0.6**0.5 / 0.4**0.5), id="none seen"
        ),
        pytest.param(
            Limits(0.5, 0.4, 0.6), Limits(0.2, 0.1, 0.4), (0.24 / 0.2, inf), id="a limit twice the value"
        ),
    ],
)
def test_corners_of_a_ratio(one: Limits, other: Limits, expected: tuple[float, float]) -> None:
    low, high = ratio_limits(one, other)
    assert low == pytest.approx(expected[0])
    assert high == pytest.approx(expected[1]) or (expected[1] == inf and high > 5)


def test_unseen_misses_may_be_of_any_class() -> None:
    half = Limits(0.5, 0.4, 0.6)
    sure = share_of_both(Limits(1.0, 1.0, 1.0), half, None)
    assert (sure.value, sure.low, sure.high) == pytest.approx((0.5, 0.4, 0.6))
    unsure = share_of_both(Limits(1.0, 0.37, 1.0), half, None)
    assert unsure.value == 0.5
    assert unsure.low == pytest.approx(0.5 - np.hypot(0.1, 0.5 * 0.63))
    assert unsure.high == pytest.approx(0.5 + np.hypot(0.1, 0.5 * 0.63))
