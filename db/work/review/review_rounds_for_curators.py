"""Review rounds as curators see them: who is invited, and ratings without names once all experts have
submitted.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import func, select
from sqlmodel import Session, col

from clinicnum.annotations.curation.item_draft_checks import ItemCheck
from clinicnum.annotations.curation.review_panel_statistics import PanelFigures, expert_name, panel_figures
from clinicnum.annotations.curation.review_sheet import SubmittedReview
from clinicnum.annotations.curation.reviewed_version import ReviewedVersion, read_version, skips_relevance
from clinicnum.annotations.curation.template_acceptance import AcceptanceVerdict, verdict
from clinicnum.authoring.template_trial import Trial
from clinicnum.db.rows import DraftRow, ReviewCommentRow, ReviewRoundRow, ReviewRow, UserRow
from clinicnum.db.work.review.review_queries import (
    acceptance_inputs,
    comments_of,
    find_curator,
    find_round,
    panel_members,
    submitted_of,
    why_hidden,
)
from clinicnum.translatable_text import Translatable
from clinicnum.types import Frozen, Instance


class PanelMember(Frozen):
    """One invited expert in a round."""

    name: str
    handed_in: bool
    begun: bool
    """Whether the expert has saved a review sheet but not submitted it."""


class Remark(Frozen):
    """An expert's comment, without the name."""

    key: str
    """Identifies the comment in a reply."""
    expert: Translatable
    about: str
    text: str
    reply: str | None


class Mismatch(Frozen):
    """An expert's answer to an instance that differs from the gold; shown to curators together with the
    ratings.
    """

    expert: Translatable
    number: int
    question: str
    answer: str
    gold: str


class RoundSummary(Frozen):
    """One round in a list."""

    round_id: str
    template_id: str
    version: int
    number: int
    status: str
    opened_at: datetime
    closed_at: datetime | None
    invited: int
    handed_in: int
    unanswered: int
    """Comments without a reply; 0 while they are hidden, as the count would reveal who made them."""


class RoundView(Frozen):
    """One round, with what the curator may see at this point."""

    summary: RoundSummary
    version: ReviewedVersion
    seats: tuple[PanelMember, ...]
    barred: tuple[str, ...]
    """Names that the viewer may neither invite nor withdraw: the viewer's own, and those withdrawn before."""
    hidden: str | None
    """Why ratings and comments are not shown; None if they are."""
    reviews: tuple[SubmittedReview, ...]
    """The reviews of `Expert 1`, `Expert 2`, ...; empty while hidden."""
    figures: PanelFigures | None
    verdict: AcceptanceVerdict | None
    """The verdict at present, or as it was when the round closed; None while hidden."""
    mismatches: tuple[Mismatch, ...]
    """Empty while hidden."""
    remarks: tuple[Remark, ...]
    """Empty while hidden."""
    reason: str | None
    """Why the version was returned."""
    draft: str | None
    """The draft that was submitted as this version; None for a version that was not drafted here."""


def list_rounds(session: Session, *, status: str | None = None) -> tuple[RoundSummary, ...]:
    """The review rounds, or only those with this status; open ones first, then the newest."""
    statement = select(ReviewRoundRow)
    if status is not None:
        statement = statement.where(col(ReviewRoundRow.status) == status)
    rows = list(session.scalars(statement))
    counts = _counts(session)
    rows.sort(key=lambda row: (row.status == "open", row.opened_at), reverse=True)
    return tuple(_summary(row, counts.get(row.id, (0, 0, 0))) for row in rows)


def _counts(session: Session) -> dict[str, tuple[int, int, int]]:
    """By round: experts invited, reviews submitted, comments without a reply (0 until all have submitted)."""
    reviews = (
        select(col(ReviewRow.round_id), func.count(), func.count(col(ReviewRow.submitted_at)))
        .where(col(ReviewRow.status) != "withdrawn")
        .group_by(col(ReviewRow.round_id))
    )
    open_ = (
        select(col(ReviewCommentRow.round_id), func.count())
        .where(col(ReviewCommentRow.replied_at).is_(None))
        .group_by(col(ReviewCommentRow.round_id))
    )
    waiting = {key: n for key, n in session.execute(open_)}
    return {
        key: (n, given, waiting.get(key, 0) if given == n else 0)
        for key, n, given in session.execute(reviews)
    }


def _summary(row: ReviewRoundRow, counts: tuple[int, int, int]) -> RoundSummary:
    invited, handed_in, unanswered = counts
    return RoundSummary(
        round_id=row.id,
        template_id=row.template_id,
        version=row.version,
        number=row.number,
        status=row.status,
        opened_at=row.opened_at,
        closed_at=row.closed_at,
        invited=invited,
        handed_in=handed_in,
        unanswered=unanswered,
    )


def load_round(session: Session, *, round_id: str, viewer: str | None, trial: Trial | ItemCheck) -> RoundView:
    """A round with everything that `viewer` (a user id; None: the command line) may see of it.

    `trial` is the trial of the round's template, or the checks of its item. Ratings and comments stay
    hidden until all experts have submitted, and for good if the round was closed before that. Raises
    InputError if there is no such round, NotAllowed for an account that may not curate.
    """
    curator = None if viewer is None else find_curator(session, viewer)
    row = find_round(session, round_id)
    rows = panel_members(session, round_id)
    given = submitted_of(rows)
    hidden = why_hidden(row, rows, viewer)
    comments = [] if hidden else comments_of(session, rows)
    unanswered = sum(one.replied_at is None for _, _, one in comments)
    own = () if curator is None else (curator.name,)
    version = read_version(row.payload)
    return RoundView(
        summary=_summary(row, (len(rows), len(given), unanswered)),
        version=version,
        seats=_seats(session, rows),
        barred=(*own, *session.scalars(_withdrawn(round_id))),
        hidden=hidden,
        reviews=() if hidden else given,
        figures=None if hidden else panel_figures(given, mechanical=skips_relevance(version)),
        verdict=None if hidden else verdict_of(session, row, rows, trial),
        mismatches=() if hidden else tuple(_mismatches(rows)),
        remarks=tuple(_remark(*one) for one in comments),
        reason=(row.outcome or {}).get("reason") or None,
        draft=session.scalars(_draft(row)).first(),
    )


def _seats(session: Session, rows: Sequence[ReviewRow]) -> tuple[PanelMember, ...]:
    """The invited experts, ordered by name."""
    people = select(col(UserRow.id), col(UserRow.name)).where(
        col(UserRow.id).in_([one.user_id for one in rows])
    )
    names = {key: name for key, name in session.execute(people)}
    seats = (
        PanelMember(name=names[one.user_id], handed_in=one.payload is not None, begun=one.draft is not None)
        for one in rows
    )
    return tuple(sorted(seats, key=lambda seat: seat.name))


def _mismatches(rows: Sequence[ReviewRow]) -> Iterator[Mismatch]:
    """The mismatches between answers and golds, once all reviews are submitted."""
    for place, (row, review) in enumerate(zip(rows, submitted_of(rows), strict=True)):
        for number, (case, worked) in enumerate(zip(row.cases, review.worked, strict=True), start=1):
            if not worked.matches:
                instance = Instance.model_validate(case)
                yield Mismatch(
                    expert=expert_name(place),
                    number=number,
                    question=instance.question,
                    answer=worked.answer,
                    gold=str(instance.answer),
                )


def _draft(row: ReviewRoundRow) -> Any:
    return (
        select(col(DraftRow.id))
        .where(col(DraftRow.template_id) == row.template_id, col(DraftRow.version) == row.version)
        .order_by(col(DraftRow.changed_at).desc())
    )


def _withdrawn(round_id: str) -> Any:
    return (
        select(col(UserRow.name))
        .join(ReviewRow, col(ReviewRow.user_id) == col(UserRow.id))
        .where(col(ReviewRow.round_id) == round_id, col(ReviewRow.status) == "withdrawn")
        .order_by(col(UserRow.name))
    )


def _remark(key: str, place: int, row: ReviewCommentRow) -> Remark:
    return Remark(key=key, expert=expert_name(place), about=row.about, text=row.text, reply=row.reply)


def verdict_of(
    session: Session, row: ReviewRoundRow, rows: Sequence[ReviewRow], trial: Trial | ItemCheck
) -> AcceptanceVerdict:
    """The verdict on a round: the stored one if it is closed, otherwise computed now."""
    if row.outcome is not None:
        return AcceptanceVerdict.model_validate(row.outcome["verdict"])
    given = submitted_of(rows)
    return verdict(given, acceptance_inputs(session, row, [one.user_id for one in rows]), trial)
