"""How long models are masked: until the study is closed and no item waits for an adjudicator.

The audit log records when the models of a study were first shown: decisions made after that were not blind.
"""

from datetime import datetime

from sqlalchemy import ColumnElement, Exists, exists, or_, select
from sqlalchemy.orm import aliased
from sqlmodel import Session, col

from clinicnum.db.rows import (
    AdjudicationRow,
    AnnotationRow,
    AssignmentRow,
    AuditRow,
    CitationRow,
    ContestRow,
    StudyItemRow,
    StudyRow,
)
from clinicnum.db.work.audit.audit_log import append
from clinicnum.db.work.common.monotonic_clock import after_decisions

SHOWN = "models_shown_at"


def decided() -> Exists:
    """SQL condition on a study item: it has a decision that cites the last revision of everyone who
    submitted it.
    """
    judged = aliased(AssignmentRow)
    cited = exists().where(
        col(CitationRow.adjudication_id) == col(AdjudicationRow.id),
        col(CitationRow.annotation_id) == col(AnnotationRow.id),
        col(AnnotationRow.assignment_id) == col(judged.id),
        col(AnnotationRow.revision) == col(judged.revision),
    )
    uncited = exists().where(
        col(judged.study_id) == col(StudyItemRow.study_id),
        col(judged.generation) == col(StudyItemRow.generation),
        col(judged.status) == "submitted",
        col(judged.round) == "main",
        ~cited.correlate(AdjudicationRow, judged),
    )
    return exists().where(
        col(AdjudicationRow.study_id) == col(StudyItemRow.study_id),
        col(AdjudicationRow.generation) == col(StudyItemRow.generation),
        ~uncited.correlate(StudyItemRow, AdjudicationRow),
    )


def masked() -> ColumnElement[bool]:
    """SQL condition on a study: it is not closed, or a decision or a contest is pending."""
    due = exists().where(
        col(StudyItemRow.study_id) == col(StudyRow.id),
        col(StudyItemRow.hardness).is_not(None),
        ~decided().correlate(StudyItemRow),
    )
    contested = exists().where(col(ContestRow.study_id) == col(StudyRow.id), col(ContestRow.status) == "open")
    return or_(col(StudyRow.status) != "closed", due.correlate(StudyRow), contested.correlate(StudyRow))


def is_masked(session: Session, study: StudyRow) -> bool:
    """Whether the model behind an answer must be hidden from annotators and adjudicators of the study."""
    return study.status != "closed" or bool(
        session.scalar(select(masked()).where(col(StudyRow.id) == study.id))
    )


def shown_from(session: Session, study: StudyRow) -> str | None:
    """The time from which the models of a study are visible, as ISO text for the log; None while they are
    masked.
    """
    return None if is_masked(session, study) else after_decisions(session, study.id).isoformat()


def show_after_last_decision(session: Session, study_id: str, *, actor: str) -> None:
    """Log that the models are now visible, if the decision just made was the last pending one in a
    closed study.
    """
    study = session.get_one(StudyRow, study_id)
    since = shown_from(session, study)
    if since is not None and models_shown_at(session, study_id) is None:
        append(session, study_id=study_id, actor=actor, action="show_models", after={SHOWN: since})


def models_shown_at(session: Session, study_id: str) -> datetime | None:
    """When the models of a study first became visible to adjudicators; None if they never did."""
    statement = (
        select(AuditRow)
        .where(col(AuditRow.chain) == study_id, col(AuditRow.action).in_(("close_study", "show_models")))
        .order_by(col(AuditRow.seq))
    )
    for row in session.scalars(statement):
        told = row.after or {}
        if SHOWN not in told:  # earlier versions unmasked models when the study closed
            return row.at
        if told[SHOWN] is not None:
            return datetime.fromisoformat(told[SHOWN])
    return None


def was_blind(at: datetime | None, shown_at: datetime | None) -> bool | None:
    """Whether a decision at time `at` was made before the models were visible; None if `at` is None."""
    if at is None:
        return None
    return shown_at is None or at < shown_at
