"""A web server as a separate process: start it, wait for it, read its CPU time, kill it."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path
from typing import Protocol

from clinicnum.errors import InputError
from clinicnum.scripts.dev.load_test.browser_connection import Connection

START_S = 300


def free_port() -> int:
    """A port that is not in use."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Process(Protocol):
    """The interface of a started process; `subprocess.Popen` has it."""

    @property
    def pid(self) -> int:
        """Its id."""

    def poll(self) -> int | None:
        """Its exit code; None while it runs."""

    def kill(self) -> None:
        """End it with SIGKILL."""

    def wait(self) -> int:
        """Wait for its end; its exit code."""


@dataclass
class ServerProcess:
    """One server; `command` must listen on `port` of this machine and answer `/health`."""

    command: Sequence[str]
    log: Path
    port: int
    process: Process | None = field(default=None)

    @classmethod
    def clinicnum_serve(cls, database: str, log: Path) -> "ServerProcess":
        """A `clinicnum serve` process for a database, not yet started."""
        port = free_port()
        serve = [
            sys.executable,
            "-m",
            "clinicnum.scripts.cli",
            "serve",
            "--no-worker",
            "--db",
            database,
            "--port",
            str(port),
        ]
        return cls(serve, log, port)

    def start(self) -> "ServerProcess":
        """Start it and wait until it answers. Raises InputError, with the end of its log, if it ends or does
        not answer within START_S seconds.
        """
        self.process = self.launch()
        deadline = time.monotonic() + START_S
        while time.monotonic() < deadline and self.process.poll() is None:
            with closing(Connection(self.port)) as probe:
                try:
                    if probe.get("/health").status == 200:
                        return self
                except (OSError, HTTPException):
                    time.sleep(0.1)
        self.kill()
        said = self.log.read_text(encoding="utf-8", errors="replace")[-500:]
        raise InputError(f"the server did not answer at port {self.port}: {said}")

    def launch(self) -> Process:
        """Start its process, which writes into its log."""
        with self.log.open("ab") as log:
            # S603: clinicnum itself, or the tool that the caller names.
            return subprocess.Popen(self.command, stdout=log, stderr=log, cwd=self.log.parent)  # noqa: S603

    def cpu_s(self) -> float:
        """CPU time used so far, in seconds."""
        assert self.process is not None
        fields = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def kill(self) -> None:
        """Kill it immediately, as in a power cut."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None
