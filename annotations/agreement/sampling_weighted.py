"""Coefficients weighted by the inverse probability of selection: estimates for the population that was
sampled.

Coefficients are computed from sums over items, in which each item's contribution is multiplied by its weight.
Weights are scaled to a mean of 1, so that small-sample corrections use the actual number of labels. Intervals
are the delete-one-subject jackknife on the weighted sums. Intraclass correlations are left out, since they
are computed from mean squares.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from clinicnum.annotations.agreement.coefficient import TINY, Coefficient
from clinicnum.annotations.agreement.intervals import (
    Uncertainty,
    for_few_off_mode,
    from_jackknife,
    jackknife,
    no_interval,
)
from clinicnum.annotations.agreement.label_table import Floats
from clinicnum.annotations.agreement.rating_panel import Panel
from clinicnum.annotations.agreement.types import CoefficientValue
from clinicnum.errors import InputError


def weighted(
    panel: Panel,
    items: Sequence[str],
    coefficients: Sequence[Coefficient],
    overall: Sequence[CoefficientValue],
    weights: Mapping[str, float],
) -> tuple[CoefficientValue, ...]:
    """Every applicable coefficient, weighted; none if all items have the same weight.

    `items` are the ids of the panel's items, `overall` the unweighted coefficients. Raises InputError for an
    item without a weight above 0.
    """
    weight = _weights(items, weights)
    if np.ptp(weight) < TINY * weight.max():
        return ()
    heavier = panel.weighted_by(weight * len(weight) / weight.sum())
    return tuple(
        _one(panel, heavier, coefficient, plain)
        for coefficient, plain in zip(coefficients, overall, strict=True)
        if not coefficient.name.startswith("icc(") and coefficient.inapplicable(panel) is None
    )


def _weights(items: Sequence[str], weights: Mapping[str, float]) -> Floats:
    for item in items:
        if item not in weights:
            raise InputError(f"item {item!r} has no weight; expected one for each item with a label")
        if not 0 < weights[item] < np.inf:
            raise InputError(f"weight {weights[item]} of item {item!r}; expected a number above 0")
    return np.array([weights[item] for item in items], dtype=float)


def _one(panel: Panel, heavier: Panel, coefficient: Coefficient, plain: CoefficientValue) -> CoefficientValue:
    counts = {"name": plain.name, "n_items": plain.n_items, "n_annotators": plain.n_annotators}
    if plain.value is None:
        return CoefficientValue(**counts, value=None, undefined=plain.undefined)
    value = float(coefficient.value(heavier, coefficient.totals(heavier)))
    if np.isnan(value):
        return CoefficientValue(**counts, value=None, undefined=coefficient.undefined)
    spread = _spread(panel, heavier, coefficient, plain, value)
    return CoefficientValue(**counts, value=value, se=spread.se, ci95=spread.ci95, ci_method=spread.method)


def _spread(
    panel: Panel, heavier: Panel, coefficient: Coefficient, plain: CoefficientValue, value: float
) -> Uncertainty:
    reason = no_interval(panel, plain.n_items)
    if reason is not None:
        return Uncertainty(None, None, f"none: {reason}")
    if value > 1.0 - TINY:
        return Uncertainty(None, None, "none: all pairs agree: no variance; see the unweighted bound")
    totals = coefficient.cluster_totals(heavier)
    found = from_jackknife(jackknife(heavier, coefficient, value, plain.n_items, totals, None))
    return for_few_off_mode(found, panel, coefficient)
