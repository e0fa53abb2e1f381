"""The interval of an accuracy that generalises to other subjects and other templates.

Items hang together in two ways: they are about one subject, and they come from one template. The variance is
that over subjects, plus that over templates, less that over their cells, each by the delete-one jackknife,
and never less than either alone. That is the two-way cluster-robust variance of Cameron, Gelbach and Miller
(2011), "Robust inference with multiway clustering", for a share. The interval is Wilson's with the effective
sample size p (1 - p) / variance, and the quantile of t with the fewer of the effective subjects and
templates, less one.

Under five templates nothing can be said of other ones: the interval is then of other subjects and these
templates, and says so. `docs/robustness.md` has the coverage.
"""

import numpy as np

from clinicnum.stats.clusters import (
    NO_SPREAD,
    Floats,
    Subjects,
    effective_subjects,
    jackknife_error,
    quotient,
    share_interval,
    t_quantile,
    wilson,
)
from clinicnum.stats.jackknife import MIN_CLUSTERS, Interval, few_subjects, why_no_interval

TWO_WAY = (
    "Wilson with the effective sample size of the two-way jackknife over subjects and templates, t(fewer "
    "of the "
    "effective subjects and templates - 1): of other subjects and other templates"
)
ONE_WAY = ": of other subjects and these {} templates"


def accuracy_interval(
    right: Floats, subjects: Subjects, templates: Subjects, *, level: float = 0.95
) -> Interval:
    """The interval of the mean of `right` [items] (0 or 1), or the reason why there is none."""
    totals = subjects.totals(np.column_stack([right, np.ones(len(right))]))
    if len(templates.names) < MIN_CLUSTERS:
        found = share_interval(totals[:, 0], totals[:, 1], len(right), level=level)
        return Interval(
            found.low,
            found.high,
            found.method + ONE_WAY.format(len(templates.names)),
            found.n_clusters,
            found.se,
            found.undefined,
            found.warning,
        )
    count = len(subjects.names)
    reason = why_no_interval(count, 0, len(right))
    if reason is not None:
        return Interval(None, None, TWO_WAY, count, undefined=reason)
    value, fewest = float(right.mean()), _fewest(subjects, templates)
    variance = two_way_variance(right, subjects, templates)
    warning = few_subjects(count)
    if value in (0.0, 1.0):
        size = fewest
        said = f"no variation: each of {fewest:.0f} subjects or groups of questions counts once"
        warning = f"{said}; {warning}" if warning else said
    elif variance < NO_SPREAD:
        reason = "no variation between subjects or templates: the jackknife has no width"
        return Interval(None, None, TWO_WAY, count, undefined=reason)
    else:
        size = value * (1 - value) / variance
    low, high = wilson(np.array(value), np.array(size), t_quantile(np.array(fewest), level))
    return Interval(float(low), float(high), TWO_WAY, count, se=float(np.sqrt(variance)), warning=warning)


def two_way_variance(right: Floats, subjects: Subjects, templates: Subjects) -> float:
    """Variance of the mean of `right` [items] over subjects and templates; at least that over either
    alone.
    """
    cells = Subjects.of(
        f"{one}\n{other}"
        for one, other in zip(subjects.place.tolist(), templates.place.tolist(), strict=True)
    )
    over_subjects, over_templates, over_cells = (
        _variance(right, one) for one in (subjects, templates, cells)
    )
    return max(over_subjects + over_templates - over_cells, over_subjects, over_templates)


def _variance(right: Floats, clusters: Subjects) -> float:
    """Variance by the delete-one-cluster jackknife."""
    sums, counts = clusters.totals(np.column_stack([right, np.ones(len(right))])).T
    without = quotient(right.sum() - sums, len(right) - counts)
    return float(jackknife_error(without, np.ones(len(sums), dtype=bool))) ** 2


def _fewest(subjects: Subjects, templates: Subjects) -> float:
    """The smaller of the effective numbers of subjects and templates."""
    return min(
        float(effective_subjects(np.bincount(one.place).astype(float))) for one in (subjects, templates)
    )
