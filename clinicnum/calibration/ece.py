"""Expected calibration error, without the part that chance alone adds, and what it is for a calibrated model.

Items fall into bins of about equal size by confidence (equal confidences stay together); in each, the error
is the mean of right (1 or 0) less confidence. `plain` is the mean absolute error over items, the figure that
is usually given: it is above 0 even for a perfect model. `debiased` takes squares and removes what chance
adds: the square of a bin's mean error is estimated by the mean product of the errors of two items of
*different subjects*, which has no bias. With one item a subject that is the estimator of Broecker (2012) and
of Ferro and Fricker (2012), which Kumar, Liang and Ma (2019, "Verified uncertainty calibration") and Roelofs
et al. (2022, "Mitigating bias in calibration error estimation", with bins of equal size) recommend; leaving
out pairs of one subject is ours. `debiased` is the square root, so it compares with `plain` in unit.

Null: all errors of a subject change sign together, at random, which leaves their size and what they share
and takes away any common direction. `null_mean` and `null_high` (95 %) are of such draws.

Degenerate: a bin needs two subjects; a debiased square at or below 0 is given as an error of 0, and
`debiased_square` shows it. Undefined under two bins of two subjects.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from clinicnum.clusters import Floats, Subjects, quotient

BINS = 10
LEAST_IN_BIN = 10
"""Items a bin holds at least: fewer items make fewer bins."""
DRAWS = 999


@dataclass(frozen=True)
class Bin:
    """One bar of the reliability diagram."""

    low: float
    """Smallest confidence in it."""
    high: float
    n: int
    n_subjects: int
    mean_confidence: float
    accuracy: float


@dataclass(frozen=True)
class CalibrationError:
    """Calibration error, and beside it that of a calibrated model; None exactly when `undefined` says why."""

    plain: float | None
    plain_null_mean: float | None
    plain_null_high: float | None
    debiased: float | None
    debiased_square: float | None
    debiased_null_high: float | None
    p: float | None
    """Share of the null at or above the debiased square."""
    bins: tuple[Bin, ...]
    undefined: str | None = None


def calibration_error(
    confidence: Sequence[float] | Floats,
    right: Sequence[bool] | Floats,
    subjects: Sequence[str] | Subjects,
    *,
    seed: int = 0,
) -> CalibrationError:
    """The error of confidences [items] against right and wrong, and the reliability diagram."""
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
        reason = f"{shape[1]} bins of {len(sure)} items; it needs at least 2, each with 2 subjects"
        return CalibrationError(None, None, None, None, None, None, None, bins, undefined=reason)
    plain, square = (float(x[0]) for x in errors_of(errors[None].sum(axis=1), errors, counts))
    signs = np.random.default_rng(seed).choice(np.array([-1.0, 1.0]), size=(DRAWS, shape[0]))
    null_plain, null_square = errors_of(signs @ errors, errors, counts)
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


def bins_of(confidence: Floats) -> NDArray[np.int64]:
    """The bin of each item: up to 10 of about equal size, none under 10 items but for ties."""
    wanted = max(1, min(BINS, len(confidence) // LEAST_IN_BIN))
    cuts = np.quantile(confidence, np.arange(1, wanted) / wanted, method="higher")
    _, place = np.unique(np.searchsorted(np.unique(cuts), confidence, side="right"), return_inverse=True)
    return np.asarray(place, dtype=np.int64)


def errors_of(summed: Floats, errors: Floats, counts: Floats) -> tuple[Floats, Floats]:
    """Plain error and debiased square [draws] of summed errors [draws, bins].

    `errors` and `counts` are [subjects, bins]. Signs change sums, but neither squares nor counts.
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
