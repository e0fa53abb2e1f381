"""Studies that are barred to an account: those it annotates, until they are closed.

Annotators have no page on which they could see results, but an account's role may change. An annotator of a
study that is not closed sees nothing of it in any other role: no agreement, no changes, nothing to decide.
"""

from sqlalchemy import exists, select
from sqlmodel import Session, col

from clinicnum.db.rows import StudyAnnotatorRow, StudyRow
from clinicnum.errors import NotAllowed

BARRED = "You are an annotator of this study; what is in it opens to you when it is closed."


def barred_studies(session: Session, user_id: str) -> frozenset[str]:
    """Ids of the open or paused studies in which the account is an annotator."""
    statement = (
        select(col(StudyAnnotatorRow.study_id))
        .join(StudyRow, col(StudyRow.id) == col(StudyAnnotatorRow.study_id))
        .where(col(StudyAnnotatorRow.user_id) == user_id, col(StudyRow.status) != "closed")
    )
    return frozenset(session.scalars(statement))


def is_barred(session: Session, *, user_id: str, study_id: str) -> bool:
    """Whether the study is barred to the account."""
    statement = select(
        exists().where(
            col(StudyAnnotatorRow.study_id) == study_id,
            col(StudyAnnotatorRow.user_id) == user_id,
            col(StudyRow.id) == col(StudyAnnotatorRow.study_id),
            col(StudyRow.status) != "closed",
        )
    )
    return bool(session.execute(statement).scalar_one())


def refuse_barred(session: Session, *, user_id: str, study_id: str) -> None:
    """Raise NotAllowed for a study that is barred to the account."""
    if is_barred(session, user_id=user_id, study_id=study_id):
        raise NotAllowed(BARRED)
