"""An expert's review as table rows and sentences. No Gradio, no database."""

from collections.abc import Sequence

from clinicnum.annotations.curation.review import (
    ANCHORS,
    CASES,
    IN_SENTENCE,
    RATING_SCALES,
    SCALE_ASKS,
    SCALE_NAMES,
    RatingScale,
    ReviewSheet,
    comment_subject,
    scales_of,
    subject_in_sentence,
)
from clinicnum.db.work.review.expert_review import Case, ExpertReview, Invitation
from clinicnum.translatable import Translatable, joined
from clinicnum.ui.components.language import _

TITLES = {
    "structured": Translatable("Question {number} of {total}, records as a structured list"),
    "templated": Translatable("Question {number} of {total}, records as sentences"),
    "note": Translatable("Question {number} of {total}, records as a note"),
}
"""Representation of the records -> the heading of an example instance."""
STATES = {
    "new": Translatable("not started"),
    "begun": Translatable("in progress"),
    "handed in": Translatable("submitted"),
    "closed": Translatable("closed"),
}
INVITATIONS = (
    Translatable("Question"),
    Translatable("Invited"),
    Translatable("State"),
    Translatable("Comments answered"),
)
COMMENTS = (Translatable("About"), Translatable("Comment"), Translatable("Reply"))
COMMENT_SUBJECTS = (*map(str, range(1, CASES + 1)), *RATING_SCALES)
"""Subjects of the expert's comments (examples, then rating scales), in the order of the page's fields."""
NONE = Translatable("Nothing to review. A curator invites you; each review takes about ten minutes.")
ASKED = Translatable("The question is asked in one of these ways; words in braces are filled in.")
WORK = Translatable(
    "Answer from the records alone, as you would at the bedside. You are not told whether you are right: "
    "this tests the question, not you."
)
CONFIRM = Translatable("**Submit the review?** It cannot be changed afterwards.")
SUBMITTED = Translatable("Submitted. Thank you. Replies to your comments will appear here.")
FINAL = Translatable("You have submitted this review. It cannot be changed.")
CLOSED = Translatable("This round was closed before you submitted; nothing more is needed from you.")
COMMENT = Translatable("What would make it better, or what is wrong; optional")
Rows = list[list[str]]


def invitation_rows(invitations: Sequence[Invitation]) -> Rows:
    """Rows for INVITATIONS."""
    return [
        [one.wording, f"{one.opened_at:%Y-%m-%d}", _(STATES[one.state]), str(one.answered)]
        for one in invitations
    ]


def invitation_choices(invitations: Sequence[Invitation]) -> list[tuple[str, str]]:
    """(label, round id) of each invitation."""
    return [(f"{one.wording} ({_(STATES[one.state])})", one.round_id) for one in invitations]


def is_editable(review: ExpertReview) -> bool:
    """Whether the sheet can still be edited."""
    return review.state in ("new", "begun")


def notice(review: ExpertReview) -> str:
    """Why a review cannot be edited; empty if it can."""
    return {"handed in": _(FINAL), "closed": _(CLOSED)}.get(review.state, "")


def case_title(number: int, case: Case) -> str:
    """The heading of one of the example instances."""
    title = TITLES.get(case.representation, Translatable("Question {number} of {total}"))
    return f"### {_(title, number=number, total=CASES)}"


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
    return f"{_(SCALE_NAMES[scale])}: {_(SCALE_ASKS[scale])}"


def scale_choices(scale: RatingScale) -> list[tuple[str, int]]:
    """(label, rating) for the ratings 1 to 4."""
    return [(f"{rating}: {_(anchor)}", rating) for rating, anchor in enumerate(ANCHORS[scale], start=1)]


def comment_label(about: str) -> str:
    """The label of the field for a comment on this subject."""
    return _("Comment on {subject}", subject=subject_in_sentence(about))


def comment_rows(review: ExpertReview) -> Rows:
    """Rows for COMMENTS: the expert's own comments."""
    return [[_(comment_subject(one.about)), one.text, one.reply or _("none yet")] for one in review.comments]


def missing_text(sheet: ReviewSheet, *, mechanical: bool) -> str:
    """What is missing before a sheet can be submitted; empty if it is complete."""
    answers = [str(n) for n in range(1, CASES + 1) if not sheet.answers.get(str(n), "").strip()]
    scales = [IN_SENTENCE[one] for one in scales_of(mechanical=mechanical) if one not in sheet.ratings]
    questions, unrated = ", ".join(answers), joined(", ", scales)
    if answers and scales:
        return _(
            "Missing: an answer to question {questions}; a rating of {scales}.",
            questions=questions,
            scales=unrated,
        )
    if answers:
        return _("Missing: an answer to question {questions}.", questions=questions)
    return _("Missing: a rating of {scales}.", scales=unrated) if scales else ""
