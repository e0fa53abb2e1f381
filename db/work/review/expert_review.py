"""An expert's side of a review: the invitations and the expert's own sheet, nothing else.

Golds are removed from the instances here, before a page gets them, whether the round is open or closed. No
function of this module reads other experts' ratings or names.
"""

from datetime import datetime
from typing import Any, Literal

from sqlalchemy import select
from sqlmodel import Session, col

from clinicnum.annotations.curation.drafted_item import ChangedPlace, ItemVersion
from clinicnum.annotations.curation.review_sheet import (
    ReviewSheet,
    SubmittedReview,
    complete_review,
    sheet_comments,
)
from clinicnum.annotations.curation.reviewed_version import (
    ReviewedVersion,
    case_count,
    first_wording,
    read_version,
    skips_relevance,
)
from clinicnum.annotations.role_rights import require
from clinicnum.db.rows import ReviewCommentRow, ReviewRoundRow, ReviewRow, UserRow, utc_now
from clinicnum.db.work.audit.audit_log import append
from clinicnum.db.work.review.review_queries import authors_of, lock_round
from clinicnum.errors import Conflict, NotAllowed
from clinicnum.io.jsonl import content_id
from clinicnum.prompt import option_lines
from clinicnum.templates.verbalize_template import answer_in_words
from clinicnum.translatable_text import Translatable
from clinicnum.types import Frozen, Instance

NOT_INVITED = Translatable(
    "You are not invited to this review, or the invitation was taken back; go back to the list."
)


class Invitation(Frozen):
    """One review in the expert's list of invitations."""

    round_id: str
    wording: str
    """The template's first wording or the item's question, as they have no more telling name."""
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
    scoring: str
    """How an answer is judged, which says in what form it is asked for."""


class OwnComment(Frozen):
    """A comment by the expert, and the reply to it."""

    about: str
    text: str
    reply: str | None


class OriginalQuestion(Frozen):
    """The question from which an item was made, without its gold, and what was changed."""

    context: str
    question: str
    changed: tuple[ChangedPlace, ...]


class ExpertReview(Frozen):
    """Everything one expert reads and writes in a review."""

    round_id: str
    state: str
    mechanical: bool
    wordings: tuple[str, ...]
    """A template's wordings, or an item's question."""
    answer_form: str
    """The form in which a template asks for its answer; empty of an item."""
    made: tuple[str, ...]
    """How a template's answer is computed, in sentences; the answer points of an item that has them."""
    source: str
    kind: Literal["template", "paraphrase", "counterfactual", "new"] = "template"
    context: str = ""
    """What an item shows that has no case to work, as its answer is several points."""
    original: OriginalQuestion | None = None
    """Of a paraphrase or a counterfactual."""
    data_use: str | None = None
    """The notice for an item whose text may not be shared."""
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
            wording=first_wording(read_version(row.payload)),
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
    """The expert's own review in a round. Raises NotAllowed unless the account may review and is invited to
    it.
    """
    own, row = _own(session, user_id, round_id)
    version = read_version(row.payload)
    return ExpertReview(
        round_id=round_id,
        state=_state(own, row),
        mechanical=skips_relevance(version),
        cases=tuple(_without_gold(case) for case in _cases(own)),
        sheet=_sheet(own),
        comments=_own_comments(session, user_id, round_id),
        **_shown(version),
    )


def _shown(version: ReviewedVersion) -> dict[str, Any]:
    """The fields of `ExpertReview` that are of the reviewed template or item, by name.

    Of an item not the gold and its reason, but its answer points; no context if a case shows it to experts.
    """
    if not isinstance(version, ItemVersion):
        return {
            "wordings": version.wording,
            "answer_form": version.answer_form,
            "made": answer_in_words(version),
            "source": version.source,
        }
    item, was = version.item, version.original
    told = OriginalQuestion(context=was.context, question=was.question, changed=version.changed)
    return {
        "wordings": (item.question,),
        "answer_form": "",
        "made": tuple(point.text for point in item.points),
        "source": item.benchmark_id,
        "kind": version.kind,
        "context": "" if case_count(version) else item.context,
        "original": None if version.kind == "new" else told,
        "data_use": version.data_use,
    }


def _sheet(own: ReviewRow) -> ReviewSheet:
    if own.payload is None:
        return ReviewSheet.model_validate(own.draft or {})
    given = SubmittedReview.model_validate(own.payload)
    answers = {str(n): one.answer for n, one in enumerate(given.worked, start=1)}
    return ReviewSheet(ratings=given.ratings, answers=answers)


def _cases(own: ReviewRow) -> list[Instance]:
    return [Instance.model_validate(case) for case in own.cases]


def _without_gold(case: Instance) -> Case:
    asked = "\n".join(filter(None, (case.question, option_lines(case).strip())))
    return Case(
        representation=case.representation,
        context=case.context,
        question=asked if case.operation == "external" else case.question,
        scoring=case.scoring,
    )


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

    Raises NotAllowed unless the account may review and is invited, Conflict if the review was submitted or
    the round is closed.
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
        raise NotAllowed(Translatable("You wrote or edited this yourself; somebody else must review it."))
    mechanical = skips_relevance(read_version(row.payload))
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
