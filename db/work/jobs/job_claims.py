"""A worker's operations on jobs: claim one, send its heartbeat, end it or requeue it.

Each time that a job is begun counts as one attempt. Whatever is written about a job names its attempt, so a
worker that was taken for dead and is not can write nothing any more: it gets JobLost.
"""

import hashlib
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import select
from sqlmodel import Session, col

from clinicnum.annotations.worker_jobs import JobKind, JobStatus, Progress
from clinicnum.db.engine import lock
from clinicnum.db.rows import JobFileRow, JobRow, utc_now
from clinicnum.db.work.jobs.job_store import database_time, is_alive
from clinicnum.errors import ClinicnumError
from clinicnum.translatable_text import Translatable

MOST_BEGINNINGS = 5
"""A job fails once its process died this many times in a row without progress."""


class JobLost(ClinicnumError):
    """The job was cancelled, or another worker has taken it over: nothing more of it may be written."""


class Attempt(NamedTuple):
    """One attempt at a job."""

    job_id: str
    number: int
    """From 1."""


@dataclass(frozen=True)
class Claim:
    """A job that a worker has taken."""

    attempt: Attempt
    kind: JobKind
    progress: Progress
    """How far it was before."""


def anything_to_claim(
    session: Session, *, kinds: Collection[JobKind], is_dead: Callable[[str], bool] = lambda worker: False
) -> bool:
    """Whether `claim` might find a job; reads only, so that an idle worker keeps nobody from writing."""
    now = database_time(session)
    unfinished = session.execute(
        select(col(JobRow.status), col(JobRow.worker), col(JobRow.heartbeat_at)).where(
            col(JobRow.status).in_(("queued", "running")), col(JobRow.kind).in_(kinds)
        )
    ).all()
    busy = any(
        status == "running" and is_alive(heard, now) and not is_dead(worker or "")
        for status, worker, heard in unfinished
    )
    return bool(unfinished) and not busy


def claim(
    session: Session,
    *,
    worker: str,
    kinds: Collection[JobKind],
    is_dead: Callable[[str], bool] = lambda worker: False,
) -> Claim | None:
    """Take the oldest waiting job of these kinds; None if none waits, or if a living worker runs one of them.

    A job whose worker is dead first goes back among those that wait, or ends: cancelled if that was
    requested, failed if its process died too often. `is_dead` can report a dead worker before its silence
    does.
    """
    lock(session, "claim_job")
    now = database_time(session)
    in_kinds = col(JobRow.kind).in_(kinds)
    by_age = (col(JobRow.created_at), col(JobRow.id))
    running = session.scalars(
        select(JobRow).where(col(JobRow.status) == "running", in_kinds).order_by(*by_age)
    )
    for row in list(running):
        if is_alive(row.heartbeat_at, now) and not is_dead(row.worker or ""):
            return None
        if row.cancel_requested:
            _end(row, "cancelled")
        elif not _put_back(row):
            continue
    session.flush()
    waiting = select(JobRow).where(col(JobRow.status) == "queued", in_kinds).order_by(*by_age)
    first = session.scalars(waiting.limit(1)).first()
    if first is None:
        return None
    first.status, first.worker, first.attempt = "running", worker, first.attempt + 1
    first.heartbeat_at = first.started_at = now
    first.log_tail = None
    session.flush()
    return Claim(Attempt(first.id, first.attempt), first.kind, Progress.model_validate(first.progress))  # type: ignore[arg-type]


def own_job(session: Session, attempt: Attempt) -> JobRow:
    """The job's row, locked to the end of the transaction. Raises JobLost if this attempt is over."""
    row = session.get(JobRow, attempt.job_id, with_for_update=True, populate_existing=True)
    if row is None or row.status != "running" or row.attempt != attempt.number:
        raise JobLost(f"job {attempt.job_id}: attempt {attempt.number} is over; no more of it was stored")
    return row


def beat(session: Session, attempt: Attempt, *, progress: Progress, log_tail: str) -> bool:
    """Store the worker's heartbeat and the job's progress; return whether the job is to be cancelled.

    Raises JobLost if this attempt is over.
    """
    row = own_job(session, attempt)
    row.heartbeat_at = database_time(session)
    row.progress, row.log_tail = progress.model_dump(mode="json"), log_tail
    return row.cancel_requested


def end_job(
    session: Session,
    attempt: Attempt,
    *,
    status: JobStatus,
    result: dict[str, Any] | None = None,
    error: Translatable | None = None,
    log_tail: str | None = None,
) -> None:
    """End the job as done, failed or cancelled. Raises JobLost if this attempt is over."""
    row = own_job(session, attempt)
    row.log_tail = row.log_tail if log_tail is None else log_tail
    _end(row, status, result=result, error=error)


def put_back(session: Session, attempt: Attempt, *, died: bool) -> None:
    """Requeue a job; if its process `died` and that has happened too often in a row, end it as failed
    instead.

    Raises JobLost if this attempt is over.
    """
    row = own_job(session, attempt)
    if died:
        _put_back(row)
    else:
        row.status, row.worker = "queued", None


def needing_their_folder(session: Session, ids: Collection[str], *, ended_after: datetime) -> set[str]:
    """Those of the job ids `ids` that may start again: unfinished jobs, and those that failed or were
    cancelled after `ended_after`.
    """
    unfinished = col(JobRow.ended_at).is_(None)
    again = col(JobRow.status).in_(("failed", "cancelled")) & (col(JobRow.ended_at) > ended_after)
    return set(session.scalars(select(col(JobRow.id)).where(col(JobRow.id).in_(ids), unfinished | again)))


def save_file(session: Session, *, job_id: str, name: str, content: bytes) -> None:
    """Store a file that the job made, in place of one of this name by an earlier attempt."""
    row = session.get(JobFileRow, (job_id, name))
    if row is None:
        row = JobFileRow(job_id=job_id, name=name, sha256="", content=b"")
        session.add(row)
    row.content, row.sha256 = content, hashlib.sha256(content).hexdigest()


def _put_back(row: JobRow) -> bool:
    """Queue a job whose process is gone; end it as failed, and return False, if that happened too often."""
    before = Progress.model_validate(row.progress)
    begun_again = before.begun_again + 1
    if begun_again >= MOST_BEGINNINGS:
        error = Translatable(
            "its process ended {n} times in a row before it got further, as if it was killed or memory ran "
            "out; see its log, and try again with less, or on another machine",
            n=begun_again,
        )
        _end(row, "failed", error=error)
        return False
    row.progress = before.model_copy(update={"begun_again": begun_again}).model_dump(mode="json")
    row.status, row.worker = "queued", None
    return True


def _end(
    row: JobRow, status: JobStatus, *, result: dict[str, Any] | None = None, error: Translatable | None = None
) -> None:
    row.status, row.result = status, result
    row.error = None if error is None else error.to_stored()
    row.ended_at, row.worker = utc_now(), None
