"""Gwet's AC1, with missing labels.

AC1 = (pa - pe) / (1 - pe); pa is percent agreement over items with a pair, pe the sum of p_k (1 - p_k) over
q - 1, with p_k the mean share of category k over all items and q the declared categories, used or not.
Source: Gwet (2008), "Computing inter-rater reliability and its variance in the presence of high agreement",
British Journal of Mathematical and Statistical Psychology 61:29-48; missing labels as in irrCAC.
Variance: Gwet's linearisation. Undefined with one declared category; without variation it is 1, because its
chance agreement is 0 there and not 1. Inapplicable where the number of categories is not declared.
"""

import numpy as np

from annotations.agreement.coefficient import Coefficient, StandardError, linearised, ratio
from annotations.agreement.panel import Floats, Panel
from annotations.agreement.percent import agreeing_share, paired


def _shares(panel: Panel) -> Floats:
    return panel.counts / panel.raters[:, None]


def _contributions(panel: Panel) -> Floats:
    ones = np.ones(len(panel.items))
    return np.column_stack([agreeing_share(panel), paired(panel), ones, _shares(panel)])


def _chance(mean_shares: Floats, at: Floats) -> Floats:
    """Chance agreement where `at` are the mean shares; linear in `at` for the linearised variance."""
    chance: Floats = (at * (1.0 - mean_shares)).sum(axis=-1) / (mean_shares.shape[-1] - 1)
    return chance


def _value(_: Panel, totals: Floats) -> Floats:
    if totals.shape[-1] < 5:
        return np.full(totals.shape[:-1], np.nan)
    observed = ratio(totals[..., 0], totals[..., 1])
    mean_shares = ratio(totals[..., 3:], totals[..., 2:3])
    chance = _chance(mean_shares, mean_shares)
    return ratio(observed - chance, 1.0 - chance)


def _standard_error(panel: Panel, value: float) -> StandardError:
    has_pair, shares = paired(panel), _shares(panel)
    mean_shares = shares.mean(axis=0)
    chance = float(_chance(mean_shares, mean_shares))
    scale = len(panel.items) / has_pair.sum()
    per_item = scale * (agreeing_share(panel) - chance * has_pair) / (1.0 - chance)
    drift = (_chance(mean_shares, shares) - chance) / (1.0 - chance)
    return linearised(per_item - 2.0 * (1.0 - value) * drift, value)


def needs_declared_number(panel: Panel) -> str | None:
    """Reason of coefficients whose chance agreement depends on how many categories there are."""
    if panel.scale == "set":
        return "labels are sets: how many there could be is not declared"
    if panel.scale == "interval":
        return "the scale is interval: chance agreement would depend on how many numbers are declared"
    return None


GWET_AC1 = Coefficient(
    name="gwet_ac1",
    contributions=_contributions,
    value=_value,
    standard_error=_standard_error,
    inapplicable=needs_declared_number,
    per_category=True,
)
