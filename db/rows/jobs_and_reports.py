"""Tables of the worker's jobs with their files, of frozen reports, and of saved views."""

from datetime import datetime
from typing import Any

from sqlalchemy import Index
from sqlmodel import Field

from clinicnum.annotations.worker_jobs import JOB_STATUSES
from clinicnum.db.rows.base import JsonText, Row, UtcDateTime, one_of


class JobRow(Row, table=True):
    """One background job of the worker process: its arguments, requester and progress."""

    __tablename__ = "job"
    __table_args__ = (one_of("status", JOB_STATUSES), Index(None, "status", "created_at"))
    id: str = Field(primary_key=True)
    kind: str
    arguments: dict[str, Any] = Field(sa_type=JsonText)
    """An argument model of `clinicnum.annotations.worker_jobs`, by `kind`."""
    requested_by: str = Field(foreign_key="user.id")
    created_at: datetime = Field(sa_type=UtcDateTime)
    status: str = "queued"
    attempt: int = 0
    """Number of times that a worker has begun it."""
    cancel_requested: bool = False
    worker: str | None = None
    """The worker process that runs it, as host and process id; null if none does."""
    heartbeat_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """When the worker last said that it is alive; a running job without a recent one is taken over."""
    started_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    ended_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    progress: dict[str, Any] = Field(default_factory=dict, sa_type=JsonText)
    """A `clinicnum.annotations.worker_jobs.Progress`; empty before the first."""
    log_tail: str | None = Field(default=None, sa_type=JsonText)
    error: str | dict[str, Any] | None = Field(default=None, sa_type=JsonText)
    """Why it failed, as `Translatable.to_stored` writes it; null otherwise."""
    result: dict[str, Any] | None = Field(default=None, sa_type=JsonText)
    """What it made, such as the ids of a benchmark or runs; null until it is done."""


class JobFileRow(Row, table=True):
    """A file that a job made for download."""

    __tablename__ = "job_file"
    job_id: str = Field(primary_key=True, foreign_key="job.id")
    name: str = Field(primary_key=True)
    sha256: str
    content: bytes


class FrozenReportRow(Row, table=True):
    """A report of one or several studies as it was at one time; its files are those of its job."""

    __tablename__ = "frozen_report"
    id: str = Field(primary_key=True)
    job_id: str = Field(foreign_key="job.id")
    title: str = Field(sa_type=JsonText)
    studies: list[str] = Field(sa_type=JsonText)
    """Ids of the studies that it covers."""
    options: dict[str, Any] = Field(sa_type=JsonText)
    """Chosen report options."""
    sha256: str
    """Hash over the names and hashes of its files."""
    created_by: str = Field(foreign_key="user.id")
    created_at: datetime = Field(sa_type=UtcDateTime)


class SavedViewRow(Row, table=True):
    """A slice of generations under a name, with an address that a colleague can open."""

    __tablename__ = "saved_view"
    id: str = Field(primary_key=True)
    name: str = Field(sa_type=JsonText)
    query: dict[str, Any] = Field(sa_type=JsonText)
    """The chosen runs and facets."""
    created_by: str = Field(foreign_key="user.id")
    created_at: datetime = Field(sa_type=UtcDateTime)
