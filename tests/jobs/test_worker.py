"""The worker: cancels, tries again, gives jobs back when it stops, and shares them with another worker."""

from pathlib import Path

import pytest
from sqlalchemy import Engine
from sqlmodel import select

from clinicnum.annotations.worker_jobs import Progress
from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import GenerationRow
from clinicnum.db.work.accounts.users import add_user
from clinicnum.db.work.jobs import job_claims, job_store
from clinicnum.errors import InputError, NotAllowed
from tests.jobs.performing import claim, enqueue, perform_job, summary
from tests.jobs.slow_server import MODEL, slow_server
from tests.jobs.workers import WorkerProcess, job_process, wait_for


@pytest.fixture
def researcher(engine: Engine) -> str:
    with writing(engine) as session:
        return add_user(session, name="res", role="researcher", password="password1").user_id


def _status(engine: Engine, user: str, job_id: str) -> str:
    return summary(engine, user, job_id).status


def test_a_cancelled_run_is_ended_and_goes_on_where_it_stopped(
    engine: Engine, database_url: str, researcher: str, tmp_path: Path
) -> None:
    worker = WorkerProcess(database_url, tmp_path)
    made = perform_job(engine, worker.files, researcher, "generate", quota="retrieval=9,comparison=9")
    assert made.result is not None
    with slow_server(0.1) as server:
        asked = {"client": "openai", "model": MODEL, "base_url": server.url}
        run = enqueue(engine, researcher, "run", benchmark_id=made.result["benchmark"], **asked)
        worker.start()
        wait_for("answers", lambda: summary(engine, researcher, run).progress.done >= 3)
        shown = summary(engine, researcher, run)
        assert (shown.progress.total, shown.progress.unit) == (54, "generations")
        assert shown.progress.per_second is not None
        assert shown.progress.seconds_left is not None
        with writing(engine) as session:
            assert job_store.cancel_job(session, user_id=researcher, job_id=run) == "running"
        wait_for("the cancel", lambda: _status(engine, researcher, run) == "cancelled")
        wait_for("its process to end", lambda: job_process(run) is None)
        with reading(engine) as session:
            assert "slow-abe" in job_store.job_log(session, user_id=researcher, job_id=run)
            assert session.exec(select(GenerationRow.id)).first() is None
        with writing(engine) as session:
            job_store.retry_job(session, user_id=researcher, job_id=run)
        wait_for("its end", lambda: _status(engine, researcher, run) == "done")
        with reading(engine) as session:
            log = job_store.job_log(session, user_id=researcher, job_id=run)
            assert "of 54 are done already" in log
            assert len(session.exec(select(GenerationRow.id)).all()) == 54
    # A worker that is stopped gives its job back at once.
    waits = enqueue(engine, researcher, "generate", preset="paper")
    wait_for("its process", lambda: job_process(waits) is not None)
    worker.stop()
    assert job_process(waits) is None
    assert _status(engine, researcher, waits) == "queued"


def test_two_workers_never_run_a_job_twice(
    engine: Engine, database_url: str, researcher: str, tmp_path: Path
) -> None:
    jobs = [enqueue(engine, researcher, "generate", quota="retrieval=2", seed=seed) for seed in range(4)]
    workers = [WorkerProcess(database_url, tmp_path / name) for name in ("one", "other")]
    for worker in workers:
        worker.folder.mkdir()
        worker.start()
    wait_for("their end", lambda: all(_status(engine, researcher, one) == "done" for one in jobs))
    for worker in workers:
        worker.stop()
    assert [summary(engine, researcher, one).attempt for one in jobs] == [1] * 4
    begun = "".join(worker.log.read_text() for worker in workers)
    assert [begun.count(f"job {one} (generate) begins") for one in jobs] == [1] * 4


def test_a_worker_taken_for_dead_can_store_nothing_more(
    engine: Engine, researcher: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = enqueue(engine, researcher, "generate")
    first = claim(engine, "generate", worker="first")
    assert first is not None
    assert claim(engine, "generate", worker="second") is None
    monkeypatch.setattr(job_store, "SILENT_AFTER", job_store.timedelta(0))
    second = claim(engine, "generate", worker="second")
    assert second is not None
    assert second.attempt == (job, 2)
    with writing(engine) as session, pytest.raises(job_claims.JobLost, match="attempt 1 is over"):
        job_claims.beat(session, first.attempt, progress=Progress(), log_tail="")
    with writing(engine) as session, pytest.raises(job_claims.JobLost):
        job_claims.end_job(session, first.attempt, status="done", result={})
    with writing(engine) as session:
        job_claims.end_job(session, second.attempt, status="done", result={})
    assert summary(engine, researcher, job).result == {}


def test_a_job_that_never_gets_further_fails_and_can_be_tried_again(engine: Engine, researcher: str) -> None:
    job = enqueue(engine, researcher, "generate")
    for _ in range(job_claims.MOST_BEGINNINGS):
        taken = claim(engine, "generate")
        assert taken is not None
        with writing(engine) as session:
            job_claims.put_back(session, taken.attempt, died=True)
    ended = summary(engine, researcher, job)
    assert ended.status == "failed"
    assert "5 times in a row" in (ended.error or "")
    with writing(engine) as session:
        job_store.retry_job(session, user_id=researcher, job_id=job)
    assert claim(engine, "generate") is not None


def test_a_job_is_its_owners_and_the_admins(engine: Engine, researcher: str) -> None:
    with writing(engine) as session:
        other = add_user(session, name="other", role="researcher", password="password1").user_id
        admin = add_user(session, name="root", role="admin", password="password1").user_id
        annotator = add_user(session, name="ann", role="annotator", password="password1").user_id
    job = enqueue(engine, researcher, "generate")
    for change in (job_store.cancel_job, job_store.retry_job):
        with writing(engine) as session, pytest.raises(NotAllowed, match="another person's"):
            change(session, user_id=other, job_id=job)
        with writing(engine) as session, pytest.raises(NotAllowed, match="may not evaluate"):
            change(session, user_id=annotator, job_id=job)
        with writing(engine) as session, pytest.raises(InputError, match="no such job"):
            change(session, user_id=admin, job_id="none")
    with writing(engine) as session:
        assert job_store.cancel_job(session, user_id=admin, job_id=job) == "cancelled"
    with writing(engine) as session, pytest.raises(InputError, match="has ended already"):
        job_store.cancel_job(session, user_id=researcher, job_id=job)
    with writing(engine) as session:
        job_store.retry_job(session, user_id=researcher, job_id=job)
    with writing(engine) as session, pytest.raises(InputError, match="failed or was cancelled"):
        job_store.retry_job(session, user_id=researcher, job_id=job)


def test_no_account_queues_more_than_its_share(engine: Engine, researcher: str) -> None:
    for _ in range(job_store.WAITING_PER_USER):
        enqueue(engine, researcher, "generate")
    with pytest.raises(InputError, match="20 of your jobs are unfinished"):
        enqueue(engine, researcher, "generate")
