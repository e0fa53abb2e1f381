"""What the checks run on and with (machine, model, engine, benchmark), and the commands that they run."""

import json
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Literal

from clinicnum.inference.generations_journal import complete_lines
from clinicnum.scripts.commands.inference.engines.arguments import EngineName
from clinicnum.scripts.commands.inference.engines.find_engine import Installed

PATIENCE_S = 3_600


@dataclass(frozen=True)
class Setting:
    """What the checks run on and with: machine, model, engine and benchmark."""

    folder: Path
    """Folder for all outputs."""
    device: Literal["cuda", "cpu"]
    dtype: Literal["bfloat16", "float32"]
    model: Path
    """The transformers folder."""
    served: Path
    """What the engine is given: the folder, or a GGUF file of it."""
    engine: EngineName
    installed: Installed
    engine_args: tuple[str, ...]
    at_once: int
    """Concurrent requests to the engine, whether asked directly or through clinicnum."""
    batch: int
    """Batch size of plain `generate`."""
    local_prompts: int | None
    """Number of prompts for the local client and plain `generate`, slower than an engine; None: all."""
    new_tokens: int
    window: int
    """Context length in tokens."""
    benchmark: Path

    def local(self, out: Path, *more: str) -> list[str]:
        """The arguments of `clinicnum` for a run by the local client."""
        common = ("--max-new-tokens", str(self.new_tokens), "--dtype", self.dtype)
        return [
            "run",
            "--benchmark",
            str(self.benchmark),
            "--model",
            str(self.model),
            "--out",
            str(out),
            *common,
            *more,
        ]

    def through(self, out: Path, *more: str) -> list[str]:
        """The arguments of `clinicnum run` that start the engine, ask it, and write generations to `out`."""
        own = ["--dtype", self.dtype] if self.served == self.model else ["--tokenizer", str(self.model)]
        own += [f"--engine-arg={one}" for one in self.engine_args]
        return [
            *("run", "--benchmark", str(self.benchmark), "--model", str(self.served), "--out", str(out)),
            *("--engine", self.engine, "--engine-path", str(self.installed.program)),
            *("--concurrency", str(self.at_once), "--max-new-tokens", str(self.new_tokens), *own, *more),
        ]


def run(
    arguments: list[str], *, module: str = "clinicnum.scripts.cli", before: tuple[str, ...] = ()
) -> tuple[int, str]:
    """Run `python -m module` with `before` and then `arguments`; returns its exit code and standard error.

    Raises subprocess.TimeoutExpired after PATIENCE_S seconds.
    """
    done = subprocess.run(  # noqa: S603 - our own command
        [sys.executable, "-m", module, *before, *arguments],
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    return done.returncode, done.stderr


def last_line(text: str) -> str:
    """The last line of a text that is not blank; `nothing` if there is none."""
    return next((line for line in reversed(text.splitlines()) if line.strip()), "nothing")


def texts(out: Path) -> dict[str, str]:
    """The texts in a generations file, by instance id. Raises ValueError if an instance occurs twice,
    InputError for a line that is no generation.
    """
    lines = [one.generation for one in complete_lines(out)]
    found = {one.instance_id: one.text for one in lines}
    if len(found) != len(lines):
        raise ValueError(f"{out}: {len(lines)} generations of {len(found)} instances")
    return found


def session(out: Path) -> dict[str, Any]:
    """What the meta file of a run records about its last start."""
    found: dict[str, Any] = json.loads(out.with_name(f"{out.name}.meta.json").read_text())["sessions"][-1]
    return found


def apart(function: Any, *arguments: Any) -> Any:
    """Call a function in a separate process, which then frees its memory, also on a GPU."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(function, *arguments).result()
