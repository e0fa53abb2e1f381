"""Turn temporary failures of the database into `Unavailable`, each with one sentence for users of the pages.

Each sentence says whether the work was saved and what to do. Only commands report which database failed. A
text that PostgreSQL cannot store becomes an InputError.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

import psycopg
from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from clinicnum.errors import InputError, Unavailable

Kind = Literal["full", "busy", "gone", "read_only", "crowded", "damaged"]
SAID: dict[Kind, str] = {
    "full": (
        "The disk that holds the database is full, so this was not saved. "
        "Tell whoever runs the server to make room, then try again."
    ),
    "busy": (
        "The database is kept busy by another program, so this was not done. Wait a little and try again."
    ),
    "gone": (
        "The database cannot be reached; what was saved before is kept. "
        "Tell whoever runs the server, then try again."
    ),
    "read_only": (
        "The database may not be written to, so this was not saved. "
        "Tell whoever runs the server to give it back its rights, then try again."
    ),
    "crowded": (
        "The database takes no more connections just now, so this was not done. Wait a little and try again."
    ),
    "damaged": (
        "The database file is damaged, so this was not done. "
        "Tell whoever runs the server to stop it and to restore the last backup."
    ),
}
_SQLITE: dict[int, Kind] = {
    sqlite3.SQLITE_FULL: "full",
    sqlite3.SQLITE_BUSY: "busy",
    sqlite3.SQLITE_LOCKED: "busy",
    sqlite3.SQLITE_CANTOPEN: "gone",
    sqlite3.SQLITE_IOERR: "gone",
    sqlite3.SQLITE_READONLY: "read_only",
    sqlite3.SQLITE_PERM: "read_only",
    sqlite3.SQLITE_CORRUPT: "damaged",
    sqlite3.SQLITE_NOTADB: "damaged",
}
_POSTGRES: dict[str, Kind] = {
    "53100": "full",
    "53300": "crowded",
    "53": "crowded",
    "55P03": "busy",
    "40P01": "busy",
    "40001": "busy",
    "25006": "read_only",
    "57P": "gone",
    "58": "gone",
    "08": "gone",
    "XX001": "damaged",
    "XX002": "damaged",
}
"""Kind of failure by the beginning of the SQLSTATE code; the longest match counts."""


def kind_of(error: BaseException) -> Kind | None:
    """The kind of failure behind an error of the driver or SQLAlchemy; None for any other error."""
    if isinstance(error, PoolTimeoutError):
        return "crowded"
    if isinstance(error, DBAPIError):
        found = None if error.orig is None else kind_of(error.orig)
        return "gone" if found is None and error.connection_invalidated else found
    if isinstance(error, sqlite3.Error):
        code = getattr(error, "sqlite_errorcode", None) or 0
        # No room left for SQLite's shared-memory file beside the database.
        return "full" if code == sqlite3.SQLITE_IOERR_SHMSIZE else _SQLITE.get(code & 0xFF)
    if isinstance(error, psycopg.OperationalError) and error.sqlstate is None:
        return "gone"  # no server answered with an SQLSTATE
    if isinstance(error, psycopg.Error):
        state = error.sqlstate or ""
        return next((_POSTGRES[state[:n]] for n in (5, 3, 2) if state[:n] in _POSTGRES), None)
    return None


def unavailable(engine: Engine, kind: Kind, reason: object = "") -> Unavailable:
    """The Unavailable error for a kind of failure; the address in it is given without the password."""
    address = engine.url.render_as_string(hide_password=True)
    said = "".join(str(reason).strip().splitlines()[:1])  # further lines may quote a row
    return Unavailable(SAID[kind], kind=kind, where=f"{address}: {said}" if said else address)


@contextmanager
def translate_database_errors(engine: Engine) -> Iterator[None]:
    """Turn temporary failures of the database into Unavailable, and text that PostgreSQL cannot store into
    InputError; other errors pass through.
    """
    try:
        yield
    except (DBAPIError, PoolTimeoutError, sqlite3.Error, psycopg.Error) as error:
        kind = kind_of(error)
        if kind is None and _holds_nul(error):
            text = "a text holds the character NUL, which cannot be stored; remove it and try again"
            raise InputError(text) from error
        if kind is None:
            raise
        raise unavailable(engine, kind, getattr(error, "orig", None) or error) from error


def _holds_nul(error: BaseException) -> bool:
    """Whether psycopg refused a parameter because it contains NUL, which PostgreSQL cannot store."""
    cause = getattr(error, "orig", None) or error
    return isinstance(cause, psycopg.DataError) and "NUL (0x00)" in str(cause)
