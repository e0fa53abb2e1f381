"""Percent agreement: the share of agreeing pairs of labels on an item, averaged over items with a pair."""

import numpy as np

from annotations.agreement.coefficient import Coefficient, StandardError, linearised, ratio
from annotations.agreement.panel import Floats, Panel


def agreeing_share(panel: Panel) -> Floats:
    """Share of agreeing pairs on each item; 0 where an item has a single label."""
    pairs = panel.raters * (panel.raters - 1)
    agreeing = (panel.counts * (panel.counts - 1)).sum(axis=1)
    share: Floats = np.divide(agreeing, pairs, out=np.zeros(len(panel.items)), where=pairs > 0)
    return share


def paired(panel: Panel) -> Floats:
    """1 for items with at least two labels, else 0."""
    return (panel.raters >= 2).astype(float)


def _contributions(panel: Panel) -> Floats:
    return np.column_stack([agreeing_share(panel), paired(panel)])


def _value(_: Panel, totals: Floats) -> Floats:
    return ratio(totals[..., 0], totals[..., 1])


def _standard_error(panel: Panel, value: float) -> StandardError:
    # Items with a single label stay in, as in irrCAC: n counts them and their share is 0.
    n = len(panel.items)
    return linearised(agreeing_share(panel) * n / paired(panel).sum(), value)


PERCENT_AGREEMENT = Coefficient(
    name="percent_agreement",
    contributions=_contributions,
    value=_value,
    standard_error=_standard_error,
    per_category=True,
)
