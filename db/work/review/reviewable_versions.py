"""Versions of templates and items for which a round can be opened, and accounts that can review them."""

from sqlalchemy import exists, func, or_, select
from sqlalchemy.orm import aliased
from sqlmodel import Session, col

from clinicnum.annotations.curation.reviewed_version import first_wording, read_version
from clinicnum.annotations.role_rights import may
from clinicnum.db.rows import DraftRow, ReviewRoundRow, TemplateRow, UserRow
from clinicnum.db.work.review.review_queries import authors_of
from clinicnum.translatable_text import Translatable
from clinicnum.types import Frozen

LISTED = 200
FOUND = 20
_NO_ROUND = ~exists().where(
    col(ReviewRoundRow.template_id) == col(TemplateRow.template_id),
    col(ReviewRoundRow.version) == col(TemplateRow.version),
    col(ReviewRoundRow.status) == "open",
)
_OF_IT = (
    col(DraftRow.template_id) == col(TemplateRow.template_id),
    col(DraftRow.version) == col(TemplateRow.version),
)
_NOT_IN_WORK = ~exists().where(*_OF_IT, col(DraftRow.status) == "open")
_NOT_PUT_ASIDE = or_(~exists().where(*_OF_IT), exists().where(*_OF_IT, col(DraftRow.status) == "submitted"))
_NEWER = aliased(TemplateRow)
_NOT_FOLLOWED = ~exists().where(
    col(_NEWER.template_id) == col(TemplateRow.template_id),
    col(_NEWER.version) > col(TemplateRow.version),
    col(_NEWER.status) == "validated",
)
_HAS_CONTENT = or_(col(TemplateRow.operation).is_not(None), col(TemplateRow.kind) == "item")
_REVIEWABLE = (
    select(TemplateRow)
    .where(_HAS_CONTENT, _NO_ROUND, _NOT_IN_WORK, _NOT_PUT_ASIDE, _NOT_FOLLOWED)
    .order_by(col(TemplateRow.template_id), col(TemplateRow.version))
)


class Reviewable(Frozen):
    """A version for which a round can be opened."""

    template_id: str
    version: int
    status: str
    wording: str


class ReviewerCandidate(Frozen):
    """An account that may review templates."""

    name: str
    role: str
    why_not: str | None
    """Why it may not review this version; None if it may."""


def waiting_versions(session: Session) -> tuple[Reviewable, ...]:
    """Versions that were submitted for or returned from review and have no open round; at most LISTED."""
    statement = _REVIEWABLE.where(col(TemplateRow.status).in_(("draft", "in_review"))).limit(LISTED)
    return tuple(_reviewable(row) for row in session.scalars(statement))


def find_reviewable(session: Session, search: str) -> tuple[Reviewable, ...]:
    """Unreviewed versions whose id, tags or wordings contain all the words; at most FOUND."""
    statement = _REVIEWABLE.where(col(TemplateRow.status) == "unreviewed")
    for word in search.replace("\0", "").lower().split()[:10]:
        statement = statement.where(col(TemplateRow.words).contains(word, autoescape=True))
    return tuple(_reviewable(row) for row in session.scalars(statement.limit(FOUND)))


def count_unreviewed(session: Session) -> int:
    """How many versions have the status `unreviewed`."""
    statement = select(func.count()).select_from(TemplateRow)
    return session.scalars(statement.where(col(TemplateRow.status) == "unreviewed")).one()


def _reviewable(row: TemplateRow) -> Reviewable:
    return Reviewable(
        template_id=row.template_id,
        version=row.version,
        status=row.status,
        wording=first_wording(read_version(row.payload)),
    )


def reviewer_candidates(session: Session, *, template_id: str, version: int) -> tuple[ReviewerCandidate, ...]:
    """Accounts that may review, by name; authors and editors of the version cannot be chosen."""
    authors = authors_of(session, template_id, version)
    statement = (
        select(UserRow)
        .where(col(UserRow.active), col(UserRow.annotator_kind) == "human")
        .order_by(col(UserRow.name))
    )
    return tuple(
        ReviewerCandidate(
            name=user.name,
            role=user.role,
            why_not=Translatable("wrote or edited it") if user.id in authors else None,
        )
        for user in session.scalars(statement)
        if may(user.role, "review_templates")  # type: ignore[arg-type]  # the database checks the column
    )
