"""A review as its expert sees it, as plain dicts. No Gradio, no database."""

from collections.abc import Sequence
from typing import Any

from clinicnum.annotations.curation.review import (
    ANCHORS,
    SCALE_ASKS,
    SCALE_NAMES,
    RatingScale,
    comment_subject,
    scales_of,
)
from clinicnum.db.work.review.expert_review import ExpertReview, Invitation

WRITTEN = {"structured": "as a structured list", "templated": "as sentences", "note": "as a note"}
DOES = {"new": "Begin", "begun": "Go on", "handed in": "Look at it", "closed": "Look at it"}


def invitations_view(invitations: Sequence[Invitation]) -> list[dict[str, Any]]:
    """The expert's list."""
    return [
        {
            "round": one.round_id,
            "wording": one.wording,
            "opened": f"{one.opened_at:%Y-%m-%d}",
            "state": one.state,
            "does": DOES[one.state],
            "answered": one.answered,
        }
        for one in invitations
    ]


def review_view(review: ExpertReview) -> dict[str, Any]:
    """One review: what is asked, three instances without golds, and the sheet as far as it is filled in."""
    return {
        "round": review.round_id,
        "state": review.state,
        "editable": review.state in ("new", "begun"),
        "wordings": list(review.wordings),
        "form": review.answer_form,
        "made": list(review.made),
        "source": review.source,
        "cases": [
            {
                "number": str(number),
                "written": WRITTEN.get(case.representation, ""),
                "context": case.context,
                "question": case.question,
            }
            for number, case in enumerate(review.cases, start=1)
        ],
        "scales": [_scale(scale) for scale in scales_of(mechanical=review.mechanical)],
        "sheet": review.sheet.model_dump(mode="json"),
        "comments": [
            {"about": comment_subject(one.about), "text": one.text, "reply": one.reply}
            for one in review.comments
        ],
    }


def _scale(scale: RatingScale) -> dict[str, Any]:
    return {
        "key": scale,
        "name": SCALE_NAMES[scale],
        "asks": SCALE_ASKS[scale],
        "anchors": list(ANCHORS[scale]),
    }
