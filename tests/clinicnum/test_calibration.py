"""Calibration against independent libraries, by hand, and where it is undefined."""

import os
from math import inf, log
from typing import Any

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import expit, logit, ndtri
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss

from clinicnum.calibration import CalibrationRow, calibration_error, calibration_row, calibration_table
from clinicnum.calibration.calibration_by_operation import Items
from clinicnum.calibration.ece import bins_of, errors_of
from clinicnum.calibration.slope_and_intercept import intercept, slope
from clinicnum.stats.clustered_intervals import Subjects
from clinicnum.types import Score
from tests.clinicnum.answering import generation, instance
from tests.clinicnum.simulated_models import confidences

Item = tuple[str, float, bool]


def _items(a: float = -0.5, b: float = 0.6, subjects: int = 60, seed: int = 0) -> list[Item]:
    rng = np.random.default_rng(seed)
    x = rng.normal(1, 1.5, (subjects, 5))
    right = rng.random(x.shape) < expit(a + b * x)
    return [
        (f"s{s:03}", float(expit(x[s, i])), bool(right[s, i]))
        for s in range(subjects)
        for i in range(1 + s % 5)
    ]


def _row(items: list[Item]) -> CalibrationRow:
    names, sure, right = _columns(items)
    return calibration_row("all", Items(Subjects.of(names.tolist()), sure, right), 0)


def _columns(items: list[Item]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    names, sure, right = zip(*items, strict=True) if items else ((), (), ())
    return np.array(names), np.array(sure, dtype=float), np.array(right, dtype=float)


def test_slope_intercept_and_brier_equal_scikit_learns_and_a_root() -> None:
    items = _items()
    row = _row(items)
    _, sure, right = _columns(items)
    fit = LogisticRegression(C=inf, tol=1e-10).fit(logit(sure)[:, None], right)
    assert row.slope.value == pytest.approx(float(fit.coef_[0, 0]), abs=1e-5)
    shift = brentq(lambda c: float((right - expit(c + logit(sure))).sum()), -5, 5)
    assert row.intercept.value == pytest.approx(shift, abs=1e-6)
    assert row.brier.value == pytest.approx(brier_score_loss(right, sure))


@pytest.mark.parametrize(("fitted", "off"), [(slope, 0.02), (intercept, 0.002)])
def test_the_linearised_jackknife_is_close_to_refitting_without_each_subject(fitted: Any, off: float) -> None:
    x, right, weight = confidences("overconfident", (1, 80), np.random.default_rng(0))
    whole = fitted(x, right, weight)
    left = weight * (1 - np.eye(80))[:, :, None]  # one data set a subject, without that subject
    refits = fitted(np.repeat(x, 80, axis=0), np.repeat(right, 80, axis=0), left).value
    se = np.sqrt(79 / 80 * ((refits - refits.mean()) ** 2).sum())
    assert float(whole.se[0]) == pytest.approx(se, rel=off)


def test_undefined_with_a_reason() -> None:
    mixed = [(f"s{i}", 0.5 + 0.04 * i, i % 2 == 0) for i in range(10)]
    right = _row([(name, sure, True) for name, sure, _ in mixed])
    assert right.slope.undefined == right.intercept.undefined == "all 10 answers are right: no finite fit"
    parted = _row([(name, sure, sure > 0.7) for name, sure, _ in mixed])
    assert parted.slope.undefined == "confidence separates right from wrong: the slope is infinite"
    assert parted.intercept.value is not None
    equal = _row([(name, 0.7, was) for name, _, was in mixed])
    assert equal.slope.undefined == "all confidences are equal: nothing to regress on"
    assert equal.intercept.value == pytest.approx(log(0.5 / 0.5) - logit(0.7))
    none = _row([])
    assert none.slope.undefined == none.brier.undefined == "no generation has a confidence"
    assert none.error.undefined == "0 bins of 0 items; needed are 2, each with 2 subjects"


def test_few_subjects_have_a_value_and_no_interval() -> None:
    row = _row([(f"s{i % 4}", 0.3 + 0.02 * i, i % 3 == 0) for i in range(30)])
    assert row.slope.value is not None
    assert row.slope.interval.undefined == "4 subjects; an interval needs at least 5"


def test_certain_confidences_are_kept_off_0_and_1() -> None:
    items = [*_items(), ("s000", 1.0, True), ("s001", 1.0, False), ("s002", 0.0, False)]
    row = _row(items)
    assert row.slope.value is not None
    assert np.isfinite(row.slope.value)


@pytest.mark.parametrize("seed", range(6))
def test_confidences_that_crowd_near_1_have_the_slope_of_scikit_learn(seed: int) -> None:
    rng = np.random.default_rng(seed)
    sure = np.where(rng.random(60) < 0.8, 1.0, 1 - 10 ** rng.uniform(-9, -0.5, 60))
    right = rng.random(60) < 0.7
    row = _row([(f"s{i % 12}", float(c), bool(r)) for i, (c, r) in enumerate(zip(sure, right, strict=True))])
    held = logit(np.clip(sure, 1e-6, 1 - 1e-6))
    fit = LogisticRegression(C=inf, tol=1e-12, solver="newton-cholesky").fit(held[:, None], right)
    assert row.slope.value == pytest.approx(float(fit.coef_[0, 0]), abs=1e-6)


def test_bins_are_of_about_equal_size_and_keep_equal_confidences_together() -> None:
    assert np.bincount(bins_of(np.linspace(0, 1, 200))).tolist() == [20] * 10
    assert np.bincount(bins_of(np.linspace(0, 1, 35))).tolist() in ([11, 12, 12], [12, 11, 12])
    tied = bins_of(np.array([0.2] * 50 + [0.9] * 30 + [0.95] * 20))
    assert np.bincount(tied).tolist() == [50, 30, 20]
    assert bins_of(np.full(40, 0.7)).max() == 0


def test_errors_by_hand() -> None:
    # Two bins, three subjects with errors (right less confidence) summed by bin. Bin 1: 0.5, 0.1, -0.3 of one
    # item each; the square is the mean product over pairs of subjects, (0.05 - 0.15 - 0.03) / 3. Bin 2:
    # subject 1 has two items with errors that sum to 0.4, subject 2 one with 0.2: 0.08 over 2 pairs of items.
    errors = np.array([[0.5, 0.4], [0.1, 0.2], [-0.3, 0.0]])
    counts = np.array([[1.0, 2.0], [1.0, 1.0], [1.0, 0.0]])
    plain, square = errors_of(errors.sum(axis=0)[None], errors, counts)
    assert float(plain[0]) == pytest.approx(0.5 * 0.3 / 3 + 0.5 * 0.6 / 3)
    assert float(square[0]) == pytest.approx(0.5 * -0.13 / 3 + 0.5 * 0.04)


def test_a_calibrated_model_has_a_plain_error_and_hardly_a_debiased_one() -> None:
    names, sure, right = _columns(_items(0, 1, subjects=300, seed=4))
    good = calibration_error(sure.tolist(), (right > 0).tolist(), names.tolist())
    assert good.plain is not None
    assert good.debiased is not None
    assert good.plain > 0.02
    assert good.debiased < good.plain
    assert good.p is not None
    assert good.p > 0.05
    bad = calibration_error((sure**0.3).tolist(), (right > 0).tolist(), names.tolist())
    assert bad.p == 0.001
    assert sum(one.n for one in bad.bins) == len(sure)
    assert bad.bins[0].mean_confidence - bad.bins[0].accuracy > 0.2


def test_the_table_leaves_out_variants_and_flagged_and_counts_those_without() -> None:
    cases = [
        (instance(0), 0.9, True),
        (instance(1), None, False),
        (instance(2, operation="arithmetic"), 0.4, False),
        (instance(3, flags=("count_zero",)), 0.5, True),
        (instance(4, variant="input.typo"), 0.5, True),
    ]
    answered = []
    for of, sure, right in cases:
        made = generation("x", of=of).model_copy(update={"answer_confidence": sure})
        status = "correct" if right else "incorrect"
        score = Score(
            generation_id=made.generation_id,
            parsed="1",
            form="json",
            status=status,
            strict=right,
            lenient=right,
            reason="",
        )
        answered.append((of, made, score))
    rows = {row.operation: row for row in calibration_table(answered)}
    assert list(rows) == ["retrieval", "arithmetic", "all"]
    assert (rows["retrieval"].n, rows["retrieval"].n_without) == (1, 1)
    assert (rows["all"].n, rows["all"].n_without) == (2, 1)
    assert rows["all"].brier.value == pytest.approx((0.1**2 + 0.4**2) / 2)
    assert calibration_table(answered) == calibration_table(answered[::-1])


@pytest.mark.parametrize(
    ("subjects", "items", "sure", "shared"),
    [(60, 5, (9, 1), 0.0), (60, 5, (30, 1), 0.0), (60, 5, (9, 1), 0.3), (60, 5, (2, 2), 0.0)],
)
def test_calibrated_models_are_rejected_about_as_often_as_the_level_says(
    subjects: int, items: int, sure: tuple[int, int], shared: float
) -> None:
    """Flipping signs rejected 18 to 23 % of calibrated models that are confident."""
    sets = int(os.environ.get("CLINICNUM_SIMULATIONS", "60"))
    rng = np.random.default_rng(3)
    whose = np.repeat(np.arange(subjects), items)
    rejected = 0
    for _ in range(sets):
        stated = rng.beta(*sure, subjects * items)
        own = np.sqrt(1 - shared) * rng.standard_normal(len(stated))
        drawn = np.sqrt(shared) * rng.standard_normal(subjects)[whose] + own
        was = (drawn < ndtri(stated)).astype(float)
        p = calibration_error(stated, was, [f"s{one:02}" for one in whose]).p
        rejected += p is not None and p < 0.05
    print(f"{subjects} x {items}, beta{sure}, shared {shared}: rejected {100 * rejected / sets:.1f} %")
    assert rejected / sets <= 0.08 + 4 * np.sqrt(0.05 * 0.95 / sets)


def test_an_overconfident_model_is_rejected() -> None:
    rng = np.random.default_rng(4)
    stated = rng.beta(9, 1, 400)
    was = (rng.random(400) < stated - 0.15).astype(float)
    p = calibration_error(stated, was, [f"s{place // 4:03}" for place in range(400)]).p
    assert p is not None
    assert p < 0.01
