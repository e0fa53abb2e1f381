"""Cohen's kappa for two annotators: unweighted, and weighted over the declared levels.

kappa = (po - pe) / (1 - pe) with agreement weights w on the two-way table of items that both labelled.
Weights are 1 - d / dmax with d = |i - j| (linear) or (i - j)^2 (quadratic); i and j are positions in the
declared order, or the numbers themselves on an interval scale. An unused level keeps its position. Variance:
Fleiss, Cohen and Everitt (1969), with the normal quantile. Undefined if both annotators gave the same single
value to every item. If only one annotator gave a single value throughout, kappa is 0 by definition, whatever
the other said, and a note says so.
"""

from collections.abc import Callable

import numpy as np

from clinicnum.annotations.agreement.coefficient import (
    LINEAR,
    QUADRATIC,
    Coefficient,
    StandardError,
    Weights,
    identity,
    needs_order,
    needs_two_annotators,
    ratio,
)
from clinicnum.annotations.agreement.label_table import MISSING, Floats, Ints
from clinicnum.annotations.agreement.percent import (
    LINEAR_SHARES,
    PAIRED,
    QUADRATIC_SHARES,
    SHARES,
    UNWEIGHTED,
    adds_a_pair,
    observed,
)
from clinicnum.annotations.agreement.rating_panel import Contributions, Flags, Panel


def _both(panel: Panel) -> Flags:
    flags: Flags = np.all(panel.rows >= 0, axis=1)
    return flags


def _marks(panel: Panel) -> Ints:
    """Index of the two labels' cells in the margins (annotators x values); `MISSING` for patterns without
    both labels.
    """
    marks: Ints = np.where(_both(panel)[:, None], panel.rows + np.array([0, len(panel.values)]), MISSING)
    return marks


def _cells(panel: Panel) -> int:
    return 2 * len(panel.values)


def _value(weights: Weights) -> Callable[[Panel, Floats], Floats]:
    def value(panel: Panel, totals: Floats) -> Floats:
        width = len(panel.values)
        margins = ratio(totals[..., SHARES + width :], totals[..., PAIRED, None])
        rows, columns = margins[..., :width], margins[..., width:]
        chance = ((rows @ weights(panel)) * columns).sum(axis=-1)
        return ratio(observed(totals) - chance, 1.0 - chance)

    return value


def _standard_error(weights: Weights) -> Callable[[Panel, float], StandardError]:
    def standard_error(panel: Panel, value: float) -> StandardError:
        agree = weights(panel)
        both, width = _both(panel), len(panel.values)
        first, second = panel.rows[both].T.astype(np.int64)
        counted = np.bincount(first * width + second, weights=panel.weight[both], minlength=width**2)
        pairs = counted.sum()
        table = counted.reshape(width, width) / pairs
        rows, columns = table.sum(axis=1), table.sum(axis=0)
        chance = float(rows @ agree @ columns)
        mean_weight = (agree @ columns)[:, None] + (rows @ agree)[None, :]
        spread = float((table * (agree - mean_weight * (1.0 - value)) ** 2).sum())
        variance = (spread - (value - chance * (1.0 - value)) ** 2) / (pairs * (1.0 - chance) ** 2)
        return StandardError(float(np.sqrt(max(variance, 0.0))), None, "Fleiss, Cohen and Everitt 1969, z")

    return standard_error


def _needs_order_and_two(panel: Panel) -> str | None:
    return needs_two_annotators(panel) or needs_order(panel)


def _cohen(
    name: str, weights: Weights, contributions: Contributions, inapplicable: Callable[[Panel], str | None]
) -> Coefficient:
    return Coefficient(
        name=name,
        contributions=contributions,
        value=_value(weights),
        marks=_marks,
        marked_columns=_cells,
        standard_error=_standard_error(weights),
        inapplicable=inapplicable,
        counted=adds_a_pair,
        per_category=weights is identity,
    )


COHEN_KAPPA = _cohen("cohen_kappa", identity, UNWEIGHTED, needs_two_annotators)
COHEN_KAPPA_LINEAR = _cohen("cohen_kappa_linear", LINEAR, LINEAR_SHARES, _needs_order_and_two)
COHEN_KAPPA_QUADRATIC = _cohen("cohen_kappa_quadratic", QUADRATIC, QUADRATIC_SHARES, _needs_order_and_two)
