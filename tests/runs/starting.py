"""Starts `clinicnum` commands as processes of their own, cheaply: imports once, then a fork for each start.

A start is the command itself: it reads, locks, loads the model and writes, and SIGKILL kills it as any
process.
"""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Self

SERVER = """
import gc, json, os, sys
gc.disable()  # what is imported stays
import accelerate, torch, transformers.models.llama.modeling_llama
from transformers import AutoModelForCausalLM, AutoTokenizer
import clinicnum.scripts.commands.inference.execute, clinicnum.scripts.commands.inference.plan_local_run
from clinicnum.inference.local import continuous_batching, engine_check, loading, plain_generate, detokenize
import matplotlib.pyplot
import clinicnum.annotations.bundle, clinicnum.annotations.exports.report_files, clinicnum.release
import clinicnum.annotations.report.build, clinicnum.db.work.studies.load_whole_study
import clinicnum.scripts.commands.common.open_database
from clinicnum.templates.packaged_banks import named_bank
from clinicnum.scripts.cli import run_command
named_bank("all")  # its proof takes a second
gc.collect()
gc.freeze()
gc.enable()
for line in sys.stdin:
    order = json.loads(line)
    child = os.fork()
    if child == 0:
        for stream, file in ((1, order["out"]), (2, order["log"])):
            os.dup2(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), stream)
        code = run_command(order["arguments"])
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    print(child, flush=True)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


class Starter:
    """One command at a time."""

    def __init__(self, folder: Path) -> None:
        self.log = folder / "stderr"
        """What the last command wrote on standard error."""
        self.out = folder / "stdout"
        """What it wrote on standard output."""

    def __enter__(self) -> Self:
        # Waiting threads that spin would fight with whatever else the machine does.
        environment = os.environ | {"OMP_WAIT_POLICY": "PASSIVE", "HF_HUB_OFFLINE": "1"}
        self._server = subprocess.Popen(
            [sys.executable, "-c", SERVER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        self._server.stdin.close()
        self._server.wait()
        self._server.stdout.close()

    def start(self, *arguments: str) -> int:
        """Start a command; return its process id."""
        assert self._server.stdin is not None
        order = {"arguments": arguments, "log": str(self.log), "out": str(self.out)}
        self._server.stdin.write(json.dumps(order) + "\n")
        self._server.stdin.flush()
        return int(self._line())

    def ended(self) -> int:
        """Wait for the command; return its exit code, negative for a signal."""
        return int(self._line())

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

    def _line(self) -> str:
        assert self._server.stdout is not None
        return self._server.stdout.readline()
