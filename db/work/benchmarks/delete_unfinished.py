"""Delete an unfinished benchmark or run, some rows at a time. Nothing refers to it, as nobody has seen it."""

from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import delete, exists, select
from sqlmodel import Session, col

from clinicnum.db.engine import lock
from clinicnum.db.rows import (
    UNFINISHED_TOO,
    BenchmarkRow,
    GenerationRow,
    InstanceRow,
    RunRow,
    ScoreRow,
    TemplateHealthRow,
    TemplateRow,
)
from clinicnum.db.work.common.bulk_insert import CHUNK

Head = type[BenchmarkRow] | type[RunRow]


class Unfinished(NamedTuple):
    """A benchmark or run that is being stored."""

    head: Head
    key: str
    until: datetime
    """Its `storing_until`."""


def delete_at_once(session: Session, head: Head, key: str) -> None:
    """Delete the unfinished row, if any, in this transaction."""
    statement = select(col(head.storing_until)).where(col(head.id) == key)
    until = session.scalar(statement.execution_options(**UNFINISHED_TOO))
    while until is not None and delete_some(session, Unfinished(head, key, until), CHUNK):
        pass


def delete_some(session: Session, one: Unfinished, at_once: int) -> bool:
    """Delete up to `at_once` dependent rows, else the row itself; returns whether anything is left."""
    if one.head is RunRow:
        runs = [one.key]
    else:
        of_it = select(col(RunRow.id)).where(col(RunRow.benchmark_id) == one.key)
        runs = list(session.scalars(of_it.execution_options(**UNFINISHED_TOO)))
    for run in runs:
        if _delete_answers(session, run, at_once):
            return True
        _delete(session, RunRow, [run])
    if one.head is RunRow:
        return False
    lock(session, "create_study")
    columns = (col(InstanceRow.id), col(InstanceRow.template_id), col(InstanceRow.template_version))
    statement = select(*columns).where(col(InstanceRow.benchmark_id) == one.key).limit(at_once)
    found = session.execute(statement).all()
    _delete(session, InstanceRow, [key for key, *_ in found])
    if not _others(session, one.key):
        for template_id, version in {(template_id, version) for _, template_id, version in found}:
            _delete_placeholder(session, template_id, version)
    if found:
        return True
    _delete(session, BenchmarkRow, [one.key])
    return False


def _delete_answers(session: Session, run: str, at_once: int) -> bool:
    statement = select(col(GenerationRow.id)).where(col(GenerationRow.run) == run).limit(at_once)
    found = list(session.scalars(statement))
    scores = delete(ScoreRow).where(col(ScoreRow.generation).in_(found))
    session.execute(scores.execution_options(synchronize_session=False))
    _delete(session, GenerationRow, found)
    return bool(found)


def _delete(session: Session, table: Any, keys: list[str]) -> None:
    statement = delete(table).where(table.id.in_(keys))
    session.execute(statement.execution_options(synchronize_session=False))


def _others(session: Session, benchmark_id: str) -> bool:
    """Whether other benchmarks are being stored, which may need the same templates."""
    unfinished = col(BenchmarkRow.storing_until).is_not(None) & (col(BenchmarkRow.id) != benchmark_id)
    statement = select(col(BenchmarkRow.id)).where(unfinished).limit(1)
    return session.scalar(statement.execution_options(**UNFINISHED_TOO)) is not None


def _delete_placeholder(session: Session, template_id: str, version: int) -> None:
    """Delete a template's version if it is a placeholder without content, stored only because instances named
    it, and no instance names it any more.
    """
    of_it = (col(InstanceRow.template_id) == template_id) & (col(InstanceRow.template_version) == version)
    row = session.get(TemplateRow, (template_id, version))
    placeholder = row is not None and (row.status, row.payload) == ("unreviewed", {})
    if row is not None and placeholder and not session.scalar(select(exists().where(of_it))):
        health = session.get(TemplateHealthRow, (template_id, version))
        if health is not None:
            session.delete(health)
            session.flush()
        session.delete(row)
        session.flush()
