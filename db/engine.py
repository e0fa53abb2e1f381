"""Engines for SQLite and PostgreSQL, the two kinds of session (`reading` and `writing`), and named locks.

A commit is durable: SQLite runs in WAL mode with synchronous=FULL, and PostgreSQL keeps its default. Writing
transactions on SQLite begin IMMEDIATE, so they queue and never fail half-way on a lock; reading transactions
do not, as that would block the writers. Temporary failures are raised as Unavailable
(`clinicnum.db.database_errors`).
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any
from weakref import WeakKeyDictionary

from sqlalchemy import Connection, CursorResult, Dialect, Engine, Update, create_engine, event, func, select
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DatabaseError, DisconnectionError, SQLAlchemyError
from sqlmodel import Session

from clinicnum.db.database_errors import translate_database_errors, unavailable
from clinicnum.errors import InputError, Unavailable

WRITES = "clinicnum_writes"
"""The execution option that marks a connection whose transactions write."""
BUSY_TIMEOUT_S = 30
CONNECT_TIMEOUT_S = 10
POOL_SIZE = 16


@dataclass(frozen=True)
class _Turns:
    lock: Lock
    patience_s: float


_TURNS: WeakKeyDictionary[Dialect, _Turns] = WeakKeyDictionary()
"""Locks that let one writer of this process proceed at a time: waiting in SQLite itself means sleeping for
growing intervals, in no particular order.
"""


def make_engine(url: str, *, patience_s: float = BUSY_TIMEOUT_S) -> Engine:
    """An engine for `sqlite:///FILE` or `postgresql://USER@HOST/NAME`; it does not connect or migrate yet.

    A write waits up to `patience_s` seconds for other writes. A SQLite file that does not exist is created
    with mode 0600. Raises InputError for any other address, also for a SQLite database in memory.
    """
    try:
        parsed = make_url(url)
    except ArgumentError as error:
        raise InputError(f"database address {url!r} cannot be read; expected {_EXPECTED}") from error
    if parsed.drivername in ("sqlite", "sqlite+pysqlite"):
        return _sqlite(parsed, patience_s)
    if parsed.drivername in ("postgresql", "postgres", "postgresql+psycopg"):
        return _postgres(parsed, patience_s)
    raise InputError(f"database address begins with {parsed.drivername!r}; expected {_EXPECTED}")


_EXPECTED = "sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME"


def _postgres(url: URL, patience_s: float) -> Engine:
    given = {} if "connect_timeout" in url.query else {"connect_timeout": CONNECT_TIMEOUT_S}
    engine = create_engine(
        url.set(drivername="postgresql+psycopg"),
        connect_args=given,
        pool_size=POOL_SIZE,
        max_overflow=POOL_SIZE,
        pool_pre_ping=True,
    )

    def be_patient(connection: Any, _: Any) -> None:
        connection.execute(f"SET lock_timeout = {int(1000 * patience_s)}")
        connection.commit()

    event.listen(engine, "connect", be_patient)
    return engine


def _sqlite(url: URL, patience_s: float) -> Engine:
    if not url.database or url.database == ":memory:":
        raise InputError("a database in memory forgets everything at the end; name a file: sqlite:///FILE")
    path = Path(url.database).absolute()
    _make_private_file(path)
    engine = create_engine(
        url,
        connect_args={"timeout": patience_s},
        pool_size=POOL_SIZE,
        max_overflow=POOL_SIZE,
    )
    _TURNS[engine.dialect] = _Turns(Lock(), patience_s)
    event.listen(engine, "connect", _on_sqlite_connect)
    event.listen(engine, "begin", _on_sqlite_begin)
    _watch_file(engine, path)
    return engine


def _watch_file(engine: Engine, path: Path) -> None:
    """Stop using a connection if the database file was moved or removed, as SQLite would go on writing to
    the old file.
    """

    def which() -> tuple[int, int] | None:
        try:
            found = os.stat(path)
        except OSError:
            return None
        return found.st_dev, found.st_ino

    def before(_dialect: Any, record: Any, _args: Any, _kwargs: Any) -> None:
        record.info["file"] = which()
        if record.info["file"] is None:  # SQLite would create an empty file
            raise unavailable(engine, "gone", "the file is not there")

    def at_checkout(_connection: Any, record: Any, _proxy: Any) -> None:
        if which() != record.info["file"]:
            raise DisconnectionError  # the pool then opens a new connection

    event.listen(engine, "do_connect", before)
    event.listen(engine, "checkout", at_checkout)


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
        try:
            connection.execute(f"PRAGMA {pragma}")
        except UnicodeDecodeError as error:  # SQLite quotes a damaged schema in its message
            damaged = sqlite3.DatabaseError("the file is damaged: its schema holds no text")
            damaged.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
            raise damaged from error


def _on_sqlite_begin(connection: Connection) -> None:
    writes = connection.get_execution_options().get(WRITES, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def is_sqlite(bind: Engine | Connection) -> bool:
    """Whether the database is SQLite; otherwise it is PostgreSQL."""
    return bind.dialect.name == "sqlite"


@contextmanager
def reading(engine: Engine) -> Iterator[Session]:
    """A read-only session that sees one consistent state of the database throughout.

    Raises Unavailable if the database is busy, damaged or cannot be reached for now, InputError for a
    parameter with NUL, which PostgreSQL does not take.
    """
    if is_sqlite(engine):
        with translate_database_errors(engine), Session(engine) as session:
            yield session
        return
    engine = engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
    with translate_database_errors(engine), Session(engine, expire_on_commit=False) as session:
        yield session
        session.commit()  # a rollback would make psycopg drop its prepared statements


@contextmanager
def writing(engine: Engine) -> Iterator[Session]:
    """A session that commits once, at the end of the block, and rolls back if the block raises.

    Raises Unavailable if the database is busy, full, read-only, damaged or cannot be reached for now,
    InputError for a text that it cannot store.
    """
    with (
        _turn(engine),
        translate_database_errors(engine),
        Session(engine.execution_options(**{WRITES: True})) as session,
    ):
        yield session
        session.commit()


@contextmanager
def _turn(engine: Engine) -> Iterator[None]:
    turns = _TURNS.get(engine.dialect)
    if turns is None:
        yield
        return
    if not turns.lock.acquire(timeout=turns.patience_s):
        raise unavailable(engine, "busy", "others of this process write")
    try:
        yield
    finally:
        turns.lock.release()


def unreachable_error(engine: Engine, error: DatabaseError) -> InputError:
    """A one-line error for a database that cannot be opened, without the password."""
    reason = " ".join(str(error.orig).split())
    address = engine.url.render_as_string(hide_password=True)
    return InputError(f"database {address} cannot be used: {reason}; check --db or CLINICNUM_DATABASE_URL")


def why_unresponsive(engine: Engine) -> str | None:
    """Why the database does not respond; None if it does."""
    try:
        with engine.connect() as connection:
            connection.exec_driver_sql("PRAGMA schema_version" if is_sqlite(engine) else "SELECT 1")
    except (SQLAlchemyError, Unavailable) as error:
        return f"the database does not answer ({type(error).__name__})"
    return None


def lock(session: Session, name: str) -> None:
    """Take a lock by name, held until the transaction ends; only one transaction has it at a time.

    PostgreSQL: an advisory lock. On SQLite every writing transaction holds the whole database already.
    """
    lock_connection(session.connection(), name)


def lock_connection(connection: Connection, name: str) -> None:
    """Take the lock `name` until the transaction of this connection ends; see `lock`. SQLite needs none."""
    if not is_sqlite(connection):
        connection.execute(select(func.pg_advisory_xact_lock(func.hashtextextended(name, 0))))


def affected(session: Session, statement: Update, where: dict[str, Any] | None = None) -> int:
    """Run an update with the bound parameters `where` and return how many rows it changed."""
    result = session.execute(statement, where)
    assert isinstance(result, CursorResult)
    return result.rowcount
