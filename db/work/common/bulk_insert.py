"""Bulk insert, also of rows that may exist already."""

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import ColumnElement, insert, select
from sqlmodel import Session

from clinicnum.db.rows import Row
from clinicnum.errors import InputError

CHUNK = 500
"""Rows per statement, below SQLite's limit on the number of variables."""


def add_new(
    session: Session, table: type[Row], rows: Sequence[dict[str, Any]], named: str | None = None
) -> None:
    """Insert the rows that do not exist.

    With `named`, raise InputError for a row that exists with other content, named by its value in this
    column.
    """
    for chunk in chunks(rows):
        there = find_stored(session, table, chunk, named)
        add_all(session, table, [row for row in chunk if row["id"] not in there])


def find_stored(
    session: Session,
    table: type[Row],
    rows: Sequence[dict[str, Any]],
    named: str | None = None,
    where: ColumnElement[bool] | None = None,
) -> set[str]:
    """Ids of the given rows that exist and meet `where`. Raises InputError as `add_new` does."""
    columns = table.__table__.columns  # type: ignore[attr-defined]
    wanted = [columns.id, columns.payload] if named else [columns.id]
    statement = select(*wanted).where(columns.id.in_([row["id"] for row in rows]))
    if where is not None:
        statement = statement.where(where)
    there = {found.id: found for found in session.execute(statement)}
    for row in rows:
        found = there.get(row["id"])
        if found is not None and named and found.payload != row["payload"]:
            raise InputError(
                f"{named} {row[named]} is in the database already with other content; "
                "use another database, or give what was made anew a benchmark_id or run_id of its own"
            )
    return set(there)


def add_all(session: Session, table: type[Row], rows: Sequence[dict[str, Any]]) -> None:
    """Insert many rows in one statement."""
    if rows:
        session.exec(insert(table), params=list(rows))


def chunks(rows: Sequence[dict[str, Any]]) -> Iterable[Sequence[dict[str, Any]]]:
    """The rows in parts that one statement can take."""
    return (rows[start : start + CHUNK] for start in range(0, len(rows), CHUNK))
