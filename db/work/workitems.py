"""Load one assignment as its annotator may see it: the gold leaves the database only once it is revealed."""

from statistics import median

from sqlalchemy import bindparam, select
from sqlmodel import Session, col

from annotations.assignment import suggestion_in_sight
from annotations.types import Judgement
from annotations.workitem import Progress, Workitem, mask_model, reveal_gold, view_instance
from clinicnum.types import Generation, Instance, Score, Suggestion
from db.rows import (
    AnnotationRow,
    AssignmentRow,
    GenerationRow,
    InstanceRow,
    ReferenceRow,
    ScoreRow,
    StudyAnnotatorRow,
    StudyRow,
    StudyRunRow,
    StudyScoreRow,
    SuggestionRow,
)

PACE_OVER = 20
"""Items whose active time makes an annotator's pace."""
# Statements of the annotate page's requests are made once: making one costs more than running it.
_ITEM = (
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
    .where(col(AssignmentRow.id) == bindparam("of"))
)
_SUGGESTIONS = select(col(SuggestionRow.payload)).where(
    col(SuggestionRow.study_id) == bindparam("study_id"),
    col(SuggestionRow.generation) == bindparam("generation"),
)
_PACE = (
    select(col(AssignmentRow.active_ms))
    .where(
        col(AssignmentRow.user_id) == bindparam("user_id"),
        col(AssignmentRow.status) == "submitted",
        col(AssignmentRow.study_id) == bindparam("study_id"),
    )
    .order_by(col(AssignmentRow.position).desc())
    .limit(PACE_OVER)
)
_ANNOTATION = select(AnnotationRow).where(
    col(AnnotationRow.assignment_id) == bindparam("of"), col(AnnotationRow.revision) == bindparam("revision")
)


def load_workitem(session: Session, assignment_id: str) -> Workitem:
    """The assignment, which must exist and be the caller's own."""
    found = session.execute(_ITEM, {"of": assignment_id}).one()
    assignment, study, counts, generation, instance, run_meta, score = found
    shown = Instance.model_validate(instance)
    text = mask_model(Generation.model_validate(generation), run_meta.get("model"))
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
        text=text,
        judgement=last_judgement(session, assignment),
        draft=assignment.draft,
        skip_reason=assignment.skip_reason,
        flag=assignment.flag,
        training=assignment.round == "training",
        feedback=_feedback(session, assignment),
        suggestions=_suggestions(session, assignment) if in_sight(session, assignment) else (),
        progress=_progress(session, counts, assignment),
        reveal=reveal_gold(shown, Score.model_validate(score)) if assignment.revealed_at else None,
    )


def in_sight(session: Session, assignment: AssignmentRow) -> bool:
    """Whether the item's suggestions are open to its annotator now.

    Under `randomised` the draw alone decides, also where there is nothing to show: the arms must not differ
    by whether a suggestion exists.
    """
    study = session.get_one(StudyRow, assignment.study_id)
    shown = suggestion_in_sight(
        study.suggestion_policy,
        generation=assignment.generation,
        seed=study.seed,
        judged=assignment.revealed_at is not None,
    )
    if not shown or study.suggestion_policy == "randomised":
        return shown
    return bool(_suggestions(session, assignment))


def _suggestions(session: Session, assignment: AssignmentRow) -> tuple[Suggestion, ...]:
    where = {"study_id": assignment.study_id, "generation": assignment.generation}
    found = [Suggestion.model_validate(payload) for payload in session.scalars(_SUGGESTIONS, where)]
    return tuple(sorted(found, key=lambda one: (one.rank, one.code)))


def _feedback(session: Session, assignment: AssignmentRow) -> Judgement | None:
    if assignment.round != "training" or assignment.status != "submitted":
        return None
    reference = session.get_one(ReferenceRow, (assignment.study_id, assignment.generation))
    return Judgement.model_validate(reference.payload)


def _progress(session: Session, counts: StudyAnnotatorRow, assignment: AssignmentRow) -> Progress:
    where = {"user_id": assignment.user_id, "study_id": assignment.study_id}
    times = session.scalars(_PACE, where).all()
    return Progress(
        done=counts.done,
        skipped=counts.skipped,
        # Whoever goes on beyond an even share sees the end move, not 21 of 20.
        total=max(counts.total, counts.done + (assignment.status != "submitted")),
        median_ms=round(median(times)) if times else None,
    )


def last_annotation(session: Session, assignment: AssignmentRow) -> AnnotationRow | None:
    """The last saved revision of an assignment; None if there is none."""
    if assignment.revision == 0:
        return None
    return session.scalars(_ANNOTATION, {"of": assignment.id, "revision": assignment.revision}).one()


def judgement_of(row: AnnotationRow) -> Judgement:
    """The annotator's own part of a saved annotation."""
    return Judgement.model_validate({field: row.payload[field] for field in Judgement.model_fields})


def last_judgement(session: Session, assignment: AssignmentRow) -> Judgement | None:
    """The judgement of the last saved revision; None if there is none."""
    row = last_annotation(session, assignment)
    return judgement_of(row) if row else None
