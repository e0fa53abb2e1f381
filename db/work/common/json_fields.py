"""Fields of payloads in SQL, on SQLite and PostgreSQL."""

from typing import Any

from sqlalchemy import JSON, ColumnElement, Text, cast, func, type_coerce
from sqlmodel import Session

from clinicnum.db.engine import is_sqlite


def text_field(session: Session, payload: Any, key: str) -> Any:
    """The field `key` of a payload, as text."""
    if is_sqlite(session.connection()):
        return func.json_extract(payload, f"$.{key}")
    return without_nul(payload).op("->>")(key)


def mentions(session: Session, payload: Any, key: str, words: str) -> ColumnElement[bool]:
    """SQL: whether the field `key` of a payload contains `words`, ignoring case."""
    find = func.instr if is_sqlite(session.connection()) else func.strpos
    return find(func.lower(text_field(session, payload, key)), func.lower(words)) > 0


def without_nul(payload: Any) -> Any:
    """A JSON column with each NUL as a space, as PostgreSQL cannot convert NUL to text."""
    stored = cast(type_coerce(payload, JSON), Text)
    return type_coerce(cast(func.replace(stored, "\\u0000", "\\u0020"), JSON), Text)
