"""Benchmark of a second process: one benchmark run in three ways with torchrun.

    python -m clinicnum.scripts.dev.bench_processes

One process with one thread, two processes with one thread each, one process with two threads: real runs by
the command itself, one after the other in each round, so that a machine that slows down slows all three.
Generations per second count from the first request to the last generation; loading is reported separately.
With few instances the halves are small batches, and a step of a small batch costs nearly as much as one of a
large batch.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clinicnum.scripts.cli import run_command
from clinicnum.scripts.commands.common.install_small_model import ensure_small_model
from clinicnum.types import OPERATIONS, REPRESENTATIONS


@dataclass(frozen=True)
class Way:
    """Number of processes, and threads per process."""

    processes: int
    threads: int

    def __str__(self) -> str:
        return f"{self.processes} x {self.threads}"


@dataclass(frozen=True)
class Measured:
    """The measurements of one run."""

    per_second: float
    """Generations per second, without loading."""
    wall_s: float
    """Seconds of the whole command, imports and loading included."""
    texts: dict[str, str]


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--model", type=Path, help="model folder; the small model if not given")
    parser.add_argument("--count", type=int, default=96, help="instances, a multiple of 12")
    parser.add_argument("--new-tokens", type=int, default=24, help="longest generation")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--cores", type=int, default=len(os.sched_getaffinity(0)))
    asked = parser.parse_args()
    half = max(1, asked.cores // 2)
    ways = (Way(1, half), Way(2, half), Way(1, 2 * half))
    model = asked.model or ensure_small_model()
    with tempfile.TemporaryDirectory(prefix="cn-ranks-") as made:
        bench = Path(made) / "bench.jsonl"
        each = asked.count // (len(OPERATIONS) * len(REPRESENTATIONS))
        quota = ",".join(f"{operation}={each}" for operation in OPERATIONS)
        run_command(["generate", "--preset", "small", "--quota", quota, "--out", str(bench)])
        found: dict[Way, list[Measured]] = {way: [] for way in ways}
        for number in range(asked.rounds):
            for way in ways:
                out = Path(made) / f"{number}-{way.processes}-{way.threads}.jsonl"
                found[way].append(_measure(way, bench, model, out, asked))
                print(f"round {number + 1}: {way}: {found[way][-1].per_second:.3f} a second", file=sys.stderr)
    _print(found)


def _measure(way: Way, bench: Path, model: Path, out: Path, asked: argparse.Namespace) -> Measured:
    launcher = [sys.executable]
    if way.processes > 1:
        launcher += ["-m", "torch.distributed.run", "--nproc-per-node", str(way.processes)]
    command = [
        *launcher,
        "-m",
        "clinicnum.scripts.cli",
        "run",
        "--benchmark",
        str(bench),
        "--model",
        str(model),
    ]
    command += ["--out", str(out), "--limit", str(asked.count), "--threads", str(way.threads)]
    command += ["--max-new-tokens", str(asked.new_tokens), "--dtype", "float32"]
    started = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    wall_s = time.perf_counter() - started
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stderr}")
    meta: dict[str, Any] = json.loads(out.with_name(out.name + ".meta.json").read_text())
    sessions = meta["sessions"]
    generations = [json.loads(line) for line in out.read_text().splitlines()]
    per_second = len(generations) / max(session["seconds"] for session in sessions)
    return Measured(per_second, wall_s, {one["instance_id"]: one["text"] for one in generations})


def _print(found: dict[Way, list[Measured]]) -> None:
    first = next(iter(found.values()))
    print("| processes x threads | generations a second | ratio | whole command s | texts that differ |")
    print("|---|---|---|---|---|")
    for way, runs in found.items():
        # A ratio within each round, as the machine's speed varies between rounds.
        ratios = [run.per_second / base.per_second for run, base in zip(runs, first, strict=True)]
        rates = [run.per_second for run in runs]
        differing = sum(text != first[0].texts[name] for name, text in runs[0].texts.items())
        print(
            f"| {way} | {statistics.median(rates):.3f} | {statistics.median(ratios):.2f} "
            f"({min(ratios):.2f} to {max(ratios):.2f}) | {statistics.median(run.wall_s for run in runs):.1f} "
            f"| {differing} of {len(runs[0].texts)} |"
        )


if __name__ == "__main__":
    main()
