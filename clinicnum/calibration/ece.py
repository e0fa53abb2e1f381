"""Expected calibration error, debiased for chance, and its distribution for a calibrated model.

Items fall into bins of about equal size by confidence (equal confidences stay together); in each, the error
is the mean of right (1 or 0) less confidence. `plain` is the mean absolute error over items, the figure that
is usually given: it is above 0 even for a perfect model. `debiased` takes squares and removes what chance
adds: the square of a bin's mean error is estimated by the mean product of the errors of two items of
*different subjects*, which has no bias. With one item a subject that is the estimator of Broecker (2012) and
of Ferro and Fricker (2012), which Kumar, Liang and Ma (2019, "Verified uncertainty calibration") and Roelofs
et al. (2022, "Mitigating bias in calibration error estimation", with bins of equal size) recommend; leaving
out pairs of one subject is ours. `debiased` is the square root, so it compares with `plain` in unit.

Null: a model that is right as often as it says. Outcomes are drawn from the confidences (parametric
bootstrap: each item right with its stated chance), with the within-subject correlation of errors about the
bins' means kept by a Gaussian copula. `null_mean` and `null_high` (95 %) are of such draws. Flipping the
signs of a subject's errors, once used, rejects 18 to 23 % of calibrated models that are confident: errors of
a confident model are many small ones and few large ones, and far from symmetric.

Degenerate: a bin needs two subjects; a debiased square at or below 0 is given as an error of 0, and
`debiased_square` shows it. Undefined under two bins, or if a bin has one subject.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from clinicnum.stats.clustered_intervals import Floats, Subjects, quotient
from clinicnum.stats.jackknife import how_many

Places = NDArray[np.int64]
"""An index for each item, such as that of its bin or subject."""

BINS = 10
LEAST_IN_BIN = 10
"""Fewest items of a bin; with fewer items there are fewer bins."""
DRAWS = 999


@dataclass(frozen=True)
class Bin:
    """One bar of the reliability diagram."""

    low: float
    """Smallest confidence in the bin."""
    high: float
    n: int
    n_subjects: int
    mean_confidence: float
    accuracy: float


@dataclass(frozen=True)
class CalibrationError:
    """Calibration error and its distribution for a calibrated model; None exactly if `undefined` says why."""

    plain: float | None
    plain_null_mean: float | None
    plain_null_high: float | None
    debiased: float | None
    debiased_square: float | None
    debiased_null_high: float | None
    p: float | None
    """Share of null draws at or above `debiased_square`."""
    bins: tuple[Bin, ...]
    undefined: str | None = None


def calibration_error(
    confidence: Sequence[float] | Floats,
    right: Sequence[bool] | Floats,
    subjects: Sequence[str] | Subjects,
    *,
    seed: int = 0,
) -> CalibrationError:
    """Calibration error of `confidence` [items] for `right` (1 or 0), clustered by subject, with bins."""
    sure, was = np.asarray(confidence, dtype=float), np.asarray(right, dtype=float)
    whose = Subjects.of(subjects)
    place = bins_of(sure) if len(sure) else np.zeros(0, dtype=np.int64)
    shape = (len(whose.names), int(place.max(initial=-1)) + 1)
    cell = whose.place * shape[1] + place
    off = np.bincount(cell, weights=was - sure, minlength=shape[0] * shape[1])
    errors = off.astype(float).reshape(shape)
    counts = np.bincount(cell, minlength=shape[0] * shape[1]).reshape(shape).astype(float)
    bins = tuple(_bin(sure[place == b], was[place == b], counts[:, b]) for b in range(shape[1]))
    if shape[1] < 2 or any(one.n_subjects < 2 for one in bins):
        found = f"{how_many(shape[1], 'bin')} of {how_many(len(sure), 'item')}"
        reason = f"{found}; needed are 2, each with 2 subjects"
        return CalibrationError(None, None, None, None, None, None, None, bins, undefined=reason)
    plain, square = (float(x[0]) for x in errors_of(errors[None].sum(axis=1), errors, counts))
    shared = shared_error(sure, was, whose.place, place)
    null_plain, null_square = _null(sure, whose.place, cell, counts, shared, seed)
    return CalibrationError(
        plain=plain,
        plain_null_mean=float(null_plain.mean()),
        plain_null_high=float(np.quantile(null_plain, 0.95)),
        debiased=max(0.0, square) ** 0.5,
        debiased_square=square,
        debiased_null_high=max(0.0, float(np.quantile(null_square, 0.95))) ** 0.5,
        p=float((1 + (null_square >= square - 1e-12).sum()) / (DRAWS + 1)),
        bins=bins,
    )


def _null(
    sure: Floats, subject: Places, cell: Places, counts: Floats, shared: float, seed: int
) -> tuple[Floats, Floats]:
    """Plain error and debiased square [draws] for simulated outcomes that are right as often as `sure`
    says.
    """
    from scipy.special import ndtri  # costs a quarter of a second: not at import

    rng, least = np.random.default_rng(seed), ndtri(sure)
    plain, square = np.empty(DRAWS), np.empty(DRAWS)
    for draw in range(DRAWS):
        own = rng.standard_normal(len(sure))
        if shared > 0:
            own = np.sqrt(shared) * rng.standard_normal(len(counts))[subject] + np.sqrt(1 - shared) * own
        drawn = np.bincount(cell, weights=(own < least) - sure, minlength=counts.size)
        errors = drawn.astype(float).reshape(counts.shape)
        one_plain, one_square = errors_of(errors[None].sum(axis=1), errors, counts)
        plain[draw], square[draw] = one_plain[0], one_square[0]
    return plain, square


def shared_error(sure: Floats, was: Floats, subject: Places, place: Places) -> float:
    """Within-subject correlation of errors in a Gaussian copula, 0 to 0.95; arguments [items].

    Errors are centred on their bin's mean, so a bias of all subjects does not count. The mean product of
    standardised errors over pairs of one subject is 2 / pi x arcsin(correlation) at a chance of 1/2, which is
    used for all.
    """
    items = np.bincount(place)
    off = (was - sure) - (np.bincount(place, weights=was - sure) / items)[place]
    spread = np.sqrt(sure * (1 - sure))

    def of_pairs(values: Floats) -> float:
        sums = np.bincount(subject, weights=values)
        return float((sums**2).sum() - (values**2).sum())

    scale = of_pairs(spread)
    alike = of_pairs(off) / scale if scale > 0 else 0.0
    return float(np.clip(np.sin(np.pi / 2 * np.clip(alike, 0.0, 1.0)), 0.0, 0.95))


def bins_of(confidence: Floats) -> NDArray[np.int64]:
    """Bin number of each item: up to 10 bins of about equal size by confidence, none under 10 items except
    through ties.
    """
    wanted = max(1, min(BINS, len(confidence) // LEAST_IN_BIN))
    cuts = np.quantile(confidence, np.arange(1, wanted) / wanted, method="higher")
    _, place = np.unique(np.searchsorted(np.unique(cuts), confidence, side="right"), return_inverse=True)
    return np.asarray(place, dtype=np.int64)


def errors_of(summed: Floats, errors: Floats, counts: Floats) -> tuple[Floats, Floats]:
    """Plain error and debiased square [draws], from errors summed over subjects [draws, bins].

    `errors` (sums of errors) and `counts` (of items) are [subjects, bins].
    """
    items = counts.sum(axis=0)
    share = items / items.sum()
    plain = (np.abs(summed) / items * share).sum(axis=-1)
    across = quotient(summed**2 - (errors**2).sum(axis=0), items**2 - (counts**2).sum(axis=0))
    return plain, (across * share).sum(axis=-1)


def _bin(sure: Floats, was: Floats, counts: Floats) -> Bin:
    return Bin(
        low=float(sure.min()),
        high=float(sure.max()),
        n=len(sure),
        n_subjects=int((counts > 0).sum()),
        mean_confidence=float(sure.mean()),
        accuracy=float(was.mean()),
    )
