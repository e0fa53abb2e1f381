"""Verbal strength of agreement: the scale of Landis and Koch, and Gwet's probabilistic benchmarking of it.

Landis and Koch (1977), Biometrics 33:159-174, name a value by the level in which it lies. Gwet (2014, chapter
6, as the R package irrCAC computes it) takes the standard error into account: the coefficient is assumed
normal, truncated to -1 to 1, and the probabilities of the levels are added up from the highest; the name is
that of the first level at which the sum reaches 95 %. Both are conventions, and words are no substitute for
the interval.
"""

from clinicnum.annotations.agreement.types import CoefficientValue, Strength

STEPS = (
    (0.8, 1.0, "almost perfect"),
    (0.6, 0.8, "substantial"),
    (0.4, 0.6, "moderate"),
    (0.2, 0.4, "fair"),
    (0.0, 0.2, "slight"),
    (-1.0, 0.0, "poor"),
)
"""Lower bound, upper bound and name of each level, the best first."""
CERTAIN = 0.95


def strength(coefficient: CoefficientValue) -> Strength | None:
    """The two verbal strengths of a value; None if it is undefined, only that of Landis and Koch without a
    standard error.
    """
    value = coefficient.value
    if value is None:
        return None
    plain = landis_koch(value)
    if coefficient.se is None:
        return Strength(name=coefficient.name, landis_koch=plain, undefined="no standard error")
    for probability, (_, _, step) in zip(cumulative(value, coefficient.se), STEPS, strict=True):
        if probability >= CERTAIN:
            return Strength(name=coefficient.name, landis_koch=plain, gwet=step, probability=probability)
    raise ArithmeticError(f"the steps of {coefficient.name} do not add up to 1")


def landis_koch(value: float) -> str:
    """The name of the level in which the value lies, rounded to two decimals as the levels are.

    Up to 0.20 is slight, 0.00 included; below 0.00 is poor.
    """
    rounded = float(f"{value:.2f}")
    for low, _, step in STEPS:
        if rounded > low or (low == 0.0 and rounded == 0.0):
            return step
    return STEPS[-1][2]


def cumulative(value: float, se: float) -> tuple[float, ...]:
    """Probability of each level or a better one, in the order of `STEPS`, for a coefficient and its standard
    error; the last is 1.
    """
    from scipy.special import ndtr  # costs a quarter of a second: not at import

    whole = float(ndtr((value + 1) / se) - ndtr((value - 1) / se))
    if whole == 0.0:  # far below -1, which a weighted coefficient can be: poor, for certain
        return (*(0.0 for _ in STEPS[:-1]), 1.0)
    above = float(ndtr((value - 1) / se))
    sums = [(float(ndtr((value - low) / se)) - above) / whole for low, _, _ in STEPS[:-1]]
    return (*sums, 1.0)
