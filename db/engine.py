"""One engine function for SQLite and PostgreSQL, and the two ways to use it: `reading` and `writing`.

Acknowledged means durable: SQLite runs in WAL with synchronous=FULL, and PostgreSQL keeps its default.
Writing transactions on SQLite begin IMMEDIATE, so they queue and never fail half-way on a lock; reading ones
never do, as that would block the writers.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from threading import Lock
from typing import Any
from weakref import WeakKeyDictionary

from sqlalchemy import Connection, CursorResult, Dialect, Engine, Update, create_engine, event, func, select
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DatabaseError, SQLAlchemyError
from sqlmodel import Session

from clinicnum.errors import InputError

WRITES = "clinicnum_writes"
"""The execution option of a connection whose transactions write."""
BUSY_TIMEOUT_S = 30
POOL_SIZE = 16
_TURNS: WeakKeyDictionary[Dialect, Lock] = WeakKeyDictionary()
"""One writer at a time of this process: waiting for SQLite itself is sleeping, ever longer, in no order."""


def make_engine(url: str) -> Engine:
    """An engine for `sqlite:///FILE` or `postgresql://USER@HOST/NAME`; nothing is read or migrated yet.

    A SQLite file that does not exist is made with mode 0600. Raises InputError for any other kind of address.
    """
    try:
        parsed = make_url(url)
    except ArgumentError as error:
        raise InputError(f"database address {url!r} cannot be read; expected {_EXPECTED}") from error
    if parsed.drivername in ("sqlite", "sqlite+pysqlite"):
        return _sqlite(parsed)
    if parsed.drivername in ("postgresql", "postgres", "postgresql+psycopg"):
        return create_engine(
            parsed.set(drivername="postgresql+psycopg"),
            pool_size=POOL_SIZE,
            max_overflow=POOL_SIZE,
            pool_pre_ping=True,
        )
    raise InputError(f"database address begins with {parsed.drivername!r}; expected {_EXPECTED}")


_EXPECTED = "sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME"


def _sqlite(url: URL) -> Engine:
    if not url.database or url.database == ":memory:":
        raise InputError("a database in memory forgets everything at the end; name a file: sqlite:///FILE")
    _make_private_file(Path(url.database))
    engine = create_engine(
        url,
        connect_args={"timeout": BUSY_TIMEOUT_S},
        pool_size=POOL_SIZE,
        max_overflow=POOL_SIZE,
    )
    _TURNS[engine.dialect] = Lock()
    event.listen(engine, "connect", _on_sqlite_connect)
    event.listen(engine, "begin", _on_sqlite_begin)
    return engine


def _make_private_file(path: Path) -> None:
    if path.is_dir():
        raise InputError(f"{path}: is a folder; expected a database file, or none yet")
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        return
    except OSError as error:
        raise InputError(f"{path}: cannot make the file ({error.strerror}); name another --db") from error


def _on_sqlite_connect(connection: sqlite3.Connection, _: Any) -> None:
    connection.isolation_level = None  # the driver must not begin transactions itself: see _on_sqlite_begin
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _on_sqlite_begin(connection: Connection) -> None:
    writes = connection.get_execution_options().get(WRITES, False)
    driver = connection.connection.driver_connection  # past SQLAlchemy, which takes ten times as long
    assert driver is not None
    driver.execute("BEGIN IMMEDIATE" if writes else "BEGIN")


def is_sqlite(bind: Engine | Connection) -> bool:
    """Whether this is SQLite; else it is PostgreSQL."""
    return bind.dialect.name == "sqlite"


@contextmanager
def reading(engine: Engine) -> Iterator[Session]:
    """A session that sees one state of the database throughout and must not write."""
    if is_sqlite(engine):
        with _reachable(engine), Session(engine) as session:
            yield session
        return
    engine = engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
    with _reachable(engine), Session(engine, expire_on_commit=False) as session:
        yield session
        session.commit()  # after a rollback psycopg forgets its prepared statements, and all is planned anew


@contextmanager
def writing(engine: Engine) -> Iterator[Session]:
    """A session that commits once, at the end of the block, and rolls back if the block raises."""
    with (
        _TURNS.get(engine.dialect) or nullcontext(),
        _reachable(engine),
        Session(engine.execution_options(**{WRITES: True})) as session,
    ):
        yield session
        session.commit()


@contextmanager
def _reachable(engine: Engine) -> Iterator[None]:
    """Turn a database that is not there, not ours or not a database into one line."""
    try:
        yield
    except DatabaseError as error:
        if error.connection_invalidated or error.statement is None or "not a database" in str(error.orig):
            raise unreachable(engine, error) from error
        raise


def unreachable(engine: Engine, error: DatabaseError) -> InputError:
    """The one line for a database that cannot be opened; the password is not in it."""
    reason = " ".join(str(error.orig).split())
    address = engine.url.render_as_string(hide_password=True)
    return InputError(f"database {address} cannot be used: {reason}; check --db or CLINICNUM_DATABASE_URL")


def silence(engine: Engine) -> str | None:
    """Why the database does not answer; None if it does."""
    try:
        with engine.connect() as connection:
            connection.execute(select(1))
    except SQLAlchemyError as error:
        return f"the database does not answer ({type(error).__name__})"
    return None


def lock(session: Session, name: str) -> None:
    """Let one transaction at a time past this point until it ends, for one name.

    PostgreSQL: an advisory lock. On SQLite every writing transaction holds the whole database already.
    """
    lock_connection(session.connection(), name)


def lock_connection(connection: Connection, name: str) -> None:
    """As `lock`, for a connection in a transaction."""
    if not is_sqlite(connection):
        connection.execute(select(func.pg_advisory_xact_lock(func.hashtextextended(name, 0))))


def affected(session: Session, statement: Update, where: dict[str, Any] | None = None) -> int:
    """Run an update and say how many rows it changed."""
    result = session.execute(statement, where)
    assert isinstance(result, CursorResult)
    return result.rowcount
