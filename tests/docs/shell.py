"""Runs blocks of shell commands in bash, in a folder of their own; `clinicnum` and others are forked."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import httpx2

from tests.command_server import command_server
from tests.docs.blocks import ROOT
from tests.runs.sbatch import install_sbatch
from tests.runs.starting import PRELOADED

STARTS_WITHIN_S = 240
ENDS_WITHIN_S = 240


@dataclass(frozen=True)
class Shell:
    """Where the programs stand that blocks call."""

    programs: Path

    def run(self, script: str, folder: Path, environment: Mapping[str, str]) -> str:
        """Run a script that must succeed; what it printed on both streams.

        What it leaves running is ended with it. Raises AssertionError, with all that was printed.
        """
        begun = subprocess.Popen(
            ["bash", "-euo", "pipefail", "-c", script],
            cwd=folder,
            env=self._environment() | dict(environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        try:
            printed, _ = begun.communicate(timeout=ENDS_WITHIN_S)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(begun.pid, signal.SIGKILL)
        assert begun.returncode == 0, f"exit code {begun.returncode} of\n{script}\n{printed}"
        assert "Traceback" not in printed, printed
        return str(printed)

    def serve_model(self, model: Path, port: int, folder: Path) -> "subprocess.Popen[bytes]":
        """Start `transformers serve` with a model in float32, and wait until it answers."""
        (folder / "hub").mkdir()  # it lists what this holds: nothing
        arguments = [
            str(model),
            "--device",
            "cpu",
            "--dtype",
            "float32",
            "--host",
            "127.0.0.1",
            "--port",
            str(port),
        ]
        with (folder / "server.log").open("wb") as log:
            server = subprocess.Popen(
                [str(self.programs / "transformers"), "serve", *arguments],
                env=self._environment() | {"HF_HOME": str(folder)},
                stdout=log,
                stderr=log,
            )
        deadline = time.monotonic() + STARTS_WITHIN_S
        while not _answers(f"http://127.0.0.1:{port}/health"):
            assert server.poll() is None, (folder / "server.log").read_text(encoding="utf-8")
            assert time.monotonic() < deadline, f"the model's server did not start within {STARTS_WITHIN_S} s"
            time.sleep(0.1)
        return server

    def _environment(self) -> dict[str, str]:
        """That of this test, with the programs first, and no database of its own."""
        path = f"{self.programs}:{Path(sys.executable).parent}:{os.environ['PATH']}"
        kept = {name: value for name, value in os.environ.items() if not name.startswith("CLINICNUM_")}
        return kept | {"PATH": path, "PYTHONPATH": str(ROOT), "COLUMNS": "100"}


def _answers(address: str) -> bool:
    try:
        return httpx2.get(address, trust_env=False, timeout=2).status_code == 200
    except httpx2.TransportError:
        return False


@contextmanager
def shell(folder: Path) -> Iterator[Shell]:
    """Start the process that is forked for commands; it ends with the block."""
    with command_server(folder / "commands", *PRELOADED, "tests.preloaded") as programs:
        install_sbatch(programs)
        yield Shell(programs)
