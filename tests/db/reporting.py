"""Reports and bundles built as a worker builds them, for tests."""

from pathlib import Path
from typing import Any

from sqlalchemy import Engine

from clinicnum.annotations.jobs import ARGUMENTS, ReportArguments
from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import JobRow
from clinicnum.db.work.jobs import job_claims
from clinicnum.db.work.reports import request_report
from clinicnum.scripts.commands.jobs.context import JobContext
from clinicnum.scripts.commands.jobs.kinds import KINDS


def work_off(engine: Engine, folder: Path) -> dict[str, Any]:
    """Do the one job that waits, in this process; its result."""
    with writing(engine) as session:
        claimed = job_claims.claim(session, worker="test:1", kinds=("report", "bundle"))
    assert claimed is not None
    with reading(engine) as session:
        row = session.get_one(JobRow, claimed.job_id)
        arguments, user_id = row.arguments, row.requested_by
    context = JobContext(engine, claimed.job_id, user_id, claimed.attempt, folder)
    (folder / "jobs" / claimed.job_id).mkdir(parents=True)
    asked = ARGUMENTS[claimed.kind].model_validate(arguments)
    return KINDS[claimed.kind](context, asked)


def build(engine: Engine, user_id: str, folder: Path, *studies: str, **options: Any) -> str:
    """Ask for a report of these studies and build it; its id."""
    with writing(engine) as session:
        asked = ReportArguments.model_validate({"studies": studies, **options})
        request_report.request_report(session, user_id=user_id, asked=asked)
    return str(work_off(engine, folder)["report"])
