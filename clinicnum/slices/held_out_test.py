"""How much worse a slice is on the held-out subjects, with an interval and a test over subjects.

The difference is that of the slice from the rest of the same runs: the share wrong in the slice, less the
share wrong in the rest of each run, weighted as the runs occur in the slice. Its standard error is that of
the delete-one-subject jackknife, and never less than that of independent items of one share wrong (where all
items of a small slice are wrong, subjects do not differ, and the jackknife alone would be too sure).
Interval and p-value are of t(effective subjects - 1), counted in the slice or in the rest, whichever has
fewer.
"""

from dataclasses import dataclass

import numpy as np

from clinicnum.slices.scan_candidate_slices import Floats
from clinicnum.slices.slice_conditions import Codes, Flags
from clinicnum.stats.clustered_intervals import effective_subjects, jackknife_error, quotient, t_quantile
from clinicnum.stats.jackknife import MIN_CLUSTERS, MIN_ITEMS


@dataclass(frozen=True)
class Difference:
    """A slice compared with the rest on held-out subjects; shares are of wrong answers."""

    n: int
    n_subjects: int
    inside: float
    outside: float
    low: float | None
    """Interval of `inside - outside`; None where there is no test."""
    high: float | None
    p: float | None
    """Two-sided p-value; None with too few items or subjects for a test."""

    @property
    def p_if_worse(self) -> float | None:
        """`p`, but 1 if the slice is not worse."""
        return self.p if self.p is None or self.inside > self.outside else 1.0


def difference(
    values: Floats, inside: Flags, outside: Flags, stratum: Codes, subject: Codes, *, level: float
) -> Difference:
    """Compare the mean of `values` [items] inside a slice with that outside, within strata; interval at
    confidence 1 - `level`.
    """
    strata, subjects = int(stratum.max()) + 1, int(subject.max()) + 1

    def sums(rows: Flags, weights: Floats | None = None) -> Floats:
        place = subject[rows] * strata + stratum[rows]
        part = None if weights is None else weights[rows]
        return np.bincount(place, part, subjects * strata).reshape(subjects, strata).astype(float)

    parts = np.stack([sums(inside), sums(inside, values), sums(outside), sums(outside, values)])
    totals = parts.sum(axis=1)
    a, b = _means(totals)
    in_slice, in_rest = parts[0].sum(axis=1), parts[2].sum(axis=1)
    n, n_subjects = int(in_slice.sum()), int((in_slice > 0).sum())
    if n < MIN_ITEMS or n_subjects < MIN_CLUSTERS or in_rest.sum() < MIN_ITEMS or np.isnan(b):
        return Difference(n, n_subjects, float(a), float(b), None, None, None)
    without = np.subtract(*_means(totals[:, None, :] - parts))
    spread = float(jackknife_error(without, (in_slice + in_rest > 0) & ~np.isnan(without)))
    share = totals[[1, 3]].sum() / totals[[0, 2]].sum()
    error = max(spread, float(np.sqrt(max(share * (1 - share), 0.0) * (1 / n + 1 / in_rest.sum()))))
    effective = np.minimum(effective_subjects(in_slice), effective_subjects(in_rest))
    return _tested(n, n_subjects, float(a), float(b), error, effective, level)


def _means(sums: Floats) -> tuple[Floats, Floats]:
    """Mean inside, and outside as the strata occur inside, from sums [4, ..., strata]."""
    n, total, n_rest, rest = sums
    has = (n_rest > 0) & (n > 0)
    weights = np.where(has, n, 0.0)
    inside = quotient(np.where(has, total, 0.0).sum(axis=-1), weights.sum(axis=-1))
    means = np.where(has, rest / np.maximum(n_rest, 1), 0.0)
    return inside, quotient((weights * means).sum(axis=-1), weights.sum(axis=-1))


def _tested(
    n: int, n_subjects: int, a: float, b: float, error: float, effective: Floats, level: float
) -> Difference:
    from scipy.special import stdtr  # costs a quarter of a second: not at import

    gap = a - b
    half = float(t_quantile(effective, 1 - level)) * error
    p = 1.0 if error == 0 else 2 * float(stdtr(max(float(effective) - 1, 1.0), -abs(gap) / error))
    return Difference(n, n_subjects, a, b, max(gap - half, -1.0), min(gap + half, 1.0), p)
