"""Compare a study's criteria with the audit log, which has the hash of each version."""

from collections.abc import Iterator

from sqlalchemy import select
from sqlmodel import Session, col

from clinicnum.annotations.criteria.criterion import Criterion, criteria_hashes
from clinicnum.annotations.read_stored_judgements import read_stored
from clinicnum.annotations.state_from_audit_log import StudyState
from clinicnum.db.rows import CriterionRow


def compare_criteria(session: Session, chain: str, state: StudyState) -> Iterator[tuple[str, str, str]]:
    """(table, key, difference in words) of each criterion of a study that differs from `state`, the state to
    which the log leads.
    """
    payloads = session.scalars(select(col(CriterionRow.payload)).where(col(CriterionRow.study_id) == chain))
    there = criteria_hashes(read_stored(Criterion, payload) for payload in payloads)
    for key in sorted(there.keys() | state.criteria.keys()):
        if key not in there:
            yield "criterion", key, "is not in the table, though the log tells of it"
        elif there[key] != state.criteria.get(key):
            yield "criterion", key, "is not what the log tells of"
