"""Starts workers as processes of their own, finds the processes of their jobs, and waits for what they do."""

import os
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.context import ForkServerProcess
from pathlib import Path

from tests.processes import start_command

PATIENCE_S = 240


def wait_for(what: str, seen: Callable[[], bool]) -> None:
    """Wait until it is seen."""
    deadline = time.monotonic() + PATIENCE_S
    while not seen():
        assert time.monotonic() < deadline, f"waited in vain for {what}"
        time.sleep(0.02)


def _processes(*words: str) -> list[int]:
    """The ids of the processes with all of these words on their command line."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError):
                line = (entry / "cmdline").read_bytes().split(b"\0")
                if all(word.encode() in line for word in words):
                    found.append(int(entry.name))
    return found


def job_process(job_id: str) -> int | None:
    """The id of the process that runs the job; None if none does."""
    return next(iter(_processes("clinicnum.scripts.commands.jobs.process", job_id)), None)


def worker_processes(files: Path) -> list[int]:
    """The ids of the workers that a server started with this folder of files."""
    return _processes("worker", "--with-parent", str(files))


@dataclass
class WorkerProcess:
    """`clinicnum worker` on a database, with its files in a folder."""

    database: str
    folder: Path
    options: tuple[str, ...] = ()
    process: ForkServerProcess | None = field(default=None)

    @property
    def files(self) -> Path:
        return self.folder / "files"

    @property
    def log(self) -> Path:
        return self.folder / "worker.log"

    def start(self) -> "WorkerProcess":
        arguments = ("worker", "--db", self.database, "--files", str(self.files), *self.options)
        self.process = start_command(*arguments, out=self.log, error=self.log)
        return self

    def kill(self) -> None:
        """SIGKILL it, as in a power cut."""
        assert self.process is not None
        self.process.kill()
        self.process.join()

    def stop(self) -> None:
        """End it as an operator does."""
        assert self.process is not None
        assert self.process.pid is not None
        os.kill(self.process.pid, 15)
        self.process.join()
