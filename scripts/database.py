"""Which database a command uses: `--db URL`, else CLINICNUM_DATABASE_URL, else a SQLite file right here."""

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


def open_database(url: str | None) -> "Engine":
    """A migrated database. Raises InputError if it cannot be reached, is not ours, or is newer than this."""
    from db.engine import make_engine
    from db.migrate import migrate

    engine = make_engine(url or os.environ.get(ENVIRONMENT) or DEFAULT_URL)
    migrate(engine)
    return engine


@contextmanager
def using_database(url: str | None) -> "Iterator[Engine]":
    """`open_database` for the length of a command: its connections are closed at the end."""
    engine = open_database(url)
    try:
        yield engine
    finally:
        engine.dispose()
