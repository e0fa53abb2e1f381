"""Accounts, failed logins, what pages remember of an account, and settings of the installation."""

from datetime import datetime

from sqlalchemy import Index
from sqlmodel import Field

from clinicnum.annotations.types import ROLES
from clinicnum.db.rows.base import Row, UtcDateTime, one_of

ANNOTATOR_KINDS = ("human", "simulated")
TOUR_ENDS = ("seen", "skipped")


class UserRow(Row, table=True):
    """An account."""

    __tablename__ = "user"
    __table_args__ = (one_of("role", ROLES), one_of("annotator_kind", ANNOTATOR_KINDS))
    id: str = Field(primary_key=True)
    name: str = Field(unique=True)
    role: str
    annotator_kind: str
    password_hash: str | None
    """None for an account with which nobody can log in, such as a simulated annotator, until a password is
    set.
    """
    active: bool
    session_version: int
    created_at: datetime = Field(sa_type=UtcDateTime)


class LoginFailureRow(Row, table=True):
    """A failed or unfinished login: the row is written before the password is checked."""

    __tablename__ = "login_failure"
    __table_args__ = (Index(None, "name", "at"),)
    id: int | None = Field(default=None, primary_key=True)
    name: str
    at: datetime = Field(sa_type=UtcDateTime)


class PageStateRow(Row, table=True):
    """Page state of an account, kept on the server so that other tabs and restarts find it."""

    __tablename__ = "page_state"
    __table_args__ = (one_of("tour", TOUR_ENDS),)
    user_id: str = Field(primary_key=True, foreign_key="user.id")
    study_id: str | None = Field(default=None, foreign_key="study.id")
    """The study whose items come first, as the user chose; null if none."""
    tour: str | None = None
    """How the tour of the annotate page ended; null if it was not shown yet."""


class SettingRow(Row, table=True):
    """One setting of this installation, such as the secret that signs cookies."""

    __tablename__ = "setting"
    key: str = Field(primary_key=True)
    value: str
