"""Fleiss's kappa, with missing labels, and Scott's pi for two annotators.

kappa = (pa - pe) / (1 - pe); pa is percent agreement over items with a pair, pe the sum of squared mean
shares of the categories over all items. Items with a single label stay in the shares, as in irrCAC.
Scott's pi is the same for exactly two annotators, on the items that both labelled.
Sources: Fleiss (1971), Psychological Bulletin 76:378-382; Scott's pi and missing labels as in irrCAC.
Variance: Gwet's linearisation. Fleiss's own 1971 standard error holds under the null only and is not used.
Undefined where one value was given throughout: chance agreement is then 1.
"""

import numpy as np

from clinicnum.annotations.agreement.coefficient import (
    Coefficient,
    StandardError,
    linearised,
    needs_two_annotators,
    ratio,
)
from clinicnum.annotations.agreement.label_table import Floats
from clinicnum.annotations.agreement.percent import (
    ITEMS,
    SHARES,
    UNWEIGHTED,
    agreeing_share,
    item_agreement,
    mean_shares,
    observed,
    paired,
    value_shares,
)
from clinicnum.annotations.agreement.rating_panel import Panel


def _value(_: Panel, totals: Floats) -> Floats:
    share = ratio(totals[..., SHARES:], totals[..., ITEMS, None])
    chance = (share**2).sum(axis=-1)
    return ratio(observed(totals) - chance, 1.0 - chance)


def _standard_error(panel: Panel, value: float) -> StandardError:
    share = mean_shares(panel)
    chance = float(share @ share)
    drift = (value_shares(panel) @ share - chance) / (1.0 - chance)
    return linearised(item_agreement(panel, chance) - 2.0 * (1.0 - value) * drift, panel.weight, value)


def _on_pairs(panel: Panel) -> Floats:
    """The contributions of `UNWEIGHTED`, restricted to items with exactly two labels."""
    pairs = paired(panel)
    return np.column_stack([agreeing_share(panel), pairs, pairs, value_shares(panel) * pairs[:, None]])


def _scott_error(panel: Panel, value: float) -> StandardError:
    return _standard_error(panel.of_pair(0, 1), value)


FLEISS_KAPPA = Coefficient(
    name="fleiss_kappa",
    contributions=UNWEIGHTED,
    value=_value,
    standard_error=_standard_error,
    per_category=True,
)
SCOTT_PI = Coefficient(
    name="scott_pi",
    contributions=_on_pairs,
    value=_value,
    standard_error=_scott_error,
    inapplicable=needs_two_annotators,
    per_category=True,
)
