"""Reports whose worker is killed at random moments are frozen once, with the files of an unbroken one."""

from pathlib import Path
from random import Random

import pytest
from sqlalchemy import Engine
from sqlmodel import select

from clinicnum.annotations.exports.report_folder import folder_hash, reports_folder
from clinicnum.annotations.worker_jobs import ReportArguments
from clinicnum.db.engine import reading
from clinicnum.db.rows import AuditRow, FrozenReportRow, JobFileRow, JobRow
from clinicnum.db.work.jobs import job_store
from clinicnum.db.work.studies.load_whole_study import load_study_tables
from clinicnum.scripts.commands.report import this_program
from tests.db.adjudicating import add_role, differing
from tests.jobs.test_kills import KILLS, Killer
from tests.jobs.workers import WorkerProcess


def test_a_report_is_frozen_once_and_whole_however_often_its_worker_is_killed(
    engine: Engine, database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(job_store, "SILENT_AFTER", job_store.timedelta(seconds=4))
    differing(engine, wrong=3)
    lead = add_role(engine, "lead", "researcher")
    asked = ReportArguments(studies=("six",))
    with reading(engine) as session:
        tables = load_study_tables(session, "six")
    _, files = reports_folder([tables], asked, generated_by=this_program())
    worker = WorkerProcess(database_url, tmp_path)
    killer = Killer(engine, lead, worker.start(), Random(7))
    killer.survive("report", max(1, KILLS // 3), studies=["six"])
    worker.stop()
    with reading(engine) as session:
        done = set(session.exec(select(JobRow.id).where(JobRow.status == "done")))
        reports = session.exec(select(FrozenReportRow)).all()
        assert {one.id for one in reports} == done
        assert {one.sha256 for one in reports} == {folder_hash(files)}
        for job_id in session.exec(select(JobFileRow.job_id).distinct()):
            stored = session.exec(select(JobFileRow).where(JobFileRow.job_id == job_id))
            assert {row.name: row.content for row in stored} == files
            assert job_id in done
        frozen = session.exec(select(AuditRow).where(AuditRow.action == "freeze_report")).all()
        assert len(frozen) == len(done)
