"""Check a database completely: rows by table, keys, audit chains, and rows against the log."""

from sqlalchemy import Connection, Engine, func, inspect, select, table
from sqlmodel import Session

from clinicnum.db.engine import is_sqlite, reading
from clinicnum.db.migrate import newest_revision
from clinicnum.db.work.audit.audit_log import verify_chain
from clinicnum.db.work.audit.compare_tables_with_log import compare_with_log
from clinicnum.errors import InputError
from clinicnum.types import Frozen


class DatabaseCheck(Frozen):
    """The counts of a database that was read completely without finding a fault."""

    revision: str
    """Revision of the database schema."""
    rows: dict[str, int]
    """Number of rows by table."""
    chains: dict[str, str]
    """Last hash of each audit chain."""


def check_database(engine: Engine) -> DatabaseCheck:
    """Read a database completely, and count what it holds.

    Raises InputError for a damaged page, a row that refers to a missing one, a broken audit chain, and a row
    that is not what the audit log says. Rows of an earlier schema are not compared with the log.
    """
    with reading(engine) as session:
        return check_session(session)


def check_session(session: Session) -> DatabaseCheck:
    """Check the database completely, as `check_database` does, within one reading session."""
    connection = session.connection()
    if is_sqlite(connection):
        _check_pages(connection)
    revision = _revision(connection)
    chains = _chains(session)
    if revision == newest_revision():  # tables of an earlier schema are compared once they are upgraded
        _compare(session)
    return DatabaseCheck(revision=revision, rows=_count_rows(connection), chains=chains)


def _count_rows(connection: Connection) -> dict[str, int]:
    names = sorted(inspect(connection).get_table_names())
    return {name: connection.scalar(select(func.count()).select_from(table(name))) or 0 for name in names}


def _revision(connection: Connection) -> str:
    known = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()
    return str(known)


def _chains(session: Session) -> dict[str, str]:
    chains = verify_chain(session)
    for one in chains:
        if one.broken_at is not None:
            raise InputError(f"the audit chain {one.chain!r} is broken at row {one.broken_at}: {one.reason}")
    return {one.chain: one.last_hash for one in chains}


def _compare(session: Session) -> None:
    differences = compare_with_log(session)
    if differences:
        raise InputError(
            f"{len(differences)} rows are not what the audit log says, first {differences[0]}; "
            "see `clinicnum audit verify`"
        )


def _check_pages(connection: Connection) -> None:
    said = [row[0] for row in connection.exec_driver_sql("PRAGMA integrity_check(1)")]
    if said != ["ok"]:
        raise InputError(f"the database file is damaged: {said[0]}; restore the last backup")
    broken = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchall()
    if broken:
        raise InputError(
            f"{len(broken)} rows refer to what is not there, first in table {broken[0][0]!r}; "
            "restore the last backup"
        )
