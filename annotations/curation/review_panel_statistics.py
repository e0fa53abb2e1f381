"""Statistics of a review panel: content validity on each scale and over all scales, and agreement of the
experts.
"""

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
from clinicnum.annotations.curation.review_sheet import RatingScale, SubmittedReview, scales_of
from clinicnum.translatable_text import Translatable
from clinicnum.types import Frozen

COEFFICIENTS = ("percent_agreement", "gwet_ac2_quadratic", "krippendorff_alpha_ordinal")
"""Coefficients for ordered ratings. AC2 is meaningful even if nearly all rate alike, as experts do: alpha
then falls to 0.
"""
CATEGORIES = tuple(map(str, range(LOWEST, HIGHEST + 1)))


class PanelFigures(Frozen):
    """The statistics of one panel's ratings."""

    items: dict[RatingScale, ItemValidity]
    """Scale -> its content validity; a mechanical template has no rating of relevance."""
    scale: ScaleValidity
    """Content validity over all scales."""
    agreement: tuple[CoefficientValue, ...]
    """Agreement between experts, scales taken as items: each with its interval, or why there is none."""


def expert_name(place: int) -> str:
    """Pseudonym of an expert beside ratings; `place` counts from 0."""
    return Translatable("Expert {n}", n=place + 1)


def panel_figures(reviews: Sequence[SubmittedReview], *, mechanical: bool) -> PanelFigures:
    """The statistics of one review round; undefined, with the reason, if there are too few reviews.

    `mechanical`: whether the template is not rated for relevance.
    """
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
    """The agreement coefficients shown for ratings 1 to 4; undefined, with the reason, without ratings."""
    if not table:
        nothing = Translatable("nobody has handed in a review")
        return tuple(
            CoefficientValue(name=name, value=None, undefined=nothing, n_items=0, n_annotators=0)
            for name in COEFFICIENTS
        )
    found = agreement(table, scale="ordinal", categories=CATEGORIES, only=COEFFICIENTS)
    return found.coefficients
