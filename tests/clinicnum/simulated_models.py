"""Models whose true rates and calibration are known, because they are drawn.

A subject has 1 to 6 items. Outcomes of a subject hang together through a Gaussian copula: an item's latent
normal is sqrt(RHO) times its subject's plus sqrt(1 - RHO) times its own, and the item counts if its normal
quantile is below its probability. So every item has exactly the probability it should have, whatever its
subject, and items of a subject are correlated. Arrays are [data sets, subjects, items].
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit, ndtr, ndtri

MOST_ITEMS = 6
RHO = 0.3
BASE_RIGHT = 0.65
RATES = {
    "flip 0.10": (0.10, BASE_RIGHT),
    "flip 0.30": (0.30, BASE_RIGHT),
    "reverse flip 0.20": (0.20, 1 - BASE_RIGHT),
    "following 0.80": (0.80, BASE_RIGHT),
    "consistency 0.70": (0.70, 1.0),
    "robust accuracy 0.50": (0.50, 1.0),
    "abstention 0.60": (0.60, 1.0),
    "false abstention 0.08": (0.08, 1.0),
}
"""Name -> true rate, and the probability that an item meets the rate's condition."""
CALIBRATIONS = {"calibrated": (0.0, 1.0), "overconfident": (-0.5, 0.6), "underconfident": (0.3, 1.4)}
"""Name -> a and b of logit P(right) = a + b logit(confidence)."""
LOGIT_MEAN, LOGIT_SD = 1.0, 1.5
"""Of the logit of the confidence, which is normal, within and between subjects."""


@dataclass(frozen=True)
class Truth:
    """What a simulated model's calibration is."""

    brier: float
    slope: float
    intercept: float
    """With the slope held at 1."""
    square: float
    """Mean square of the error in ten bins of equal probability."""


def rate_totals(name: str, shape: tuple[int, int], rng: np.random.Generator) -> tuple[Any, Any]:
    """Parts and wholes [data sets, subjects] of a rate."""
    rate, condition = RATES[name]
    there = _there(shape, rng)
    meets = there & (_latent(shape, rng) < ndtri(condition))
    counts = meets & (_latent(shape, rng) < ndtri(rate))
    return counts.sum(axis=-1).astype(float), meets.sum(axis=-1).astype(float)


def confidences(name: str, shape: tuple[int, int], rng: np.random.Generator) -> tuple[Any, Any, Any]:
    """Logit of the confidence, right, and weight (0 for padding), each [data sets, subjects, items]."""
    a, b = CALIBRATIONS[name]
    weight = _there(shape, rng).astype(float)
    x = LOGIT_MEAN + LOGIT_SD * _latent(shape, rng)
    right = (ndtr(_latent(shape, rng)) < expit(a + b * x)).astype(float)
    return x, right, weight


def truth_of(name: str) -> Truth:
    """By numerical integration over the confidence."""
    a, b = CALIBRATIONS[name]
    z = ndtri((np.arange(200_000) + 0.5) / 200_000)
    x = LOGIT_MEAN + LOGIT_SD * z
    sure, chance = expit(x), expit(a + b * x)
    brier = chance * (1 - sure) ** 2 + (1 - chance) * sure**2
    shift = brentq(lambda c: float((chance - expit(c + x)).mean()), -5, 5)
    square = float(((chance - sure).reshape(10, -1).mean(axis=1) ** 2).mean())
    return Truth(float(brier.mean()), b, float(shift), square)


def _there(shape: tuple[int, int], rng: np.random.Generator) -> Any:
    return np.arange(MOST_ITEMS) < rng.integers(1, MOST_ITEMS + 1, (*shape, 1))


def _latent(shape: tuple[int, int], rng: np.random.Generator) -> Any:
    common, own = rng.standard_normal((*shape, 1)), rng.standard_normal((*shape, MOST_ITEMS))
    return np.sqrt(RHO) * common + np.sqrt(1 - RHO) * own
