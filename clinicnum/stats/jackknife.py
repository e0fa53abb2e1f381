"""Intervals for items clustered by subject: the delete-one-subject jackknife.

With g subjects and the estimate recomputed g times, each time without one subject, the variance is (g - 1)/g
times the sum of squared distances of the replicates from their mean; the interval is the estimate plus and
minus t(g - 1) standard errors. What cannot be computed is undefined, with a reason.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, sqrt

from clinicnum.translatable_text import Translatable

MIN_CLUSTERS = 5
MIN_ITEMS = 10
FEW_CLUSTERS = 10
MAX_UNDEFINED_SHARE = 0.05
_NO_SPREAD = 1e-12


@dataclass(frozen=True)
class Interval:
    """A confidence interval, or the reason why there is none."""

    low: float | None
    """None exactly when `undefined` holds a reason."""
    high: float | None
    method: str
    n_clusters: int
    se: float | None = None
    """Standard error behind the interval, before any clipping."""
    undefined: str | None = None
    """Why there is no interval."""
    warning: str | None = None
    """Why an interval that is given should be read with care."""


def cluster_jackknife_interval(
    replicates: Sequence[float | None],
    estimate: float,
    *,
    level: float = 0.95,
    n_items: int,
    bounds: tuple[float, float] | None = None,
    effective: float | None = None,
) -> Interval:
    """Interval for `estimate` from its delete-one-cluster replicates, one per cluster.

    `replicates[i]` is the estimate without cluster i, None where it is undefined; `n_items` counts the items
    behind `estimate`; `bounds` clips to the range the estimate can take, such as (0, 1) for an accuracy.
    `effective` is the effective number of clusters, where they differ in size
    (`clustered_intervals.effective_subjects`).
    """
    clusters = len(replicates)
    method = f"delete-one-subject jackknife, t({'effective ' if effective else ''}subjects - 1)"
    defined = [value for value in replicates if value is not None]
    reason = why_no_interval(clusters, clusters - len(defined), n_items)
    if reason is None and max(defined) - min(defined) < _NO_SPREAD:
        kept = "the same" if len(defined) == clusters else "the same, or undefined,"
        reason = f"the value is {kept} whichever one is left out: the jackknife has no width"
    if reason is not None:
        return Interval(None, None, method, clusters, undefined=reason)

    from scipy.special import stdtrit  # costs a quarter of a second: not at import

    count = len(defined)
    mean = fsum(defined) / count
    error = sqrt((count - 1) / count * fsum([(value - mean) ** 2 for value in defined]))
    degrees = max(1.0, min(count, effective or count) - 1)
    half = float(stdtrit(degrees, 0.5 + level / 2)) * error
    low, high = estimate - half, estimate + half
    if bounds is not None:
        low, high = max(low, bounds[0]), min(high, bounds[1])
    return Interval(low, high, method, clusters, se=error, warning=few_subjects(clusters))


def how_many(n: int, what: str) -> str:
    """A counted noun: `1 item`, `2 items`."""
    return f"{n} {what}{'s' * (n != 1)}"


def why_no_interval(clusters: int, undefined: int, n_items: int) -> str | None:
    """Why there is no interval: too few subjects or items, or too many undefined replicates; None if
    there is one.
    """
    if clusters < MIN_CLUSTERS:
        counts = {"n": clusters, "least": MIN_CLUSTERS}
        if clusters == 1:
            return Translatable("{n} subject; an interval needs at least {least}", **counts)
        return Translatable("{n} subjects; an interval needs at least {least}", **counts)
    if n_items < MIN_ITEMS:
        counts = {"n": n_items, "least": MIN_ITEMS}
        if n_items == 1:
            return Translatable("{n} item; an interval needs at least {least}", **counts)
        return Translatable("{n} items; an interval needs at least {least}", **counts)
    if undefined > MAX_UNDEFINED_SHARE * clusters:
        return Translatable(
            "{n} of {total} replicates are undefined; more than 5 % allows no interval",
            n=undefined,
            total=clusters,
        )
    return None


def few_subjects(clusters: int) -> str | None:
    """The warning for an interval over fewer than 10 subjects; None for 10 or more."""
    if clusters == 1:
        return Translatable("only {n} subject: read the interval with care", n=1)
    if clusters < FEW_CLUSTERS:
        return Translatable("only {n} subjects: read the interval with care", n=clusters)
    return None
