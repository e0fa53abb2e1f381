"""Coefficients whose chance agreement is 1 / (number of declared categories), whether or not a category was
used.

kappa = (pa - 1/q) / (1 - 1/q), pa percent agreement over items with a pair. Brennan-Prediger's coefficient
and Randolph's free-marginal multirater kappa are this number under two names; PABAK, the kappa adjusted for
prevalence and bias, is 2 pa - 1: the same for exactly two annotators and two categories, and only given
there. Sources: Brennan and Prediger (1981), Educational and Psychological Measurement 41:687-699, and irrCAC
for several annotators, missing labels and the linearised variance; Randolph (2005) in the published cases;
PABAK as Cunningham (2009, SAS Global Forum, paper 242) gives it.
Inapplicable where the number of categories is not declared or is 1. Without variation it is 1 by definition.
"""

from dataclasses import replace

from clinicnum.annotations.agreement.coefficient import (
    Coefficient,
    StandardError,
    linearised,
    needs_declared,
    needs_two_annotators,
)
from clinicnum.annotations.agreement.label_table import Floats
from clinicnum.annotations.agreement.percent import UNWEIGHTED, adds_a_pair, item_agreement, observed
from clinicnum.annotations.agreement.rating_panel import Panel


def _value(panel: Panel, totals: Floats) -> Floats:
    chance = 1.0 / len(panel.values)
    value: Floats = (observed(totals) - chance) / (1.0 - chance)
    return value


def _standard_error(panel: Panel, value: float) -> StandardError:
    return linearised(item_agreement(panel, 1.0 / len(panel.values)), panel.weight, value)


def _two_by_two(panel: Panel) -> str | None:
    reason = needs_two_annotators(panel) or needs_declared(panel)
    if reason is None and len(panel.values) != 2:
        return f"{len(panel.values)} categories: it is defined for exactly 2; see brennan_prediger"
    return reason


BRENNAN_PREDIGER = Coefficient(
    name="brennan_prediger",
    contributions=UNWEIGHTED,
    value=_value,
    standard_error=_standard_error,
    inapplicable=needs_declared,
    counted=adds_a_pair,
    per_category=True,
)
PABAK = replace(BRENNAN_PREDIGER, name="pabak", inapplicable=_two_by_two)
RANDOLPH_KAPPA_FREE = replace(BRENNAN_PREDIGER, name="randolph_kappa_free")
