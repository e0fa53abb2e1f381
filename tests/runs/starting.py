"""Starts `clinicnum` commands as processes of their own, cheaply: imports once, then a fork for each start.

A start is the command itself: it reads, locks, loads the model and writes, and SIGKILL kills it as any
process.
"""

import os
import signal
from pathlib import Path
from socket import socket

from tests.command_server import call

PRELOADED = ("tests.preloaded_models", "tests.runs.preloaded")


class Starter:
    """One command at a time."""

    def __init__(self, address: Path, folder: Path) -> None:
        """`address`: of a `command_server`."""
        self._address = address
        self._called: socket | None = None
        self.log = folder / "stderr"
        """What the last command wrote on standard error."""
        self.out = folder / "stdout"
        """What it wrote on standard output."""

    def start(self, *arguments: str) -> int:
        """Start a command; return its process id."""
        if self._called is not None:  # of a test that failed before its command had ended
            self._called.close()
        with open(os.devnull, "rb") as nothing, self.out.open("wb") as out, self.log.open("wb") as log:
            streams = [nothing.fileno(), out.fileno(), log.fileno()]
            self._called = call(self._address, "clinicnum", arguments, streams)
        return int(self._called.recv(100))

    def ended(self) -> int:
        """Wait for the command; return its exit code, negative for a signal."""
        assert self._called is not None, "no command was started"
        with self._called as connection:
            self._called = None
            return int(connection.recv(100))

    def run(self, *arguments: str) -> str:
        """Run a command that must succeed; return what it wrote on standard error."""
        self.start(*arguments)
        code, said = self.ended(), self.log.read_text()
        assert code == 0, said
        return said

    def kill(self, process: int) -> int:
        """SIGKILL it; return its exit code, 0 if it had ended before."""
        os.kill(process, signal.SIGKILL)
        return self.ended()
