"""What somebody with all rights of the database does to it, leaving no trace in the schema."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, Engine, text
from sqlalchemy import select as select_rows

from clinicnum.db.engine import WRITES, is_sqlite
from clinicnum.db.rows import Row
from clinicnum.db.work.audit.audit_log import GENESIS, _hash

GUARDED = ("audit", "annotation", "message", "message_read", "guideline_ruling")
AUDIT = Row.metadata.tables["audit"]


@contextmanager
def disarmed(engine: Engine) -> Iterator[Connection]:
    """A transaction in which nothing is append-only; all triggers are there again at its end."""
    with engine.execution_options(**{WRITES: True}).begin() as connection:
        if is_sqlite(connection):
            made = connection.execute(
                text("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
            ).fetchall()
            for name, _ in made:
                connection.execute(text(f"DROP TRIGGER {name}"))
            yield connection
            for _, sql in made:
                connection.exec_driver_sql(sql)
            return
        for table in GUARDED:
            connection.execute(text(f"ALTER TABLE {table} DISABLE TRIGGER {table}_no_change"))
        yield connection
        for table in GUARDED:
            connection.execute(text(f"ALTER TABLE {table} ENABLE TRIGGER {table}_no_change"))


def by_force(engine: Engine, *statements: str) -> None:
    """Change tables past the program."""
    with disarmed(engine) as connection:
        for statement in statements:
            connection.execute(text(statement))


def rehash(connection: Connection, chain: str) -> None:
    """Compute every hash of a chain anew, so that it verifies, and number its rows without a gap."""
    rows = connection.execute(
        select_rows(AUDIT).where(AUDIT.c.chain == chain).order_by(AUDIT.c.seq)
    ).mappings()
    previous = GENESIS
    for seq, found in enumerate(rows.fetchall(), start=1):
        row = {**found, "seq": seq, "previous_hash": previous}
        row["hash"] = previous = _hash(row)
        connection.execute(
            AUDIT.update().where(AUDIT.c.chain == chain, AUDIT.c.seq == found["seq"]).values(**row)
        )
