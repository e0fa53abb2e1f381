"""Queries on review rounds: find, lock, order and log their rows, and read what the verdict needs."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import func, select
from sqlmodel import Session, col

from clinicnum.annotations.curation.review_sheet import SubmittedReview
from clinicnum.annotations.curation.reviewed_version import case_count, read_version, skips_relevance
from clinicnum.annotations.curation.template_acceptance import AcceptanceInputs
from clinicnum.annotations.role_rights import require
from clinicnum.db.engine import lock
from clinicnum.db.rows import (
    ContestRow,
    DraftRow,
    GenerationRow,
    InstanceRow,
    ReviewCommentRow,
    ReviewRoundRow,
    ReviewRow,
    TemplateRow,
    UserRow,
)
from clinicnum.db.work.audit.audit_log import append
from clinicnum.errors import Conflict, InputError, NotAllowed
from clinicnum.io.jsonl import content_id
from clinicnum.translatable_text import Translatable

BLIND = Translatable(
    "Ratings and comments are shown once every invited expert has handed in; a round is accepted only then."
)
PENDING = Translatable("You are an expert of this round: hand in your own review first.")
CLOSED_EARLY = Translatable(
    "The round was closed before every invited expert had handed in: what they said stays hidden, "
    "as it could be told whose it is."
)

_CLOSED = {
    "accepted": Translatable("this round was closed as accepted in the meantime; look at it anew"),
    "returned": Translatable("this round was closed as returned in the meantime; look at it anew"),
}


def find_curator(session: Session, user_id: str) -> UserRow:
    """The curator's account. Raises NotAllowed unless it may curate now."""
    user = session.get(UserRow, user_id)
    if user is None or not user.active:
        raise NotAllowed(Translatable("This account is switched off; ask an admin."))
    require(user.role, "curate")  # type: ignore[arg-type]  # the database checks the column
    return user


def find_round(session: Session, round_id: str, *, locked: bool = False) -> ReviewRoundRow:
    """A round's row. Raises InputError if there is none."""
    row = session.get(ReviewRoundRow, round_id, with_for_update=locked or None, populate_existing=locked)
    if row is None:
        raise InputError(
            Translatable(
                "there is no round of review {round!r}; choose one on the page Reviews", round=round_id
            )
        )
    return row


def lock_template(session: Session, template_id: str) -> None:
    """Lock a template, so that one transaction at a time opens or closes its rounds; always before
    `lock_round`.
    """
    lock(session, f"reviews of {template_id}")


def lock_round(session: Session, round_id: str) -> None:
    """Lock a round, so that one transaction at a time changes it."""
    lock(session, f"review:{round_id}")


def lock_open_round(session: Session, round_id: str, actor: str) -> tuple[ReviewRoundRow, list[ReviewRow]]:
    """The locked round and its reviews in order.

    Raises NotAllowed if the actor may not curate, InputError for an unknown round, Conflict for a closed one.
    """
    find_curator(session, actor)
    lock_round(session, round_id)
    row = find_round(session, round_id, locked=True)
    if row.status != "open":
        raise Conflict(_CLOSED[row.status])
    return row, panel_members(session, round_id)


def log_round(
    session: Session,
    row: ReviewRoundRow,
    actor: str,
    action: str,
    *,
    after: dict[str, Any],
    before: dict[str, Any] | None = None,
) -> None:
    """Append a change of a review round to the audit log, with the round's id and its template."""
    told = {"round": row.id, "template": [row.template_id, row.version]}
    append(
        session,
        study_id=None,
        actor=actor,
        action=action,
        before=None if before is None else {**told, **before},
        after={**told, **after},
    )


def panel_members(session: Session, round_id: str) -> list[ReviewRow]:
    """The invited experts in the random order of `Expert 1`, `Expert 2`, ..."""
    invited = (col(ReviewRow.round_id) == round_id, col(ReviewRow.status) != "withdrawn")
    statement = select(ReviewRow).where(*invited).order_by(col(ReviewRow.mark))
    return list(session.scalars(statement.execution_options(populate_existing=True)))


def why_hidden(row: ReviewRoundRow, rows: Sequence[ReviewRow], viewer: str | None) -> str | None:
    """Why `viewer` (a user id) may not see these reviews, in words; None if all have been submitted.

    Ratings and comments become visible together, as a comment seen earlier would reveal which expert is who.
    """
    if all(one.payload is not None for one in rows):
        return None
    if row.status != "open":
        return CLOSED_EARLY
    return PENDING if any(one.user_id == viewer and one.payload is None for one in rows) else BLIND


def submitted_of(rows: Sequence[ReviewRow]) -> tuple[SubmittedReview, ...]:
    """The contents of the submitted reviews, in the order of the rows."""
    return tuple(SubmittedReview.model_validate(row.payload) for row in rows if row.payload is not None)


def comments_of(session: Session, rows: Sequence[ReviewRow]) -> list[tuple[str, int, ReviewCommentRow]]:
    """A round's comments: the key used in replies, the expert's index from 0, and the row."""
    if not rows:
        return []
    statement = (
        select(ReviewCommentRow)
        .where(col(ReviewCommentRow.round_id) == rows[0].round_id)
        .order_by(col(ReviewCommentRow.number))
    )
    comments = list(session.scalars(statement))
    return [
        (content_id([row.mark, one.number]), place, one)
        for place, row in enumerate(rows)
        for one in comments
        if one.user_id == row.user_id
    ]


def acceptance_inputs(session: Session, row: ReviewRoundRow, experts: Sequence[str]) -> AcceptanceInputs:
    """What the acceptance verdict needs from the database; `experts` are user ids."""
    contests = _contests(session, row.template_id, row.version)
    unanswered = select(func.count()).where(
        col(ReviewCommentRow.round_id) == row.id, col(ReviewCommentRow.replied_at).is_(None)
    )
    version = read_version(row.payload)
    return AcceptanceInputs(
        mechanical=skips_relevance(version),
        cases=case_count(version),
        invited=len(experts),
        open_contests=contests.get("open", 0),
        upheld=contests.get("upheld", 0),
        reviewing_authors=len(authors_of(session, row.template_id, row.version) & set(experts)),
        unanswered=session.scalars(unanswered).one(),
    )


def _contests(session: Session, template_id: str, version: int) -> dict[str, int]:
    statement = (
        select(col(ContestRow.status), func.count())
        .join(GenerationRow, col(GenerationRow.id) == col(ContestRow.generation))
        .join(InstanceRow, col(InstanceRow.id) == col(GenerationRow.instance))
        .where(col(InstanceRow.template_id) == template_id, col(InstanceRow.template_version) == version)
        .group_by(col(ContestRow.status))
    )
    return {status: n for status, n in session.execute(statement)}


def authors_of(session: Session, template_id: str, version: int) -> set[str]:
    """User ids of everyone who wrote or edited a version or one of its predecessors."""
    found: set[str] = set()
    for key in lineage_of(session, template_id, version):
        row = session.get(TemplateRow, key)
        found |= {row.author} if row is not None and row.author is not None else set()
        for draft in _drafts_of(session, *key):
            found |= {draft.author, *draft.edited_by}
    return found


def lineage_of(session: Session, template_id: str, version: int) -> set[tuple[str, int]]:
    """The version and its predecessors: the versions on which its drafts were based."""
    waiting, found = [(template_id, version)], set[tuple[str, int]]()
    while waiting:
        key = waiting.pop()
        if key not in found:
            found.add(key)
            for draft in _drafts_of(session, *key):
                if draft.base_id is not None and draft.base_version is not None:
                    waiting.append((draft.base_id, draft.base_version))
    return found


def _drafts_of(session: Session, template_id: str, version: int) -> Sequence[DraftRow]:
    return session.scalars(
        select(DraftRow).where(col(DraftRow.template_id) == template_id, col(DraftRow.version) == version)
    ).all()


def without_answer(n: int) -> str:
    """Why a round with this many unanswered comments cannot be closed."""
    if n == 1:
        return Translatable("{n} comment without an answer; answer each, then close the round", n=n)
    return Translatable("{n} comments without an answer; answer each, then close the round", n=n)
