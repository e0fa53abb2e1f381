"""Ask for a report or a bundle: queue the job that builds it, and see what changed in its studies since."""

from sqlalchemy import func, select
from sqlmodel import Session, col

from clinicnum.annotations.consensus import asked_protocol
from clinicnum.annotations.report.chosen_sections import check_sections
from clinicnum.annotations.role_rights import require
from clinicnum.annotations.worker_jobs import ReportArguments
from clinicnum.db.rows import AuditRow, JobRow
from clinicnum.db.work.changes.change_visibility import ALL
from clinicnum.db.work.jobs.job_store import enqueue
from clinicnum.db.work.reports.readable_studies import ReadableStudy, check_readable, report_reader

_CHANGING = (*ALL, "pause_study", "reopen_study", "close_study", "change_guideline", "add_annotator")
"""Audit actions that may change a report."""


def request_report(session: Session, *, user_id: str, asked: ReportArguments) -> str:
    """Queue a report; return the job's id.

    Raises InputError and NotAllowed as `check_readable` and `enqueue` do, InputError for a section or
    consensus that does not exist, NotAllowed for an account that may not build reports.
    """
    require(report_reader(session, user_id).role, "manage_studies")
    check_readable(session, asked.studies, user_id=user_id)
    check_sections(asked.sections)
    asked_protocol(asked.consensus)
    return enqueue(session, user_id=user_id, kind="report", arguments=asked.model_dump(mode="json"))


def request_bundle(session: Session, *, user_id: str, study: str, allow_credentialed: bool = False) -> str:
    """Queue a study's bundle; return the job's id. Raises as `request_report` does."""
    require(report_reader(session, user_id).role, "manage_studies")
    check_readable(session, (study,), user_id=user_id)
    asked = {"study": study, "allow_credentialed": allow_credentialed}
    return enqueue(session, user_id=user_id, kind="bundle", arguments=asked)


def unfinished_request(session: Session, *, user_id: str) -> str | None:
    """The id of the account's newest report or bundle that is still being built; None if there is none."""
    jobs = select(col(JobRow.id)).where(
        col(JobRow.requested_by) == user_id,
        col(JobRow.kind).in_(("report", "bundle")),
        col(JobRow.status).in_(("queued", "running")),
    )
    return session.scalar(jobs.order_by(col(JobRow.created_at).desc()).limit(1))


def change_marks(session: Session, studies: tuple[ReadableStudy, ...]) -> dict[str, int]:
    """By study id, a number that grows with each change of its labels, decisions or status."""
    ids = [one.study_id for one in studies]
    counted = (
        select(col(AuditRow.chain), func.count())
        .where(col(AuditRow.chain).in_(ids), col(AuditRow.action).in_(_CHANGING))
        .group_by(col(AuditRow.chain))
    )
    return dict.fromkeys(ids, 0) | {key: n for key, n in session.execute(counted)}
