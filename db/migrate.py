"""Upgrade a database to the newest schema, or say why that is impossible."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, inspect
from sqlalchemy.exc import DatabaseError

from clinicnum.db.database_errors import kind_of, unavailable
from clinicnum.db.engine import WRITES, is_sqlite, lock_connection, unreachable_error
from clinicnum.db.rows import Row
from clinicnum.errors import InputError


def migrate(engine: Engine) -> None:
    """Create or upgrade the schema in one transaction; does nothing if it is up to date.

    Raises InputError for a database that cannot be reached, that a newer version of clinicnum made, or that
    holds other tables with the same names; Unavailable for one that is full, busy or read-only, or takes no
    more connections.
    """
    script = ScriptDirectory.from_config(_config())
    try:
        with engine.connect() as connection:
            if _revision(connection) == script.get_current_head():
                return
        with engine.execution_options(**{WRITES: True}).connect() as connection:
            _upgrade(connection, script)
    except DatabaseError as error:
        kind = kind_of(error)
        if kind in ("full", "busy", "read_only", "crowded"):
            raise unavailable(engine, kind, error.orig) from error
        raise unreachable_error(engine, error) from error


def newest_revision() -> str | None:
    """The schema revision that this version of the program uses."""
    return ScriptDirectory.from_config(_config()).get_current_head()


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    return config


def _revision(connection: Connection) -> str | None:
    return MigrationContext.configure(connection).get_current_revision()


def _upgrade(connection: Connection, script: ScriptDirectory) -> None:
    if is_sqlite(connection):
        # A batch rebuild of a parent table would silently delete its children while keys are enforced.
        _foreign_keys(connection, on=False)
    try:
        with connection.begin():
            lock_connection(connection, "migrate")
            _check_ours(connection, script)
            config = _config()
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
            _check_keys(connection)
    finally:
        if is_sqlite(connection):
            _foreign_keys(connection, on=True)


def _foreign_keys(connection: Connection, *, on: bool) -> None:
    driver = connection.connection.driver_connection
    assert driver is not None
    driver.execute(f"PRAGMA foreign_keys={'ON' if on else 'OFF'}")


def _check_ours(connection: Connection, script: ScriptDirectory) -> None:
    revision = _revision(connection)
    known = {entry.revision for entry in script.walk_revisions()}
    if revision is not None and revision not in known:
        raise InputError(
            f"the database is at revision {revision}, which a newer clinicnum made; this one knows up to "
            f"{script.get_current_head()}: upgrade clinicnum, or name another --db"
        )
    if revision is None:
        taken = sorted(set(inspect(connection).get_table_names()) & set(Row.metadata.tables))
        if taken:
            raise InputError(
                f"the database holds a table {taken[0]!r} that clinicnum did not make; name another --db"
            )


def _check_keys(connection: Connection) -> None:
    if not is_sqlite(connection):
        return
    broken = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchall()
    if broken:
        raise InputError(
            f"the migration would leave {len(broken)} rows without what they refer to, first in table "
            f"{broken[0][0]!r}; nothing was changed: restore a backup or report this"
        )
