"""A scheduler for tests of SLURM arrays: `sbatch` starts each element as a process of its own, and waits."""

import shlex
import sys
from pathlib import Path

SBATCH = """
import os, pathlib, subprocess, sys
state = pathlib.Path(__file__).parent
given = dict(one.lstrip("-").split("=", 1) for one in sys.argv[1:] if "=" in one)
number = 100 + len([*state.glob("*.code")])
clean = {key: value for key, value in os.environ.items() if not key.startswith("SLURM_")}
after = given.get("dependency", "").removeprefix("afterok:")
code = 0
if after and (state / f"{after}.code").read_text() != "0":
    code = 1  # never started
elif "array" in given:
    first, last = map(int, given["array"].split("-"))
    array = {"SLURM_ARRAY_TASK_COUNT": last + 1, "SLURM_ARRAY_TASK_MIN": 0, "SLURM_ARRAY_TASK_STEP": 1}
    started = []
    for element in range(first, last + 1):
        own = {key: str(value) for key, value in {**array, "SLURM_ARRAY_TASK_ID": element}.items()}
        log = (state / f"{number}_{element}.log").open("w")
        started.append(subprocess.Popen(["sh", "-c", given["wrap"]], env=clean | own, stdout=log, stderr=log))
    code = max(abs(one.wait()) for one in started)
else:
    with (state / f"{number}.log").open("w") as log:
        code = subprocess.run(["sh", "-c", given["wrap"]], env=clean, stdout=log, stderr=log).returncode
(state / f"{number}.code").write_text(str(code))
print(f"{number};cluster")
"""


def install_sbatch(programs: Path) -> None:
    """Put `sbatch` into a folder of the PATH; what its jobs print and how they end is written beside it."""
    (programs / "sbatch.py").write_text(SBATCH)
    (programs / "sbatch").write_text(
        f'#!/bin/sh\nexec {shlex.quote(sys.executable)} {programs / "sbatch.py"} "$@"\n'
    )
    (programs / "sbatch").chmod(0o755)
