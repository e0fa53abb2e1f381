"""Means, medians and differences of values that have no upper end: tokens, seconds, errors in mmHg.

- Mean: the plain delete-one-subject jackknife.
- Difference of two means over the same subjects, and the chance that one value is above another: the
  delete-one-subject jackknife, which leaves a subject out of both at once; none unless each side has values
  of at least five subjects.
- Median: the values at the ends of the interval of the share at or below it, by which Woodruff (J Am Stat
  Assoc 1952;47:635-646) turns an interval of a share into one of a quantile. The share is a half; its
  interval is that of any share over subjects (`clinicnum.stats.clustered_intervals.share_interval`).
"""

import numpy as np
from numpy.typing import NDArray

from clinicnum.stats.clustered_intervals import (
    Floats,
    Subjects,
    effective_subjects,
    mean_interval,
    share_interval,
)
from clinicnum.stats.interval_estimate import NOT_DRAWN, Figure, undefined_figure
from clinicnum.stats.jackknife import MIN_CLUSTERS, Interval, cluster_jackknife_interval, how_many

JACKKNIFE = "delete-one-subject jackknife"
MEDIAN = "Woodruff's interval of a median, from that of the share at or below it, by subject"
Flags = NDArray[np.bool_]


def mean(subjects: Subjects, values: Floats, *, without: str) -> Figure:
    """Mean of values [items], with its interval; `without` is the reason given if there are none."""
    if not len(values):
        return undefined_figure(without)
    interval = mean_interval(subjects, values)
    return Figure(float(values.mean()), len(values), len(subjects.names), interval, NOT_DRAWN)


def median(subjects: Subjects, values: Floats, *, without: str) -> Figure:
    """Median of values [items], with its interval."""
    if not len(values):
        return undefined_figure(without)
    middle = float(np.median(values))
    # Ties at the median count half to either side, so that the share at or below it stays a half.
    at_or_below = np.where(values == middle, 0.5, values < middle)
    totals = subjects.totals(np.column_stack([at_or_below, np.ones(len(values))]))
    of_share = share_interval(totals[:, 0], totals[:, 1], len(values))
    if of_share.low is None or of_share.high is None:
        interval = Interval(None, None, MEDIAN, of_share.n_clusters, undefined=of_share.undefined)
    else:
        low, high = np.quantile(values, [of_share.low, of_share.high])
        interval = Interval(float(low), float(high), MEDIAN, of_share.n_clusters, warning=of_share.warning)
    return Figure(middle, len(values), len(subjects.names), interval, NOT_DRAWN)


def difference_of_means(subjects: Subjects, values: Floats, first: Flags, *, without: str) -> Figure:
    """Mean of the values [items] flagged by `first` [items], minus the mean of the others."""
    if first.all() or not first.any():
        return undefined_figure(without)
    totals = subjects.totals(np.column_stack([values * first, first, values * ~first, ~first]).astype(float))
    left = totals.sum(axis=0) - totals
    with np.errstate(invalid="ignore", divide="ignore"):
        without_one = left[:, 0] / left[:, 1] - left[:, 2] / left[:, 3]
    value = float(values[first].mean() - values[~first].mean())
    return _jackknifed(subjects, value, without_one, first)


def chance_above(subjects: Subjects, values: Floats, first: Flags, *, without: str) -> Figure:
    """The chance that a value flagged by `first` is above one that is not; ties count half.

    That is the area under the ROC curve (Hanley and McNeil, Radiology 1982;143:29-36).
    """
    if first.all() or not first.any():
        return undefined_figure(without)
    ones, others = np.sort(values[first]), np.sort(values[~first])
    above = np.where(first, _below(others, values), len(ones) - _below(ones, values))
    pairs = subjects.totals(np.column_stack([above * first, above * ~first, first, ~first]).astype(float))
    within = np.array([_within(values[one], first[one]) for one in _members(subjects)])
    wins, n_ones, n_others = pairs[:, 0].sum(), float(first.sum()), float((~first).sum())
    left = (n_ones - pairs[:, 2]) * (n_others - pairs[:, 3])
    with np.errstate(invalid="ignore", divide="ignore"):
        without_one = (wins - pairs[:, 0] - pairs[:, 1] + within) / left
    return _jackknifed(subjects, float(wins / (n_ones * n_others)), without_one, first, bounds=(0.0, 1.0))


def _below(ordered: Floats, values: Floats) -> Floats:
    """How many of the ordered values are below each of the values; equal ones count half."""
    sides = np.searchsorted(ordered, values, "left"), np.searchsorted(ordered, values, "right")
    return np.asarray((sides[0] + sides[1]) / 2)


def _members(subjects: Subjects) -> list[NDArray[np.int64]]:
    """For each subject, the indices of its items."""
    order = np.argsort(subjects.place, kind="stable")
    return np.split(order, np.cumsum(np.bincount(subjects.place))[:-1])


def _within(values: Floats, first: Flags) -> float:
    """How many pairs of one subject's values have the one marked `first` above the other; ties are halves."""
    return float(_below(np.sort(values[~first]), values[first]).sum())


def _jackknifed(
    subjects: Subjects,
    value: float,
    without_one: Floats,
    first: Flags,
    bounds: tuple[float, float] | None = None,
) -> Figure:
    """Figure with its jackknife interval; none if a side, `first` or not, has under five subjects."""
    n, fewest = len(first), min(len(np.unique(subjects.place[side])) for side in (first, ~first))
    if fewest < MIN_CLUSTERS:
        reason = (
            f"no interval of the comparison: {how_many(fewest, 'subject')} on one side; an interval needs at "
            f"least {MIN_CLUSTERS}"
        )
        interval = Interval(None, None, JACKKNIFE, len(subjects.names), undefined=reason)
        return Figure(value, n, len(subjects.names), interval, NOT_DRAWN)
    replicates = [float(one) if np.isfinite(one) else None for one in without_one]
    effective = float(effective_subjects(np.bincount(subjects.place).astype(float)))
    interval = cluster_jackknife_interval(replicates, value, n_items=n, bounds=bounds, effective=effective)
    return Figure(value, n, len(subjects.names), interval, NOT_DRAWN)
