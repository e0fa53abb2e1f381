"""Reports and bundles built as a worker builds them, for tests."""

from pathlib import Path
from typing import Any

from sqlalchemy import Engine

from clinicnum.annotations.worker_jobs import ReportArguments
from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import JobRow
from clinicnum.db.work.reports import request_report
from clinicnum.scripts.commands.jobs.job_process import perform
from tests.jobs.performing import claim


def work_off(engine: Engine, folder: Path) -> dict[str, Any]:
    """Do the one job that waits, in this process; its result."""
    taken = claim(engine, "report", "bundle")
    assert taken is not None
    perform(engine, folder, taken.attempt)
    with reading(engine) as session:
        row = session.get_one(JobRow, taken.attempt.job_id)
        assert row.result is not None, row.error
        return row.result


def build(engine: Engine, user_id: str, folder: Path, *studies: str, **options: Any) -> str:
    """Ask for a report of these studies and build it; its id."""
    with writing(engine) as session:
        asked = ReportArguments.model_validate({"studies": studies, **options})
        request_report.request_report(session, user_id=user_id, asked=asked)
    return str(work_off(engine, folder)["report"])
