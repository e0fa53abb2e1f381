"""Agreement in plain sentences, for readers who do not know the coefficients."""

import re

from clinicnum.annotations.agreement.format import headline, thin_labels
from clinicnum.annotations.agreement.types import AgreementResult, CoefficientValue

LESS_SENSITIVE = {"nominal": ("gwet_ac1", "AC1"), "ordinal": ("gwet_ac2_quadratic", "AC2")}
"""Scale -> the coefficient of Gwet that depends less than alpha on how the labels are spread."""


def agreement_sentence(title: str, result: AgreementResult) -> str:
    """How often annotators agreed on a question, and what alpha says of it.

    Where nearly all labels are the same, alpha says little, and Gwet's coefficient stands beside it.
    """
    alpha = headline(result)
    return f"{title}: {_pairs_that_agree(result)} {_beyond_chance(alpha, result)}"


def _pairs_that_agree(result: AgreementResult) -> str:
    pairs, percent = result.population.pairs, result.coefficient("percent_agreement").value
    if percent is None:
        return "no two annotators labelled the same item."
    agreeing = percent * pairs
    if abs(agreeing - round(agreeing)) < 1e-6:
        return f"annotators agreed on {round(agreeing)} of {pairs} pairs of labels on the same item."
    # Percent agreement is a mean over items: with unequal numbers of labels it is no share of the pairs.
    return f"annotators agreed in {100 * percent:.0f} % of cases, averaged over items ({pairs} pairs)."


def _beyond_chance(alpha: CoefficientValue, result: AgreementResult) -> str:
    if alpha.value is None:
        return f"Krippendorff's alpha is undefined: {alpha.undefined}."
    thin = thin_labels(alpha)
    if thin is None:
        low, high = alpha.ci95 or (None, None)
        interval = "" if low is None or high is None else f" (95 % interval {low:.2f} to {high:.2f})"
        return f"Krippendorff's alpha is {alpha.value:.2f}{interval}."
    name, short = LESS_SENSITIVE.get(result.population.scale, (None, None))
    other = None if name is None else result.coefficient(name).value
    beside = "" if other is None else f"; Gwet's {short}, which depends less on that, is {other:.2f}"
    few = re.split("[,;:]", thin)[0]
    return f"{few[:1].upper()}{few[1:]}, so Krippendorff's alpha of {alpha.value:.2f} says little{beside}."
