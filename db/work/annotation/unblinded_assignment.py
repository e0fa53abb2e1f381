"""What only a simulated annotator may read of its assignment: everything, including gold and score."""

from dataclasses import dataclass

from sqlalchemy import select
from sqlmodel import Session, col

from clinicnum.db.rows import (
    AssignmentRow,
    GenerationRow,
    InstanceRow,
    ScoreRow,
    StudyAnnotatorRow,
    StudyItemRow,
    StudyScoreRow,
    UserRow,
)
from clinicnum.db.work.annotation.append_revision import own_assignment
from clinicnum.errors import NotAllowed
from clinicnum.types import Generation, Instance, Score


@dataclass(frozen=True)
class UnblindedAssignment:
    """An assignment with gold and score."""

    instance: Instance
    generation: Generation
    score: Score
    second: Score | None = None
    """Score of the other answer, if pairwise."""


def simulated_annotators(session: Session, *, study_id: str) -> tuple[tuple[str, str], ...]:
    """(user id, pseudonym) of each simulated annotator of a study."""
    statement = (
        select(col(UserRow.id), col(StudyAnnotatorRow.pseudonym))
        .join(StudyAnnotatorRow, col(StudyAnnotatorRow.user_id) == col(UserRow.id))
        .where(col(StudyAnnotatorRow.study_id) == study_id, col(UserRow.annotator_kind) == "simulated")
        .order_by(col(StudyAnnotatorRow.pseudonym))
    )
    return tuple((user_id, pseudonym) for user_id, pseudonym in session.execute(statement))


def load_unblinded(session: Session, *, user_id: str, assignment_id: str) -> UnblindedAssignment:
    """A simulated annotator's own assignment with gold and score. Raises NotAllowed for a person, and for
    another's assignment.
    """
    user = session.get(UserRow, user_id)
    if user is None or user.annotator_kind != "simulated":
        raise NotAllowed("Only a simulated annotator reads the gold before it has judged.")
    own_assignment(session, user_id=user_id, assignment_id=assignment_id)
    statement = (
        select(col(InstanceRow.payload), col(GenerationRow.payload), col(ScoreRow.payload))
        .select_from(AssignmentRow)
        .join(GenerationRow, col(GenerationRow.id) == col(AssignmentRow.generation))
        .join(InstanceRow, col(InstanceRow.id) == col(GenerationRow.instance))
        .join(
            StudyScoreRow,
            (col(StudyScoreRow.study_id) == col(AssignmentRow.study_id))
            & (col(StudyScoreRow.generation) == col(AssignmentRow.generation)),
        )
        .join(ScoreRow, col(ScoreRow.id) == col(StudyScoreRow.score))
        .where(col(AssignmentRow.id) == assignment_id)
    )
    instance, generation, score = session.execute(statement).one()
    beside = (
        select(col(ScoreRow.payload))
        .join(StudyScoreRow, col(StudyScoreRow.score) == col(ScoreRow.id))
        .join(
            StudyItemRow,
            (col(StudyItemRow.study_id) == col(StudyScoreRow.study_id))
            & (col(StudyItemRow.second) == col(StudyScoreRow.generation)),
        )
        .join(
            AssignmentRow,
            (col(AssignmentRow.study_id) == col(StudyItemRow.study_id))
            & (col(AssignmentRow.generation) == col(StudyItemRow.generation)),
        )
        .where(col(AssignmentRow.id) == assignment_id)
    )
    second = session.scalars(beside).one_or_none()
    return UnblindedAssignment(
        instance=Instance.model_validate(instance),
        generation=Generation.model_validate(generation),
        score=Score.model_validate(score),
        second=None if second is None else Score.model_validate(second),
    )
