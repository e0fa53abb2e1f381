"""One-line summaries of studies: numbers of items, annotators and assignments, and progress."""

from sqlalchemy import ScalarSelect, case, func, select
from sqlmodel import Session, col

from clinicnum.annotations.types import StudySummary
from clinicnum.db.rows import AssignmentRow, StudyAnnotatorRow, StudyItemRow, StudyRow, UserRow


def list_studies(session: Session) -> tuple[StudySummary, ...]:
    """The summaries of all studies, in the order of their names."""
    return _summaries(session)


def _repeats_submitted() -> ScalarSelect[int]:
    """Subquery: the number of submitted repeats, for a study's row."""
    again = select(func.count()).where(col(AssignmentRow.study_id) == col(StudyRow.id))
    return again.where(
        col(AssignmentRow.status) == "submitted", col(AssignmentRow.round) == "repeat"
    ).scalar_subquery()


def _summaries(session: Session, *, study_id: str | None = None) -> tuple[StudySummary, ...]:
    simulated = case((col(UserRow.annotator_kind) == "simulated", 1), else_=0)
    items = select(StudyItemRow).where(col(StudyItemRow.study_id) == col(StudyRow.id))
    drawn = items.with_only_columns(func.count()).where(col(StudyItemRow.round) == "main").scalar_subquery()
    places = items.with_only_columns(func.sum(col(StudyItemRow.places))).scalar_subquery()
    statement = (
        select(
            StudyRow,
            drawn,
            func.count(),
            func.sum(simulated),
            places,
            func.sum(col(StudyAnnotatorRow.done)) - _repeats_submitted(),  # repeats fill no places
            func.sum(col(StudyAnnotatorRow.skipped)),
        )
        .join(StudyAnnotatorRow, col(StudyAnnotatorRow.study_id) == col(StudyRow.id))
        .join(UserRow, col(UserRow.id) == col(StudyAnnotatorRow.user_id))
        .group_by(col(StudyRow.id))
        .order_by(col(StudyRow.name))
    )
    if study_id is not None:
        statement = statement.where(col(StudyRow.id) == study_id)
    return tuple(
        StudySummary(
            study_id=row.id,
            name=row.name,
            status=row.status,
            taxonomy_id=row.taxonomy_id,
            taxonomy_version=row.taxonomy_version,
            guideline_version=row.guideline_version,
            overlap=row.overlap,
            generations=generations,
            annotators=annotators,
            simulated_annotators=scripted,
            assignments=total,
            submitted=done,
            skipped=skipped,
            deadline=row.deadline,
        )
        for row, generations, annotators, scripted, total, done, skipped in session.execute(statement)
    )


def summarise(session: Session, study: StudyRow) -> StudySummary:
    """The summary of one study, for a list."""
    return _summaries(session, study_id=study.id)[0]
