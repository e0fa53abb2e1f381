"""What all tables share: naming convention, UTC times, JSON as text, strings limited to given values."""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import JSON, CheckConstraint, DateTime, Dialect, MetaData
from sqlalchemy.types import TypeDecorator
from sqlmodel import SQLModel

NAMING = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}


class UtcDateTime(TypeDecorator[datetime]):
    """A timezone-aware UTC time in Python on both databases; SQLite alone would drop the zone."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a stored time needs its zone; use datetime.now(UTC)")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


JsonText = JSON(none_as_null=True)
"""JSON stored as written, not as JSONB: JSONB refuses NUL, which a model's text may contain, and reorders
keys.
"""


class Row(SQLModel):
    """Base of every table."""

    metadata = MetaData(naming_convention=NAMING)


def one_of(column: str, values: Iterable[Any]) -> CheckConstraint:
    """The constraint by which the database restricts a string column to these values."""
    listed = ", ".join(f"'{value}'" for value in values)
    return CheckConstraint(f"{column} IN ({listed})", name=column)


def utc_now() -> datetime:
    """The current time, for timestamps only; no result depends on it."""
    return datetime.now(UTC)
