"""Uncertainty of estimates on items clustered by subject: jackknife and bootstrap over subjects, on arrays.

Every estimate here is a function of totals, and totals add up over subjects; so leaving one subject out is a
subtraction, and a bootstrap draw is a sum of rows. Arrays hold any number of data sets at once: the last axis
is the subject, the axes before it are kept.

Interval of a share, or of a quotient of totals with 0 <= part <= whole (`share_spread`, `share_interval`):
Wilson's score interval (1927) with the effective sample size p (1 - p) / se^2 in place of n, se from the
delete-one-subject jackknife, and the quantile of t(effective subjects - 1) in place of the normal one.
Franco, Little, Louis and Slud (2019, "Comparative study of confidence intervals for proportions in complex
sample surveys") recommend the Wilson form with an effective sample size; t is used because se is estimated
from few subjects. Where all items agree, se is 0 and uninformative: each subject then counts as one item.
`docs/robustness.md` has the coverage.

Interval of any other mean (`mean_interval`), even of values between 0 and 1: the jackknife's se with the same
t, without Wilson's form.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import compress
from math import fsum

import numpy as np
from numpy.typing import NDArray

from clinicnum.stats.jackknife import (
    MAX_UNDEFINED_SHARE,
    Interval,
    cluster_jackknife_interval,
    few_subjects,
    why_no_interval,
)

Floats = NDArray[np.float64]
WILSON = (
    "Wilson with the effective sample size of the delete-one-subject jackknife, t(effective subjects - 1)"
)
BOOTSTRAP = "percentile bootstrap of subjects"
RESAMPLES = 1_000
NO_SPREAD = 1e-12
_AT_ONCE = 4_000_000
"""Array cells drawn at a time, so that a bootstrap over many subjects is done in pieces."""


@dataclass(frozen=True)
class Spread:
    """Shares with their intervals; every field is an array [...] with one entry per data set.

    nan is "undefined" inside this module and in simulations; no result type holds one.
    """

    value: Floats
    low: Floats
    high: Floats
    se: Floats
    """Jackknife standard error; 0 where all subjects agree."""
    n_subjects: Floats
    """Subjects that count in the denominator."""


def quotient(above: Floats, below: Floats) -> Floats:
    """above / below; nan where `below` is zero."""
    some = below > NO_SPREAD
    return np.where(some, above / np.where(some, below, 1.0), np.nan)


def jackknife_error(replicates: Floats, counted: NDArray[np.bool_]) -> Floats:
    """Standard error [...] of delete-one-subject replicates [..., subjects], of which `counted` exist.

    sqrt((g - 1)/g times the sum of squared distances from the mean of the replicates); nan for one subject.
    """
    g = counted.sum(axis=-1)
    kept = np.where(counted, replicates, 0.0)
    mean = quotient(kept.sum(axis=-1), g.astype(float))
    squares = np.where(counted, (replicates - mean[..., None]) ** 2, 0.0).sum(axis=-1)
    return np.sqrt(quotient((g - 1.0) * squares, g.astype(float)))


def effective_subjects(items: Floats) -> Floats:
    """Kish's effective number of subjects: how many of equal size carry the same information.

    `items`: items of each subject [..., subjects].
    (sum n)^2 / sum n^2 for n items of each: the number of subjects itself where all have equally many.
    """
    return quotient(items.sum(axis=-1) ** 2, (items**2).sum(axis=-1))


def t_quantile(subjects: Floats, level: float) -> Floats:
    """Two-sided quantile of Student's t at confidence `level`, with max(subjects - 1, 1) degrees of freedom.

    nan for one subject or fewer. Where subjects have different numbers of items, pass the effective number of
    subjects: with 1 to 60 items each, intervals then covered the true value in 94 to 97 % of simulated data
    sets, and in 91 to 94 % with the plain number (`docs/robustness.md`).
    """
    from scipy.special import stdtrit

    return np.asarray(stdtrit(np.where(subjects > 1, np.maximum(subjects - 1, 1.0), np.nan), 0.5 + level / 2))


def wilson(share: Floats, size: Floats, quantile: Floats) -> tuple[Floats, Floats]:
    """(low, high) of Wilson's score interval of shares [...] with sample size `size`."""
    square = quantile**2
    middle = (share + square / (2 * size)) / (1 + square / size)
    half = quantile / (1 + square / size) * np.sqrt(share * (1 - share) / size + square / (4 * size**2))
    return np.clip(middle - half, 0.0, 1.0), np.clip(middle + half, 0.0, 1.0)


def share_spread(parts: Floats, wholes: Floats, *, level: float = 0.95) -> Spread:
    """Shares sum(parts) / sum(wholes) with intervals; both are [..., subjects], 0 <= part <= whole.

    Subjects with a whole of 0 do not count. Where subjects agree on a share other than 0 and 1, low and high
    are nan: nothing tells how they would differ.
    """
    counted = wholes > 0
    n_subjects = counted.sum(axis=-1).astype(float)
    part, whole = parts.sum(axis=-1), wholes.sum(axis=-1)
    value = quotient(part, whole)
    without = quotient(part[..., None] - parts, whole[..., None] - wholes)
    se = jackknife_error(without, counted)
    inner = value * (1 - value)
    flat = se < NO_SPREAD
    size = np.where(flat, np.where(inner < NO_SPREAD, n_subjects, np.nan), inner / np.where(flat, 1.0, se**2))
    quantile = t_quantile(effective_subjects(wholes), level)
    low, high = wilson(value, np.where(size > 0, size, np.nan), quantile)
    return Spread(value, low, high, se, n_subjects)


def share_interval(parts: Floats, wholes: Floats, n_items: int, *, level: float = 0.95) -> Interval:
    """The interval of sum(parts) / sum(wholes), both totals by subject [subjects], or the reason why there is
    none.
    """
    subjects = int((wholes > 0).sum())
    reason = why_no_interval(subjects, 0, n_items)
    if reason is not None:
        return Interval(None, None, WILSON, subjects, undefined=reason)
    spread = share_spread(parts, wholes, level=level)
    if np.isnan(spread.low):
        reason = "no variation between subjects: the jackknife has no width"
        return Interval(None, None, WILSON, subjects, undefined=reason)
    warning = few_subjects(subjects)
    if spread.se < NO_SPREAD:
        said = f"no variation: each of {subjects} subjects counts once"
        warning = f"{said}; {warning}" if warning else said
    return Interval(
        float(spread.low), float(spread.high), WILSON, subjects, se=float(spread.se), warning=warning
    )


def bootstrap_interval(
    totals: Floats,
    statistic: Callable[[Floats], Floats],
    n_items: int,
    *,
    level: float = 0.95,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> Interval:
    """Percentile bootstrap interval of `statistic` over resampled subjects, or the reason why there is none.

    `totals` is [subjects, k], in an order that does not depend on the input's; `statistic` maps sums
    [draws, k] to [draws], nan where undefined. The same seed gives the same interval.
    """
    subjects = len(totals)
    reason = why_no_interval(subjects, 0, n_items)
    if reason is not None:
        return Interval(None, None, BOOTSTRAP, subjects, undefined=reason)
    values = statistic(_resampled(totals, resamples, np.random.default_rng(seed)))
    defined = values[~np.isnan(values)]
    missing = resamples - len(defined)
    if missing > MAX_UNDEFINED_SHARE * resamples:
        reason = f"{missing} of {resamples} resamples are undefined; more than 5 % allows no interval"
        return Interval(None, None, BOOTSTRAP, subjects, undefined=reason)
    low, high = np.quantile(defined, [0.5 - level / 2, 0.5 + level / 2])
    if high - low < NO_SPREAD:
        reason = "no variation between resamples: the bootstrap has no width"
        return Interval(None, None, BOOTSTRAP, subjects, undefined=reason)
    return Interval(float(low), float(high), BOOTSTRAP, subjects, warning=few_subjects(subjects))


def _resampled(totals: Floats, resamples: int, rng: np.random.Generator) -> Floats:
    """Sums [resamples, k] over subjects drawn with replacement."""
    subjects = len(totals)
    step = max(1, _AT_ONCE // (subjects * totals.shape[1]))
    sums = [
        totals[rng.integers(0, subjects, (min(step, resamples - done), subjects))].sum(axis=1)
        for done in range(0, resamples, step)
    ]
    return np.concatenate(sums)


@dataclass(frozen=True, eq=False)
class Subjects:
    """The subject of each item as an index, computed once and shared by all figures on the same items."""

    names: tuple[str, ...]
    """Distinct subjects of the items, sorted."""
    place: NDArray[np.int64]
    """For each item, the index of its subject in `names`."""

    @classmethod
    def of(cls, subjects: "Iterable[str] | Subjects") -> "Subjects":
        """Index the subject of each item; an indexed input is returned as it is."""
        if isinstance(subjects, Subjects):
            return subjects
        given = list(subjects)
        names = sorted(set(given))  # sorting the few distinct texts beats sorting an array of all
        at = {name: place for place, name in enumerate(names)}
        return cls(tuple(names), np.fromiter(map(at.__getitem__, given), dtype=np.int64, count=len(given)))

    def __len__(self) -> int:
        return len(self.place)

    def __getitem__(self, chosen: NDArray[np.bool_] | NDArray[np.int64]) -> "Subjects":
        """The subjects of the items chosen by index or mask."""
        place = self.place[chosen]
        seen = np.bincount(place, minlength=len(self.names)) > 0
        return Subjects(tuple(compress(self.names, seen.tolist())), (np.cumsum(seen) - 1)[place])

    def totals(self, columns: Floats) -> Floats:
        """Sums by subject [subjects, k] of one row of values per item [items, k]."""
        sums = [np.bincount(self.place, weights=column, minlength=len(self.names)) for column in columns.T]
        return np.column_stack(sums).astype(float)


def mean_interval(
    subjects: Iterable[str] | Subjects,
    values: Floats,
    *,
    weights: Floats | None = None,
    level: float = 0.95,
    bounds: tuple[float, float] | None = None,
) -> Interval:
    """Interval of the mean of values [items], at least one, by the delete-one-subject jackknife; with
    positive `weights` [items], that of the weighted mean.
    """
    whose, n = Subjects.of(subjects), len(values)
    each = np.ones(n) if weights is None else weights
    total, whole = fsum((each * values).tolist()), fsum(each.tolist())
    sums, wholes = whose.totals(np.column_stack([each * values, each])).T
    replicates = ((total - sums) / (whole - wholes)).tolist() if len(wholes) > 1 else [None]
    effective = float(effective_subjects(wholes))
    return cluster_jackknife_interval(
        replicates, total / whole, level=level, n_items=n, bounds=bounds, effective=effective
    )
