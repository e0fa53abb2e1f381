"""Timestamps that keep their order even if the clock is set back."""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Mapped
from sqlmodel import Session, col

from clinicnum.db.rows import AdjudicationRow, ContestRow, utc_now

_TICK = timedelta(microseconds=1)
"""The smallest time difference that both databases can store."""


def after(last: datetime | None) -> datetime:
    """Now, or just after `last` if the clock shows an earlier time."""
    now = utc_now()
    return now if last is None else max(now, last + _TICK)


def after_all(session: Session, column: Mapped[Any], *where: ColumnElement[bool]) -> datetime:
    """The current time, or just after the latest time in a column if that is later. The caller must hold a
    lock against other writers.
    """
    return after(session.scalar(select(func.max(column)).where(*where)))


def after_decisions(session: Session, study_id: str) -> datetime:
    """The current time, or just after the last decision in a study if that is later: a new decision must be
    the latest, since the latest is the valid one.
    """
    contested = after_all(session, col(ContestRow.closed_at), col(ContestRow.study_id) == study_id)
    decided = after_all(session, col(AdjudicationRow.created_at), col(AdjudicationRow.study_id) == study_id)
    return max(contested, decided)
