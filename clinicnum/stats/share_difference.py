"""The interval of the difference between two shares that may have subjects and templates in common.

It generalises to other subjects and, where each share has at least five templates, to other templates. The
two shares are combined by square-and-add with their correlation (Newcombe, Stat Med 1998;17:2635-2650, method
10; Zou and Donner's MOVER, Stat Med 2008;27:1693-1702): the distances of each share from the ends of its own
Wilson interval are squared and added, less twice their correlated part.

Variances are those of `clinicnum.stats.two_way_clusters`, of each share and of the difference itself, whose
replicates leave a subject (template, cell) out of both shares at once; what both have in common cancels. The
correlation follows from the three variances. The variance over subjects, plus that over templates, less that
over cells, can come out too small by chance, even negative: it is at least half of that over cells (never
less than over either alone, as for one share, covers too much here). The quantile is that of t with the fewer
of the effective subjects and templates, less one. `docs/slices.md` has the coverage.
"""

from dataclasses import dataclass
from functools import cached_property
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from clinicnum.stats.clustered_intervals import NO_SPREAD, Floats, effective_subjects, t_quantile, wilson
from clinicnum.stats.jackknife import MIN_CLUSTERS, MIN_ITEMS, Interval, few_subjects
from clinicnum.stats.two_way_clusters import Crossing
from clinicnum.translatable_text import Translatable

METHOD = "square-and-add of Wilson intervals, correlation by the {} jackknife: of other subjects and {}"
TWO_WAY, ONE_WAY = METHOD.format("two-way", "other templates"), METHOD.format("subject", "these templates")
NO_WIDTH = "no variation between subjects or templates: the jackknife has no width"
INSIDE, OUTSIDE, DIFFERENCE = np.array([1.0, 0.0]), np.array([0.0, 1.0]), np.array([1.0, -1.0])
Limits = tuple[float, float]


def square_and_add(one: float, of_one: Limits, other: float, of_other: Limits, correlation: float) -> Limits:
    """Limits of `one - other` from those of each share and the correlation of the two estimates."""

    def distance(first: float, second: float) -> float:
        return sqrt(max(first**2 + second**2 - 2 * correlation * first * second, 0.0))

    low = one - other - distance(one - of_one[0], of_other[1] - other)
    high = one - other + distance(of_one[1] - one, other - of_other[0])
    return max(low, -1.0), min(high, 1.0)


def difference_interval(
    crossing: Crossing, inside: Floats, outside: Floats, *, level: float = 0.95
) -> Interval:
    """Interval of the share inside a slice minus that outside, or the reason why there is none.

    `inside` and `outside` are totals per cell [cells, 2]: right, all.
    """
    shares = _Shares.of(crossing, np.column_stack([inside, outside]))
    method = ONE_WAY if shares.by_template is None else TWO_WAY
    clusters = int((shares.by_subject[:, [1, 3]] > 0).sum(axis=0).min())
    reason = shares.too_few()
    if reason is not None:
        return Interval(None, None, method, clusters, undefined=reason)
    first, second, both = (shares.variance(contrast) for contrast in (INSIDE, OUTSIDE, DIFFERENCE))
    quantile = t_quantile(np.array(shares.clusters), level)
    one, other = (shares.limits(at, variance, quantile) for at, variance in ((0, first), (2, second)))
    if one is None or other is None or (both < NO_SPREAD and first > NO_SPREAD):
        return Interval(None, None, method, clusters, undefined=NO_WIDTH)
    spread = sqrt(first * second)
    correlation = np.clip((first + second - both) / (2 * spread), -1, 1) if spread > NO_SPREAD else 0.0
    low, high = square_and_add(shares.value(0), one, shares.value(2), other, float(correlation))
    return Interval(low, high, method, clusters, se=sqrt(both), warning=few_subjects(clusters))


@dataclass(frozen=True, eq=False)
class _Shares:
    """Counts by cluster, for the two shares: arrays [clusters, 4] with the number of right and of all answers
    in the slice, then the same two numbers for the rest.
    """

    by_cell: Floats
    by_subject: Floats
    by_template: Floats | None
    """None where either share has too few templates to speak of others."""

    @classmethod
    def of(cls, crossing: Crossing, totals: Floats) -> "_Shares":
        by_subject, by_template = (_over(one, totals) for one in (crossing.subject, crossing.template))
        enough = ((by_template[:, [1, 3]] > 0).sum(axis=0) >= MIN_CLUSTERS).all()
        return cls(_occurring(totals), by_subject, by_template if enough else None)

    def too_few(self) -> str | None:
        """Why one of the shares has too few items or subjects for an interval; None if neither has."""
        items = self.by_subject[:, [1, 3]]
        counts = zip(items.sum(axis=0).tolist(), (items > 0).sum(axis=0).tolist(), strict=True)
        for place, (n, subjects) in enumerate(counts):
            if n < MIN_ITEMS or subjects < MIN_CLUSTERS:
                fields = {"n": round(n), "subjects": subjects, "items": MIN_ITEMS, "least": MIN_CLUSTERS}
                if place:
                    return Translatable(
                        "answers beside the slice: {n}, their subjects: {subjects}; an interval needs at "
                        "least {items} of {least}",
                        **fields,
                    )
                return Translatable(
                    "answers in the slice: {n}, their subjects: {subjects}; an interval needs at least "
                    "{items} of {least}",
                    **fields,
                )
        return None

    def value(self, at: int) -> float:
        """The share whose columns begin at `at`."""
        right, n = self.by_subject[:, at : at + 2].sum(axis=0).tolist()
        return float(right / n)

    def limits(self, at: int, variance: float, quantile: Floats) -> Limits | None:
        """Wilson's limits of the share whose columns begin at `at`; None if it is neither 0 nor 1 and yet
        does not vary. For a share of 0 or 1, the size is Kish's effective number of subjects.
        """
        share = self.value(at)
        if share in (0.0, 1.0):
            size = effective_subjects(self.by_subject[:, at + 1])
        elif variance < NO_SPREAD:
            return None
        else:
            size = np.array(share * (1 - share) / variance)
        low, high = wilson(np.array(share), size, quantile)
        return float(low), float(high)

    def variance(self, contrast: Floats) -> float:
        """Variance of the sum of both shares, each multiplied by its coefficient in `contrast`."""
        cells, *over = (float(contrast @ one @ contrast) for one in self._covariances)
        return max(cells / 2, sum(over) - cells * (len(over) - 1))

    @property
    def clusters(self) -> float:
        """The effective number of subjects or, if fewer, of templates."""
        return min(map(_effective, self._groups[1:]))

    @cached_property
    def _groups(self) -> list[Floats]:
        groups = (self.by_cell, self.by_subject, self.by_template)
        return [one for one in groups if one is not None]

    @cached_property
    def _covariances(self) -> list[Floats]:
        """Covariance matrices [2, 2] of the two shares: over cells, over subjects, and over templates if
        enough.
        """
        return [_covariance(one) for one in self._groups]


def _over(clusters: NDArray[np.int64], totals: Floats) -> Floats:
    return _occurring(np.column_stack([np.bincount(clusters, weights=column) for column in totals.T]))


def _occurring(totals: Floats) -> Floats:
    return totals[(totals[:, 1] > 0) | (totals[:, 3] > 0)]


def _covariance(totals: Floats) -> Floats:
    """Covariance matrix [2, 2] of the two shares, by the delete-one jackknife, which leaves a cluster out of
    both at once.
    """
    left = totals.sum(axis=0) - totals
    without = left[:, [0, 2]] / left[:, [1, 3]]
    around = without - without.mean(axis=0)
    return np.asarray((len(totals) - 1) / len(totals) * around.T @ around)


def _effective(totals: Floats) -> float:
    """How many clusters of equal weight in the variance of the difference tell as much about it."""
    weights = (totals[:, [1, 3]] / totals[:, [1, 3]].sum(axis=0) ** 2).sum(axis=1)
    return float(effective_subjects(weights))
