"""On simulated models with known rates and calibration, intervals cover the truth as often as they say.

`scripts/dev/evidence simulations` runs 2,000 data sets at each size and holds coverage to 93 to 97 %; the
suite runs 200 and allows for their chance (four standard errors around 95 %).
"""

import os
from math import sqrt

import numpy as np
import pytest
from scipy.special import expit

from clinicnum.calibration import calibration_error
from clinicnum.calibration.slope_and_intercept import intercept, slope
from clinicnum.stats.clustered_intervals import bootstrap_interval, quotient, share_spread
from clinicnum.stats.paired_tests import sign_flips
from tests.clinicnum import simulated_models as simulated

DATA_SETS = int(os.environ.get("CLINICNUM_SIMULATIONS", "200"))
FULL = 2_000
SUBJECTS = (30, 100, 400)
AT_ONCE = 200
LEAST, MOST = 0.93, 0.97


def _hold(what: str, subjects: int, covered: list[np.ndarray]) -> None:
    """Print the coverage and hold it to its bounds; an undefined interval covers nothing."""
    coverage = float(np.concatenate(covered).mean())
    chance = 0.0 if DATA_SETS >= FULL else 4 * sqrt(0.05 * 0.95 / DATA_SETS) - (0.95 - LEAST)
    print(f"{what:34} {subjects:4} subjects: {100 * coverage:.1f} %")
    assert LEAST - chance <= coverage <= MOST + chance


def _chunks(subjects: int, seed: int) -> list[tuple[tuple[int, int], np.random.Generator]]:
    rng = np.random.default_rng([seed, subjects])
    return [((min(AT_ONCE, DATA_SETS - at), subjects), rng) for at in range(0, DATA_SETS, AT_ONCE)]


@pytest.mark.parametrize("subjects", SUBJECTS)
@pytest.mark.parametrize("rate", simulated.RATES)
def test_rates_are_covered(rate: str, subjects: int) -> None:
    truth, _ = simulated.RATES[rate]
    covered = []
    for shape, rng in _chunks(subjects, 1):
        spread = share_spread(*simulated.rate_totals(rate, shape, rng))
        covered.append((spread.low <= truth) & (truth <= spread.high))
    _hold(rate, subjects, covered)


@pytest.mark.parametrize("subjects", SUBJECTS)
@pytest.mark.parametrize("model", simulated.CALIBRATIONS)
def test_calibration_is_covered(model: str, subjects: int) -> None:
    truth = simulated.truth_of(model)
    brier, slopes, intercepts = [], [], []
    for shape, rng in _chunks(subjects, 2):
        x, right, weight = simulated.confidences(model, shape, rng)
        off = (weight * (right - expit(x)) ** 2).sum(axis=-1)
        spread = share_spread(off, weight.sum(axis=-1))
        brier.append((spread.low <= truth.brier) & (truth.brier <= spread.high))
        for found, fit, true in (
            (slopes, slope(x, right, weight), truth.slope),
            (intercepts, intercept(x, right, weight), truth.intercept),
        ):
            found.append((fit.low <= true) & (true <= fit.high))
    _hold(f"Brier, {model}", subjects, brier)
    _hold(f"slope, {model}", subjects, slopes)
    _hold(f"intercept, {model}", subjects, intercepts)


@pytest.mark.parametrize("subjects", SUBJECTS)
@pytest.mark.parametrize("model", simulated.CALIBRATIONS)
def test_debiased_calibration_error_beside_its_null(model: str, subjects: int) -> None:
    rng = np.random.default_rng([3, subjects])
    n = DATA_SETS // 10
    x, right, weight = simulated.confidences(model, (n, subjects), rng)
    names = np.broadcast_to(np.arange(subjects)[:, None].astype(str), x.shape[1:])
    errors = []
    for one in range(n):
        there = weight[one] > 0
        errors.append(calibration_error(expit(x[one][there]), right[one][there] > 0, names[there].tolist()))
    squares = np.array([error.debiased_square for error in errors])
    truth, chance = simulated.truth_of(model).square, squares.std() / sqrt(n)
    plain, null = (np.mean([getattr(e, name) for e in errors]) for name in ("plain", "plain_null_mean"))
    above = np.mean([error.p <= 0.05 for error in errors])
    print(
        f"ECE, {model:16} {subjects:4} subjects: true {truth**0.5:.4f}, debiased "
        f"{max(0.0, squares.mean()) ** 0.5:.4f}, plain {plain:.4f} (null {null:.4f}), "
        f"told from calibrated in {100 * above:.0f} %"
    )
    # Bins cut at the sample's quantiles are not quite those of the truth: a twentieth of it is allowed.
    assert abs(squares.mean() - truth) <= 4 * chance + truth / 20
    if model == "calibrated":
        assert abs(plain - null) < 0.15 * null
        assert above <= 0.05 + 4 * sqrt(0.05 * 0.95 / n)


@pytest.mark.parametrize("subjects", SUBJECTS)
def test_without_a_difference_paired_tests_find_one_in_a_twentieth(subjects: int) -> None:
    rng = np.random.default_rng([4, subjects])
    n = DATA_SETS // 2
    first, _ = simulated.rate_totals("robust accuracy 0.50", (n, subjects), rng)
    signs = rng.choice(np.array([-1, 1]), first.shape)
    found = np.mean(
        [sign_flips((a * s).astype(int).tolist()) <= 0.05 for a, s in zip(first, signs, strict=True)]
    )
    print(f"sign flips, no difference: {subjects:4} subjects: {100 * found:.1f} % at p <= 0.05")
    assert found <= 0.05 + 4 * sqrt(0.05 * 0.95 / n)


@pytest.mark.parametrize("subjects", SUBJECTS)
def test_the_bootstrap_beside_it_is_close_with_many_subjects(subjects: int) -> None:
    rng = np.random.default_rng([5, subjects])
    n, truth = DATA_SETS // 4, simulated.RATES["flip 0.10"][0]
    parts, wholes = simulated.rate_totals("flip 0.10", (n, subjects), rng)
    covered = []
    for part, whole in zip(parts, wholes, strict=True):
        totals = np.column_stack([part, whole])
        interval = bootstrap_interval(totals, lambda t: quotient(t[:, 0], t[:, 1]), 10, resamples=400)
        covered.append(interval.low is not None and interval.low <= truth <= (interval.high or 0.0))
    print(f"bootstrap, flip 0.10: {subjects:4} subjects: {100 * np.mean(covered):.1f} %")
    assert np.mean(covered) >= (0.80 if subjects == 30 else 0.88)
