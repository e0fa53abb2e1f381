"""The interval of an accuracy that generalises to other subjects and other templates.

Items are clustered in two ways: by subject, and by template. The variance is that over subjects, plus that
over templates, less that over their cells, each by the delete-one jackknife, and never less than either
alone. That is the two-way cluster-robust variance of Cameron, Gelbach and Miller (2011), "Robust inference
with multiway clustering", for a share. The interval is Wilson's with the effective sample size p (1 - p) /
variance, and the quantile of t with the fewer of the effective subjects and templates, less one.

With fewer than five templates, the interval generalises to other subjects only, and its method says so.
`docs/robustness.md` has the coverage.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from clinicnum.stats.clustered_intervals import (
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
ONE_WAY = ": of other subjects and these templates"


@dataclass(frozen=True, eq=False)
class Crossing:
    """Items grouped by subject and template at once, for all figures on the same items."""

    subject: NDArray[np.int64]
    """For each cell, its subject."""
    template: NDArray[np.int64]
    """For each cell, its template."""
    place: NDArray[np.int64]
    """For each item, its cell."""

    @classmethod
    def of(cls, subjects: Subjects, templates: Subjects) -> "Crossing":
        """Group items into (subject, template) cells."""
        width = max(1, len(templates.names))
        cells, place = np.unique(subjects.place * width + templates.place, return_inverse=True)
        return cls(cells // width, cells % width, place)

    def totals(self, right: Floats, chosen: NDArray[np.bool_] | slice = slice(None)) -> Floats:
        """Sum of `right` [items] and number of items in each cell [cells, 2], of all or the chosen items."""
        place, n = self.place[chosen], len(self.subject)
        sums = np.bincount(place, weights=right[chosen], minlength=n), np.bincount(place, minlength=n)
        return np.column_stack(sums).astype(float)

    def over(self, cells: NDArray[np.int64], totals: Floats) -> Floats:
        """Sum cell totals [cells, 2] by subject or template; `cells` names that of each cell. Clusters
        without items are left out.
        """
        sums = np.column_stack([np.bincount(cells, weights=column) for column in totals.T]).astype(float)
        return sums[sums[:, 1] > 0]


def accuracy_interval(
    right: Floats, subjects: Subjects, templates: Subjects, *, level: float = 0.95
) -> Interval:
    """The interval of the mean of `right` [items] (0 or 1), or the reason why there is none."""
    crossing = Crossing.of(subjects, templates)
    return crossed_interval(crossing, crossing.totals(right), level=level)


def crossed_interval(crossing: Crossing, totals: Floats, *, level: float = 0.95) -> Interval:
    """As `accuracy_interval`, from cell totals [cells, 2] (right, all); cells without items do not count."""
    by_subject = crossing.over(crossing.subject, totals)
    by_template = crossing.over(crossing.template, totals)
    n = round(float(totals[:, 1].sum()))
    if len(by_template) < MIN_CLUSTERS:
        found = share_interval(by_subject[:, 0], by_subject[:, 1], n, level=level)
        return replace(found, method=found.method + ONE_WAY)
    count = len(by_subject)
    reason = why_no_interval(count, 0, n)
    if reason is not None:
        return Interval(None, None, TWO_WAY, count, undefined=reason)
    value = float(totals[:, 0].sum() / n)
    fewest = min(float(effective_subjects(one[:, 1])) for one in (by_subject, by_template))
    variance = two_way_variance(by_subject, by_template, totals[totals[:, 1] > 0])
    warning = few_subjects(count)
    if value in (0.0, 1.0):
        size = fewest
        said = f"no variation: taken as {fewest:.1f} answers, the effective number of subjects or groups"
        warning = f"{said}; {warning}" if warning else said
    elif variance < NO_SPREAD:
        reason = "no variation between subjects or templates: the jackknife has no width"
        return Interval(None, None, TWO_WAY, count, undefined=reason)
    else:
        size = value * (1 - value) / variance
    low, high = wilson(np.array(value), np.array(size), t_quantile(np.array(fewest), level))
    return Interval(float(low), float(high), TWO_WAY, count, se=float(np.sqrt(variance)), warning=warning)


def two_way_variance(by_subject: Floats, by_template: Floats, by_cell: Floats) -> float:
    """Variance of a share over subjects and templates together; at least that over either alone.

    Each argument has totals [clusters with an item, 2] of right items and of all items.
    """
    over_subjects, over_templates, over_cells = map(_variance, (by_subject, by_template, by_cell))
    return max(over_subjects + over_templates - over_cells, over_subjects, over_templates)


def _variance(totals: Floats) -> float:
    """Variance by the delete-one-cluster jackknife."""
    part, whole = totals.sum(axis=0)
    without = quotient(part - totals[:, 0], whole - totals[:, 1])
    return float(jackknife_error(without, np.ones(len(totals), dtype=bool))) ** 2
