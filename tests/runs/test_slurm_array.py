"""`scripts/slurm_array` with a scheduler that starts each element of an array as a process of its own.

The suite has two elements of which one is killed; `scripts/dev/evidence slurm` has eight and kills two.
"""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import psutil

from clinicnum.inference.shards import Part, shard_path
from tests.runs.conftest import SETTINGS, texts
from tests.runs.sbatch import install_sbatch

ROOT = Path(__file__).parents[2]
ELEMENTS = int(os.environ.get("CLINICNUM_ELEMENTS", "2"))
KILLED = max(1, ELEMENTS // 4)


def submit(
    tmp_path: Path, bench: Path, model: Path, out: Path, commands: Path
) -> "subprocess.CompletedProcess[str]":
    line = [str(ROOT / "scripts" / "slurm_array"), str(ELEMENTS), "--time=1:00", "--"]
    line += ["--benchmark", str(bench), "--model", str(model), "--out", str(out), *SETTINGS, "--threads", "1"]
    programs = f"{tmp_path / 'bin'}:{commands}:{Path(sys.executable).parent}:{os.environ['PATH']}"
    quiet = {"PATH": programs, "OMP_WAIT_POLICY": "PASSIVE"}
    return subprocess.run(line, capture_output=True, text=True, check=False, env=os.environ | quiet)


def kill_once_it_has_written(shard: Path) -> None:
    """Kill the process that writes this shard when its first line is on the disk."""
    while not (shard.exists() and shard.stat().st_size):
        time.sleep(0.01)
    for one in psutil.process_iter(["cmdline"]):
        own = one.info["cmdline"] or []
        if str(shard.parent / "g.jsonl") in own and one.environ().get("SLURM_ARRAY_TASK_ID") == number_of(
            shard
        ):
            one.send_signal(signal.SIGKILL)


def number_of(shard: Path) -> str:
    return shard.name.split("rank-")[1].split("-")[0]


def test_elements_that_are_killed_go_on_and_each_instance_is_there_once(
    tmp_path: Path, bench: Path, unbroken: Path, small_model: Path, model_programs: Path
) -> None:
    programs = tmp_path / "bin"
    programs.mkdir()
    install_sbatch(programs)
    out = tmp_path / "g.jsonl"
    shards = [shard_path(out, Part(element, ELEMENTS)) for element in range(KILLED)]
    killers = [threading.Thread(target=kill_once_it_has_written, args=(one,)) for one in shards]
    for one in killers:
        one.start()
    first = submit(tmp_path, bench, small_model, out, model_programs)
    for one in killers:
        one.join()
    assert first.returncode == 0, first.stderr
    assert f"array 100: {ELEMENTS} elements" in first.stdout
    assert (programs / "100.code").read_text() == str(signal.SIGKILL.value)
    # The job that joins was never started: an element had not ended well.
    assert not (programs / "101.log").exists()
    assert not out.exists() or out.stat().st_size == 0

    second = submit(tmp_path, bench, small_model, out, model_programs)
    assert second.returncode == 0, second.stderr
    assert (programs / "103.code").read_text() == "0"
    assert texts(out) == texts(unbroken)
    assert not list(tmp_path.glob("g.rank-*"))
