"""Cohen's kappa for two annotators: unweighted, and weighted over the declared levels.

kappa = (po - pe) / (1 - pe) with agreement weights w on the two-way table of items that both labelled.
Weights are 1 - d / dmax with d = |i - j| (linear) or (i - j)^2 (quadratic), i and j the places in the
declared order, or the numbers themselves on an interval scale. A level nobody used keeps its place.
Variance: Fleiss, Cohen and Everitt (1969), with the normal quantile. Undefined where both gave one and the
same value throughout. An annotator who gave one value throughout makes it 0 whatever the other said: that is
its definition, and a note says so.
"""

from collections.abc import Callable

import numpy as np

from annotations.agreement.coefficient import (
    Coefficient,
    StandardError,
    Weights,
    identity,
    needs_order,
    needs_two_annotators,
    power_weights,
    ratio,
)
from annotations.agreement.panel import Panel
from annotations.agreement.percent import paired
from annotations.agreement.table import MISSING, Floats, Ints


def _contributions(panel: Panel) -> Floats:
    return paired(panel)[:, None]


def _marks(panel: Panel) -> Ints:
    """The cell of each pattern in the two-way table."""
    cell = panel.rows[:, 0].astype(np.int64) * len(panel.values) + panel.rows[:, 1]
    marks: Ints = np.where((panel.rows >= 0).all(axis=1), cell, MISSING)[:, None]
    return marks


def _cells(panel: Panel) -> int:
    return len(panel.values) ** 2


def _value(weights: Weights) -> Callable[[Panel, Floats], Floats]:
    def value(panel: Panel, totals: Floats) -> Floats:
        agree = weights(panel)
        table = _proportions(panel, totals)
        rows, columns = table.sum(axis=-1), table.sum(axis=-2)
        observed = (table * agree).sum(axis=(-2, -1))
        chance = ((rows @ agree) * columns).sum(axis=-1)
        return ratio(observed - chance, 1.0 - chance)

    return value


def _proportions(panel: Panel, totals: Floats) -> Floats:
    width = len(panel.values)
    shares = ratio(totals[..., 1:], totals[..., :1])
    return shares.reshape(*totals.shape[:-1], width, width)


def _standard_error(weights: Weights) -> Callable[[Panel, float], StandardError]:
    def standard_error(panel: Panel, value: float) -> StandardError:
        agree = weights(panel)
        totals = np.concatenate([panel.weight @ _contributions(panel), panel.marked(_marks, _cells(panel))])
        table = _proportions(panel, totals)
        rows, columns = table.sum(axis=1), table.sum(axis=0)
        chance = float(rows @ agree @ columns)
        mean_weight = (agree @ columns)[:, None] + (rows @ agree)[None, :]
        spread = float((table * (agree - mean_weight * (1.0 - value)) ** 2).sum())
        variance = (spread - (value - chance * (1.0 - value)) ** 2) / (totals[0] * (1.0 - chance) ** 2)
        return StandardError(float(np.sqrt(max(variance, 0.0))), None, "Fleiss, Cohen and Everitt 1969, z")

    return standard_error


def _needs_order_and_two(panel: Panel) -> str | None:
    return needs_two_annotators(panel) or needs_order(panel)


def _cohen(name: str, weights: Weights, inapplicable: Callable[[Panel], str | None]) -> Coefficient:
    return Coefficient(
        name=name,
        contributions=_contributions,
        value=_value(weights),
        marks=_marks,
        marked_columns=_cells,
        standard_error=_standard_error(weights),
        inapplicable=inapplicable,
        per_category=weights is identity,
    )


COHEN_KAPPA = _cohen("cohen_kappa", identity, needs_two_annotators)
COHEN_KAPPA_LINEAR = _cohen("cohen_kappa_linear", power_weights(1), _needs_order_and_two)
COHEN_KAPPA_QUADRATIC = _cohen("cohen_kappa_quadratic", power_weights(2), _needs_order_and_two)
