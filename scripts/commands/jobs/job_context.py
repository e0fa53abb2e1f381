"""What a job's function gets: its folder, and methods to report progress and store results."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import Engine
from sqlmodel import Session

from clinicnum.annotations.worker_jobs import Progress
from clinicnum.db import engine as database
from clinicnum.db.work.benchmarks.batched_storage import Storing, storing
from clinicnum.db.work.jobs import job_claims
from clinicnum.scripts.commands.common.uploads_folder import private_folder

WRITE_EVERY_S = 0.5
LOG_TAIL = 8_000
"""Characters at the end of a job's log that pages show."""


@dataclass(frozen=True)
class JobFolder:
    """The folder of a job on the worker's machine, kept until the job succeeds."""

    path: Path

    @classmethod
    def of(cls, files: Path, job_id: str) -> "JobFolder":
        """The folder of this job; does not create it."""
        return cls(files / "jobs" / job_id)

    def make(self) -> None:
        """Create the folder if missing. Raises InputError if that is impossible."""
        private_folder(self.work)

    @property
    def work(self) -> Path:
        """Subfolder in which the job's function keeps its files."""
        return self.path / "work"

    @property
    def log(self) -> Path:
        """File of the standard output and error of the job's attempts."""
        return self.path / "log"

    @property
    def lock(self) -> Path:
        """File that the process which runs the job keeps locked."""
        return self.path / "lock"

    @property
    def progress(self) -> Path:
        """File of the progress that the job reported last, as JSON."""
        return self.path / "progress.json"

    def read_progress(self) -> Progress | None:
        """The stored progress; None before any report."""
        if not self.progress.is_file():
            return None
        return Progress.model_validate_json(self.progress.read_bytes())

    def write_progress(self, progress: Progress) -> None:
        """Replace the progress; not synced to disk, as it matters only while new."""
        part = self.progress.with_suffix(".part")
        part.write_text(progress.model_dump_json(), encoding="utf-8")
        part.replace(self.progress)

    def log_tail(self) -> str:
        """The end of the log, in whole lines."""
        if not self.log.is_file():
            return ""
        with self.log.open("rb") as handle:
            size = handle.seek(0, 2)
            handle.seek(max(0, size - LOG_TAIL))
            text = handle.read().decode(errors="replace")
        return text if size <= LOG_TAIL else text[text.find("\n") + 1 :]


@dataclass
class JobContext:
    """What a job's function gets for one attempt: the job's folder, and methods to report progress and store
    results.
    """

    engine: Engine
    attempt: job_claims.Attempt
    user_id: str
    """Row id of the requesting account."""
    files: Path
    """The folder of uploads and of jobs' folders: see `common/uploads_folder.py`."""
    ended: bool = False
    """Whether the job is marked as done."""
    _pace: "_Pace" = field(default_factory=lambda: _Pace())

    @property
    def job_id(self) -> str:
        """Row id of the job."""
        return self.attempt.job_id

    @property
    def folder(self) -> Path:
        """The job's own folder; files of a killed attempt are still there in the next one."""
        return JobFolder.of(self.files, self.job_id).work

    def report(
        self,
        *,
        done: int,
        total: int | None = None,
        unit: str = "",
        step: str = "",
        seconds_left: float | None = None,
    ) -> None:
        """Report the job's progress; call it as often as you like.

        `unit` is what is counted (`questions`), `step` what the job is doing now (`scoring`). The rate is
        computed, and so is the time left unless given, from what was done since the step began.
        """
        found = self._pace.progress(Progress(done=done, total=total, unit=unit, step=step), seconds_left)
        if found is not None:
            JobFolder.of(self.files, self.job_id).write_progress(found)

    def log(self, line: str) -> None:
        """Add a line to the log on the job's page. No texts of patients or models."""
        print(line, flush=True)

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """A session whose block is one transaction. Raises JobLost if the job was cancelled or taken over."""
        with database.writing(self.engine) as session:
            job_claims.own_job(session, self.attempt)
            yield session

    @contextmanager
    def storing(self) -> Iterator[Storing]:
        """Store many rows in the block, in short transactions, so that others can write meanwhile; no page
        shows them before `end_with` publishes them.
        """

        def progress(percent: int) -> None:
            self.report(done=percent, total=100, unit="%", step="storing")

        progress(0)
        with storing(self.engine, self.writing, progress) as parts:
            yield parts

    def end_with(self, store: Callable[[Session], dict[str, Any]]) -> dict[str, Any]:
        """Call `store`, which stores what the job made and returns its result, and mark the job as done, in
        one transaction; return the result. Raises JobLost if the job was cancelled or taken over.

        Files for download are stored there too, by `job_claims.save_file`.
        """
        with self.writing() as session:
            result = store(session)
            job_claims.end_job(
                session,
                self.attempt,
                status="done",
                result=result,
                log_tail=JobFolder.of(self.files, self.job_id).log_tail(),
            )
        self.ended = True
        return result


class _Pace:
    """Computes the rate and the remaining time of a step, and limits how often they are written."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._step: tuple[str, str] | None = None
        self._began, self._done_before, self._said = 0.0, 0, 0.0

    def progress(self, counted: Progress, seconds_left: float | None) -> Progress | None:
        """The progress with rate and time left; None if the last one is too recent."""
        now, step = self._now(), (counted.step, counted.unit)
        new = step != self._step
        if new:
            self._step, self._began, self._done_before = step, now, counted.done
        if not new and counted.done != counted.total and now - self._said < WRITE_EVERY_S:
            return None
        self._said = now
        done, seconds = counted.done - self._done_before, now - self._began
        rate = done / seconds if done > 0 and seconds > 0 else None
        if seconds_left is None and rate is not None and counted.total is not None:
            seconds_left = max(0, counted.total - counted.done) / rate
        return counted.model_copy(update={"per_second": rate, "seconds_left": seconds_left})
