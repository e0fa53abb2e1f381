"""Whether an annotator's training was good enough for real items, where the study has a threshold.

Of each training item, only the first judgement submitted in the present attempt counts, as feedback follows
it. It is right if response judgement and primary class are the reference's. A training item that was put
aside, or not judged, is not right.
"""

from collections import defaultdict
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import select
from sqlmodel import Session, col

from clinicnum.annotations.judgement import Judgement
from clinicnum.annotations.read_stored_judgements import own_part, read_stored
from clinicnum.annotations.reliability.control_items import is_right
from clinicnum.db.rows import AnnotationRow, AssignmentRow, QualificationRow, ReferenceRow, StudyItemRow

State = Literal["training", "qualified", "missed", "by_hand"]


@dataclass(frozen=True)
class TrainingResult:
    """How many training items an annotator judged right, against the study's threshold, and what follows."""

    threshold: int
    """How many training items must be right."""
    items: int
    right: int
    missed: tuple[str, ...]
    """The references' primary codes of the items judged otherwise, each once; none for a right answer."""
    ended: bool
    """Whether every training item was submitted or skipped."""
    attempt: int
    """1 at first; one more each time the training is repeated."""
    reason: str | None
    """Why the lead qualified them by hand; None if the lead did not."""

    @property
    def state(self) -> State:
        """`training` while it goes on, even if the threshold cannot be reached any more."""
        if self.right >= self.threshold:
            return "qualified"
        if self.reason is not None:
            return "by_hand"
        return "missed" if self.ended else "training"

    @property
    def qualified(self) -> bool:
        """Whether the annotator gets real items."""
        return self.state in ("qualified", "by_hand")


def training_result(session: Session, *, study_id: str, user_id: str, threshold: int) -> TrainingResult:
    """The annotator's training result so far; `threshold` is the number of items to judge as the reference
    does.
    """
    kept = session.get(QualificationRow, (study_id, user_id))
    references = _references(session, study_id)
    assignments = session.scalars(
        select(AssignmentRow).where(
            col(AssignmentRow.study_id) == study_id,
            col(AssignmentRow.user_id) == user_id,
            col(AssignmentRow.round) == "training",
        )
    ).all()
    first = _first_submitted(session, [row.id for row in assignments], {} if kept is None else kept.since)
    right, missed, ended = 0, set(), 0
    for row in assignments:
        judgement, reference = first.get(row.id), references[row.generation]
        if row.status in ("submitted", "skipped"):
            ended += 1
        if row.status == "submitted" and judgement is not None and is_right(judgement, reference):
            right += 1
        else:
            missed |= {label.code for label in reference.labels if label.primary}
    return TrainingResult(
        threshold=threshold,
        items=len(references),
        right=right,
        missed=tuple(sorted(missed)),
        ended=ended == len(references),
        attempt=1 if kept is None else kept.attempt,
        reason=None if kept is None else kept.reason,
    )


def is_held_back(session: Session, *, study_id: str, user_id: str, threshold: int | None) -> bool:
    """Whether the annotator gets training items only, as they have not reached the study's threshold."""
    if threshold is None:
        return False
    return not training_result(session, study_id=study_id, user_id=user_id, threshold=threshold).qualified


def _references(session: Session, study_id: str) -> dict[str, Judgement]:
    statement = (
        select(ReferenceRow)
        .join(
            StudyItemRow,
            (col(StudyItemRow.study_id) == col(ReferenceRow.study_id))
            & (col(StudyItemRow.generation) == col(ReferenceRow.generation)),
        )
        .where(col(ReferenceRow.study_id) == study_id, col(StudyItemRow.round) == "training")
    )
    return {row.generation: read_stored(Judgement, row.payload) for row in session.scalars(statement)}


def _first_submitted(session: Session, assignments: list[str], since: dict[str, int]) -> dict[str, Judgement]:
    """Assignment -> the first judgement submitted after the revision at which the attempt began."""
    statement = (
        select(AnnotationRow)
        .where(col(AnnotationRow.assignment_id).in_(assignments), col(AnnotationRow.submitted))
        .order_by(col(AnnotationRow.revision))
    )
    found: dict[str, list[AnnotationRow]] = defaultdict(list)
    for row in session.scalars(statement):
        if row.revision > since.get(row.assignment_id, 0):
            found[row.assignment_id].append(row)
    return {key: own_part(rows[0].payload) for key, rows in found.items()}
