"""An engine's server as a process: start, watch, stop, and explain its end."""

import os
import re
import secrets
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import httpx2

from clinicnum.errors import InputError
from clinicnum.scripts.commands.inference.engines import process_supervisor
from clinicnum.scripts.commands.inference.engines.arguments import Engine, address_arguments

START_S = 1_800.0
"""Seconds that an engine may take to load a model."""
SILENT_S = 120.0
"""Seconds after which an engine that does not answer counts as hung."""
_ASK_EVERY_S = 2.0
_LAST_WORDS_S = 10.0
_TAIL = 100_000
"""Bytes at the end of the log searched for a reason: vLLM's is above the tracebacks of its processes."""
_MEMORY = re.compile(
    r"out of memory|OutOfMemory|not enough memory|no available memory|insufficient memory|bad_alloc"
    r"|failed to allocate|unable to allocate|cannot allocate|cudaMalloc failed|failed to map segment"
    r"|less than desired GPU memory|than the available KV cache memory",
    re.I,
)
_LEAST_LINE = 3
_REASON = re.compile(r"\b[A-Z]\w*(Error|Exception): (?!.*root cause above)")
"""Line of an exception; vLLM's last one only points at the one needed."""


class EngineProcess:
    """One start of an engine's server, on a free port of this machine."""

    def __init__(
        self,
        engine: Engine,
        command: Sequence[str],
        *,
        log: Path,
        start_s: float | None = None,
    ) -> None:
        """`command` without address and port; `log` takes what the engine prints.

        `start_s` is the number of seconds that it may take to answer; None means START_S.
        """
        self._engine, self._log, self._start_s = engine, log, start_s or START_S
        self._port = _free_port()
        self.key = secrets.token_urlsafe(24) if engine.key_variable else None
        """What the server asks for, as other users of this machine can reach its port."""
        self._silent = False
        self._stopping = threading.Event()
        self._command = [*command, *address_arguments(self._port)]
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        """The server's address, with its `/v1`."""
        return f"http://127.0.0.1:{self._port}/v1"

    def start(self) -> None:
        """Start the server and wait until it answers. Raises InputError, in one line, if it does not."""
        given = {self._engine.key_variable: self.key} if self._engine.key_variable and self.key else {}
        with open(self._log, "wb", opener=_private) as log:
            self._process = subprocess.Popen(  # noqa: S603 - the program that the user installed
                [sys.executable, "-I", process_supervisor.__file__, *self._command],
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                env=_without_launcher() | dict(self._engine.environment) | given,
            )
        deadline = time.monotonic() + self._start_s
        while not self._answers():
            if self._process.poll() is not None:
                raise InputError(self._end("did not start"))
            if time.monotonic() > deadline:
                self.stop()
                raise InputError(
                    f"{self._engine.name} did not answer within {self._start_s:g} s and was stopped; see "
                    f"{self._log}, or give it more time with --engine-start-timeout"
                )
            time.sleep(0.25)
        threading.Thread(target=self._watch, daemon=True).start()

    def ended(self) -> str | None:
        """One line on why the server ended; None while it runs."""
        if self._silent:
            return (
                f"{self._engine.name} did not answer for {SILENT_S:g} s and was stopped; see "
                f"{self._log}, then run the same command again: what was generated is kept"
            )
        if self._process is None:
            return None
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=_LAST_WORDS_S)  # its connections break before it is gone
            return self._end("ended while it was asked") + ": what was generated is kept"
        return None

    def stop(self) -> None:
        """Stop the server and wait until it is gone."""
        self._stopping.set()
        if self._process is None or self._process.stdin is None:
            return
        self._process.stdin.close()
        try:
            self._process.wait(timeout=2 * process_supervisor.GRACE_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _watch(self) -> None:
        """Stop a server that is hung: its requests would wait for hours."""
        answered = time.monotonic()
        while not self._stopping.wait(_ASK_EVERY_S):
            if self._process is None or self._process.poll() is not None:
                return
            if self._answers():
                answered = time.monotonic()
            elif time.monotonic() - answered > SILENT_S:
                self._silent = True
                self.stop()
                return

    def _answers(self) -> bool:
        url = self.address.removesuffix("/v1") + "/health"
        try:
            return httpx2.get(url, trust_env=False, timeout=_ASK_EVERY_S).status_code == httpx2.codes.OK
        except httpx2.TransportError:
            return False

    def _end(self, what: str) -> str:
        code = self._process.wait() if self._process is not None else 0
        lines = [" ".join(line.split()) for line in self._tail() if len(line.strip()) > _LEAST_LINE]
        why, advice = f"exit code {code}", "then run the same command again"
        killed = code == 128 + 9
        # A killed engine wrote its last line before that, and about something else.
        telling = [line for line in lines if _REASON.search(line)] or ([] if killed else lines[-1:])
        if killed:
            why = "killed, as a machine does when its memory is full"
        elif short := [line for line in lines if _MEMORY.search(line)]:
            why, telling = "out of memory", short
            advice = (
                "then give a smaller --max-model-len, another --gpu-memory, more GPUs with "
                "--tensor-parallel or a --quantization, and run the command again"
            )
        said = f"; its log says: {telling[-1][:200]}" if telling else ""
        return f"{self._engine.name} {what} ({why}{said}); see {self._log}, {advice}"

    def _tail(self) -> list[str]:
        return self._log.read_bytes()[-_TAIL:].decode(errors="replace").splitlines()


def _without_launcher() -> dict[str, str]:
    """The environment without the variables that torchrun sets, which would make the engine's own processes
    join its group.
    """
    own = ("RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT")
    return {key: value for key, value in os.environ.items() if key not in own}


def _private(path: str, flags: int) -> int:
    """Open a file that only its owner can read, as an engine may print what it is asked."""
    return os.open(path, flags, 0o600)


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])
