"""Starts workers as processes of their own, finds the processes of their jobs, and waits for what they do."""

import os
import time
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass, field
from multiprocessing.context import ForkServerProcess
from pathlib import Path

from clinicnum.scripts.dev.load_test.browser_connection import Connection
from clinicnum.scripts.dev.load_test.server_process import free_port
from tests.processes import ForkedServer, start_command

PATIENCE_S = 240


def wait_for(what: str, seen: Callable[[], bool]) -> None:
    """Wait until it is seen."""
    deadline = time.monotonic() + PATIENCE_S
    while not seen():
        assert time.monotonic() < deadline, f"waited in vain for {what}"
        time.sleep(0.1)  # often enough: to look takes a part of the processor that the others wait for


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
    return next(iter(_processes("clinicnum.scripts.commands.jobs.job_process", job_id)), None)


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

    ways = ("worker", "job", "worker and job")
    """Which of the processes are killed at a time, in turn."""

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

    def kill(self, way: str = "worker") -> bool:
        """SIGKILL it, as in a power cut, if the way names it; whether it must be started again."""
        if "worker" not in way:
            return False
        assert self.process is not None
        self.process.kill()
        self.process.join()
        return True

    def stop(self) -> None:
        """End it as an operator does."""
        assert self.process is not None
        assert self.process.pid is not None
        os.kill(self.process.pid, 15)
        self.process.join()


@dataclass
class ServedWorker(WorkerProcess):
    """`clinicnum serve` with the worker that it starts, and its page Jobs."""

    ways = ("worker", "job", "worker and job", "server", "server and worker")
    server: ForkedServer | None = None

    def start(self) -> "ServedWorker":
        port = free_port()
        command = ("serve", "--db", self.database, "--files", str(self.files), "--port", str(port))
        self.server = ForkedServer(command, self.log, port)
        self.server.start()
        return self

    def kill(self, way: str = "server") -> bool:
        """SIGKILL what the way names; whether the server must be started again, as it does with a worker."""
        workers = worker_processes(self.files) if "worker" in way else []
        if "server" in way:
            assert self.server is not None
            self.server.kill()
        for worker in workers:
            with suppress(ProcessLookupError):
                os.kill(worker, 9)
        return "server" in way

    def stop(self) -> None:
        assert self.server is not None
        assert self.server.process is not None
        os.kill(self.server.process.pid, 15)
        self.server.process.wait()

    def page(self, name: str, password: str) -> dict[str, str]:
        """The state of each job by its id, as somebody who opens the page Jobs reads it."""
        assert self.server is not None
        with closing(Connection(self.server.port)) as visitor:
            assert visitor.post_form("/login", {"name": name, "password": password}).status == 303
            events = visitor.get("/jobs/config").json()["dependencies"]
            loads = [one for one in events if any(event == "load" for _, event in one["targets"])]
            load = max(loads, key=lambda one: len(one["outputs"]))["id"]
            asked = {"data": [], "fn_index": load, "session_hash": "killed"}
            shown = visitor.post_json("/jobs/gradio_api/run/predict", asked).json()["data"]
        table = next(one for one in shown if isinstance(one, dict) and "data" in (one.get("value") or {}))
        return {row[-1]: row[1] for row in table["value"]["data"]}
