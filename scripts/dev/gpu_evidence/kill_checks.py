"""Checks that a run resumes completely after its engine, or clinicnum itself, was killed."""

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil  # type: ignore[import-untyped]

from clinicnum.scripts.commands.inference.engines import process_supervisor
from clinicnum.scripts.dev.gpu_evidence.evidence_check import Check, is_one_line_error
from clinicnum.scripts.dev.gpu_evidence.evidence_configuration import Setting, last_line, run, texts

GONE_WITHIN_S = 60.0


def kill_checks(setting: Setting, expected: dict[str, str]) -> Iterator[Check]:
    """Kill the engine during a run, then clinicnum during another; one check each, whether the same command
    then completes the run. `expected` has the texts of an uninterrupted run.
    """
    for whom in (setting.engine, "clinicnum"):
        out = setting.folder / f"killed-{whom}.jsonl"
        command = [sys.executable, "-m", "clinicnum.scripts.cli", *setting.through(out)]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as running:  # noqa: S603 - our own
            while running.poll() is None and lines_of(out) < max(1, len(expected) // 8):
                time.sleep(0.002)
            engine = engine_processes(running.pid)
            for one in engine if whom == setting.engine else [psutil.Process(running.pid)]:
                one.kill()
            said = running.communicate()[1]
        yield _resumed(setting, whom, (running.returncode, said), engine, out, expected)


def _resumed(
    setting: Setting,
    whom: str,
    ended: tuple[int, str],
    engine: list[psutil.Process],
    out: Path,
    expected: dict[str, str],
) -> Check:
    """Whether the same command completes the run: each instance once, what was on disk unchanged, and no
    process of the first engine left.
    """
    name, (code, said) = f"{whom} killed and the same command again", ended
    alive = _still_there(engine)
    kept = out.read_bytes() if out.exists() else b""
    kept = kept[: kept.rfind(b"\n") + 1]
    many = kept.count(b"\n")
    right = not alive and 0 < many < len(expected)
    if whom == setting.engine:
        right = right and is_one_line_error(code, said, "ended while it was asked", "was generated is kept")
    again, then = run(setting.through(out))
    if again:
        return Check(name, False, last_line(then))
    found = texts(out)
    same = sum(expected.get(key) == text for key, text in found.items())
    right = right and out.read_bytes().startswith(kept) and found.keys() == expected.keys()
    first = f": {last_line(said)}" if whom == setting.engine else ""
    words = (
        f"{many} kept{first}; then {len(found)} of {len(expected)}, {same} texts as unbroken, "
        f"{len(alive)} processes left"
    )
    return Check(name, right, words)


def engine_processes(owner: int) -> list[psutil.Process]:
    """The engine's processes below process `owner`, without their `process_supervisor`."""
    below = psutil.Process(owner).children(recursive=True) if psutil.pid_exists(owner) else []
    return [one for one in below if process_supervisor.__file__ not in one.cmdline()]


def _still_there(processes: list[psutil.Process]) -> list[psutil.Process]:
    """Those that still run after a while; one that has ended but that nobody has waited for does not."""
    deadline = time.monotonic() + GONE_WITHIN_S
    while True:
        alive = []
        for one in processes:
            with suppress(psutil.NoSuchProcess):
                if one.status() != psutil.STATUS_ZOMBIE:
                    alive.append(one)
        if not alive or time.monotonic() > deadline:
            return alive
        time.sleep(0.1)


def lines_of(out: Path) -> int:
    """Number of complete lines in a generations file; 0 if there is no file yet."""
    return out.read_bytes().count(b"\n") if out.exists() else 0
