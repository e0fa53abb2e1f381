"""Sensitivity of a test under partial verification: every item has a verdict, and only a sample of each
verdict is verified.

With q the share of positive verdicts among all, which is known, and the predictive values from the samples,

    sensitivity = PPV q / (PPV q + (1 - NPV)(1 - q)),

and specificity likewise: Begg and Greenes's correction (Biometrics 1983;39:207-215). That no miss was found
among a few verified negatives does not say that there is none among the many others. So the limits of both
predictive values are carried through:

1. of each, Jeffreys's limits (recommended for few items by Brown, Cai and DasGupta, Statistical Science
   2001;16:101-133), and the exact limit (Clopper and Pearson) where all items agree, on the effective number
   of items that Korn and Graubard use for clustered samples (NCHS Data Presentation Standards for
   Proportions, Vital Health Stat 2(175), 2017). Where all agree, each subject counts as one item;
2. of their ratio, which sensitivity depends on, by MOVER-R (Donner and Zou, Stat Methods Med Res
   2012;21:347-359).

`docs/report.md` has the coverage.
"""

from dataclasses import dataclass
from math import hypot, inf, sqrt

import numpy as np

from clinicnum.stats.clustered_intervals import (
    NO_SPREAD,
    Floats,
    Subjects,
    jackknife_error,
    quotient,
    t_quantile,
)
from clinicnum.stats.jackknife import MIN_CLUSTERS

JEFFREYS = "Jeffreys with the effective sample size, exact where all agree"
METHOD = f"{JEFFREYS}; carried through by MOVER-R"


@dataclass(frozen=True)
class Limits:
    """An estimated share with its confidence limits."""

    value: float
    low: float
    high: float

    @property
    def rest(self) -> "Limits":
        """1 minus the share, with its limits."""
        return Limits(1 - self.value, 1 - self.high, 1 - self.low)


def share_limits(subjects: Subjects, hits: Floats, weights: Floats, *, level: float = 0.95) -> Limits:
    """The share of hits [items], each 0 or 1, weighted by `weights`, with its limits; needs at least one
    item.
    """
    totals = subjects.totals(np.column_stack([weights * hits, weights]))
    value = float(totals[:, 0].sum() / totals[:, 1].sum())
    return Limits(value, *binomial_limits(value, _size(totals, weights, level), level=level))


def binomial_limits(share: float, size: float, *, level: float = 0.95) -> tuple[float, float]:
    """Jeffreys limits of a share of `size` items (also fractional); exact limits if the share is 0 or 1."""
    from scipy.special import betaincinv

    tail = (1 - level) / 2
    if share < NO_SPREAD:
        return 0.0, 1 - tail ** (1 / size)
    if share > 1 - NO_SPREAD:
        return tail ** (1 / size), 1.0
    a, b = share * size + 0.5, (1 - share) * size + 0.5
    return min(float(betaincinv(a, b, tail)), share), max(float(betaincinv(a, b, 1 - tail)), share)


def _size(totals: Floats, weights: Floats, level: float) -> float:
    """The effective number of independent items in the sample; at most its number of items."""
    n, subjects = len(weights), len(totals)
    part, whole = totals.sum(axis=0)
    inner = (part / whole) * (1 - part / whole)
    without = quotient(part - totals[:, 0], whole - totals[:, 1])
    error = float(jackknife_error(without, np.ones(subjects, dtype=bool))) if subjects > 1 else 0.0
    if subjects < MIN_CLUSTERS or inner < NO_SPREAD or error < NO_SPREAD:
        return min(float(subjects), float(weights.sum() ** 2 / (weights**2).sum()))
    few = float(t_quantile(np.array(float(n)), level) / t_quantile(np.array(float(subjects)), level))
    return min(float(n), float(inner) / error**2) * few**2


def ratio_limits(one: Limits, other: Limits) -> tuple[float, float]:
    """(low, high) of one / other, estimated on different items; infinite if `other` may be 0."""
    product = one.value * other.value
    low = _ratio_end(product, one.low * (2 * one.value - one.low), other.value, other.high, -1)
    high = _ratio_end(product, one.high * (2 * one.value - one.high), other.value, other.low, 1)
    return max(low, 0.0), high


def _ratio_end(product: float, above: float, value: float, end: float, sign: int) -> float:
    """One limit of a ratio by MOVER-R: the lower one for `sign` -1, the upper one for 1."""
    below = end * (2 * value - end)
    if abs(below) < NO_SPREAD:
        if sign > 0 or product < NO_SPREAD:
            return inf if sign > 0 else 0.0
        return above / (2 * product)
    return (product + sign * sqrt(max(product**2 - above * below, 0.0))) / below


def found_share(found: Limits, missed: Limits, part: float) -> Limits | None:
    """Sensitivity: the share of all failures whose verdict is failure; None if there are no failures.

    `found` is the share of failures among items of that verdict (PPV), `missed` among the others (1 - NPV),
    `part` that verdict's share of all items (q). NPV, 1 - PPV and 1 - q give specificity.
    """
    whole = found.value * part + missed.value * (1 - part)
    if whole < NO_SPREAD:
        return None
    low, high = (_of_odds(ratio * part / (1 - part)) for ratio in ratio_limits(found, missed))
    value = found.value * part / whole
    return Limits(value, min(low, value), max(high, value))


def share_of_both(sensitivity: Limits, found: Limits, missed: Limits | None) -> Limits:
    """A class's share of all failures, from its shares among those found and those missed.

    `missed` is None where no miss was seen: then missed failures may be of any class. The two uncertainties,
    of the classes found and of the number and classes missed, are squared and added.
    """
    unseen = Limits(found.value, 0.0, 1.0) if missed is None else missed
    ends = (sensitivity.low, sensitivity.high)
    value = sensitivity.value * found.value + (1 - sensitivity.value) * unseen.value
    lowest = min(end * found.value + (1 - end) * unseen.low for end in ends)
    highest = max(end * found.value + (1 - end) * unseen.high for end in ends)
    below = hypot(sensitivity.value * (found.value - found.low), max(value - lowest, 0.0))
    above = hypot(sensitivity.value * (found.high - found.value), max(highest - value, 0.0))
    return Limits(value, max(value - below, 0.0), min(value + above, 1.0))


def _of_odds(odds: float) -> float:
    return 1.0 if odds == inf else odds / (1 + odds)


def lowest_sensitivity(wrong: int, right: int, judged: int) -> float:
    """Lower limit of sensitivity if all `wrong` are failures and none of `judged` of the `right` is a miss.

    All are counts; the judged items are of different subjects.
    """
    sure = Limits(1.0, *binomial_limits(1.0, wrong))
    none = Limits(0.0, *binomial_limits(0.0, judged))
    sensitivity = found_share(sure, none, wrong / (wrong + right))
    if sensitivity is None:  # all that is scored wrong is a failure
        raise ArithmeticError("there are failures, but no share of them: a defect of this program")
    return sensitivity.low
