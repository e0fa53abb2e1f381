"""The database of a command: `--db URL`, otherwise CLINICNUM_DATABASE_URL, otherwise a SQLite file in
this folder.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from sqlalchemy import Engine

ENVIRONMENT = "CLINICNUM_DATABASE_URL"
DEFAULT_URL = "sqlite:///clinicnum.db"

DatabaseOption = Annotated[
    str | None,
    typer.Option("--db", metavar="URL", help=f"Database; default: {ENVIRONMENT}, else {DEFAULT_URL}."),
]


def open_database(url: str | None, *, patience_s: float | None = None) -> "Engine":
    """A migrated database; a write waits up to `patience_s` for those of others.

    Raises InputError if it cannot be reached, is not ours, or is newer than this.
    """
    from clinicnum.db.engine import BUSY_TIMEOUT_S, make_engine
    from clinicnum.db.migrate import migrate

    address = url or os.environ.get(ENVIRONMENT) or DEFAULT_URL
    engine = make_engine(address, patience_s=BUSY_TIMEOUT_S if patience_s is None else patience_s)
    migrate(engine)
    return engine


@contextmanager
def using_database(url: str | None, *, patience_s: float | None = None) -> "Iterator[Engine]":
    """As `open_database`, for the duration of a command: its connections are closed at the end."""
    engine = open_database(url, patience_s=patience_s)
    try:
        yield engine
    finally:
        engine.dispose()
