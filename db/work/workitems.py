"""Load one assignment as its annotator may see it: the gold leaves the database only once it is revealed."""

from sqlalchemy import select
from sqlmodel import Session, col

from annotations.types import Judgement
from annotations.workitem import Progress, Workitem, mask_model, reveal_gold, view_instance
from clinicnum.types import Generation, Instance, Score
from db.rows import (
    AnnotationRow,
    AssignmentRow,
    GenerationRow,
    InstanceRow,
    ScoreRow,
    StudyAnnotatorRow,
    StudyRow,
    StudyRunRow,
    StudyScoreRow,
)


def load_workitem(session: Session, assignment_id: str) -> Workitem:
    """The assignment, which must exist and be the caller's own."""
    statement = (
        select(
            AssignmentRow,
            StudyRow,
            StudyAnnotatorRow,
            col(GenerationRow.payload),
            col(InstanceRow.payload),
            col(StudyRunRow.meta),
            col(ScoreRow.payload),
        )
        .join(StudyRow, col(StudyRow.id) == col(AssignmentRow.study_id))
        .join(
            StudyAnnotatorRow,
            (col(StudyAnnotatorRow.study_id) == col(AssignmentRow.study_id))
            & (col(StudyAnnotatorRow.user_id) == col(AssignmentRow.user_id)),
        )
        .join(GenerationRow, col(GenerationRow.id) == col(AssignmentRow.generation))
        .join(InstanceRow, col(InstanceRow.id) == col(GenerationRow.instance))
        .join(
            StudyRunRow,
            (col(StudyRunRow.study_id) == col(AssignmentRow.study_id))
            & (col(StudyRunRow.run) == col(GenerationRow.run)),
        )
        .join(
            StudyScoreRow,
            (col(StudyScoreRow.study_id) == col(AssignmentRow.study_id))
            & (col(StudyScoreRow.generation) == col(AssignmentRow.generation)),
        )
        .join(ScoreRow, col(ScoreRow.id) == col(StudyScoreRow.score))
        .where(col(AssignmentRow.id) == assignment_id)
    )
    assignment, study, counts, generation, instance, run_meta, score = session.execute(statement).one()
    shown = Instance.model_validate(instance)
    return Workitem(
        assignment_id=assignment.id,
        revision=assignment.revision,
        status=assignment.status,
        study_id=study.id,
        study_name=study.name,
        taxonomy_id=study.taxonomy_id,
        taxonomy_version=study.taxonomy_version,
        guideline_version=study.guideline_version,
        instance=view_instance(shown),
        text=mask_model(Generation.model_validate(generation), run_meta.get("model")),
        judgement=last_judgement(session, assignment),
        draft=assignment.draft,
        skip_reason=assignment.skip_reason,
        progress=Progress(done=counts.done, skipped=counts.skipped, total=counts.total),
        reveal=reveal_gold(shown, Score.model_validate(score)) if assignment.revealed_at else None,
    )


def last_annotation(session: Session, assignment: AssignmentRow) -> AnnotationRow | None:
    """The last saved revision of an assignment; None if there is none."""
    if assignment.revision == 0:
        return None
    statement = select(AnnotationRow).where(
        col(AnnotationRow.assignment_id) == assignment.id,
        col(AnnotationRow.revision) == assignment.revision,
    )
    return session.scalars(statement).one()


def judgement_of(row: AnnotationRow) -> Judgement:
    """The annotator's own part of a saved annotation."""
    return Judgement.model_validate({field: row.payload[field] for field in Judgement.model_fields})


def last_judgement(session: Session, assignment: AssignmentRow) -> Judgement | None:
    """The judgement of the last saved revision; None if there is none."""
    row = last_annotation(session, assignment)
    return judgement_of(row) if row else None
