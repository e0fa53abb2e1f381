"""When an item's places are all judged: whether an adjudicator must decide, and how hard it looks."""

from sqlalchemy import select
from sqlmodel import Session, col

from annotations.consensus.settlement import adjudication_due, hardness
from db.rows import AnnotationRow, AssignmentRow, StudyItemRow
from db.work.workitems import judgement_of


def settle_item(session: Session, assignment: AssignmentRow) -> None:
    """Bring the marks of the assignment's item up to date after a submit."""
    if assignment.round != "main":
        return
    item = session.get_one(StudyItemRow, (assignment.study_id, assignment.generation))
    if item.taken < item.places:
        return
    judgements = [judgement_of(row) for row in final_annotations(session, item.study_id, item.generation)]
    if len(judgements) < item.places:
        return
    item.due = list(adjudication_due(judgements))
    item.hardness = hardness(judgements) if item.due else None
    session.flush()


def final_annotations(session: Session, study_id: str, generation: str) -> list[AnnotationRow]:
    """The last revision of each annotator who has submitted the generation in the main round."""
    statement = (
        select(AnnotationRow)
        .join(
            AssignmentRow,
            (col(AssignmentRow.id) == col(AnnotationRow.assignment_id))
            & (col(AssignmentRow.revision) == col(AnnotationRow.revision)),
        )
        .where(
            col(AssignmentRow.study_id) == study_id,
            col(AssignmentRow.generation) == generation,
            col(AssignmentRow.status) == "submitted",
            col(AssignmentRow.round) == "main",
        )
        .order_by(col(AssignmentRow.id))
    )
    return list(session.scalars(statement))
