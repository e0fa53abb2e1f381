"""Compare a study's deadline, and the qualifications that its lead decided on after training, with the audit
log.
"""

from collections.abc import Iterator

from sqlalchemy import select
from sqlmodel import Session, col

from clinicnum.annotations.state_from_audit_log import StudyState
from clinicnum.db.rows import QualificationRow, StudyRow


def compare_deadline_and_qualifications(
    session: Session, chain: str, state: StudyState
) -> Iterator[tuple[str, str, str]]:
    """(table, key, difference in words) where a study's deadline or its qualifications differ from `state`,
    the state to which the log leads.
    """
    study = session.get(StudyRow, chain)
    if study is not None and state.status is not None:
        held = None if study.deadline is None else study.deadline.isoformat()
        if held != state.deadline:
            yield "study", study.name, f"deadline: the table says {held}, the log {state.deadline}"
    left = dict(state.qualifications)
    for row in session.scalars(select(QualificationRow).where(col(QualificationRow.study_id) == chain)):
        if left.pop(row.user_id, None) != (row.attempt, row.reason):
            yield "qualification", row.user_id, "attempt and reason are not those that the log tells of"
    for user_id in left:
        yield "qualification", user_id, "is not in the table, though the log tells of it"
