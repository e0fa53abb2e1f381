"""The strata of a study's sample: how many answers there are in each, and how many are drawn."""

from collections import Counter
from collections.abc import Iterable

from clinicnum.annotations.draw_study_items import Sample
from clinicnum.annotations.sampling import Candidate
from clinicnum.types import Frozen


class StratumPlan(Frozen):
    """One stratum of the sample."""

    stratum: str
    """`operation/representation/correct`, `.../failure` or `.../pair`; `.../variant/...` for variants."""
    available: int
    """Generations that pass the filter, without training and control items."""
    drawn: int
    probability: float
    """Chance of each available generation to be drawn; 0 where the design leaves the stratum out."""


class VariantPlan(Frozen):
    """The answers to one kind of variant."""

    variant: str
    available: int
    drawn: int


def plan_variants(candidates: Iterable[Candidate], sample: Sample) -> tuple[VariantPlan, ...]:
    """Available and drawn answers of each kind of variant, by name."""
    apart = [one for one in candidates if one.variant]
    available = Counter(one.variant for one in apart)
    drawn = Counter(one.variant for one in apart if one.generation_id in sample.drawn)
    return tuple(
        VariantPlan(variant=name, available=available[name], drawn=drawn[name]) for name in sorted(available)
    )


def plan_strata(available: Counter[str], sample: Sample) -> tuple[StratumPlan, ...]:
    """Available and drawn answers of each stratum, by name."""
    drawn = Counter(one.stratum for one in sample.drawn.values())
    # Strata that are drawn together share one probability, even those from which none was drawn.
    chance = {_drawn_with(one.stratum): one.inclusion_probability for one in sample.drawn.values()}
    return tuple(
        StratumPlan(
            stratum=name,
            available=available[name],
            drawn=drawn[name],
            probability=chance.get(_drawn_with(name), 0.0),
        )
        for name in sorted(available)
    )


def is_variant(stratum: str) -> bool:
    """Whether a stratum holds answers to variants."""
    return stratum.endswith(("/variant/correct", "/variant/failure", "/variant/pair"))


def _drawn_with(stratum: str) -> tuple[bool, str]:
    """The key shared by strata that are drawn together."""
    return is_variant(stratum), kind_of(stratum)


def kind_of(stratum: str) -> str:
    """The kind of a stratum: `correct`, `failure` or `pair`."""
    return stratum.rpartition("/")[2]
