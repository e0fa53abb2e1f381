"""Allow deleting from append-only tables, in which database triggers otherwise forbid it."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from sqlalchemy import text
from sqlmodel import Session

from clinicnum.db.engine import is_sqlite


@contextmanager
def deletable(session: Session, tables: Sequence[str]) -> Iterator[None]:
    """Allow deleting rows of append-only `tables` in the block by suspending their triggers.

    This is part of the transaction, so no other session ever sees a table without them.
    """
    if not is_sqlite(session.connection()):
        for table in tables:
            session.execute(text(f"ALTER TABLE {table} DISABLE TRIGGER {table}_no_change"))
        yield
        session.flush()
        for table in tables:
            session.execute(text(f"ALTER TABLE {table} ENABLE TRIGGER {table}_no_change"))
        return
    made = []
    for table in tables:
        (sql,) = session.execute(
            text("SELECT sql FROM sqlite_master WHERE type = 'trigger' AND name = :name"),
            {"name": f"{table}_no_delete"},
        ).one()
        made.append(sql)
        session.execute(text(f"DROP TRIGGER {table}_no_delete"))
    yield
    session.flush()
    for sql in made:
        session.connection().exec_driver_sql(sql)
