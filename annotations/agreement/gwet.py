"""Gwet's AC1, and AC2 with linear or quadratic weights, with missing labels.

AC = (pa - pe) / (1 - pe); pa is (weighted) percent agreement over items with a pair, pe = T / (q (q - 1))
times the sum of p_k (1 - p_k), with p_k the mean share of category k over all items, q the declared
categories, used or not, and T the sum of all weights, which is q for AC1. Sources: Gwet (2008), "Computing
inter-rater reliability and its variance in the presence of high agreement", British Journal of Mathematical
and Statistical Psychology 61:29-48; weights and missing labels as in irrCAC. Variance: Gwet's linearisation.
Inapplicable where the number of categories is not declared or is 1. Without variation it is 1 by definition:
its chance agreement is 0 there, where that of the kappas is 1.
"""

from collections.abc import Callable

from clinicnum.annotations.agreement.coefficient import (
    LINEAR,
    QUADRATIC,
    Coefficient,
    StandardError,
    Weights,
    linearised,
    needs_declared,
    needs_order,
    ratio,
)
from clinicnum.annotations.agreement.label_table import Floats
from clinicnum.annotations.agreement.percent import (
    ITEMS,
    LINEAR_SHARES,
    QUADRATIC_SHARES,
    SHARES,
    UNWEIGHTED,
    item_agreement,
    mean_shares,
    observed,
    value_shares,
)
from clinicnum.annotations.agreement.rating_panel import Contributions, Panel


def _scale(panel: Panel, weights: Weights | None) -> float:
    """The factor T / (q (q - 1)) of chance agreement."""
    q = len(panel.values)
    total = q if weights is None else float(weights(panel).sum())
    return total / (q * (q - 1))


def _value(weights: Weights | None) -> Callable[[Panel, Floats], Floats]:
    def value(panel: Panel, totals: Floats) -> Floats:
        share = ratio(totals[..., SHARES:], totals[..., ITEMS, None])
        chance = _scale(panel, weights) * (share * (1.0 - share)).sum(axis=-1)
        return ratio(observed(totals) - chance, 1.0 - chance)

    return value


def _standard_error(weights: Weights | None) -> Callable[[Panel, float], StandardError]:
    def standard_error(panel: Panel, value: float) -> StandardError:
        share, scale = mean_shares(panel), _scale(panel, weights)
        chance = scale * float(share @ (1.0 - share))
        drift = (scale * value_shares(panel) @ (1.0 - share) - chance) / (1.0 - chance)
        per_item = item_agreement(panel, chance, weights) - 2.0 * (1.0 - value) * drift
        return linearised(per_item, panel.weight, value)

    return standard_error


def _ordered(panel: Panel) -> str | None:
    return needs_order(panel) or needs_declared(panel)


def _weighted(name: str, weights: Weights, contributions: Contributions) -> Coefficient:
    return Coefficient(
        name=name,
        contributions=contributions,
        value=_value(weights),
        standard_error=_standard_error(weights),
        inapplicable=_ordered,
    )


GWET_AC1 = Coefficient(
    name="gwet_ac1",
    contributions=UNWEIGHTED,
    value=_value(None),
    standard_error=_standard_error(None),
    inapplicable=needs_declared,
    per_category=True,
)
GWET_AC2_LINEAR = _weighted("gwet_ac2_linear", LINEAR, LINEAR_SHARES)
GWET_AC2_QUADRATIC = _weighted("gwet_ac2_quadratic", QUADRATIC, QUADRATIC_SHARES)
