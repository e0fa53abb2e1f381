"""The database of a command: `--db URL`, otherwise CLINICNUM_DATABASE_URL, otherwise a SQLite file in the
current folder.
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
    """Open and migrate a database; a write waits up to `patience_s` seconds for other writes.

    Raises InputError if it cannot be reached, is not one of clinicnum, or was made by a newer version.
    """
    from clinicnum.db.engine import BUSY_TIMEOUT_S, make_engine
    from clinicnum.db.migrate import migrate

    address = url or os.environ.get(ENVIRONMENT) or DEFAULT_URL
    engine = make_engine(address, patience_s=BUSY_TIMEOUT_S if patience_s is None else patience_s)
    migrate(engine)
    return engine


@contextmanager
def using_database(url: str | None, *, patience_s: float | None = None) -> "Iterator[Engine]":
    """Open a database as `open_database` does, and close its connections at the end of the block."""
    engine = open_database(url, patience_s=patience_s)
    try:
        yield engine
    finally:
        engine.dispose()
