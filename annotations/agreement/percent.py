"""Percent agreement: the share of agreeing pairs of labels on an item, averaged over items with a pair.

With weights w a pair (k, l) counts w_kl; unweighted it counts 1 if the labels are the same. Undefined if no
item has a pair. Items with a single label have no share, but count in the variance, as in irrCAC. Source:
Gwet (2014), Handbook of Inter-Rater Reliability, 4th ed., as computed by the R package irrCAC.
"""

import numpy as np

from clinicnum.annotations.agreement.coefficient import (
    LINEAR,
    QUADRATIC,
    Coefficient,
    StandardError,
    Weights,
    linearised,
    ratio,
)
from clinicnum.annotations.agreement.label_table import Floats
from clinicnum.annotations.agreement.rating_panel import Contributions, Flags, Panel

AGREEING, PAIRED, ITEMS, SHARES = 0, 1, 2, 3
"""Columns of `shares`: agreeing share, items with a pair, items, then the shares of the values."""


def agreeing_share(panel: Panel, weights: Weights | None = None) -> Floats:
    """Share of agreeing pairs of labels in each pattern, weighted by `weights`; 0 for a single label."""
    near = panel.counts if weights is None else panel.counts @ weights(panel)
    pairs = panel.raters * (panel.raters - 1)
    agreeing = (panel.counts * (near - 1)).sum(axis=1)
    share: Floats = np.divide(agreeing, pairs, out=np.zeros(len(pairs)), where=pairs > 0)
    return share


def paired(panel: Panel) -> Floats:
    """For each pattern of labels, 1 if it has at least two labels, otherwise 0."""
    return (panel.raters >= 2).astype(float)


def value_shares(panel: Panel) -> Floats:
    """Share of each value among the labels of a pattern: patterns x values."""
    shares: Floats = panel.counts / panel.raters[:, None]
    return shares


def mean_shares(panel: Panel) -> Floats:
    """Mean share of each value over all items."""
    mean: Floats = panel.weight @ value_shares(panel) / panel.n_items
    return mean


def shares(weights: Weights | None = None) -> Contributions:
    """A function that gives the contributions of an item to coefficients based on percent agreement.

    They are, for each pattern of labels: the share of agreeing pairs, 1 if there is a pair (else 0), 1, and
    the share of each value.
    """

    def contributions(panel: Panel) -> Floats:
        ones = np.ones(len(panel.rows))
        return np.column_stack([agreeing_share(panel, weights), paired(panel), ones, value_shares(panel)])

    return contributions


UNWEIGHTED, LINEAR_SHARES, QUADRATIC_SHARES = shares(), shares(LINEAR), shares(QUADRATIC)


def adds_a_pair(parts: Floats) -> Flags:
    """For each row of `shares`, whether it has a pair; for coefficients that ignore items with a single
    label.
    """
    flags: Flags = parts[:, PAIRED] > 0
    return flags


def observed(totals: Floats) -> Floats:
    """Percent agreement, from the sums of `shares` over all items."""
    return ratio(totals[..., AGREEING], totals[..., PAIRED])


def item_agreement(panel: Panel, chance: float, weights: Weights | None = None) -> Floats:
    """Linearised value of each item, (share - chance) / (1 - chance), scaled so that the mean over all items
    is the coefficient.
    """
    pairs = paired(panel)
    blown = panel.n_items / float(panel.weight @ pairs)
    agreement: Floats = blown * (agreeing_share(panel, weights) - chance * pairs) / (1.0 - chance)
    return agreement


def _value(_: Panel, totals: Floats) -> Floats:
    return observed(totals)


def _standard_error(panel: Panel, value: float) -> StandardError:
    return linearised(item_agreement(panel, 0.0), panel.weight, value)


PERCENT_AGREEMENT = Coefficient(
    name="percent_agreement",
    contributions=UNWEIGHTED,
    value=_value,
    standard_error=_standard_error,
    counted=adds_a_pair,
    per_category=True,
    chance_corrected=False,
    least=0.0,
)
