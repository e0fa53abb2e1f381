"""Restore a database from a backup. A damaged backup never replaces a database."""

import shutil
import tempfile
from pathlib import Path

from sqlalchemy import Engine, inspect
from sqlalchemy.exc import DatabaseError

from clinicnum.db.backup import postgres
from clinicnum.db.backup.database_check import DatabaseCheck, check_database
from clinicnum.db.backup.make import move_durably
from clinicnum.db.engine import is_sqlite, make_engine, unreachable_error
from clinicnum.db.migrate import migrate
from clinicnum.errors import InputError, Unavailable

SQLITE_MAGIC = b"SQLite format 3\0"


def restore(file: Path, url: str) -> DatabaseCheck:
    """Restore a backup to `url`, where no database may exist yet, upgrade it, and report its contents.

    A backup of SQLite becomes a SQLite file, one of PostgreSQL a PostgreSQL database. Raises InputError for a
    file that is no backup, that is damaged, that belongs to the other kind of database or that a newer
    version of clinicnum made, and for a target that is in use or cannot be reached.
    """
    began = _beginning(file)
    if began.startswith(SQLITE_MAGIC):
        return _restore_sqlite(file, url)
    if began.startswith(postgres.MAGIC):
        return _restore_postgres(file, url)
    raise InputError(f"{file}: is no backup; expected a file that `clinicnum backup` wrote")


def _beginning(file: Path) -> bytes:
    try:
        with file.open("rb") as opened:
            return opened.read(len(SQLITE_MAGIC))
    except OSError as error:
        raise InputError(f"{file}: cannot be read: {error.strerror}; check the path") from error


def _restore_sqlite(file: Path, url: str) -> DatabaseCheck:
    path = url.removeprefix("sqlite:///")
    if path == url:
        raise InputError(f"{file} is a backup of SQLite; expected --db sqlite:///FILE")
    target = Path(path)
    if target.exists():
        raise InputError(f"{target}: exists already; name a file that does not, nothing is overwritten")
    if not target.parent.is_dir():
        raise InputError(f"{target.parent}: no such folder; make it first")
    log = target.with_name(target.name + "-wal")
    if log.exists():  # SQLite would apply this log to any database put there
        raise InputError(
            f"{log}: is left from a database that was there; move it away, it belongs to that one"
        )
    with tempfile.TemporaryDirectory(prefix=".clinicnum-restore-", dir=target.parent) as scratch:
        copy = Path(scratch) / "copy.db"
        engine = make_engine(f"sqlite:///{copy}")
        shutil.copyfile(file, copy)
        try:
            checked = _checked(engine)
        except Unavailable as error:
            if error.kind != "damaged":
                raise
            raise InputError(f"{file}: is damaged, perhaps cut off; take another backup") from error
        finally:
            engine.dispose()
        move_durably(copy, target)
    return checked


def _restore_postgres(file: Path, url: str) -> DatabaseCheck:
    engine = make_engine(url)
    if is_sqlite(engine):
        raise InputError(f"{file} is a backup of PostgreSQL; expected --db postgresql://USER@HOST/NAME")
    try:
        there = _tables(engine)
        if there:
            raise InputError(
                f"the database holds tables already, such as {there[0]!r}; name an empty one in --db"
            )
        postgres.load(engine.url, file)
        return _checked(engine)
    finally:
        engine.dispose()


def _tables(engine: Engine) -> list[str]:
    try:
        with engine.connect() as connection:
            return sorted(inspect(connection).get_table_names())
    except DatabaseError as error:
        raise unreachable_error(engine, error) from error


def _checked(engine: Engine) -> DatabaseCheck:
    """Check the restored database, upgrade it, check it again."""
    check_database(engine)
    migrate(engine)
    return check_database(engine)
