"""Page state of an account: the study whose items come first, and whether the tour was shown.

Stored on the server by account, so that other tabs, other browsers and restarts find it. It is not work, so
it is not in the audit log.
"""

from typing import Literal

from sqlmodel import Session

from clinicnum.db.engine import lock
from clinicnum.db.rows import PageStateRow

TourEnd = Literal["seen", "skipped"]


def chosen_study(session: Session, *, user_id: str) -> str | None:
    """The study that the account wants first; None if it chose none."""
    row = session.get(PageStateRow, user_id)
    return None if row is None else row.study_id


def keep_choice(session: Session, *, user_id: str, study_id: str | None) -> None:
    """Store which study the account wants first, or None for no such wish. The caller has checked that the
    account works in it.
    """
    _row(session, user_id).study_id = study_id
    session.flush()


def is_tour_due(session: Session, *, user_id: str) -> bool:
    """Whether the account has neither seen the tour nor left it."""
    row = session.get(PageStateRow, user_id)
    return row is None or row.tour is None


def keep_tour(session: Session, *, user_id: str, end: TourEnd) -> None:
    """Note how the tour ended, so that it does not begin by itself again."""
    _row(session, user_id).tour = end
    session.flush()


def _row(session: Session, user_id: str) -> PageStateRow:
    lock(session, f"page_state:{user_id}")  # two tabs may both be the first
    row = session.get(PageStateRow, user_id, populate_existing=True)
    if row is None:
        row = PageStateRow(user_id=user_id)
        session.add(row)
    return row
