"""Workers and jobs killed with SIGKILL at random moments: what they store is as if nothing had happened.

The suite kills a worker and its jobs two times on each database, on each in other kinds of job; reports are
killed by `test_report_kills`. `scripts/dev/evidence jobs` kills twenty times on each in all kinds, and
`clinicnum serve` with its worker too, whose page is read after each kill.
"""

import os
import shutil
import signal
import time
from collections import Counter
from contextlib import suppress
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlalchemy import Engine
from sqlmodel import Session, select

from clinicnum.annotations.worker_jobs import JobKind
from clinicnum.db.engine import make_engine, reading, writing
from clinicnum.db.rows import (
    AuditRow,
    BenchmarkRow,
    FrozenReportRow,
    GenerationRow,
    InstanceRow,
    JobFileRow,
    JobRow,
    RunRow,
    ScoreRow,
)
from clinicnum.db.work.accounts.users import add_user
from clinicnum.db.work.jobs import job_store
from clinicnum.scripts.commands.jobs.job_context import JobFolder
from clinicnum.ui.components.job_wording import job_state
from tests.db.examples import add_users, open_study
from tests.jobs.performing import enqueue, perform_job, summary
from tests.jobs.slow_server import MODEL, Slow, slow_server
from tests.jobs.workers import ServedWorker, WorkerProcess, job_process, wait_for

KILLS = int(os.environ.get("CLINICNUM_KILLS", "0"))
"""On each database, in all kinds of job; 0: those of `IN_SUITE`."""
PASSWORD = "password1"
MOST_A_JOB = 3
"""A job whose process ends more often without getting further counts as failed."""
IN_SUITE: dict[str, dict[JobKind, int]] = {
    "sqlite": {"generate": 1, "run": 1},
    "postgresql": {"run": 1, "score": 1},
}
"""How often the suite kills in a kind of job. Of the others it asks for what these need."""
QUOTA = "retrieval=30,comparison=30,arithmetic=30"
SECONDS = 0.1
"""What an answer takes: a run lasts long enough to be killed."""
RUN = {"client": "openai", "model": MODEL, "limit": 60}


def _stored(session: Session) -> dict[str, Any]:
    """What the jobs stored, without what differs between any two runs."""

    def rows(table: Any) -> list[Any]:
        return list(session.exec(select(table).order_by(table.id)).all())

    return {
        "benchmarks": [(row.id, row.meta) for row in rows(BenchmarkRow)],
        "instances": [row.payload for row in rows(InstanceRow)],
        "runs": [row.id for row in rows(RunRow)],
        "generations": [row.payload | {"latency_s": None} for row in rows(GenerationRow)],
        "scores": [(row.id, row.payload, row.current) for row in rows(ScoreRow)],
        "reports": sorted({tuple(row.studies) for row in rows(FrozenReportRow)}),
    }


class Killer:
    """Asks for jobs and kills what works on them."""

    def __init__(
        self, engine: Engine, user: str, worker: WorkerProcess, rng: Random, *, first_way: int = 0
    ) -> None:
        """`first_way`: the place of the way in which it kills first; the others follow in turn."""
        self.engine, self.user, self.worker, self.rng = engine, user, worker, rng
        self.first_way = first_way
        self.killed: list[tuple[JobKind, str]] = []

    def survive(self, kind: JobKind, kills: int, **arguments: Any) -> dict[str, Any]:
        """Jobs of this kind, one after the other until so many kills hit one; the result of the last."""
        before, result = len(self.killed), None
        while len(self.killed) - before < kills or result is None:
            left = kills - (len(self.killed) - before)
            result = self._one(kind, left if kind == "run" else min(MOST_A_JOB, left), arguments)
        return result

    def _one(self, kind: JobKind, kills: int, arguments: dict[str, Any]) -> dict[str, Any]:
        job_id, done = enqueue(self.engine, self.user, kind, **arguments), 0
        for attempt in range(1, kills + 1):
            wait_for("the next attempt", partial(self._begun, job_id, attempt))
            if kind == "run":
                wait_for("answers", partial(self._further, job_id, done))
                done = summary(self.engine, self.user, job_id).progress.done
            elif self.rng.random() < 0.6:
                wait_for("progress", partial(self._works, job_id))
            time.sleep(self.rng.uniform(0, 1.0))
            if self._ended(job_id):
                break
            self._kill(kind, job_id)
        wait_for("its end", lambda: self._ended(job_id))
        job = summary(self.engine, self.user, job_id)
        assert (job.status, job.error) == ("done", None)
        assert job.result is not None
        return job.result

    def _begun(self, job_id: str, attempt: int) -> bool:
        return self._ended(job_id) or summary(self.engine, self.user, job_id).attempt >= attempt

    def _further(self, job_id: str, done: int) -> bool:
        return summary(self.engine, self.user, job_id).progress.done > done or self._ended(job_id)

    def _works(self, job_id: str) -> bool:
        return JobFolder.of(self.worker.files, job_id).progress.is_file() or self._ended(job_id)

    def _ended(self, job_id: str) -> bool:
        return summary(self.engine, self.user, job_id).status in ("done", "failed", "cancelled")

    def _kill(self, kind: JobKind, job_id: str) -> None:
        way = self.worker.ways[(self.first_way + len(self.killed)) % len(self.worker.ways)]
        process = job_process(job_id)
        if "job" in way:
            if process is None:
                return
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        if self.worker.kill(way):
            self._see_the_truth(job_id)
            wait_for("its process to end with it", lambda: job_process(job_id) is None)
            self.worker.start()
        self.killed.append((kind, way))
        if isinstance(self.worker, ServedWorker):
            wait_for("the page to say how the job stands", lambda: self._page_tells(job_id))

    def _page_tells(self, job_id: str) -> bool:
        """Whether the page says of the job what is stored of it, which may change while it is asked."""
        assert isinstance(self.worker, ServedWorker)
        before = job_state(summary(self.engine, self.user, job_id))
        shown = self.worker.page("res", PASSWORD)[job_id]
        return shown in (before, job_state(summary(self.engine, self.user, job_id)))

    def _see_the_truth(self, job_id: str) -> None:
        """With no worker, a job that had not ended is shown as one that has lost its worker."""
        wait_for("the silence to be noticed", lambda: not self._seems_to_run(job_id))
        if summary(self.engine, self.user, job_id).status == "running":
            with reading(self.engine) as session:
                assert job_store.waiting_without_worker(session)

    def _seems_to_run(self, job_id: str) -> bool:
        job = summary(self.engine, self.user, job_id)
        return job.status == "running" and job.alive


def _kills(database: str) -> Counter[JobKind]:
    """By kind of job."""
    if not KILLS:
        return Counter(IN_SUITE[database])
    share = KILLS // 4
    return Counter({"generate": share, "run": KILLS - 3 * share, "score": share, "report": share})


@pytest.fixture
def unbroken(sqlite_template: Path, tmp_path: Path) -> Engine:
    """A database of its own for jobs that nothing happens to."""
    shutil.copy(sqlite_template, tmp_path / "unbroken.db")
    return make_engine(f"sqlite:///{tmp_path / 'unbroken.db'}")


def _researcher(engine: Engine) -> str:
    add_users(engine)
    open_study(engine)
    with writing(engine) as session:
        return add_user(session, name="res", role="researcher", password=PASSWORD).user_id


def _expected(engine: Engine, files: Path, server: Slow, *, report: bool) -> dict[str, Any]:
    user = _researcher(engine)
    made = perform_job(engine, files, user, "generate", quota=QUOTA).result or {}
    asked = RUN | {"benchmark_id": made["benchmark"], "base_url": server.url}
    server.seconds = 0.0
    perform_job(engine, files, user, "run", **asked)
    server.seconds = SECONDS
    if report:
        perform_job(engine, files, user, "report", studies=["six"])
    with reading(engine) as session:
        stored = _stored(session)
    engine.dispose()
    return stored


def test_killed_again_and_again_it_ends_as_if_nothing_had_happened(
    engine: Engine,
    database_url: str,
    unbroken: Engine,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(job_store, "SILENT_AFTER", job_store.timedelta(seconds=4))
    worker = (ServedWorker if len(ServedWorker.ways) <= KILLS else WorkerProcess)(database_url, tmp_path)
    user = _researcher(engine)
    with slow_server(SECONDS) as server:
        began = time.monotonic()
        kills = _kills(engine.dialect.name)
        expected = _expected(unbroken, tmp_path / "unbroken", server, report=kills["report"] > 0)
        print(f"unbroken in {time.monotonic() - began:.1f} s")
        killer = Killer(
            engine,
            user,
            worker.start(),
            Random(20_261_126),
            first_way=0 if engine.dialect.name == "sqlite" else 2,
        )
        asked_before = len(server.asked)
        made = killer.survive("generate", kills["generate"], quota=QUOTA)
        asked = RUN | {"benchmark_id": made["benchmark"], "base_url": server.url}
        run = killer.survive("run", kills["run"], **asked)
        if kills["score"]:
            killer.survive("score", kills["score"], runs=run["runs"])
        if kills["report"]:
            killer.survive("report", kills["report"], studies=["six"])
        again = len(server.asked) - asked_before
    wait_for("its folders to be deleted", lambda: not list((worker.files / "jobs").iterdir()))
    worker.stop()
    print(f"{len(killer.killed)} kills: {Counter(killer.killed)}; {again} questions asked")
    with reading(engine) as session:
        assert _stored(session) == expected
        actions = Counter(session.exec(select(AuditRow.action)))
        kinds = Counter(session.exec(select(JobRow.kind).where(JobRow.status == "done")))
        reports = session.exec(select(FrozenReportRow.job_id)).all()
        files = set(session.exec(select(JobFileRow.job_id)))
    assert actions["add_benchmark"] == 1
    assert actions["add_run"] == kinds["run"] + kinds["score"]
    assert len(reports) == len(files) == kinds["report"]
