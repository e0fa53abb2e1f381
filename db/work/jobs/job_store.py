"""Queue, cancel, retry and list jobs, and read the files that they made.

Where `user_id` may be None, it stands for the operator at the command line, who may do everything.
"""

import secrets
from datetime import datetime, timedelta
from typing import Any

from pydantic import ValidationError
from sqlalchemy import func, select
from sqlmodel import Session, col

from clinicnum.annotations.role_rights import require
from clinicnum.annotations.types import User
from clinicnum.annotations.worker_jobs import (
    ARGUMENTS,
    MODEL_KINDS,
    OTHER_KINDS,
    JobKind,
    JobStatus,
    JobSummary,
    Progress,
)
from clinicnum.db.engine import is_sqlite
from clinicnum.db.rows import JobFileRow, JobRow, UserRow, utc_now
from clinicnum.db.work.accounts.users import COMMAND_LINE, get_user
from clinicnum.db.work.audit.audit_log import append
from clinicnum.errors import InputError, NotAllowed
from clinicnum.io.form_problems import form_problem, labels_of
from clinicnum.translatable_text import Translatable

SILENT_AFTER = timedelta(seconds=15)
"""A running job whose worker was not heard from for this long counts as abandoned."""
NO_SUCH_JOB = Translatable("There is no such job; reload the page to see those there are.")
WAITING_PER_USER = 20
"""Most unfinished jobs of one account."""


def evaluator(session: Session, user_id: str) -> User:
    """The account, if it may evaluate. Raises NotAllowed otherwise."""
    user = get_user(session, user_id)
    if user is None or not user.active:
        raise NotAllowed(Translatable("This account is switched off; ask an admin."))
    require(user.role, "evaluate")
    return user


def enqueue(session: Session, *, user_id: str, kind: JobKind, arguments: dict[str, Any]) -> str:
    """Store a job for the worker; return its id.

    Raises InputError for arguments that its kind does not take and for too many unfinished jobs, NotAllowed
    for an account that may not evaluate.
    """
    user = evaluator(session, user_id)
    try:
        asked = ARGUMENTS[kind].model_validate(arguments)
    except ValidationError as error:
        raise InputError(
            Translatable(
                "Nothing was started: {problem}", problem=form_problem(error, labels_of(ARGUMENTS[kind]))
            )
        ) from error
    _check_waiting(session, user_id)
    row = JobRow(
        id=secrets.token_hex(8),
        kind=kind,
        arguments=asked.model_dump(mode="json"),
        requested_by=user_id,
        created_at=utc_now(),
    )
    session.add(row)
    session.flush()
    append(
        session,
        study_id=None,
        actor=user.user_id,
        action="request_job",
        after={"job": row.id, "kind": kind, "arguments": row.arguments},
    )
    return row.id


def _check_waiting(session: Session, user_id: str) -> None:
    waiting = select(func.count()).where(
        col(JobRow.requested_by) == user_id, col(JobRow.status).in_(("queued", "running"))
    )
    if (session.scalar(waiting) or 0) >= WAITING_PER_USER:
        raise InputError(
            Translatable(
                "{n} of your jobs are unfinished; wait for one to end, or cancel one.", n=WAITING_PER_USER
            )
        )


def cancel_job(session: Session, *, user_id: str | None, job_id: str) -> JobStatus:
    """Cancel a job; one that runs is ended by its worker within a second or two. Return its status now.

    Raises InputError for an unknown job and one that has ended, NotAllowed for an account that may not
    evaluate, and for another's job unless the account is an admin's.
    """
    row, actor = _own(session, user_id, job_id)
    if row.status not in ("queued", "running"):
        raise InputError(Translatable("This job has ended already; there is nothing to cancel."))
    row.cancel_requested = True
    if row.status == "queued" or not is_alive(row.heartbeat_at, database_time(session)):
        row.status, row.ended_at, row.worker = "cancelled", utc_now(), None
    append(session, study_id=None, actor=actor, action="cancel_job", after={"job": row.id, "kind": row.kind})
    return row.status  # type: ignore[return-value]


def retry_job(session: Session, *, user_id: str | None, job_id: str) -> None:
    """Requeue a job that failed or was cancelled; it continues where it stopped.

    Raises InputError for an unknown job, one that neither failed nor was cancelled, and for too many
    unfinished ones; NotAllowed for an account that may not evaluate, and for another's job unless the account
    is an admin's.
    """
    row, actor = _own(session, user_id, job_id)
    if row.status not in ("failed", "cancelled"):
        raise InputError(Translatable("Only a job that failed or was cancelled can be tried again."))
    _check_waiting(session, row.requested_by)
    row.status, row.cancel_requested, row.error, row.ended_at = "queued", False, None, None
    row.heartbeat_at = database_time(session)  # or it would look as if it had waited since then
    row.progress = Progress.model_validate(row.progress).model_copy(update={"begun_again": 0}).model_dump()
    append(session, study_id=None, actor=actor, action="retry_job", after={"job": row.id, "kind": row.kind})


def _own(session: Session, user_id: str | None, job_id: str) -> tuple[JobRow, str]:
    """A job's row, locked, for one who may change it, and the actor to log."""
    user = _allowed(session, user_id)
    row = session.get(JobRow, job_id, with_for_update=True)
    if row is None:
        raise InputError(NO_SUCH_JOB)
    if user is None:
        return row, COMMAND_LINE
    if user.role != "admin" and row.requested_by != user.user_id:
        raise NotAllowed(Translatable("This job is another person's; they or an admin can do this."))
    return row, user.user_id


def waiting_without_worker(session: Session) -> bool:
    """Whether jobs wait, or have lost their worker, and no worker has shown itself for a while."""
    now = database_time(session)
    for lane in (MODEL_KINDS, OTHER_KINDS):
        in_lane = col(JobRow.kind).in_(lane)
        unfinished = in_lane & col(JobRow.status).in_(("queued", "running"))
        asked = session.scalar(select(func.min(JobRow.created_at)).where(unfinished))
        heard = session.scalar(select(func.max(JobRow.heartbeat_at)).where(in_lane))
        if asked is not None and now - max(asked, heard or asked) > SILENT_AFTER:
            return True
    return False


def list_jobs(session: Session, *, user_id: str | None, limit: int = 200) -> tuple[JobSummary, ...]:
    """The newest jobs, at most `limit`, the newest first. Raises NotAllowed for an account that may not
    evaluate.
    """
    _allowed(session, user_id)
    rows = session.execute(_jobs().order_by(col(JobRow.created_at).desc(), col(JobRow.id)).limit(limit))
    now = database_time(session)
    return tuple(_summary(job, name, now) for job, name in rows)


def get_job(session: Session, *, user_id: str | None, job_id: str) -> JobSummary:
    """One job. Raises InputError for an unknown one, NotAllowed for an account that may not evaluate."""
    _allowed(session, user_id)
    found = session.execute(_jobs().where(col(JobRow.id) == job_id)).first()
    if found is None:
        raise InputError(NO_SUCH_JOB)
    job, name = found
    return _summary(job, name, database_time(session))


def job_log(session: Session, *, user_id: str | None, job_id: str) -> str:
    """The last lines that a job wrote. Raises as `get_job` does."""
    get_job(session, user_id=user_id, job_id=job_id)
    return session.get_one(JobRow, job_id).log_tail or ""


def job_file(session: Session, *, user_id: str, job_id: str, name: str) -> bytes:
    """The content of a file that a job made.

    Raises as `get_job` does, and InputError if it made none of this name, and for reports and bundles, which
    `db/work/reports` hands out to those who may see their studies.
    """
    if get_job(session, user_id=user_id, job_id=job_id).kind in ("report", "bundle"):
        raise InputError(Translatable("Reports and bundles are on the page Reports."))
    row = session.get(JobFileRow, (job_id, name))
    if row is None:
        raise InputError(Translatable("This job made no file {name!r}.", name=name))
    return row.content


def _allowed(session: Session, user_id: str | None) -> User | None:
    return None if user_id is None else evaluator(session, user_id)


def _jobs() -> Any:
    return select(JobRow, col(UserRow.name)).join(UserRow, col(UserRow.id) == col(JobRow.requested_by))


def database_time(session: Session) -> datetime:
    """The time by the clock of the database's machine, since workers on others may have other clocks."""
    if is_sqlite(session.connection()):
        return utc_now()
    now: datetime = session.execute(select(func.clock_timestamp())).scalar_one()
    return now


def is_alive(heartbeat_at: datetime | None, now: datetime) -> bool:
    """Whether the worker of a running job was heard from lately."""
    return heartbeat_at is not None and now - heartbeat_at < SILENT_AFTER


def _summary(row: JobRow, name: str, now: datetime) -> JobSummary:
    return JobSummary(
        job_id=row.id,
        kind=row.kind,
        status=row.status,
        arguments=row.arguments,
        requested_by=name,
        created_at=row.created_at,
        started_at=row.started_at,
        ended_at=row.ended_at,
        attempt=row.attempt,
        progress=Progress.model_validate(row.progress),
        error=None if row.error is None else Translatable.from_stored(row.error),
        result=row.result,
        cancel_requested=row.cancel_requested,
        alive=row.status != "running" or is_alive(row.heartbeat_at, now),
    )
