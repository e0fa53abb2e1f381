"""Cohen's kappa for two annotators: unweighted, and weighted over the declared levels.

kappa = (po - pe) / (1 - pe) with agreement weights w on the two-way table of items that both labelled.
Weights are 1 - d / dmax with d = |i - j| (linear) or (i - j)^2 (quadratic), i and j the places in the
declared order, or the numbers themselves on an interval scale. A level nobody used keeps its place.
Variance: Fleiss, Cohen and Everitt (1969), with the normal quantile.
"""

from collections.abc import Callable

import numpy as np

from annotations.agreement.coefficient import (
    Coefficient,
    StandardError,
    distance_weights,
    needs_order,
    needs_two_annotators,
    positions,
    ratio,
)
from annotations.agreement.panel import Floats, Panel

Weights = Callable[[Panel], Floats]


def _identity(panel: Panel) -> Floats:
    return np.eye(len(panel.values))


def _power_weights(power: int) -> Weights:
    def weights(panel: Panel) -> Floats:
        at = positions(panel)
        return distance_weights(np.abs(at[:, None] - at[None, :]) ** power)

    return weights


def _contributions(panel: Panel) -> Floats:
    """items x (values squared): one 1 in the cell of the two-way table, none where a label is missing."""
    width = len(panel.values)
    given = np.full((len(panel.items), 2), -1, dtype=np.int64)
    given[panel.item, panel.annotator] = panel.label
    both = (given >= 0).all(axis=1)
    table = np.zeros((len(panel.items), width * width))
    table[np.flatnonzero(both), given[both, 0] * width + given[both, 1]] = 1.0
    return table


def _proportions(panel: Panel, totals: Floats) -> Floats:
    width = len(panel.values)
    shares = ratio(totals, totals.sum(axis=-1, keepdims=True))
    return shares.reshape(*totals.shape[:-1], width, width)


def _value(weights: Weights) -> Callable[[Panel, Floats], Floats]:
    def value(panel: Panel, totals: Floats) -> Floats:
        agree = weights(panel)
        table = _proportions(panel, totals)
        rows, columns = table.sum(axis=-1), table.sum(axis=-2)
        observed = (table * agree).sum(axis=(-2, -1))
        chance = ((rows @ agree) * columns).sum(axis=-1)
        return ratio(observed - chance, 1.0 - chance)

    return value


def _standard_error(weights: Weights) -> Callable[[Panel, float], StandardError]:
    def standard_error(panel: Panel, value: float) -> StandardError:
        agree = weights(panel)
        totals = _contributions(panel).sum(axis=0)
        table = _proportions(panel, totals)
        rows, columns = table.sum(axis=1), table.sum(axis=0)
        chance = float(rows @ agree @ columns)
        mean_weight = (agree @ columns)[:, None] + (rows @ agree)[None, :]
        spread = float((table * (agree - mean_weight * (1.0 - value)) ** 2).sum())
        variance = (spread - (value - chance * (1.0 - value)) ** 2) / (totals.sum() * (1.0 - chance) ** 2)
        return StandardError(float(np.sqrt(max(variance, 0.0))), None, "Fleiss, Cohen and Everitt 1969, z")

    return standard_error


def _needs_order_and_two(panel: Panel) -> str | None:
    return needs_two_annotators(panel) or needs_order(panel)


COHEN_KAPPA = Coefficient(
    name="cohen_kappa",
    contributions=_contributions,
    value=_value(_identity),
    standard_error=_standard_error(_identity),
    inapplicable=needs_two_annotators,
    per_category=True,
)
COHEN_KAPPA_LINEAR = Coefficient(
    name="cohen_kappa_linear",
    contributions=_contributions,
    value=_value(_power_weights(1)),
    standard_error=_standard_error(_power_weights(1)),
    inapplicable=_needs_order_and_two,
)
COHEN_KAPPA_QUADRATIC = Coefficient(
    name="cohen_kappa_quadratic",
    contributions=_contributions,
    value=_value(_power_weights(2)),
    standard_error=_standard_error(_power_weights(2)),
    inapplicable=_needs_order_and_two,
)
