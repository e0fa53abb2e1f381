"""A real run, killed with SIGKILL twice and resumed: each instance exactly once; and the score of it."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from clinicnum.jsonl import read_jsonl, read_meta, sha256_file, write_jsonl
from clinicnum.types import Generation, Score
from tests.clinicnum.answering import instance

COUNT = 12
PATIENCE_S = 240


def _command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "scripts.cli", *arguments]


def _environment() -> dict[str, str]:
    # Waiting threads that spin would fight with whatever else the machine does.
    return os.environ | {"OMP_WAIT_POLICY": "PASSIVE"}


def _fails(*arguments: str) -> str:
    """Run a command that must end with exit code 2 and one line; return the line."""
    ended = subprocess.run(
        _command(*arguments), capture_output=True, text=True, env=_environment(), check=False
    )
    lines = ended.stderr.strip().splitlines()
    assert (ended.returncode, ended.stdout, len(lines)) == (2, "", 1), ended
    assert lines[0].startswith("error: ")
    return lines[0]


@pytest.fixture
def bench(tmp_path: Path) -> Path:
    path = tmp_path / "bench.jsonl"
    write_jsonl(path, [instance(i, answer=str(100 + i)) for i in range(COUNT)], {"seed": 0})
    return path


def _lines(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


def _kill_after(command: list[str], out: Path, lines: int) -> None:
    """Start the command and kill it as soon as the file has this many lines."""
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL, env=_environment())
    deadline = time.monotonic() + PATIENCE_S
    try:
        while _lines(out) < lines:
            assert process.poll() is None, f"ended with {process.returncode} before it could be killed"
            assert time.monotonic() < deadline, "no generation in time"
            time.sleep(0.01)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert process.returncode == -signal.SIGKILL


def test_killed_twice_and_resumed_each_instance_is_there_once(
    tmp_path: Path, bench: Path, small_model: Path
) -> None:
    out, scores = tmp_path / "generations.jsonl", tmp_path / "scores.jsonl"
    arguments = ("run", "--benchmark", str(bench), "--model", str(small_model), "--out", str(out))
    settings = ("--batch-tokens", "1", "--max-new-tokens", "12")
    command = _command(*arguments, *settings)
    _kill_after(command, out, 2)
    first = out.read_bytes()
    with out.open("ab") as handle:
        handle.write(b'{"generation_id": "torn')
    _kill_after(command, out, _lines(out) + 2)
    resumed = subprocess.run(command, capture_output=True, text=True, env=_environment(), check=False)
    assert resumed.returncode == 0, resumed.stderr
    assert "are done already" in resumed.stderr

    found = list(read_jsonl(out, Generation))
    assert sorted(g.instance_id for g in found) == sorted(f"i{i}" for i in range(COUNT))
    assert len({g.generation_id for g in found}) == COUNT
    assert out.read_bytes().startswith(first)
    meta = read_meta(out) or {}
    assert meta["benchmark_sha256"] == sha256_file(bench)
    assert {g.run_id for g in found} == {meta["run_id"]}
    assert len(meta["sessions"]) == 3
    assert {"torch", "transformers", "python"} <= set(meta["sessions"][0]["versions"])

    assert "max_new_tokens" in _fails(*arguments, "--max-new-tokens", "13")
    files = ("--benchmark", str(bench), "--generations", str(out), "--out", str(scores))
    scored = subprocess.run(_command("score", *files, "--json"), capture_output=True, text=True, check=False)
    assert scored.returncode == 0, scored.stderr
    table = json.loads(scored.stdout)
    counted = sum(score.lenient for score in read_jsonl(scores, Score))
    assert (table["rows"][-1]["n"], table["rows"][-1]["correct"]) == (COUNT, counted)


def test_bad_input_is_one_line_and_leaves_no_file(tmp_path: Path, bench: Path) -> None:
    out = tmp_path / "g.jsonl"
    run = ("run", "--benchmark", str(bench), "--model", str(tmp_path / "no"), "--out", str(out))
    assert "no such folder" in _fails(*run)
    assert "'openai' is not" in _fails(*run, "--client", "openai")
    given, to = ("--generations", str(bench)), ("--out", str(out))
    assert "no such file" in _fails("score", "--benchmark", str(tmp_path / "x"), *given, *to)
    assert "not a valid generation" in _fails("score", "--benchmark", str(bench), *given, *to)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bench.jsonl", "bench.jsonl.meta.json"]
