"""The worker that `clinicnum serve` starts: restarted if it dies, stopped with the server."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Engine

from clinicnum.scripts.commands.common.open_database import ENVIRONMENT

SHORTEST_S, LONGEST_S = 1.0, 60.0
"""Wait before a restart: doubled each time that it dies at once."""
GRACE_S = 10.0


@contextmanager
def worker_beside(engine: Engine, files: Path, data: Path | None) -> Iterator[None]:
    """Run a worker during the block; it is replaced if it dies.

    `files` is the folder of uploads and jobs, `data` the one that jobs may read; None leaves that to the
    worker.
    """
    keeper = _Keeper(engine, files, data)
    thread = threading.Thread(target=keeper.keep, name="worker-keeper", daemon=True)
    thread.start()
    try:
        yield
    finally:
        keeper.ended.set()
        thread.join()


class _Keeper:
    def __init__(self, engine: Engine, files: Path, data: Path | None) -> None:
        self.ended = threading.Event()
        self._environment = os.environ | {ENVIRONMENT: engine.url.render_as_string(hide_password=False)}
        module = "clinicnum.scripts.cli"
        self._command = [sys.executable, "-m", module, "worker", "--with-parent", "--files", str(files)]
        self._command += [] if data is None else ["--data", str(data)]

    def keep(self) -> None:
        """Start the worker, and start it again whenever it dies, until `ended` is set; then end it."""
        pause = SHORTEST_S
        while not self.ended.is_set():
            began = time.monotonic()
            process = self._start()
            while not self.ended.wait(0.2):
                if process.poll() is not None:
                    break
            else:
                _end(process)
                return
            print(f"the worker ended with code {process.returncode}; another is started", file=sys.stderr)
            pause = SHORTEST_S if time.monotonic() - began > LONGEST_S else min(LONGEST_S, 2 * pause)
            self.ended.wait(pause)

    def _start(self) -> "subprocess.Popen[bytes]":
        # S603: our own command. In a session of its own, so that Ctrl+C reaches it through the server only.
        return subprocess.Popen(  # noqa: S603
            self._command, stdin=subprocess.PIPE, env=self._environment, start_new_session=True
        )


def _end(process: "subprocess.Popen[bytes]") -> None:
    """Let the worker requeue its jobs and end; kill it if that takes longer than GRACE_S."""
    assert process.stdin is not None
    process.stdin.close()
    try:
        process.wait(GRACE_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
