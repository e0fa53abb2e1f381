"""Paired tests and corrections against published examples, enumeration and independent libraries."""

from itertools import product

import numpy as np
import pytest
from scipy.stats import false_discovery_control, permutation_test

from clinicnum.paired import benjamini_hochberg, compare, corrected, holm, mcnemar, sign_flips

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


def test_correction_counts_the_comparisons_that_have_a_p_value() -> None:
    strong = compare("a", "b", [(f"s{i}", True, i >= 8) for i in range(20)])
    found = corrected(
        [compare("a", "c", []), strong, compare("b", "c", [(f"s{i}", True, True) for i in range(9)])]
    )
    assert (found[0].p_holm, found[0].p_bh) == (None, None)
    assert strong.p is not None
    assert found[1].p_holm == pytest.approx(2 * strong.p)
    assert found[2].p_holm == 1.0


def test_large_totals_stay_exact_in_the_tail() -> None:
    assert sign_flips([5] * 60) == pytest.approx(2.0**-59)
    assert sign_flips([]) == 1.0
