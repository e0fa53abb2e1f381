"""Times that tell what came first, also where the clock was set back in between."""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Mapped
from sqlmodel import Session, col

from clinicnum.db.rows import AdjudicationRow, ContestRow, utc_now

_TICK = timedelta(microseconds=1)
"""The finest that both databases store."""


def after(last: datetime | None) -> datetime:
    """Now, or just after `last` where the clock says that this has not been yet."""
    now = utc_now()
    return now if last is None else max(now, last + _TICK)


def after_all(session: Session, column: Mapped[Any], *where: ColumnElement[bool]) -> datetime:
    """Now, but after every time that a column holds; its caller holds a lock on who else may write there."""
    return after(session.scalar(select(func.max(column)).where(*where)))


def after_decisions(session: Session, study_id: str) -> datetime:
    """Now, but after all that adjudicators decided in a study: the last decision is the one that stands."""
    contested = after_all(session, col(ContestRow.closed_at), col(ContestRow.study_id) == study_id)
    decided = after_all(session, col(AdjudicationRow.created_at), col(AdjudicationRow.study_id) == study_id)
    return max(contested, decided)
