"""An expert's review as table rows and sentences. No Gradio, no database."""

from collections.abc import Sequence

from clinicnum.annotations.curation.review import (
    ANCHORS,
    CASES,
    RATING_SCALES,
    SCALE_ASKS,
    SCALE_NAMES,
    RatingScale,
    ReviewSheet,
    comment_subject,
    scales_of,
)
from clinicnum.db.work.review.expert_review import Case, ExpertReview, Invitation

REPRESENTATIONS = {"structured": "as a structured list", "templated": "as sentences", "note": "as a note"}
STATES = {"new": "not started", "begun": "in progress", "handed in": "submitted", "closed": "closed"}
INVITATIONS = ("Question", "Invited", "State", "Comments answered")
COMMENTS = ("About", "Comment", "Reply")
COMMENT_SUBJECTS = (*map(str, range(1, CASES + 1)), *RATING_SCALES)
"""Subjects of the expert's comments (examples, then rating scales), in the order of the page's fields."""
NONE = "Nothing to review. A curator invites you; each review takes about ten minutes."
ASKED = "The question is asked in one of these ways; words in braces are filled in."
WORK = (
    "Answer from the records alone, as you would at the bedside. You are not told whether you are right: "
    "this tests the question, not you."
)
CONFIRM = "**Submit the review?** It cannot be changed afterwards."
SUBMITTED = "Submitted. Thank you. Replies to your comments will appear here."
FINAL = "You have submitted this review. It cannot be changed."
CLOSED = "This round was closed before you submitted; nothing more is needed from you."
COMMENT = "What would make it better, or what is wrong"
Rows = list[list[str]]


def invitation_rows(invitations: Sequence[Invitation]) -> Rows:
    """Rows for INVITATIONS."""
    return [
        [one.wording, f"{one.opened_at:%Y-%m-%d}", STATES[one.state], str(one.answered)]
        for one in invitations
    ]


def invitation_choices(invitations: Sequence[Invitation]) -> list[tuple[str, str]]:
    """(label, round id) of each invitation."""
    return [(f"{one.wording} ({STATES[one.state]})", one.round_id) for one in invitations]


def is_editable(review: ExpertReview) -> bool:
    """Whether the sheet can still be edited."""
    return review.state in ("new", "begun")


def notice(review: ExpertReview) -> str:
    """Why a review cannot be edited; empty if it can."""
    return {"handed in": FINAL, "closed": CLOSED}.get(review.state, "")


def case_title(number: int, case: Case) -> str:
    """The heading of one of the example instances."""
    written = REPRESENTATIONS.get(case.representation, "")
    return f"### Question {number} of {CASES}" + (f", records {written}" if written else "")


def split_table(context: str) -> tuple[str, list[str], Rows, str]:
    """Split a context into (text before its table, columns, rows, text after); all text if no table."""
    lines = context.split("\n")
    rows = [
        line.removeprefix("| ").removesuffix(" |").split(" | ") for line in lines if line.startswith("| ")
    ]
    if len(rows) < 2 or any(len(row) != len(rows[0]) for row in rows):
        return context, [], [], ""
    at = next(place for place, line in enumerate(lines) if line.startswith("| "))
    after = [line for line in lines[at:] if not line.startswith("|")]
    return "\n".join(lines[:at]).strip(), rows[0], rows[1:], "\n".join(after).strip()


def scale_label(scale: RatingScale) -> str:
    """The question that a rating scale asks."""
    return f"{SCALE_NAMES[scale]}: {SCALE_ASKS[scale]}"


def scale_choices(scale: RatingScale) -> list[tuple[str, int]]:
    """(label, rating) for the ratings 1 to 4."""
    return [(f"{rating}: {anchor}", rating) for rating, anchor in enumerate(ANCHORS[scale], start=1)]


def about_label(about: str) -> str:
    """The subject of a comment, worded for the middle of a sentence."""
    return f"question {about}" if about.isdigit() else SCALE_NAMES[about].lower()  # type: ignore[index]


def comment_rows(review: ExpertReview) -> Rows:
    """Rows for COMMENTS: the expert's own comments."""
    return [[comment_subject(one.about), one.text, one.reply or "none yet"] for one in review.comments]


def missing_text(sheet: ReviewSheet, *, mechanical: bool) -> str:
    """What is missing before a sheet can be submitted; empty if it is complete."""
    answers = [str(n) for n in range(1, CASES + 1) if not sheet.answers.get(str(n), "").strip()]
    scales = [
        SCALE_NAMES[one].lower() for one in scales_of(mechanical=mechanical) if one not in sheet.ratings
    ]
    parts = [f"an answer to question {', '.join(answers)}"] if answers else []
    parts += [f"a rating of {', '.join(scales)}"] if scales else []
    return f"Missing: {'; '.join(parts)}." if parts else ""
