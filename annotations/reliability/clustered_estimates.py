"""Shares, means and slopes over annotations clustered by subject: with an interval, or why there is none."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from clinicnum.stats.clustered_intervals import Floats, Subjects, share_interval
from clinicnum.stats.jackknife import Interval, cluster_jackknife_interval

Flags = NDArray[np.bool_]
Statistic = Callable[[Floats], Floats]
"""Totals [..., k] -> [...], nan where undefined (nan never leaves this file)."""


@dataclass(frozen=True)
class Estimate:
    """One estimate, or the reason why there is none."""

    value: float | None
    """None exactly when `undefined` holds a reason."""
    n: int
    interval: Interval
    undefined: str | None = None


def undefined_estimate(reason: str, n: int = 0) -> Estimate:
    """An estimate that cannot be computed, with the reason."""
    return Estimate(None, n, Interval(None, None, "none", 0, undefined=reason), reason)


def share_of_items(subjects: Subjects, part: Flags, *, without: str) -> Estimate:
    """Share of items for which `part` is true; `without` is the reason given if there are no items."""
    if not len(part):
        return undefined_estimate(without)
    totals = subjects.totals(np.column_stack([part, np.ones(len(part))]))
    interval = share_interval(totals[:, 0], totals[:, 1], len(part))
    return Estimate(int(part.sum()) / len(part), len(part), interval)


def from_totals(
    subjects: Sequence[str] | Subjects,
    columns: Floats,
    statistic: Statistic,
    *,
    without: str,
    bounds: tuple[float, float] | None = None,
) -> Estimate:
    """Estimate `statistic`, a function of column sums, with a delete-one-subject jackknife interval.

    `columns` is [items, k]. `without` is the reason if the statistic is undefined.
    """
    n = len(columns)
    if not n:
        return undefined_estimate(without)
    by_subject = Subjects.of(subjects).totals(columns)
    total = by_subject.sum(axis=0)
    value = float(statistic(total))
    if np.isnan(value):
        return undefined_estimate(without, n)
    replicates = statistic(total - by_subject)
    interval = cluster_jackknife_interval(
        [None if one != one else one for one in replicates.tolist()], value, n_items=n, bounds=bounds
    )
    return Estimate(value, n, interval)
