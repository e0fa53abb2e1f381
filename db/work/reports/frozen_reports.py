"""Reports as they were at one time: stored with their files, listed, and handed out to who may read them.

A frozen report never changes. Who may read it follows the studies that it covers as they stand now.
"""

from collections.abc import Collection, Mapping
from typing import Any

from sqlalchemy import Select, delete, select
from sqlmodel import Session, col

from clinicnum.annotations.bundle.archive import pack
from clinicnum.annotations.exports.report_files import FIGURES, read_report
from clinicnum.annotations.exports.report_folder import ARCHIVES, archive_members, folder_hash
from clinicnum.annotations.report.report_content import Report
from clinicnum.annotations.types import UtcTime
from clinicnum.annotations.worker_jobs import ReportArguments
from clinicnum.db.rows import FrozenReportRow, JobFileRow, JobRow, UserRow, utc_now
from clinicnum.db.work.audit.audit_log import append
from clinicnum.db.work.jobs.job_claims import save_file
from clinicnum.db.work.reports.readable_studies import ReadableStudy, every_study, readable_studies
from clinicnum.db.work.reports.request_report import change_marks
from clinicnum.errors import InputError
from clinicnum.translatable_text import Translatable
from clinicnum.types import Frozen

_MARKS = "change_marks"
NO_REPORT = Translatable("There is no such report that is open to you; reload the page.")
NO_FILE = Translatable("This report has no such file; choose one of those shown.")


class FrozenReport(Frozen):
    """A frozen report in a list."""

    report_id: str
    title: str
    studies: tuple[str, ...]
    """Names."""
    options: dict[str, Any]
    """Chosen options, as in `ReportArguments`."""
    sha256: str
    created_by: str
    """Name of the account."""
    created_at: UtcTime
    changes: int
    """Changes of labels, decisions and status in its studies since."""


def freeze(
    session: Session,
    *,
    job_id: str,
    user_id: str,
    asked: ReportArguments,
    studies: tuple[ReadableStudy, ...],
    marks: Mapping[str, int],
    files: Mapping[str, bytes],
) -> dict[str, Any]:
    """Store a report with its files as those of its job; return the job's result.

    `marks` are those of `change_marks`, from the transaction that the report was read in.
    """
    sha256 = folder_hash(files)
    for name, content in files.items():
        save_file(session, job_id=job_id, name=name, content=content)
    row = FrozenReportRow(
        id=job_id,
        job_id=job_id,
        title=asked.title.strip() or ", ".join(one.name for one in studies),
        studies=[one.study_id for one in studies],
        options={**asked.model_dump(mode="json", exclude={"studies", "title"}), _MARKS: dict(marks)},
        sha256=sha256,
        created_by=user_id,
        created_at=utc_now(),
    )
    session.add(row)
    session.flush()
    told = {"report": row.id, "title": row.title, "studies": row.studies, "sha256": sha256}
    append(session, study_id=None, actor=user_id, action="freeze_report", after=told)
    return {"report": row.id, "sha256": sha256, "files": len(files)}


def list_frozen(session: Session, *, user_id: str) -> tuple[FrozenReport, ...]:
    """The reports that the account may read, newest first. Raises NotAllowed for an account without the right
    to read reports.
    """
    return _list(session, readable_studies(session, user_id=user_id))


def every_report(session: Session) -> tuple[FrozenReport, ...]:
    """All reports, newest first; for commands."""
    return _list(session, every_study(session))


def report_files(session: Session, report_id: str) -> dict[str, bytes]:
    """The files of a report by name; for commands. Raises InputError for one that does not exist."""
    if session.get(FrozenReportRow, report_id) is None:
        raise InputError(
            f"no report {report_id!r} in the database; see those there are: clinicnum reports list"
        )
    rows = select(JobFileRow).where(col(JobFileRow.job_id) == report_id)
    return {row.name: row.content for row in session.scalars(rows)}


def forget_studies(session: Session, studies: Collection[str]) -> None:
    """Delete bundles of these studies (ids) and reports that cover one of them, when the studies are
    deleted.
    """
    gone = [
        row for row in session.scalars(select(FrozenReportRow)) if not set(row.studies).isdisjoint(studies)
    ]
    bundles = session.scalars(select(JobRow).where(col(JobRow.kind) == "bundle"))
    jobs = [row.job_id for row in gone]
    jobs += [row.id for row in bundles if (row.result or {}).get("study") in studies]
    session.execute(delete(FrozenReportRow).where(col(FrozenReportRow.id).in_([row.id for row in gone])))
    session.execute(delete(JobFileRow).where(col(JobFileRow.job_id).in_(jobs)))


def _list(session: Session, studies: tuple[ReadableStudy, ...]) -> tuple[FrozenReport, ...]:
    """The reports on no other than these studies, newest first."""
    readable = {one.study_id: one for one in studies}
    rows = session.execute(_frozen().order_by(col(FrozenReportRow.created_at).desc())).all()
    marks = change_marks(session, studies)
    return tuple(
        _summary(row, name, readable, marks) for row, name in rows if readable.keys() >= set(row.studies)
    )


def frozen_report(session: Session, *, user_id: str, report_id: str) -> FrozenReport:
    """One report.

    Raises InputError for one that does not exist or with a study that the account may not read, NotAllowed
    for an account that may not read reports.
    """
    readable = {one.study_id: one for one in readable_studies(session, user_id=user_id)}
    found = session.execute(_frozen().where(col(FrozenReportRow.id) == report_id)).first()
    if found is None or not readable.keys() >= set(found[0].studies):
        raise InputError(NO_REPORT)
    row, name = found
    marks = change_marks(session, tuple(readable[key] for key in row.studies))
    return _summary(row, name, readable, marks)


def file_names(session: Session, *, user_id: str, report_id: str) -> tuple[str, ...]:
    """The names of a report's files, sorted, and after them of the archives that hold some of these. Raises
    as `frozen_report` does.
    """
    frozen_report(session, user_id=user_id, report_id=report_id)
    names = session.scalars(select(col(JobFileRow.name)).where(col(JobFileRow.job_id) == report_id)).all()
    return (*sorted(names), *(one for one in ARCHIVES if archive_members(one, names)))


def read_file(session: Session, *, user_id: str, report_id: str, name: str) -> bytes:
    """A file of a report, or an archive of several.

    Raises as `frozen_report` does, and InputError for a file that does not exist.
    """
    frozen_report(session, user_id=user_id, report_id=report_id)
    if name in ARCHIVES:
        files = report_files(session, report_id)
        members = archive_members(name, files)
        if members:
            return pack({one: files[one] for one in members})
    row = session.get(JobFileRow, (report_id, name))
    if row is None:
        raise InputError(NO_FILE)
    return row.content


def read_frozen(session: Session, *, user_id: str, report_id: str, folder: str = "") -> Report:
    """A report's content, or that of one study's own report, in `folder`. Raises as `read_file` does, and
    InputError for a report that this version cannot read.
    """
    name = f"{folder}/{FIGURES}" if folder else FIGURES
    return read_report(read_file(session, user_id=user_id, report_id=report_id, name=name), name)


def _frozen() -> Select[FrozenReportRow, str]:
    return select(FrozenReportRow, col(UserRow.name)).join(
        UserRow, col(UserRow.id) == col(FrozenReportRow.created_by)
    )


def _summary(
    row: FrozenReportRow, created_by: str, readable: Mapping[str, ReadableStudy], marks: Mapping[str, int]
) -> FrozenReport:
    before = row.options.get(_MARKS, {})
    return FrozenReport(
        report_id=row.id,
        title=row.title,
        studies=tuple(readable[key].name for key in row.studies),
        options={key: value for key, value in row.options.items() if key != _MARKS},
        sha256=row.sha256,
        created_by=created_by,
        created_at=row.created_at,
        changes=sum(marks[key] - before.get(key, 0) for key in row.studies),
    )
