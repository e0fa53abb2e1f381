"""The ratings of a review round as table rows and sentences for curators. No Gradio, no database."""

from collections.abc import Sequence

from clinicnum.annotations.agreement.format_results import interval_text, value_text
from clinicnum.annotations.curation.content_validity import ItemValidity
from clinicnum.annotations.curation.review_panel_statistics import PanelFigures, expert_name
from clinicnum.annotations.curation.review_sheet import SCALE_NAMES, RatingScale, SubmittedReview
from clinicnum.translatable_text import Translatable
from clinicnum.ui.components.language import _

Rows = list[list[str]]
COEFFICIENTS = {
    "percent_agreement": Translatable("Same rating, share of pairs"),
    "gwet_ac2_quadratic": Translatable("Gwet's AC2, quadratic weights"),
    "krippendorff_alpha_ordinal": Translatable("Krippendorff's alpha, ordinal"),
}
AGREEMENT = (
    Translatable("Coefficient"),
    Translatable("Value"),
    Translatable("95 % interval, or why there is none"),
)
RATING_NOTE = Translatable(
    "1 speaks against, 4 for the template; experts are numbered in an order that is not that of their names."
)


def rating_table(reviews: Sequence[SubmittedReview], figures: PanelFigures) -> tuple[list[str], Rows]:
    """Columns and rows, one row per scale: anonymous ratings, then the content validity indices."""
    experts = [_(expert_name(place)) for place in range(len(reviews))]
    columns = [_("Scale"), *experts, "I-CVI", _("Chance agreement"), _("Modified kappa")]
    rows = [
        [_(SCALE_NAMES[scale]), *(str(one.ratings[scale]) for one in reviews), *_indices(item)]
        for scale, item in _ordered(figures)
    ]
    return columns, rows


def _ordered(figures: PanelFigures) -> list[tuple[RatingScale, ItemValidity]]:
    return [(scale, figures.items[scale]) for scale in SCALE_NAMES if scale in figures.items]


def _indices(item: ItemValidity) -> list[str]:
    why, strength = item.undefined or "", item.strength or ""
    kappa = _("undefined: {why}", why=_(why))
    if item.kappa is not None:
        kappa = f"{number_text(item.kappa)} ({_(strength)})"
    return [number_text(item.i_cvi), number_text(item.chance), kappa]


def number_text(value: float | None) -> str:
    """The value with three decimals, or `undefined` for None."""
    return _("undefined") if value is None else f"{value:.3f}"


def scale_validity_text(figures: PanelFigures) -> str:
    """The scale-level content validity index (S-CVI) in words, or why it is undefined."""
    scale = figures.scale
    if scale.average is None:
        why = scale.undefined or ""
        return _("S-CVI is undefined: {why}.", why=_(why))
    mean, universal = number_text(scale.average), number_text(scale.universal)
    return _(
        "S-CVI/Ave {mean}, S-CVI/UA {universal}, over {n} scales.",
        mean=mean,
        universal=universal,
        n=scale.items,
    )


def agreement_rows(figures: PanelFigures) -> Rows:
    """Rows for AGREEMENT between experts, with the rating scales as items."""
    rows = []
    for one in figures.agreement:
        why = one.undefined or one.ci_method or ""
        rows.append([_(COEFFICIENTS[one.name]), _(value_text(one)), interval_text(one) or _(why)])
    return rows
