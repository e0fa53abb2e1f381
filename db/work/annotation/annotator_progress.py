"""An annotator's progress when no item is waiting: items done and skipped, and studies paused or closed."""

from dataclasses import dataclass

from sqlalchemy import select
from sqlmodel import Session, col

from clinicnum.db.rows import AssignmentRow, StudyAnnotatorRow, StudyRow
from clinicnum.db.work.annotation.own_studies import OwnStudy, own_studies


@dataclass(frozen=True)
class OwnProgress:
    """One annotator's studies, and the annotator's counts over all of them."""

    paused: tuple[str, ...]
    """Names of the studies that are paused."""
    closed: tuple[str, ...]
    studies: tuple[OwnStudy, ...]
    """The open ones, the oldest first."""
    done: int
    """Submitted in the open studies."""
    skipped: int
    """Skipped in the open studies."""
    first_skipped: str | None
    """The assignment skipped in the oldest of these studies that was handed out first; None if none is."""


def own_progress(session: Session, *, user_id: str) -> OwnProgress:
    """The annotator's studies (paused and closed ones by name, open ones from the oldest on), and counts over
    the open ones.
    """
    statement = (
        select(
            col(StudyRow.name),
            col(StudyRow.status),
            col(StudyAnnotatorRow.done),
            col(StudyAnnotatorRow.skipped),
        )
        .join(StudyRow, col(StudyRow.id) == col(StudyAnnotatorRow.study_id))
        .where(col(StudyAnnotatorRow.user_id) == user_id)
        .order_by(col(StudyRow.name))
    )
    rows = session.execute(statement).all()

    def named(status: str) -> tuple[str, ...]:
        return tuple(name for name, is_now, _, _ in rows if is_now == status)

    return OwnProgress(
        paused=named("paused"),
        closed=named("closed"),
        studies=own_studies(session, user_id=user_id),
        done=sum(done for _, status, done, _ in rows if status == "open"),
        skipped=sum(skipped for _, status, _, skipped in rows if status == "open"),
        first_skipped=_first_skipped(session, user_id),
    )


def _first_skipped(session: Session, user_id: str) -> str | None:
    statement = (
        select(col(AssignmentRow.id))
        .join(StudyRow, col(StudyRow.id) == col(AssignmentRow.study_id))
        .where(
            col(AssignmentRow.user_id) == user_id,
            col(AssignmentRow.status) == "skipped",
            col(StudyRow.status) == "open",
        )
        .order_by(col(StudyRow.created_at), col(StudyRow.id), col(AssignmentRow.position))
        .limit(1)
    )
    return session.scalars(statement).first()
