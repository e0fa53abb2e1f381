"""Agreement in plain sentences, for readers who do not know the coefficients."""

from clinicnum.annotations.agreement.format_results import headline, labels_off_mode
from clinicnum.annotations.agreement.intervals import FEW_OFF_MODE
from clinicnum.annotations.agreement.types import AgreementResult, CoefficientValue
from clinicnum.stats.rounded_figures import percent
from clinicnum.translatable_text import Translatable

LESS_SENSITIVE = {"nominal": ("gwet_ac1", "AC1"), "ordinal": ("gwet_ac2_quadratic", "AC2")}
"""Scale -> the coefficient of Gwet that depends less than alpha on how the labels are spread."""

MOSTLY_ONE_LABEL = 0.8
"""Share of the most frequent label from which an alpha on few other labels is said to say little; a choice:
the lowest share of the simulated skewed tables (`docs/agreement-evidence.md`).
"""

MOSTLY_BY_CHANCE = 0.95
"""Agreement by chance from which alpha is said to say little; a choice."""

NEAR_MISSES = {
    "ordinal": Translatable(
        "This alpha counts neighbouring levels as nearly alike, so it can be high where few pairs are the "
        "very same."
    ),
    "interval": Translatable(
        "This alpha counts close values as nearly alike, so it can be high where few pairs are the very same."
    ),
    "set": Translatable("This alpha counts sets that share some codes as alike in part."),
}
"""Scale -> what alpha on it makes of labels that differ a little."""


def agreement_sentence(title: str, result: AgreementResult) -> Translatable:
    """How often annotators agreed on a question, and what alpha says of it.

    Where nearly all labels are the same, alpha says little, and Gwet's coefficient is added. Where labels are
    merely few, only the interval is doubted.
    """
    alpha = headline(result)
    return Translatable(
        "{question}: {pairs} {chance}",
        question=Translatable.of(title),
        pairs=_pairs_that_agree(result),
        chance=_beyond_chance(alpha, result),
    )


def _pairs_that_agree(result: AgreementResult) -> Translatable:
    pairs, agreed = result.population.pairs, result.coefficient("percent_agreement").value
    if agreed is None:
        return Translatable("no two annotators labelled the same item.")
    agreeing = agreed * pairs
    if abs(agreeing - round(agreeing)) < 1e-6:
        return Translatable(
            "annotators agreed on {n} of {pairs} pairs of labels on the same item.",
            n=round(agreeing),
            pairs=pairs,
        )
    # Percent agreement is a mean over items: with unequal numbers of labels it is no share of the pairs.
    return Translatable(
        "annotators agreed in {percent} % of cases, averaged over items ({pairs} pairs).",
        percent=percent(agreed, 0),
        pairs=pairs,
    )


def _beyond_chance(alpha: CoefficientValue, result: AgreementResult) -> Translatable:
    if alpha.value is None:
        return Translatable("Krippendorff's alpha is undefined: {reason}.", reason=alpha.undefined)
    value = f"{alpha.value:.2f}"
    counts = labels_off_mode(alpha)
    if counts is not None and 1 - counts[0] / counts[1] >= MOSTLY_ONE_LABEL:
        return _says_little(value, counts, result)
    collapsed = _collapsed(alpha.value, result)
    if collapsed is not None:
        return collapsed
    near = NEAR_MISSES.get(result.population.scale)
    if near is None or alpha.value == 1:
        return _with_interval(alpha, value)
    return Translatable("{alpha} {near}", alpha=_with_interval(alpha, value), near=near)


def _with_interval(alpha: CoefficientValue, value: str) -> Translatable:
    if alpha.ci95 is None:
        return Translatable("Krippendorff's alpha is {value}.", value=value)
    ends = dict(zip(("low", "high"), (f"{end:.2f}" for end in alpha.ci95), strict=True))
    counts = labels_off_mode(alpha)
    if counts is None:
        return Translatable(
            "Krippendorff's alpha is {value} (95 % interval {low} to {high}).", value=value, **ends
        )
    off, labels = counts
    return Translatable(
        "Krippendorff's alpha is {value} (95 % interval {low} to {high}, which may be too short: {off} of "
        "{labels} labels are not the most frequent one, fewer than {few}).",
        value=value,
        **ends,
        off=off,
        labels=labels,
        few=FEW_OFF_MODE,
    )


def _collapsed(alpha: float, result: AgreementResult) -> Translatable | None:
    """The sentence on an alpha at which nearly all pairs would agree by chance; None at any other.

    Of nominal labels alpha = 1 - D_o / D_e, and the observed disagreement D_o is 1 less percent agreement, so
    that chance agrees on 1 - D_e of the pairs (Krippendorff 2019, Content Analysis, 4th ed., ch. 12).
    """
    agreed, other = (result.coefficient(name).value for name in ("percent_agreement", "gwet_ac1"))
    if result.population.scale != "nominal" or agreed is None or other is None or alpha >= 1:
        return None
    by_chance = 1 - (1 - agreed) / (1 - alpha)
    if by_chance < MOSTLY_BY_CHANCE:
        return None
    return Translatable(
        "So many labels are the same that {percent} % of pairs would agree by chance, so Krippendorff's "
        "alpha of {value} says little; Gwet's AC1, which depends less on that, is {other}.",
        percent=percent(by_chance, 0),
        value=f"{alpha:.2f}",
        other=f"{other:.2f}",
    )


def _says_little(value: str, off_mode: tuple[int, int], result: AgreementResult) -> Translatable:
    """The sentence on an alpha that says little; `off_mode`: how many labels are not the most frequent one,
    and of how many.
    """
    off, labels = off_mode
    counts = {"off": off, "labels": labels, "value": value}
    name, short = LESS_SENSITIVE.get(result.population.scale, (None, None))
    other = None if name is None else result.coefficient(name).value
    if other is None:
        return Translatable(
            "Of {labels} labels, {off} are not the most frequent one, so Krippendorff's alpha of {value} "
            "says little.",
            **counts,
        )
    return Translatable(
        "Of {labels} labels, {off} are not the most frequent one, so Krippendorff's alpha of {value} "
        "says little; Gwet's {short}, which depends less on that, is {other}.",
        **counts,
        short=short,
        other=f"{other:.2f}",
    )
