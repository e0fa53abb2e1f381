"""Starts `clinicnum` commands as processes of their own, cheaply: imports once, then a fork for each start.

A start is the command itself: it has its own memory and files, and SIGKILL kills it as any process.
"""

import multiprocessing
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing.context import ForkServerProcess
from pathlib import Path

from clinicnum.scripts.dev.load_test.server_process import Process, ServerProcess, free_port

_context = multiprocessing.get_context("forkserver")
_context.set_forkserver_preload(["tests.preloaded"])


def _nothing() -> None:
    """Before a command that is prepared in no way."""


def _command(
    arguments: Sequence[str], stdin: Path, out: Path, error: Path, before: Callable[[], None]
) -> None:
    """Run the command in this process, with its streams on files."""
    os.dup2(os.open(stdin, os.O_RDONLY), 0)
    for path, stream in ((out, 1), (error, 2)):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), stream)
    sys.stdin = os.fdopen(0, closefd=False)
    sys.argv = ["clinicnum", *arguments]
    before()
    from clinicnum.scripts.cli import main

    main()


def start_command(
    *arguments: str,
    out: Path,
    error: Path,
    stdin: Path = Path(os.devnull),
    before: Callable[[], None] = _nothing,
) -> ForkServerProcess:
    """Start `clinicnum ARGUMENTS`; what it writes is appended to the files. It ends with the test process.

    `before` is called in the new process, before the command.
    """
    process = _context.Process(target=_command, args=(arguments, stdin, out, error, before), daemon=True)
    process.start()
    return process


@dataclass(frozen=True)
class _Forked:
    """A started command as `ServerProcess` handles one."""

    process: ForkServerProcess

    @property
    def pid(self) -> int:
        assert self.process.pid is not None
        return self.process.pid

    def poll(self) -> int | None:
        return self.process.exitcode

    def kill(self) -> None:
        self.process.kill()

    def wait(self) -> int:
        self.process.join()
        assert self.process.exitcode is not None
        return self.process.exitcode


@dataclass
class ForkedServer(ServerProcess):
    """A server that is forked instead of importing everything anew; `command` holds its arguments."""

    before: Callable[[], None] = _nothing
    """Called in its process before it serves."""

    @classmethod
    def clinicnum_serve(
        cls, database: str, log: Path, before: Callable[[], None] = _nothing
    ) -> "ForkedServer":
        """A `clinicnum serve` process for a database, not yet started."""
        port = free_port()
        return cls(("serve", "--no-worker", "--db", database, "--port", str(port)), log, port, before=before)

    def launch(self) -> Process:
        return _Forked(start_command(*self.command, out=self.log, error=self.log, before=self.before))
