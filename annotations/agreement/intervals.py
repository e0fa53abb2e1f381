"""Intervals for a coefficient, or the reason why there is none.

Independent items: the coefficient's own standard error, or the delete-one-item jackknife where it has none,
truncated at 1. Items that share a subject: the delete-one-subject jackknife. Under 10 items, under 5
subjects or with over 5 % undefined replicates there is no interval. Where every pair agrees a variance is
0 and says nothing; percent agreement then takes the exact bound of `agreement_bound`, others have none.
"""

from dataclasses import dataclass, replace

import numpy as np

from annotations.agreement.coefficient import TINY, Coefficient
from annotations.agreement.panel import Floats, Ints, Panel
from clinicnum.statistics import MIN_CLUSTERS, MIN_ITEMS, Interval, cluster_jackknife_interval

EXACT = "Clopper-Pearson"


@dataclass(frozen=True)
class Uncertainty:
    """A standard error and an interval, or in `method` why there is none."""

    se: float | None
    ci95: tuple[float, float] | None
    method: str


def agreement_bound(units: int) -> float:
    """Lower end of the two-sided 95 % Clopper-Pearson interval when all of `units` agree: 0.025 ** (1/units).

    All agree with probability p ** units; the bound is the p at which that happens 2.5 % of the time.
    """
    return float(0.025 ** (1.0 / units))


def independent_units(panel: Panel, n_items: int) -> tuple[int, str]:
    """How many independent units carry the pairs, and what they are called."""
    if panel.cluster is None:
        return n_items, "items"
    return len(np.unique(panel.cluster[panel.raters >= 2])), "subjects"


def uncertainty(panel: Panel, coefficient: Coefficient, value: float, n_items: int) -> Uncertainty:
    """The interval of a defined value."""
    units, unit = independent_units(panel, n_items)
    if n_items < MIN_ITEMS:
        return _none(f"{n_items} items; an interval needs at least {MIN_ITEMS}")
    if unit == "subjects" and units < MIN_CLUSTERS:
        return _none(f"{units} subjects; an interval needs at least {MIN_CLUSTERS}")
    if value > 1.0 - TINY:
        bound = agreement_bound(units)
        if coefficient.name.startswith("percent_agreement"):
            return Uncertainty(None, (bound, 1.0), f"{EXACT}, all of {units} {unit} agree")
        return _none(f"all of {units} {unit} agree: no variance; percent agreement has an exact bound")
    if panel.cluster is not None:
        return _from_jackknife(_jackknife(panel, coefficient, value, n_items, panel.cluster))
    if coefficient.standard_error is None:
        by_item = _jackknife(panel, coefficient, value, n_items, np.arange(len(panel.items)))
        return _from_jackknife(replace(by_item, method="delete-one-item jackknife, t(items - 1)"))
    return _analytic(panel, coefficient, value)


def _analytic(panel: Panel, coefficient: Coefficient, value: float) -> Uncertainty:
    from scipy.special import ndtri, stdtrit  # costs a quarter of a second: not at import

    if coefficient.standard_error is None:
        raise ValueError(f"{coefficient.name} has no analytic standard error")
    error = coefficient.standard_error(panel, value)
    if error.se < TINY:
        return _none("no variation between items: the variance is 0 and says nothing")
    quantile = float(ndtri(0.975) if error.df is None else stdtrit(error.df, 0.975))
    low, high = value - quantile * error.se, min(value + quantile * error.se, 1.0)
    return Uncertainty(error.se, (_floor(coefficient, low), high), error.method)


def _jackknife(panel: Panel, coefficient: Coefficient, value: float, n_items: int, cluster: Ints) -> Interval:
    """Delete-one replicates as subtractions from the totals; a cluster that adds nothing is not counted."""
    parts = coefficient.contributions(panel)
    sums: Floats = np.zeros((int(cluster.max()) + 1, parts.shape[1]))
    np.add.at(sums, cluster, parts)
    counted = sums.any(axis=1)
    replicates = coefficient.value(panel, parts.sum(axis=0) - sums[counted])
    return cluster_jackknife_interval(
        [None if np.isnan(one) else float(one) for one in replicates],
        value,
        n_items=n_items,
        bounds=(_floor(coefficient, float("-inf")), 1.0),
    )


def _from_jackknife(interval: Interval) -> Uncertainty:
    if interval.low is None or interval.high is None:
        return _none(interval.undefined or "no interval")
    warning = f"; {interval.warning}" if interval.warning else ""
    return Uncertainty(interval.se, (interval.low, interval.high), interval.method + warning)


def _floor(coefficient: Coefficient, low: float) -> float:
    """Cut off at the least an agreement can be: 0 for the raw share, -1 where chance is taken out."""
    return max(low, 0.0 if coefficient.name.startswith("percent_agreement") else -1.0)


def _none(reason: str) -> Uncertainty:
    return Uncertainty(None, None, f"none: {reason}")
