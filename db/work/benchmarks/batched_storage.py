"""Store a large benchmark or run in many short transactions, so that others can save meanwhile.

On SQLite only one writes at a time. What is stored here has a row in `benchmark` or `run` that no select sees
until it is published, in the caller's last transaction. What a killed writer left is deleted by whoever
stores the same again, and by workers when that writer was silent for long.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from sqlalchemy import Engine, select, update
from sqlmodel import Session, col

from clinicnum.db.engine import affected, is_sqlite, lock, reading, writing
from clinicnum.db.rows import UNFINISHED_TOO, BenchmarkRow, Row, RunRow
from clinicnum.db.work.benchmarks.delete_unfinished import Head, Unfinished, delete_some
from clinicnum.db.work.common.bulk_insert import CHUNK, add_all
from clinicnum.db.work.jobs.job_store import database_time
from clinicnum.errors import Conflict, Unavailable
from clinicnum.translatable_text import Translatable

WORTHWHILE = 100
"""Row count from which storing is batched."""
LEASE = timedelta(seconds=60)
"""A writer that stores nothing this long counts as dead."""
SHORT_S = 0.006
"""Target CPU time of a transaction, in seconds."""
FEWEST = 25
"""Minimum rows per transaction: fewer would hardly take less time."""
LOST = Translatable(
    "Somebody else has begun to store the same benchmark or run, so nothing was stored here. See whether it "
    "is there by now; if not, try again."
)


@dataclass
class Storing:
    """A benchmark or run that is being stored in many short transactions; `storing` makes it."""

    engine: Engine
    transaction: Callable[[], AbstractContextManager[Session]]
    progress: Callable[[int], None]
    total: int = 0
    """Number of rows that will be added."""
    known: set[str] = field(default_factory=set)
    """Ids of rows that were found to be stored as a whole already, with the same content."""
    _begun: dict[tuple[Head, str], datetime] = field(default_factory=dict)
    """The unfinished rows, each with its `storing_until`."""
    _added: int = 0
    _at_once: int = FEWEST

    def has_begun(self, head: Head, key: str) -> bool:
        """Whether this benchmark or run is being stored here."""
        return (head, key) in self._begun

    def begin(
        self, row: BenchmarkRow | RunRow, also: Callable[[Session], None] = lambda session: None
    ) -> None:
        """Begin a benchmark or run, after deleting what an earlier writer left of it.

        `also` inserts what its other rows refer to. Raises Conflict if another has stored or begun it
        meanwhile.
        """
        head: Head = type(row)
        key = row.id
        while (left := self._left(head, key)) is not None:
            for _ in _delete(self.engine, left):
                pass
        with self.transaction() as session:
            lock(session, "create_study")
            if session.get(head, key, execution_options=UNFINISHED_TOO) is not None:
                raise Conflict(LOST)
            row.storing_until = self._begun[head, key] = database_time(session) + LEASE
            session.add(row)
            session.flush()
            also(session)

    def _left(self, head: Head, key: str) -> Unfinished | None:
        statement = select(col(head.storing_until)).where(col(head.id) == key)
        with reading(self.engine) as session:
            until = session.scalar(statement.execution_options(**UNFINISHED_TOO))
        return Unfinished(head, key, until) if until else None

    def add(self, table: type[Row], rows: Sequence[dict[str, Any]]) -> None:
        """Insert rows of the benchmark and runs that were begun, in as many transactions as it takes.

        Raises Conflict if another has deleted or taken over what was begun.
        """
        done = 0
        while done < len(rows):
            part = rows[done : done + self._at_once]
            began = time.thread_time()
            with self.transaction() as session:
                self._go_on(session)
                add_all(session, table, part)
            self._at_once = _after(self.engine, self._at_once, time.thread_time() - began)
            done += len(part)
            self._added += len(part)
            self.progress(100 * self._added // max(1, self.total))

    def _go_on(self, session: Session) -> None:
        """Extend the time until which this writer counts as alive. Raises Conflict if another has taken its
        place.
        """
        now = database_time(session)
        for (head, key), until in self._begun.items():
            later = now + LEASE if until < now + LEASE / 2 else until
            _set_until(session, Unfinished(head, key, until), later)
            self._begun[head, key] = later

    def publish(self, session: Session) -> None:
        """Make what was begun visible once this transaction is committed.

        Raises Conflict if another process has deleted it or taken it over meanwhile.
        """
        for (head, key), until in self._begun.items():
            _set_until(session, Unfinished(head, key, until), None)

    def abandon(self) -> None:
        """Delete the unpublished rows."""
        for (head, key), until in reversed(self._begun.items()):
            for _ in _delete(self.engine, Unfinished(head, key, until)):
                pass


@contextmanager
def storing(
    engine: Engine,
    transaction: Callable[[], AbstractContextManager[Session]] | None = None,
    progress: Callable[[int], None] = lambda percent: None,
) -> Iterator[Storing]:
    """Context in which rows are added and finally published; deleted if the block raises.

    `transaction` opens a transaction, by default a writing one; `progress` gets the percentage.
    """
    found = Storing(engine, transaction or partial(writing, engine), progress)
    try:
        yield found
    except BaseException:
        with suppress(Unavailable):
            found.abandon()
        raise


def delete_left_over(engine: Engine, *, for_s: float) -> None:
    """Delete rows left by dead writers, for about `for_s` seconds; the next call continues."""
    began = time.monotonic()
    for one in _left_over(engine):
        for _ in _delete(engine, one):
            if time.monotonic() - began > for_s:
                return


def _left_over(engine: Engine) -> list[Unfinished]:
    with reading(engine) as session:
        now = database_time(session)
        return [
            Unfinished(head, key, until)
            for head in (RunRow, BenchmarkRow)
            for key, until in session.execute(
                select(col(head.id), col(head.storing_until))
                .where(col(head.storing_until) < now)
                .execution_options(**UNFINISHED_TOO)
            )
        ]


def _delete(engine: Engine, one: Unfinished) -> Iterator[None]:
    """Delete an unfinished benchmark or run in short transactions, unless its writer, or another who deletes
    it, has gone on meanwhile.
    """
    with writing(engine) as session:
        claimed = Unfinished(one.head, one.key, database_time(session))
        if not _moved(session, one, claimed.until):
            return
    at_once, left = FEWEST, True
    while left:
        began = time.thread_time()
        with writing(engine) as session:
            left = delete_some(session, claimed, at_once)
        at_once = _after(engine, at_once, time.thread_time() - began)
        yield


def _after(engine: Engine, rows: int, took_s: float) -> int:
    """Let others write after a transaction, and return how many rows the next one takes, by the CPU time of
    this one.
    """
    if is_sqlite(engine):
        time.sleep(took_s)  # whoever waits for SQLite looks only now and then whether it is free
    if took_s > SHORT_S:
        return max(FEWEST, rows // 2)
    return min(CHUNK, rows + 5)


def _set_until(session: Session, one: Unfinished, until: datetime | None) -> None:
    if not _moved(session, one, until):
        raise Conflict(LOST)


def _moved(session: Session, one: Unfinished, until: datetime | None) -> bool:
    """Set the `storing_until` of an unfinished row if nobody else has changed it; returns whether it was
    set.
    """
    head = one.head
    same = (col(head.id) == one.key) & (col(head.storing_until) == one.until)
    return affected(session, update(head).where(same).values(storing_until=until)) == 1
