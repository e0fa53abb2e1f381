"""Whether an adjudicator must decide an item once all its places are judged, and how strong the disagreement
is.
"""

from typing import Protocol

from sqlalchemy import bindparam, select, update
from sqlmodel import Session, col

from clinicnum.annotations.disputes import disagreement, disputes_of, due_reasons
from clinicnum.annotations.study_design import Design
from clinicnum.db.rows import AnnotationRow, AssignmentRow, Row
from clinicnum.db.work.common.load_work_item import judgement_of

_ITEM = Row.metadata.tables["study_item"]
_MARK = update(_ITEM).where(_ITEM.c.study_id == bindparam("study"), _ITEM.c.generation == bindparam("of"))


class JudgedAssignment(Protocol):
    """The fields of an assignment that `settle_item` needs."""

    study_id: str
    generation: str
    round: str


def settle_item(session: Session, assignment: JudgedAssignment, places: int, design: Design) -> None:
    """After a submit, update whether an adjudicator must decide the assignment's item in a study of this
    design.

    `places` is the number of annotators who are to judge the item.
    """
    if assignment.round != "main":
        return
    where = (assignment.study_id, assignment.generation)
    judgements = [judgement_of(row) for row in final_annotations(session, *where)]
    disputes = disputes_of(judgements, design)
    due = due_reasons(judgements, disputes, places=places)
    if due is not None:
        hard = disagreement(judgements, disputes) if due else None
        session.execute(_MARK, {"study": where[0], "of": where[1], "due": list(due), "hardness": hard})


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
