"""The database of a command: `--db URL`, otherwise CLINICNUM_DATABASE_URL, otherwise a SQLite file in the
current folder.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
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
    """Open a database and create or upgrade its tables; `url` None: as the module says.

    A write waits up to `patience_s` seconds for other writes; None: BUSY_TIMEOUT_S. Raises InputError for an
    address that cannot be read, a database that cannot be reached or was made by a newer version, and one
    with tables of another program that have our names; Unavailable for one that is full, busy or read-only,
    or takes no more connections.
    """
    from clinicnum.db.engine import BUSY_TIMEOUT_S, make_engine
    from clinicnum.db.migrate import migrate

    engine = make_engine(_address(url), patience_s=BUSY_TIMEOUT_S if patience_s is None else patience_s)
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


@contextmanager
def using_database_if_any(url: str | None) -> "Iterator[Engine | None]":
    """As `using_database`, but None for a SQLite file that does not exist; it is not created."""
    from sqlalchemy.engine import make_url
    from sqlalchemy.exc import ArgumentError

    try:
        parsed = make_url(_address(url))
    except ArgumentError:
        parsed = None  # opening it says what is wrong
    if (
        parsed is not None
        and parsed.drivername.startswith("sqlite")
        and not Path(parsed.database or "").exists()
    ):
        yield None
        return
    with using_database(url) as engine:
        yield engine


@contextmanager
def existing_database(url: str | None) -> "Iterator[Engine]":
    """As `using_database`, for commands that need what is in it: raises InputError for a SQLite file that
    does not exist, and does not create it.
    """
    from clinicnum.errors import InputError

    with using_database_if_any(url) as engine:
        if engine is None:
            file = Path(_address(url).partition(":///")[2]).absolute()
            raise InputError(
                f"{file}: there is no such database; expected one that clinicnum made; name it with --db, as "
                "in --db sqlite:///demo-out/clinicnum.db"
            )
        yield engine


def _address(url: str | None) -> str:
    return url or os.environ.get(ENVIRONMENT) or DEFAULT_URL
