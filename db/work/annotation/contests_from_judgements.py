"""Keep contests in step with submitted judgements: doubting an item opens a contest, and withdrawing the
doubt closes it.
"""

from sqlmodel import Session, col, select

from clinicnum.annotations.consequences_of_upholding import canonical_claim
from clinicnum.db.rows import ContestRow, utc_now
from clinicnum.db.work.annotation.locked_assignment import EditableAssignment, SavedRevision


def follow_judgement(session: Session, *, assignment: EditableAssignment, annotation: SavedRevision) -> None:
    """Open, change or withdraw the assignment's contest according to the annotation just submitted.

    The same claim as before leaves the contest as it is, open or decided; another claim, or `valid`,
    withdraws an open one.
    """
    kind, proposed = annotation.payload["item_judgement"], annotation.payload["proposed_gold"]
    statement = select(ContestRow).where(
        ContestRow.assignment_id == assignment.id, col(ContestRow.status) != "withdrawn"
    )
    made = False
    for contest in session.exec(statement):
        if canonical_claim(contest.kind, contest.proposed_gold) == canonical_claim(kind, proposed):
            made = True
        elif contest.status == "open":
            contest.status, contest.closed_at = "withdrawn", utc_now()
            session.add(contest)
    if kind != "valid" and not made:
        session.add(
            ContestRow(
                annotation_id=annotation.id,
                assignment_id=assignment.id,
                study_id=assignment.study_id,
                generation=assignment.generation,
                kind=kind,
                proposed_gold=proposed,
                status="open",
                created_at=utc_now(),
            )
        )
    session.flush()
