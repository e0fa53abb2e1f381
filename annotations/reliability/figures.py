"""Shares, means and slopes over annotations that share subjects: with an interval, or why there is none."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from clinicnum.clusters import Floats, share_interval, subject_totals
from clinicnum.statistics import Interval, cluster_jackknife_interval

Statistic = Callable[[Floats], Floats]
"""Totals [..., k] -> [...], nan where undefined (nan never leaves this file)."""


@dataclass(frozen=True)
class Estimate:
    """One figure, or the reason why there is none."""

    value: float | None
    """None exactly when `undefined` holds a reason."""
    n: int
    interval: Interval
    undefined: str | None = None


def nothing(reason: str, n: int = 0) -> Estimate:
    """A figure that cannot be computed, and why."""
    return Estimate(None, n, Interval(None, None, "none", 0, undefined=reason), reason)


def share_of_counts(counts: Sequence[tuple[str, int, int]], *, without: str) -> Estimate:
    """Share over (subject, how many of it, how many in all); `without` says why there may be none."""
    if not counts:
        return nothing(without)
    columns = np.array([(part, whole) for _, part, whole in counts], dtype=float)
    totals = subject_totals([subject for subject, _, _ in counts], columns)
    part, whole = totals.sum(axis=0)
    return Estimate(float(part / whole), int(whole), share_interval(totals[:, 0], totals[:, 1], int(whole)))


def from_totals(
    subjects: Sequence[str],
    columns: Floats,
    statistic: Statistic,
    *,
    without: str,
    bounds: tuple[float, float] | None = None,
) -> Estimate:
    """`statistic` of the column sums, with its delete-one-subject jackknife; `columns` is [items, k].

    `without` says why the statistic may be undefined.
    """
    n = len(columns)
    if not n:
        return nothing(without)
    by_subject = subject_totals(subjects, columns)
    total = by_subject.sum(axis=0)
    value = float(statistic(total))
    if np.isnan(value):
        return nothing(without, n)
    replicates = statistic(total - by_subject)
    interval = cluster_jackknife_interval(
        [None if one != one else one for one in replicates.tolist()], value, n_items=n, bounds=bounds
    )
    return Estimate(value, n, interval)
