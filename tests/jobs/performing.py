"""Asks for a job and performs it in this process, as the worker's child process does."""

from pathlib import Path
from typing import Any

from sqlalchemy import Engine

from clinicnum.annotations.worker_jobs import JobKind, JobSummary
from clinicnum.db.engine import reading, writing
from clinicnum.db.work.jobs import job_claims, job_store
from clinicnum.scripts.commands.jobs.job_process import perform


def enqueue(engine: Engine, user_id: str, kind: JobKind, **arguments: Any) -> str:
    """Ask for a job; its id."""
    with writing(engine) as session:
        return job_store.enqueue(session, user_id=user_id, kind=kind, arguments=arguments)


def claim(engine: Engine, *kinds: JobKind, worker: str = "test") -> job_claims.Claim | None:
    """Take the next job of the kinds."""
    with writing(engine) as session:
        return job_claims.claim(session, worker=worker, kinds=kinds)


def summary(engine: Engine, user_id: str, job_id: str) -> JobSummary:
    """The job as a page shows it."""
    with reading(engine) as session:
        return job_store.get_job(session, user_id=user_id, job_id=job_id)


def perform_job(engine: Engine, files: Path, user_id: str, kind: JobKind, **arguments: Any) -> JobSummary:
    """Ask for a job and perform it; the job as it has ended."""
    job_id = enqueue(engine, user_id, kind, **arguments)
    taken = claim(engine, kind)
    assert taken is not None
    assert taken.attempt.job_id == job_id
    perform(engine, files, taken.attempt)
    return summary(engine, user_id, job_id)
