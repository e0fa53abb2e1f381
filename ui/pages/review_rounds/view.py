"""Rounds of review as curators see them, as plain dicts. No Gradio, no database."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from clinicnum.annotations.agreement.format import interval_text, value_text
from clinicnum.annotations.curation.acceptance import FEWEST, MOST, NEEDED
from clinicnum.annotations.curation.content_validity import ItemValidity
from clinicnum.annotations.curation.panel_figures import PanelFigures, expert_name
from clinicnum.annotations.curation.review import SCALE_NAMES, RatingScale, SubmittedReview, comment_subject
from clinicnum.db.work.review.curator_rounds import RoundSummary, RoundView
from clinicnum.db.work.review.review_queue import Reviewable, ReviewerCandidate

COEFFICIENTS = {
    "percent_agreement": "Same rating, share of pairs",
    "gwet_ac2_quadratic": "Gwet's AC2, quadratic weights",
    "krippendorff_alpha_ordinal": "Krippendorff's alpha, ordinal",
}
WHY_WAITING = {"draft": "sent to review", "in_review": "back in review", "unreviewed": "never reviewed"}


def rounds_view(rounds: Sequence[RoundSummary]) -> list[dict[str, Any]]:
    """The list of rounds."""
    return [_summary(one) for one in rounds]


def _summary(one: RoundSummary) -> dict[str, Any]:
    facts = [f"{one.handed_in} of {one.invited} handed in", f"opened {_day(one.opened_at)}"]
    if one.unanswered:
        facts.append(f"{one.unanswered} comment{'s' if one.unanswered > 1 else ''} to answer")
    if one.closed_at is not None:
        facts.append(f"{one.status} {_day(one.closed_at)}")
    return {
        "round": one.round_id,
        "template": one.template_id,
        "version": one.version,
        "number": one.number,
        "status": one.status,
        "invited": one.invited,
        "handed_in": one.handed_in,
        "facts": facts,
    }


def _day(at: datetime) -> str:
    return f"{at:%Y-%m-%d}"


def reviewables_view(found: Sequence[Reviewable]) -> list[dict[str, Any]]:
    """Versions on which a round may be opened."""
    return [
        {
            "template": one.template_id,
            "version": one.version,
            "wording": one.wording,
            "why": WHY_WAITING[one.status],
        }
        for one in found
    ]


def planning_view(template_id: str, version: int, people: Sequence[ReviewerCandidate]) -> dict[str, Any]:
    """The form that opens a round."""
    return {
        "template": template_id,
        "version": version,
        "fewest": FEWEST,
        "most": MOST,
        "needed": {str(experts): needed for experts, needed in NEEDED.items()},
        "people": [{"name": one.name, "role": one.role, "why_not": one.why_not} for one in people],
    }


def round_view(view: RoundView, people: Sequence[ReviewerCandidate]) -> dict[str, Any]:
    """One round; `people` are those who may be invited to it."""
    summary = view.summary
    seated = {seat.name for seat in view.seats}
    invitable = summary.status == "open" and summary.handed_in < summary.invited < MOST
    return {
        **_summary(summary),
        "open": summary.status == "open",
        "wording": view.template.wording[0],
        "seats": [
            {
                "name": seat.name,
                "state": "handed in" if seat.handed_in else "begun" if seat.begun else "invited",
                "removable": summary.status == "open"
                and not seat.handed_in
                and len(seated) > FEWEST
                and seat.name not in view.barred,
            }
            for seat in view.seats
        ],
        "invitable": [
            one.name for one in people if one.why_not is None and one.name not in seated | {*view.barred}
        ]
        if invitable
        else [],
        "hidden": view.hidden,
        "ratings": None if view.figures is None else _ratings(view.reviews, view.figures),
        "average": None if view.figures is None else _average(view.figures),
        "agreement": None if view.figures is None else _agreement(view.figures),
        "accepted": view.verdict is not None and view.verdict.accepted,
        "verdict": None
        if view.verdict is None
        else [{"title": c.title, "met": c.met, "figures": c.figures} for c in view.verdict.conditions],
        "mismatches": [one.model_dump(mode="json") for one in view.mismatches],
        "remarks": [
            {**one.model_dump(mode="json"), "about": comment_subject(one.about)} for one in view.remarks
        ],
        "unanswered": sum(one.reply is None for one in view.remarks),
        "reason": view.reason,
        "draft": view.draft,
    }


def _ratings(reviews: Sequence[SubmittedReview], figures: PanelFigures) -> dict[str, Any]:
    """A row a scale: the ratings without names, then the indices."""
    experts = [expert_name(place) for place in range(len(reviews))]
    return {
        "columns": ["Scale", *experts, "I-CVI", "Chance pc", "Modified kappa"],
        "rows": [
            [SCALE_NAMES[scale], *(str(one.ratings[scale]) for one in reviews), *_indices(item)]
            for scale, item in _ordered(figures)
        ],
    }


def _ordered(figures: PanelFigures) -> list[tuple[RatingScale, ItemValidity]]:
    return [(scale, figures.items[scale]) for scale in SCALE_NAMES if scale in figures.items]


def _indices(item: ItemValidity) -> list[str]:
    kappa = (
        f"{number(item.kappa)} ({item.strength})"
        if item.kappa is not None
        else f"undefined: {item.undefined}"
    )
    return [number(item.i_cvi), number(item.chance), kappa]


def number(value: float | None) -> str:
    """Three decimals, or `undefined`."""
    return "undefined" if value is None else f"{value:.3f}"


def _average(figures: PanelFigures) -> str:
    scale = figures.scale
    if scale.average is None:
        return f"S-CVI is undefined: {scale.undefined}."
    return (
        f"S-CVI/Ave {number(scale.average)}, S-CVI/UA {number(scale.universal)}, over {scale.items} scales."
    )


def _agreement(figures: PanelFigures) -> list[list[str]]:
    return [
        [
            COEFFICIENTS[one.name],
            value_text(one),
            interval_text(one) or one.undefined or one.ci_method or "",
        ]
        for one in figures.agreement
    ]
