"""`clinicnum jobs` lists, cancels and retries what people asked for, and says when no worker is there."""

from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import Engine
from sqlmodel import select

from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import JobRow
from clinicnum.db.work.accounts.users import add_user
from clinicnum.scripts.cli import run_command
from tests.jobs.performing import enqueue, perform_job, summary


def test_jobs_are_listed_cancelled_and_tried_again(
    engine: Engine, database_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with writing(engine) as session:
        user = add_user(session, name="res", role="researcher", password="password1").user_id

    def said(*arguments: str, code: int = 0) -> str:
        assert run_command(["jobs", *arguments, "--db", database_url]) == code
        printed = capsys.readouterr()
        return printed.out + printed.err

    assert "no job yet" in said("list")
    perform_job(engine, tmp_path, user, "generate", source="csv", path="../../etc/passwd")
    assert "generate by res: failed: ../../etc/passwd: is outside the folder" in said("list")
    job = enqueue(engine, user, "generate")
    assert "no worker runs" not in said("list")
    with writing(engine) as session:
        for row in session.exec(select(JobRow)):
            row.created_at -= timedelta(minutes=1)
            row.heartbeat_at = None
    assert "no worker runs; start one: clinicnum worker" in said("list")
    assert said("cancel", job).strip() == "cancelled"
    assert "nothing to cancel" in said("cancel", job, code=2)
    assert said("retry", job).strip() == "it waits for a worker"
    assert summary(engine, user, job).status == "queued"
    assert "no such job" in said("log", "none", code=2)
    with reading(engine) as session:
        assert session.get_one(JobRow, job).cancel_requested is False
