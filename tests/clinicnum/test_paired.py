"""Paired tests and corrections against published examples, enumeration and independent libraries."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import false_discovery_control, permutation_test

from clinicnum.stats.paired_tests import (
    Comparison,
    benjamini_hochberg,
    compare,
    corrected,
    holm,
    mcnemar,
    sign_flips,
    untestable,
)
from clinicnum.stats.sign_flip_interval import DRAWN, flip_interval

ZEA_MAYS = (6.125, -8.375, 1, 2, 0.75, 2.875, 3.5, 5.125, 1.75, 3.625, 7, 3, 9.375, 7.5, -6)
"""Darwin's fifteen differences in height (inches) of crossed and selfed maize, with which Fisher explains the
test: data set ZeaMays of R's HistData."""
EIGHTHS = [int(8 * difference) for difference in ZEA_MAYS]


def test_fishers_example_counts_every_sign_pattern() -> None:
    assert np.mean(ZEA_MAYS) == pytest.approx(2.6167, abs=1e-4)
    signs = np.array(list(product((-1, 1), repeat=15)))
    as_far = int((np.abs(signs @ np.array(EIGHTHS)) >= abs(sum(EIGHTHS))).sum())
    assert sign_flips(EIGHTHS) == pytest.approx(as_far / 2**15, abs=1e-12)


def test_sign_flips_equal_scipys_exact_permutation_test() -> None:
    for differences in ([3, -1, 2, 2, 0, 1, -1, 4], [2, 4, -6, 8, 2], [1, 1, 1]):
        other = permutation_test(
            (np.array(differences), np.zeros(len(differences))),
            lambda x, y, axis: np.mean(x - y, axis=axis),
            permutation_type="samples",
            n_resamples=np.inf,
        )
        assert sign_flips(differences) == pytest.approx(other.pvalue)


def test_mcnemar_reproduces_armitage_and_berrys_example() -> None:
    # Two media for culturing tubercle bacilli, 12 and 2 discordant specimens: exact P (two sided) = 0.0129
    # (Armitage and Berry 1994, p. 127, as StatsDirect's help on matched pairs prints it).
    assert mcnemar(12, 2) == pytest.approx(0.0129, abs=5e-5)
    assert mcnemar(12, 2) == pytest.approx(sign_flips([1] * 12 + [-1] * 2 + [0] * 36))
    assert mcnemar(0, 0) == 1.0


def test_holm_and_benjamini_hochberg_reproduce_the_examples_of_stdlibs_padjust() -> None:
    assert holm([0.319, 0.201, 0.4, 0.374, 0.113]) == pytest.approx([0.957, 0.804, 0.957, 0.957, 0.565])
    expected = [0.04, 0.075, 0.205, 0.6, 0.25]
    assert benjamini_hochberg([0.008, 0.03, 0.123, 0.6, 0.2]) == pytest.approx(expected)
    assert (holm([]), benjamini_hochberg([])) == ([], [])


def test_benjamini_and_hochberg_equal_scipys_to_the_last_digit_ties_included() -> None:
    rng = np.random.default_rng(3)
    for size in (1, 2, 7, 40):
        p_values = np.round(rng.random(size), 2)
        assert benjamini_hochberg(p_values.tolist()) == false_discovery_control(p_values).tolist()


def test_one_item_a_subject_is_mcnemar_and_several_are_sign_flips() -> None:
    single = compare("a", "b", [(f"s{i}", i < 12, 12 <= i < 14) for i in range(50)])
    assert (single.test, single.p) == ("McNemar, exact", pytest.approx(0.0129, abs=5e-5))
    assert (single.only_first, single.only_second, single.difference) == (12, 2, 0.2)
    twice = compare("a", "b", [(f"s{i // 2}", i < 12, 12 <= i < 14) for i in range(50)])
    # Six subjects differ by 2, one by -2: of 2^7 patterns 1 + 7 have six signs alike or more; twice that.
    assert (twice.test, twice.p) == ("sign flips by subject, exact", 2 * 8 / 2**7)
    assert twice.least_p == 2 ** (1 - 7)


def test_subjects_that_differ_alike_do_not_count_as_many_items() -> None:
    alike = [(f"s{i // 10}", i % 10 < 8 and i < 30, False) for i in range(60)]
    assert compare("a", "b", alike).p == 0.25  # three subjects differ: 2 of 2^3 patterns
    assert mcnemar(24, 0) < 1e-6


def test_no_difference_has_p_1_and_no_items_a_reason() -> None:
    same = compare("a", "b", [(f"s{i}", True, True) for i in range(20)])
    assert (same.difference, same.p, same.least_p) == (0.0, 1.0, 1.0)
    none = compare("a", "b", [])
    assert (none.difference, none.p) == (None, None)
    assert none.undefined == "no item was answered under both a and b"


def strong(first: str, second: str, *, on: str = "all", better: int = 12, items: int = 20) -> Comparison:
    """`better` of the subjects are right under the first condition only."""
    return compare(first, second, [(f"s{i}", True, i >= better) for i in range(items)], on=on)


def weak(first: str, second: str, *, on: str = "all") -> Comparison:
    """Six subjects differ, three each way: it could win, and does not."""
    return compare(
        first,
        second,
        [(f"s{i}", i % 2 == 0, i % 2 == 1) if i < 6 else (f"s{i}", True, True) for i in range(20)],
        on=on,
    )


def test_the_comparison_over_all_keeps_the_gate_of_its_pair() -> None:
    rows = [
        strong("a", "b", on="retrieval", better=10),
        strong("a", "b", on="arithmetic", better=8),
        strong("a", "b"),
        strong("a", "c", on="retrieval", better=10),
        weak("a", "c"),
    ]
    found = corrected(rows)
    p = [one.p or 0.0 for one in rows]
    # Two pairs: the gates are doubled; within a pair Holm, doubled; never below the gate.
    assert found[2].p_corrected == pytest.approx(2 * p[2])
    assert found[0].p_corrected == pytest.approx(2 * 2 * p[0])
    assert found[1].p_corrected == pytest.approx(2 * max(2 * p[0], p[1]))
    assert found[4].p_corrected == 1.0
    assert found[3].p_corrected == 1.0  # its gatekeeper is no finding, so neither is it
    assert all(one.p_bh is not None for one in found)


def test_a_comparison_that_could_never_win_takes_no_part() -> None:
    same = compare("b", "c", [(f"s{i}", True, True) for i in range(9)])
    rows = [
        strong("a", "b"),
        strong("a", "c", better=3),
        compare("a", "d", []),
        same,
    ]
    found = corrected(rows)
    assert found[0].p_corrected == rows[0].p  # one pair that could win
    assert [one.p_corrected for one in found[1:]] == [None, None, None]
    assert [one.p_bh for one in found[1:]] == [None, None, None]
    assert untestable(found[1]) == ("so few subjects differ that p cannot be under 0.25: no test")
    assert untestable(found[0]) is None
    assert untestable(found[2]) is None


def test_rows_without_a_gatekeeper_stand_for_themselves() -> None:
    rows = [strong("a", "b", on="retrieval"), strong("a", "c", on="retrieval", better=9)]
    assert [one.p_corrected for one in corrected(rows)] == pytest.approx([2 * (one.p or 0.0) for one in rows])


@given(
    st.lists(st.tuples(st.integers(-3, 3), st.integers(3, 6)), min_size=6, max_size=11),
)
def test_the_interval_excludes_0_exactly_where_the_test_rejects(subjects: list[tuple[int, int]]) -> None:
    differences, items = (np.array(column, dtype=float) for column in zip(*subjects, strict=True))
    found, p = flip_interval(differences, items), sign_flips([int(one) for one in differences])
    if found.undefined is not None:
        assert p > 0.05 or len({*(differences / items)}) == 1
        return
    assert found.low is not None
    assert found.high is not None
    middle = differences.sum() / items.sum()
    assert found.low <= middle <= found.high
    outside = found.low > 1e-6 or found.high < -1e-6
    assert outside == (p <= 0.05 + 1e-12) or abs(found.low) < 1e-6 or abs(found.high) < 1e-6


def test_the_interval_of_one_item_a_subject_by_hand() -> None:
    # Six subjects, each right on one of two under the first only: every other shift has all differences on
    # one side, p = 2 / 64, so that only 0.5 itself would be kept.
    found = flip_interval(np.ones(6), np.full(6, 2.0))
    assert found.undefined == "all subjects differ by as much: the interval has no width"
    # With 69 subjects that do not differ, one that does would keep nothing above 0: no interval.
    rare = flip_interval(np.array([-1.0] + [0.0] * 69), np.ones(70))
    assert rare.undefined == "1 subject differs, of 70: too few for an interval by sign flips"
    assert rare.low is None
    assert (
        flip_interval(np.ones(5), np.full(5, 4.0)).undefined
        == "5 subjects: no sign pattern is as rare as 0.05"
    )
    assert flip_interval(np.zeros(0), np.zeros(0)).undefined is not None


@pytest.mark.parametrize(
    ("differences", "low", "high"),
    [
        # The last shifts whose p is over 0.05 when all 2^18 patterns are enumerated.
        ([-1] * 15 + [0] * 3, -1.0, -0.625),
        ([-1] * 7 + [0] * 11, -7 / 11, -1 / 7),
    ],
)
def test_every_pattern_of_subjects_of_few_kinds_is_counted(
    differences: list[int], low: float, high: float
) -> None:
    found = flip_interval(np.array(differences), np.ones(len(differences)))
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-6)
    assert found.method != DRAWN


def test_an_interval_from_drawn_patterns_names_them() -> None:
    rng = np.random.default_rng(1)
    items = [(f"s{i % 60}", bool(rng.integers(2)), bool(rng.integers(2))) for i in range(600)]
    found = compare("a", "b", items)
    assert found.interval.method == DRAWN


@pytest.mark.parametrize("subjects", [12, 40])
def test_the_interval_covers_the_difference(subjects: int) -> None:
    """Subjects with 1 to 20 items and differences of their own."""
    rng, held, sets = np.random.default_rng(subjects), 0, 300
    for _ in range(sets):
        items = rng.integers(1, 21, subjects)
        own = np.clip(0.1 + 0.15 * rng.standard_normal(subjects), -0.9, 0.9)
        first, second = rng.binomial(items, 0.5 + own / 2), rng.binomial(items, 0.5 - own / 2)
        found = flip_interval((first - second).astype(float), items.astype(float))
        assert found.low is not None
        assert found.high is not None
        held += found.low <= 0.1 <= found.high
    print(f"{subjects} subjects: {100 * held / sets:.1f} %")
    assert 0.94 - 4 * np.sqrt(0.05 * 0.95 / sets) <= held / sets


def test_large_totals_stay_exact_in_the_tail() -> None:
    assert sign_flips([5] * 60) == pytest.approx(2.0**-59)
    assert sign_flips([]) == 1.0
