"""Calibration slope and intercept: logistic regression of right and wrong on the logit of the confidence.

Slope: b of logit P(right) = a + b logit(confidence); 1 is perfect, under 1 is overconfident at both ends.
Intercept: a of logit P(right) = a + logit(confidence), the slope held at 1; 0 is perfect, under 0 is
overconfident on the whole. These two are the weak calibration of Van Calster et al. (2016, "A calibration
hierarchy for risk models was defined: from utopia to empirical data").

Standard errors: linearised delete-one-subject jackknife, one Newton step from the whole fit without each
subject (MacKinnon, Nielsen and Webb 2024, "Cluster-robust jackknife and bootstrap inference for logistic
regression models"), with t(effective subjects - 1).

Degenerate: all right, all wrong, a single confidence, or a confidence that separates right from wrong has no
finite fit. Confidences beyond 1e-6 of 0 and 1 are taken as 1e-6 away: a float cannot tell them apart.

Arrays are [..., subjects, items]: any number of data sets, each subject's items padded to one length.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from clinicnum.stats.clustered_intervals import (
    Floats,
    effective_subjects,
    jackknife_error,
    quotient,
    t_quantile,
)

NEAREST = 1e-6
"""Confidences are kept this far from 0 and 1."""
METHOD = "linearised delete-one-subject jackknife, t(effective subjects - 1)"
_STEPS = 50
_LONGEST = 2.0
"""A Newton step is shortened to this, so that the first ones do not overshoot."""
_DONE = 1e-9
_NEARLY = 1e-6
"""Longest last step of a converged fit."""


@dataclass(frozen=True)
class Fit:
    """A coefficient fitted to each data set [...]; nan where there is no finite estimate."""

    value: Floats
    se: Floats
    low: Floats
    high: Floats


def logit_of(confidence: Floats) -> Floats:
    """Log odds of confidences, clipped away from 0 and 1."""
    held = np.clip(confidence, NEAREST, 1 - NEAREST)
    return np.log(held / (1 - held))


def separated(x: Floats, right: Floats, weight: Floats) -> NDArray[np.bool_]:
    """Which data sets [...] have no finite slope: a single outcome, or x separates right from wrong."""
    is_right, is_wrong = (weight > 0) & (right > 0), (weight > 0) & (right == 0)
    over = (-2, -1)
    right_from = np.where(is_right, x, np.inf).min(axis=over)
    right_to = np.where(is_right, x, -np.inf).max(axis=over)
    wrong_from = np.where(is_wrong, x, np.inf).min(axis=over)
    wrong_to = np.where(is_wrong, x, -np.inf).max(axis=over)
    return np.asarray((right_from >= wrong_to) | (wrong_from >= right_to))


def one_sided(right: Floats, weight: Floats) -> NDArray[np.bool_]:
    """Which data sets [...] are all right or all wrong."""
    rights, all_of = (weight * right).sum(axis=(-2, -1)), weight.sum(axis=(-2, -1))
    return np.asarray((rights == 0) | (rights == all_of))


def slope(x: Floats, right: Floats, weight: Floats, *, level: float = 0.95) -> Fit:
    """The slope of each data set; arguments [..., subjects, items], right 0 or 1, weight 0 for padding."""
    undefined = separated(x, right, weight)
    a, b = _newton(x, right, weight, undefined)
    s0, s1, h00, h01, h11 = _totals(a[..., None, None] + b[..., None, None] * x, x, right, weight)
    k00, k01, k11 = (h.sum(axis=-1, keepdims=True) - h for h in (h00, h01, h11))
    # Without a subject the scores of the others sum to minus its own, as all of them sum to 0.
    without = b[..., None] - quotient(k00 * s1 - k01 * s0, k00 * k11 - k01**2)
    return _fit(b, without, weight, undefined, level)


def intercept(x: Floats, right: Floats, weight: Floats, *, level: float = 0.95) -> Fit:
    """The intercept of each data set with the slope held at 1; arguments as for `slope`."""
    undefined = one_sided(right, weight)
    a, step = np.zeros(x.shape[:-2]), np.zeros(x.shape[:-2])
    for _ in range(_STEPS):
        s0, _, h00, _, _ = (part.sum(axis=-1) for part in _totals(a[..., None, None] + x, x, right, weight))
        step = np.where(undefined, 0.0, np.clip(quotient(s0, h00), -_LONGEST, _LONGEST))
        a = a + step
        if np.abs(step).max(initial=0.0) < _DONE:
            break
    a = np.where(np.abs(step) < _NEARLY, a, np.nan)
    s0, _, h00, _, _ = _totals(a[..., None, None] + x, x, right, weight)
    without = a[..., None] - quotient(s0, h00.sum(axis=-1, keepdims=True) - h00)
    return _fit(a, without, weight, undefined, level)


def _fit(value: Floats, without: Floats, weight: Floats, undefined: NDArray[np.bool_], level: float) -> Fit:
    counted = weight.sum(axis=-1) > 0
    se = jackknife_error(without, counted)
    half = t_quantile(effective_subjects(weight.sum(axis=-1)), level) * se
    value, se = np.where(undefined, np.nan, value), np.where(undefined, np.nan, se)
    return Fit(value, se, value - half, value + half)


def _newton(x: Floats, right: Floats, weight: Floats, undefined: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """Maximum likelihood estimates a and b [...] by Newton's method, starting at b = 0."""
    over = (-2, -1)
    share = quotient((weight * right).sum(axis=over), weight.sum(axis=over))
    a = np.where(undefined, 0.0, logit_of(np.where(undefined, 0.5, share)))
    b, longest = np.zeros_like(a), np.zeros_like(a)
    for _ in range(_STEPS):
        eta = a[..., None, None] + b[..., None, None] * x
        s0, s1, h00, h01, h11 = (part.sum(axis=-1) for part in _totals(eta, x, right, weight))
        below = h00 * h11 - h01**2
        up, along = quotient(h11 * s0 - h01 * s1, below), quotient(h00 * s1 - h01 * s0, below)
        longest = np.where(undefined, 0.0, np.maximum(np.abs(up), np.abs(along)))
        short = np.minimum(1.0, _LONGEST / np.maximum(longest, _DONE))
        a, b = a + np.where(undefined, 0.0, up * short), b + np.where(undefined, 0.0, along * short)
        if longest.max(initial=0.0) < _DONE:
            break
    there = longest < _NEARLY
    return np.where(there, a, np.nan), np.where(there, b, np.nan)


def _totals(eta: Floats, x: Floats, right: Floats, weight: Floats) -> tuple[Floats, ...]:
    """Score (of a and b) and information (aa, ab, bb) by subject: five arrays [..., subjects]."""
    chance = 1 / (1 + np.exp(-eta))
    off, spread = weight * (right - chance), weight * chance * (1 - chance)
    x_spread = spread * x
    return (
        off.sum(axis=-1),
        (off * x).sum(axis=-1),
        spread.sum(axis=-1),
        x_spread.sum(axis=-1),
        (x_spread * x).sum(axis=-1),
    )
