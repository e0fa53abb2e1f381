"""Content validity of ratings from 1 to 4: I-CVI, modified kappa, S-CVI/Ave and S-CVI/UA.

I-CVI is the share of experts who rate an item 3 or 4. S-CVI/Ave is the mean of the I-CVIs, S-CVI/UA the share
of items that every expert rates 3 or 4 (Polit and Beck 2006, Research in Nursing & Health 29:489-497). The
modified kappa takes out chance: k* = (I-CVI - pc) / (1 - pc) with pc = N! / (A! (N - A)!) x 0.5^N, where A of
N experts agree (Polit, Beck and Owen 2007, Research in Nursing & Health 30:459-467; the formula as printed
under Table 10 of BMC Health Services Research 2017, doi 10.1186/s12913-017-2469-8). It may be negative.

Undefined: every index of an item that nobody rated; k* with a single expert, as there is nobody to agree with
(our own choice: the formula would say 1); both S-CVIs where an item has no I-CVI or there is no item.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import comb

from clinicnum.errors import InputError
from clinicnum.translatable_text import Translatable
from clinicnum.types import Frozen

LOWEST, HIGHEST = 1, 4
AGREES_FROM = 3
"""The lowest rating that counts as agreement."""
STRENGTHS: tuple[tuple[Fraction, str], ...] = (
    (Fraction(3, 4), Translatable("excellent")),
    (Fraction(3, 5), Translatable("good")),
    (Fraction(2, 5), Translatable("fair")),
)
"""Above .74 excellent, .60 to .74 good, .40 to .59 fair, else poor: of k* in two decimals, as cited from
Cicchetti and Sparrow (1981) and Fleiss in the literature on I-CVI (BMC Public Health 2021,
doi 10.1186/s12889-021-12230-5, Table 3)."""


class ItemValidity(Frozen):
    """Content validity of one item on one scale, from a panel's ratings."""

    experts: int
    agreeing: int
    """Experts who rate 3 or 4."""
    i_cvi: float | None
    chance: float | None
    """pc: the probability that exactly this many experts agree by chance."""
    kappa: float | None
    """k*."""
    strength: str | None
    """The verbal strength of k*."""
    undefined: str | None = None
    """Why an index above has no value."""


class ScaleValidity(Frozen):
    """Content validity of several items on one scale."""

    items: int
    average: float | None
    """S-CVI/Ave."""
    universal: float | None
    """S-CVI/UA."""
    undefined: Translatable | None = None


def item_validity(ratings: Sequence[int]) -> ItemValidity:
    """I-CVI and k* of one item from one rating an expert. Raises InputError for a rating outside 1 to 4."""
    for rating in ratings:
        if not LOWEST <= rating <= HIGHEST:
            raise InputError(
                f"a rating is {rating}; expected a whole number from {LOWEST} to {HIGHEST}; correct it"
            )
    experts, agreeing = len(ratings), sum(rating >= AGREES_FROM for rating in ratings)
    if not experts:
        return _without(experts, agreeing, Translatable("no expert rated it"))
    share, chance = Fraction(agreeing, experts), Fraction(comb(experts, agreeing), 2**experts)
    if experts == 1:
        return _without(
            experts, agreeing, Translatable("one expert has nobody to agree with"), i_cvi=float(share)
        )
    kappa = (share - chance) / (1 - chance)
    return ItemValidity(
        experts=experts,
        agreeing=agreeing,
        i_cvi=float(share),
        chance=float(chance),
        kappa=float(kappa),
        strength=next((name for least, name in STRENGTHS if round(kappa, 2) >= least), Translatable("poor")),
    )


def _without(experts: int, agreeing: int, why: str, *, i_cvi: float | None = None) -> ItemValidity:
    return ItemValidity(
        experts=experts,
        agreeing=agreeing,
        i_cvi=i_cvi,
        chance=None,
        kappa=None,
        strength=None,
        undefined=why,
    )


def mean_i_cvi(items: Sequence[ItemValidity]) -> Fraction | None:
    """S-CVI/Ave as an exact fraction, to be compared with a threshold; None where `scale_validity` is
    undefined.
    """
    if not items or any(one.i_cvi is None for one in items):
        return None
    return sum((Fraction(one.agreeing, one.experts) for one in items), Fraction(0)) / len(items)


def scale_validity(items: Sequence[ItemValidity]) -> ScaleValidity:
    """S-CVI/Ave and S-CVI/UA over items; every item has the same weight, however many experts rated it."""
    mean = mean_i_cvi(items)
    if mean is None:
        lacking = sum(one.i_cvi is None for one in items)
        why = Translatable("there is no item")
        if items:
            why = Translatable("{n} of {total} items have no I-CVI", n=lacking, total=len(items))
        return ScaleValidity(items=len(items), average=None, universal=None, undefined=why)
    universal = Fraction(sum(one.agreeing == one.experts for one in items), len(items))
    return ScaleValidity(items=len(items), average=float(mean), universal=float(universal))
