"""An expert's side of a review: the invitations and the expert's own sheet, nothing else.

Golds are removed from the instances here, before a page gets them, whether the round is open or closed. No
function of this module reads other experts' ratings or names.
"""

from datetime import datetime

from sqlalchemy import select
from sqlmodel import Session, col

from clinicnum.annotations.curation.review import (
    ReviewSheet,
    SubmittedReview,
    complete_review,
    is_mechanical,
    sheet_comments,
)
from clinicnum.annotations.role_rights import require
from clinicnum.db.rows import ReviewCommentRow, ReviewRoundRow, ReviewRow, UserRow, utc_now
from clinicnum.db.work.audit.audit_log import append
from clinicnum.db.work.review.review_queries import authors_of, lock_round
from clinicnum.errors import Conflict, NotAllowed
from clinicnum.io.jsonl import content_id
from clinicnum.templates.template import Template
from clinicnum.templates.verbalize_template import answer_in_words
from clinicnum.translatable import Translatable
from clinicnum.types import Frozen, Instance

NOT_INVITED = Translatable(
    "You are not invited to this review, or the invitation was taken back; go back to the list."
)


class Invitation(Frozen):
    """One review in the expert's list of invitations."""

    round_id: str
    wording: str
    """The template's first wording, as templates have no more telling name."""
    opened_at: datetime
    state: str
    """`new`, `begun`, `handed in`, or `closed` for a round that ended before this review was submitted."""
    answered: int
    """Number of the expert's comments that have a reply."""


class Case(Frozen):
    """An instance without gold, evidence, worked solution and distractors."""

    representation: str
    context: str
    question: str


class OwnComment(Frozen):
    """A comment by the expert, and the reply to it."""

    about: str
    text: str
    reply: str | None


class ExpertReview(Frozen):
    """Everything one expert reads and writes in a review."""

    round_id: str
    state: str
    mechanical: bool
    wordings: tuple[str, ...]
    answer_form: str
    made: tuple[str, ...]
    """How the answer is computed, in sentences."""
    source: str
    cases: tuple[Case, ...]
    sheet: ReviewSheet
    comments: tuple[OwnComment, ...]
    """The expert's comments, once the review is submitted."""


def list_invitations(session: Session, *, user_id: str) -> tuple[Invitation, ...]:
    """The expert's reviews, unfinished ones first, then the newest. Raises NotAllowed if the account
    may not review.
    """
    _expert(session, user_id)
    statement = (
        select(ReviewRow, ReviewRoundRow)
        .join(ReviewRoundRow, col(ReviewRoundRow.id) == col(ReviewRow.round_id))
        .where(col(ReviewRow.user_id) == user_id, col(ReviewRow.status) != "withdrawn")
        .order_by(col(ReviewRoundRow.opened_at).desc(), col(ReviewRoundRow.id))
    )
    replied = list(
        session.scalars(
            select(col(ReviewCommentRow.round_id)).where(
                col(ReviewCommentRow.user_id) == user_id, col(ReviewCommentRow.replied_at).is_not(None)
            )
        )
    )
    found = [
        Invitation(
            round_id=row.id,
            wording=Template.model_validate(row.payload).wording[0],
            opened_at=row.opened_at,
            state=_state(own, row),
            answered=replied.count(row.id),
        )
        for own, row in session.execute(statement)
    ]
    return tuple(sorted(found, key=lambda one: one.state not in ("new", "begun")))


def _state(own: ReviewRow, row: ReviewRoundRow) -> str:
    if own.payload is not None:
        return "handed in"
    if row.status != "open":
        return "closed"
    return "new" if own.draft is None else "begun"


def load_review(session: Session, *, user_id: str, round_id: str) -> ExpertReview:
    """The expert's own review in a round. Raises NotAllowed unless the account is invited to it."""
    own, row = _own(session, user_id, round_id)
    template = Template.model_validate(row.payload)
    return ExpertReview(
        round_id=round_id,
        state=_state(own, row),
        mechanical=is_mechanical(template),
        wordings=template.wording,
        answer_form=template.answer_form,
        made=answer_in_words(template),
        source=template.source,
        cases=tuple(_without_gold(case) for case in _cases(own)),
        sheet=_sheet(own),
        comments=_own_comments(session, user_id, round_id),
    )


def _sheet(own: ReviewRow) -> ReviewSheet:
    if own.payload is None:
        return ReviewSheet.model_validate(own.draft or {})
    given = SubmittedReview.model_validate(own.payload)
    answers = {str(n): one.answer for n, one in enumerate(given.worked, start=1)}
    return ReviewSheet(ratings=given.ratings, answers=answers)


def _cases(own: ReviewRow) -> list[Instance]:
    return [Instance.model_validate(case) for case in own.cases]


def _without_gold(case: Instance) -> Case:
    return Case(representation=case.representation, context=case.context, question=case.question)


def _own_comments(session: Session, user_id: str, round_id: str) -> tuple[OwnComment, ...]:
    statement = (
        select(ReviewCommentRow)
        .where(col(ReviewCommentRow.round_id) == round_id, col(ReviewCommentRow.user_id) == user_id)
        .order_by(col(ReviewCommentRow.number))
    )
    return tuple(
        OwnComment(about=one.about, text=one.text, reply=one.reply) for one in session.scalars(statement)
    )


def save_sheet(session: Session, *, user_id: str, round_id: str, sheet: ReviewSheet) -> None:
    """Save the unfinished review sheet; it does not count until it is submitted.

    Raises NotAllowed unless the account is invited, Conflict if it was submitted or the round is closed.
    """
    own, _ = _writable(session, user_id, round_id)
    own.draft = sheet.model_dump(mode="json")
    session.add(own)
    session.flush()


def hand_in(session: Session, *, user_id: str, round_id: str, sheet: ReviewSheet) -> None:
    """Submit the review sheet; it cannot be changed afterwards.

    Raises InputError that names what is missing or unreadable, NotAllowed for an author of the template, and
    otherwise as `save_sheet` does.
    """
    own, row = _writable(session, user_id, round_id)
    if user_id in authors_of(session, row.template_id, row.version):
        raise NotAllowed(Translatable("You wrote or edited this template; somebody else must review it."))
    mechanical = is_mechanical(Template.model_validate(row.payload))
    given = complete_review(sheet, _cases(own), mechanical=mechanical)
    said = sheet_comments(sheet)
    own.draft = None
    own.payload, own.status, own.submitted_at = given.model_dump(mode="json"), "submitted", utc_now()
    session.add(own)
    session.add_all(
        ReviewCommentRow(round_id=round_id, user_id=user_id, number=number, about=about, text=text)
        for number, (about, text) in enumerate(said.items(), start=1)
    )
    session.flush()
    append(
        session,
        study_id=None,
        actor=user_id,
        action="hand_in_review",
        after={
            "round": round_id,
            "template": [row.template_id, row.version],
            # Others read the log, so it holds no ratings and no count that would reveal whose comments are
            # whose; the secret mark keeps the hash from being guessed by trying all ratings.
            "review": content_id([own.mark, own.payload, said]),
        },
    )


def _expert(session: Session, user_id: str) -> None:
    user = session.get(UserRow, user_id)
    if user is None or not user.active:
        raise NotAllowed(Translatable("This account is switched off; ask an admin."))
    require(user.role, "review_templates")  # type: ignore[arg-type]  # the database checks the column


def _own(
    session: Session, user_id: str, round_id: str, *, locked: bool = False
) -> tuple[ReviewRow, ReviewRoundRow]:
    _expert(session, user_id)
    known = "\0" not in round_id
    own = None
    if known:
        own = session.get(
            ReviewRow, (round_id, user_id), with_for_update=locked or None, populate_existing=locked
        )
    if own is None or own.status == "withdrawn":
        raise NotAllowed(NOT_INVITED)
    return own, session.get_one(ReviewRoundRow, round_id, populate_existing=locked)


def _writable(session: Session, user_id: str, round_id: str) -> tuple[ReviewRow, ReviewRoundRow]:
    if "\0" not in round_id:
        lock_round(session, round_id)
    own, row = _own(session, user_id, round_id, locked=True)
    if own.payload is not None:
        raise Conflict(Translatable("You have handed in this review; it is kept as it is."))
    if row.status != "open":
        raise Conflict(Translatable("This round was closed in the meantime; nothing more is needed of you."))
    return own, row
