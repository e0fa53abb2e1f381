"""Back up a database into one file while others use it."""

import os
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, text

from clinicnum.db.backup import postgres
from clinicnum.db.backup.database_check import DatabaseCheck, check_database, check_session
from clinicnum.db.database_errors import translate_database_errors
from clinicnum.db.engine import is_sqlite, make_engine, reading
from clinicnum.errors import InputError, Unavailable


def back_up(engine: Engine, file: Path) -> DatabaseCheck:
    """Write the database to `file` (mode 0600), which must not exist, and report what was read back from it.

    Others can go on using the database meanwhile. Raises InputError if the file exists or its folder does
    not, if the folder's disk is full, if `pg_dump` or `pg_restore` fails or is not installed, and if the
    check finds the database damaged or the backup does not hold what it held; Unavailable if the database is
    busy, cannot be reached, or is too damaged to be read; OSError for a folder that cannot be written to.
    """
    if file.exists():
        raise InputError(f"{file}: exists already; name another file, a backup is never overwritten")
    if not file.parent.is_dir():
        raise InputError(f"{file.parent}: no such folder; make it first")
    with tempfile.TemporaryDirectory(prefix=".clinicnum-backup-", dir=file.parent) as scratch:
        copy = Path(scratch) / "copy"
        os.close(os.open(copy, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        checked = (_copy_sqlite if is_sqlite(engine) else _dump_postgres)(engine, copy)
        move_durably(copy, file)
    return checked


def move_durably(copy: Path, file: Path) -> None:
    """Give a finished file its final name and sync it to disk. Raises InputError if the name is taken."""
    _make_durable(copy)
    try:
        os.link(copy, file)  # unlike a rename, it never replaces what somebody else put there
    except FileExistsError:
        raise InputError(f"{file}: exists already; name another file, nothing is overwritten") from None
    except OSError:  # a file system without hard links, as on most USB sticks
        copy.rename(file)
    _make_durable(file.parent)


def _copy_sqlite(engine: Engine, copy: Path) -> DatabaseCheck:
    try:
        with (
            translate_database_errors(engine),
            engine.connect() as connection,
            closing(sqlite3.connect(copy)) as target,
        ):
            source: Any = connection.connection.driver_connection
            source.backup(target)
            target.execute("PRAGMA journal_mode=DELETE")  # one file, without a log beside it
    except Unavailable as error:
        if error.kind != "full":
            raise
        raise InputError(
            "the disk that the backup goes to is full; make room there, or name another file"
        ) from error
    copied = make_engine(f"sqlite:///{copy}")
    try:
        return check_database(copied)
    finally:
        copied.dispose()
        with closing(sqlite3.connect(copy)) as target:
            target.execute("PRAGMA journal_mode=DELETE")


def _dump_postgres(engine: Engine, copy: Path) -> DatabaseCheck:
    with reading(engine) as session:
        snapshot = str(session.execute(text("SELECT pg_export_snapshot()")).scalar_one())
        postgres.dump(engine.url, copy, snapshot)
        checked = check_session(session)
    dumped = postgres.rows_in(copy)
    differing = [name for name, held in checked.rows.items() if dumped.get(name) != held]
    if differing:
        raise InputError(
            f"the dump does not hold what the database held, in {', '.join(differing)}; try again"
        )
    return checked


def _make_durable(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
