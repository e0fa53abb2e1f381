"""Bundles of studies, made by jobs. They hold records and texts: only those who manage studies get them."""

import hashlib
from typing import Any

from sqlalchemy import select
from sqlmodel import Session, col

from clinicnum.annotations.role_rights import may, require
from clinicnum.annotations.types import UtcTime
from clinicnum.db.rows import JobFileRow, JobRow
from clinicnum.db.work.jobs.job_claims import save_file
from clinicnum.db.work.reports.readable_studies import ReadableStudy, readable_studies, report_reader
from clinicnum.errors import InputError
from clinicnum.translatable_text import Translatable
from clinicnum.types import Frozen

FILE = "bundle.zip"


class Bundle(Frozen):
    """A bundle in a list."""

    job_id: str
    study: str
    sha256: str
    created_at: UtcTime


def store_bundle(session: Session, *, job_id: str, study: ReadableStudy, content: bytes) -> dict[str, Any]:
    """Store a bundle as the file of its job; return the job's result."""
    save_file(session, job_id=job_id, name=FILE, content=content)
    return {"study": study.study_id, "sha256": hashlib.sha256(content).hexdigest()}


def list_bundles(session: Session, *, user_id: str) -> tuple[Bundle, ...]:
    """The bundles that the account may download, newest first; none for one that manages no studies.

    Raises NotAllowed for an account that may not read reports.
    """
    if not may(report_reader(session, user_id).role, "manage_studies"):
        return ()
    readable = {one.study_id: one.name for one in readable_studies(session, user_id=user_id)}
    jobs = select(JobRow).where(col(JobRow.kind) == "bundle", col(JobRow.status) == "done")
    return tuple(
        Bundle(
            job_id=row.id,
            study=readable[result["study"]],
            sha256=result["sha256"],
            created_at=row.ended_at,
        )
        for row in session.scalars(jobs.order_by(col(JobRow.ended_at).desc()))
        if row.ended_at is not None and (result := row.result or {}).get("study") in readable
    )


def read_bundle(session: Session, *, user_id: str, job_id: str) -> tuple[str, bytes]:
    """A bundle's study and content. Raises InputError for one that does not exist or is not open to the
    account, NotAllowed for an account that manages no studies.
    """
    require(report_reader(session, user_id).role, "manage_studies")
    found = next((one for one in list_bundles(session, user_id=user_id) if one.job_id == job_id), None)
    if found is None:
        raise InputError(Translatable("There is no such bundle that is open to you; reload the page."))
    return found.study, session.get_one(JobFileRow, (job_id, FILE)).content
