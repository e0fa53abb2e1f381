"""The worker: takes jobs from the database and runs each in a process of its own; see `docs/jobs.md`.

The process can be killed for a cancel, gives all memory back at its end, and ends with the worker, however
that ends. The worker stores how far the job is, which is also the sign that the worker is alive.
"""

import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from sqlalchemy import Engine

from clinicnum.annotations.worker_jobs import MODEL_KINDS, OTHER_KINDS, JobKind, Progress
from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import utc_now
from clinicnum.db.work.benchmarks.batched_storage import delete_left_over
from clinicnum.db.work.jobs import job_claims
from clinicnum.errors import InputError, Unavailable
from clinicnum.inference.generations_file_lock import LockHeld, check_free, file_lock
from clinicnum.scripts.commands.common.open_database import ENVIRONMENT
from clinicnum.scripts.commands.common.uploads_folder import private_folder
from clinicnum.scripts.commands.jobs.job_context import JobFolder
from clinicnum.translatable_text import Translatable

LANES: dict[str, tuple[tuple[JobKind, ...], ...]] = {
    "all": (MODEL_KINDS, OTHER_KINDS),
    "models": (MODEL_KINDS,),
    "others": (OTHER_KINDS,),
}
"""`--take` value -> lanes: kinds that run one job at a time."""
TICK_S = 0.5
PROGRESS_S = 1.0
"""Shortest time between stored progress reports."""
BEAT_S = 2.0
"""Longest time between stores (signs of life) and between cancel checks."""
NICENESS = 10
"""Labelling on the same machine has priority."""
SETTINGS = {"PYTHONUNBUFFERED": "1", "OMP_WAIT_POLICY": "PASSIVE"}
"""Environment of a job's process: log unbuffered, waiting threads leave the processor idle."""
KEPT = timedelta(days=30)
"""How long the folder of a failed or cancelled job is kept for a retry."""


@dataclass
class _Running:
    """A job whose process runs."""

    claim: job_claims.Claim
    folder: JobFolder
    process: subprocess.Popen[bytes]
    progress: Progress
    told: tuple[Progress, str] | None = None
    """The progress and log that the database holds."""
    beat_at: float = 0.0

    def kill(self) -> None:
        """End the process and those that it started, and wait for it."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def current(self) -> tuple[Progress, str]:
        """The progress and the end of the log as they are now."""
        found = self.folder.read_progress() or Progress()
        further = found.done > self.claim.progress.done
        begun_again = 0 if further else self.claim.progress.begun_again
        return found.model_copy(update={"begun_again": begun_again}), self.folder.log_tail()


class Worker:
    """Takes jobs until `stop` is set: at most one of each lane at a time."""

    def __init__(self, engine: Engine, files: Path, *, lanes: Sequence[tuple[JobKind, ...]]) -> None:
        """`files` is the folder of uploads and jobs; `lanes` are groups of kinds, as the values of LANES."""
        self.engine = engine
        self.files = files
        self.stop = threading.Event()
        self.name = f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(4)}"
        self._running: dict[tuple[JobKind, ...], _Running | None] = dict.fromkeys(lanes)
        self._complained = False

    def work(self) -> None:
        """Take jobs until stopped; running jobs are put back, to continue in the next worker. Raises
        InputError if the folder of uploads and jobs cannot be used.
        """
        with self._presence():
            self._clean()
            try:
                while not self.stop.wait(TICK_S):
                    for lane in self._running:
                        self._step(lane)
                    self._delete_left_over()
            finally:
                self._give_back()

    @contextmanager
    def _presence(self) -> Iterator[None]:
        """Hold the lock by which other workers on this machine see whether this one lives."""
        workers = private_folder(self.files / "workers")
        for left in workers.iterdir():
            if left.stat().st_mtime < time.time() - KEPT.total_seconds():
                left.unlink(missing_ok=True)
        with file_lock(workers / self.name, alone=True):
            yield
        (workers / self.name).unlink(missing_ok=True)

    def _is_dead(self, worker: str) -> bool:
        path = self.files / "workers" / worker
        try:
            check_free(path)
        except LockHeld:
            return False
        return path.is_file()

    def _step(self, lane: tuple[JobKind, ...]) -> None:
        try:
            running = self._running[lane]
            if running is None:
                self._running[lane] = self._begin(lane)
            elif not self._tend(running):
                self._running[lane] = None
        except Unavailable as error:
            if not self._complained:
                _say(f"warning: {error} ({error.where}); trying on")
            self._complained = True
        else:
            self._complained = False

    def _begin(self, lane: tuple[JobKind, ...]) -> _Running | None:
        with reading(self.engine) as session:
            if not job_claims.anything_to_claim(session, kinds=lane, is_dead=self._is_dead):
                return None
        with writing(self.engine) as session:
            claim = job_claims.claim(session, worker=self.name, kinds=lane, is_dead=self._is_dead)
        if claim is None:
            return None
        job_id, number = claim.attempt
        _say(f"job {job_id} ({claim.kind}) begins, attempt {number}")
        folder = JobFolder.of(self.files, job_id)
        try:
            folder.make()
            folder.progress.unlink(missing_ok=True)
            return _Running(claim, folder, self._start(claim.attempt, folder), claim.progress)
        except (InputError, OSError) as error:
            with writing(self.engine) as session:
                reason = Translatable("it could not be begun: {error}", error=str(error))
                job_claims.end_job(session, claim.attempt, status="failed", error=reason)
        return None

    def _start(self, attempt: job_claims.Attempt, folder: JobFolder) -> subprocess.Popen[bytes]:
        module = "clinicnum.scripts.commands.jobs.job_process"
        url = self.engine.url.render_as_string(hide_password=False)
        with open(folder.log, "ab", opener=_private) as log:
            # S603: a module of ours, with ids made by us. The pipe stays open while this process lives.
            return subprocess.Popen(  # noqa: S603
                [sys.executable, "-m", module, attempt.job_id, str(attempt.number), str(self.files)],
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                env=os.environ | {ENVIRONMENT: url} | SETTINGS,
                start_new_session=True,
            )

    def _tend(self, running: _Running) -> bool:
        """Store how far a running job is; return False once it is over."""
        ended = running.process.poll() is not None
        now, found = time.monotonic(), running.current()
        pause = BEAT_S if found == running.told else PROGRESS_S
        if not ended and now - running.beat_at < pause:
            return True
        attempt = running.claim.attempt
        try:
            with writing(self.engine) as session:
                cancel = job_claims.beat(session, attempt, progress=found[0], log_tail=found[1])
            running.told, running.beat_at = found, now
            if not (cancel or ended):
                return True
            running.kill()
            with writing(self.engine) as session:
                if cancel:
                    job_claims.end_job(session, attempt, status="cancelled")
                else:
                    job_claims.put_back(session, attempt, died=True)
        except job_claims.JobLost:  # it has stored its own end, or is none of ours any more
            running.kill()
        _say(f"job {attempt.job_id} has ended, or waits to be begun again")
        self._clean()
        return False

    def _delete_left_over(self) -> None:
        """Delete what jobs and commands that were killed had stored of a benchmark or run."""
        with suppress(Unavailable):
            delete_left_over(self.engine, for_s=TICK_S)

    def _give_back(self) -> None:
        for running in filter(None, self._running.values()):
            running.kill()
            with suppress(job_claims.JobLost, Unavailable), writing(self.engine) as session:
                job_claims.put_back(session, running.claim.attempt, died=False)

    def _clean(self) -> None:
        """Delete the folders of jobs that are done, and of those that failed or were cancelled more than KEPT
        ago.
        """
        here = {one.name for one in private_folder(self.files / "jobs").iterdir()}
        with reading(self.engine) as session:
            needed = job_claims.needing_their_folder(session, here, ended_after=utc_now() - KEPT)
        for name in here - needed:
            shutil.rmtree(self.files / "jobs" / name, ignore_errors=True)


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
