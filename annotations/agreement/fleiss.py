"""Fleiss's kappa, with missing labels.

kappa = (pa - pe) / (1 - pe); pa is percent agreement over items with a pair, pe the sum of squared mean
shares of the categories over all items. Items with a single label stay in the shares, as in irrCAC.
Variance: Gwet's linearisation. Fleiss's own 1971 standard error holds under the null only and is not used.
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


def _value(_: Panel, totals: Floats) -> Floats:
    observed = ratio(totals[..., 0], totals[..., 1])
    mean_shares = ratio(totals[..., 3:], totals[..., 2:3])
    chance = (mean_shares**2).sum(axis=-1)
    return ratio(observed - chance, 1.0 - chance)


def _standard_error(panel: Panel, value: float) -> StandardError:
    has_pair = paired(panel)
    mean_shares = _shares(panel).mean(axis=0)
    chance = float((mean_shares**2).sum())
    scale = len(panel.items) / has_pair.sum()
    kappa = scale * (agreeing_share(panel) - chance * has_pair) / (1.0 - chance)
    item_chance = _shares(panel) @ mean_shares
    return linearised(kappa - 2.0 * (1.0 - value) * (item_chance - chance) / (1.0 - chance), value)


FLEISS_KAPPA = Coefficient(
    name="fleiss_kappa",
    contributions=_contributions,
    value=_value,
    standard_error=_standard_error,
    per_category=True,
)
