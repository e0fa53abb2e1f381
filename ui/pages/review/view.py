"""An expert's review as table rows and sentences. No Gradio, no database."""

from collections.abc import Sequence

from clinicnum.annotations.curation.review_sheet import (
    ANCHORS,
    CASES,
    IN_SENTENCE,
    ITEM_ASKS,
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
from clinicnum.translatable_text import Translatable, joined
from clinicnum.ui.components.language import _
from clinicnum.ui.components.markdown_links import escape_markdown

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
ASKED_ITEM = {
    "paraphrase": Translatable(
        "A question of a benchmark in other words. It must ask the same as the original, shown below."
    ),
    "counterfactual": Translatable(
        "A question of a benchmark in which one fact was changed, so that another answer is right."
    ),
    "new": Translatable("A new question for a benchmark."),
}
WORK_ITEM = Translatable(
    "Answer from what is shown alone. You are not told whether you are right: this tests the question, not "
    "you."
)
_NUMBER = Translatable("A number, a date, or weeks and days, as the question asks")
ANSWER_HELP = {
    "choice": Translatable("The letter of the right option"),
    "numeric": _NUMBER,
    "medcalc": _NUMBER,
    "medec": Translatable("CORRECT, or the number of the wrong sentence, a blank and the sentence corrected"),
}
"""Scoring of an item -> how its answer is written."""
POINTS = Translatable(
    "An answer to this question is judged by these points. Rate as answerability whether they are right and "
    "complete."
)
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


def asked_heading(review: ExpertReview) -> str:
    """The heading over the question, with a note on the kind of item and on credentialed data, if any."""
    text = ["## " + _("The question")]
    if review.kind != "template":
        text.append(_(ASKED_ITEM[review.kind]))
    if review.data_use:
        text.append(f"**{escape_markdown(review.data_use)}**")
    return "\n\n".join(text)


def asked_text(review: ExpertReview) -> str:
    """The context, if any, then a template's wordings or an item's question, and the form of the answer."""
    return "\n".join(filter(None, [review.context, *review.wordings, "", review.answer_form])).strip()


def work_heading(review: ExpertReview) -> str:
    """The heading over the examples to answer; empty without any."""
    if not review.cases:
        return ""
    if review.kind == "template":
        return "\n\n".join(["## " + _("Answer three examples"), _(WORK)])
    return "\n\n".join(["## " + _("Answer the question"), _(WORK_ITEM)])


def made_heading(review: ExpertReview) -> str:
    """The heading over `made_text`; empty if there is nothing to show below it."""
    if review.kind == "template":
        return "## " + _("How the answer is computed")
    if review.made:
        return "\n\n".join(["## " + _("What a complete answer says"), _(POINTS)])
    return "## " + _("What it was made from") if review.original else ""


def made_text(review: ExpertReview) -> str:
    """How a template's answer is computed; an item's answer points, changed places and original."""
    if review.kind == "template":
        return "\n".join([*review.made, _("Source: {source}", source=review.source)])
    lines = list(review.made)
    if review.original is not None:
        lines += [
            _("Changed: {before} → {after}", before=one.before or "-", after=one.after or "-")
            for one in review.original.changed
        ]
        lines += ["", _("The original:"), review.original.context, review.original.question]
    return "\n".join(lines).strip()


def made_label(review: ExpertReview) -> str:
    """The label of the field that shows `made_text`."""
    if review.kind == "template":
        return _("Computation")
    return _("Answer points") if review.made else _("Original")


def answer_help(review: ExpertReview, case: Case) -> str:
    """The form in which an item's answer is to be written; a template's question says it itself."""
    return "" if review.kind == "template" else _(ANSWER_HELP.get(case.scoring, ""))


def case_title(number: int, case: Case, total: int) -> str:
    """The heading of one of the example instances; empty if it is the only one."""
    title = TITLES.get(case.representation, Translatable("Question {number} of {total}"))
    return f"### {_(title, number=number, total=total)}" if total > 1 else ""


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


def scale_label(scale: RatingScale, *, item: bool = False) -> str:
    """The question that a rating scale asks, of a template or an item."""
    return f"{_(SCALE_NAMES[scale])}: {_((ITEM_ASKS if item else SCALE_ASKS)[scale])}"


def scale_choices(scale: RatingScale) -> list[tuple[str, int]]:
    """(label, rating) for the ratings 1 to 4."""
    return [(f"{rating}: {_(anchor)}", rating) for rating, anchor in enumerate(ANCHORS[scale], start=1)]


def comment_label(about: str) -> str:
    """The label of the field for a comment on this subject."""
    return _("Comment on {subject}", subject=subject_in_sentence(about))


def comment_rows(review: ExpertReview) -> Rows:
    """Rows for COMMENTS: the expert's own comments."""
    return [[_(comment_subject(one.about)), one.text, one.reply or _("none yet")] for one in review.comments]


def missing_text(sheet: ReviewSheet, review: ExpertReview) -> str:
    """What is missing before a sheet can be submitted; empty if it is complete."""
    answers = [str(n) for n in range(1, len(review.cases) + 1) if not sheet.answers.get(str(n), "").strip()]
    rated = scales_of(mechanical=review.mechanical)
    scales = [IN_SENTENCE[one] for one in rated if one not in sheet.ratings]
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
