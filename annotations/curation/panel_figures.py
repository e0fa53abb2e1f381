"""A panel's figures: content validity a scale and over the scales, and how far its experts agree."""

from collections.abc import Sequence

from clinicnum.annotations.agreement import CoefficientValue, Rating, agreement
from clinicnum.annotations.curation.content_validity import (
    HIGHEST,
    LOWEST,
    ItemValidity,
    ScaleValidity,
    item_validity,
    scale_validity,
)
from clinicnum.annotations.curation.review import RatingScale, Submitted, scales_of
from clinicnum.types import Frozen

COEFFICIENTS = ("percent_agreement", "gwet_ac2_quadratic", "krippendorff_alpha_ordinal")
"""On ordered ratings. AC2 stands where nearly all rate alike, as experts do: alpha falls to 0 there."""
CATEGORIES = tuple(map(str, range(LOWEST, HIGHEST + 1)))


class PanelFigures(Frozen):
    """What the experts' ratings come to."""

    items: dict[RatingScale, ItemValidity]
    """By scale; a mechanical template has none on relevance."""
    scale: ScaleValidity
    """Over the scales."""
    agreement: tuple[CoefficientValue, ...]
    """Between experts on the scales as items: each with its interval, or why there is none."""


def expert_name(place: int) -> str:
    """What an expert is called wherever ratings are shown; `place` counts from 0."""
    return f"Expert {place + 1}"


def panel_figures(reviews: Sequence[Submitted], *, mechanical: bool) -> PanelFigures:
    """The figures of one round; with too few reviews they are undefined, with the reason."""
    scales = scales_of(mechanical=mechanical)
    items = {scale: item_validity([one.ratings[scale] for one in reviews]) for scale in scales}
    table = [
        Rating(item=scale, annotator=expert_name(place), label=str(one.ratings[scale]))
        for place, one in enumerate(reviews)
        for scale in scales
    ]
    return PanelFigures(
        items=items, scale=scale_validity(list(items.values())), agreement=experts_agreement(table)
    )


def experts_agreement(table: Sequence[Rating]) -> tuple[CoefficientValue, ...]:
    """The coefficients that are shown for ratings 1 to 4; without a rating undefined, with the reason."""
    if not table:
        nothing = "nobody has handed in a review"
        return tuple(
            CoefficientValue(name=name, value=None, undefined=nothing, n_items=0, n_annotators=0)
            for name in COEFFICIENTS
        )
    found = agreement(table, scale="ordinal", categories=CATEGORIES, only=COEFFICIENTS)
    return found.coefficients
