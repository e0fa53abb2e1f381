"""A real run, killed with SIGKILL again and again: each instance exactly once, as in an unbroken run.

`scripts/dev/evidence resume` kills it twenty times; the suite kills it three times.
"""

import json
import os
import time
from pathlib import Path
from random import Random

from clinicnum.annotations.reconstructed_prompt import asked_of, ending_of
from clinicnum.io.jsonl import read_jsonl, read_meta, sha256_file, write_jsonl
from clinicnum.scripts.cli import run_command
from clinicnum.types import Generation, Instance, Score
from tests.runs.conftest import COUNT, SETTINGS, questions, texts
from tests.runs.starting import Starter

KILLS = int(os.environ.get("CLINICNUM_KILLS", "3"))
TORN = b'{"generation_id": "torn'
PATIENCE_S = 240
LONGEST_WAIT_S = 0.6
"""About the time between two generations: a kill falls before, in or after a write, or into the start."""


def _lines(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


def _kill_sometime(starter: Starter, arguments: tuple[str, ...], out: Path, rng: Random) -> int:
    """Start, wait for up to one more generation and then for a random time, kill; return the exit code."""
    wanted = _lines(out) + rng.choice((0, 1, 1, 1))
    process = starter.start(*arguments)
    deadline = time.monotonic() + PATIENCE_S
    while _lines(out) < wanted:
        assert time.monotonic() < deadline, f"no generation in time: {starter.log.read_text()}"
        time.sleep(0.002)
    time.sleep(rng.uniform(0, LONGEST_WAIT_S))
    return starter.kill(process)


def test_killed_again_and_again_it_ends_as_an_unbroken_run_does(
    tmp_path: Path, bench: Path, unbroken: Path, small_model: Path, starter: Starter
) -> None:
    count = max(COUNT, 3 * KILLS)
    if count > COUNT:
        bench, unbroken = _larger(tmp_path, count, small_model, starter)
    out = tmp_path / "generations.jsonl"
    arguments = ("run", "--benchmark", str(bench), "--model", str(small_model), "--out", str(out), *SETTINGS)
    rng = Random(20_260_411)
    before, met = b"", []
    for _ in range(KILLS):
        # Batches of another size than the unbroken run's, and of another composition at every start.
        code = _kill_sometime(starter, (*arguments, "--batch-tokens", "400"), out, rng)
        assert code == -9
        with out.open("ab") as handle:
            handle.write(TORN if rng.random() < 0.5 else b"")
        whole = out.read_bytes()
        assert whole.startswith(before)
        before = whole[: whole.rfind(b"\n") + 1]
        met.append(before.count(b"\n"))
    said = starter.run(*arguments, "--batch-tokens", "400")
    print(f"{KILLS} kills, {met} generations after each, of {count}; then: {said.strip()}")
    assert 0 < met[-1] < count
    assert f"{met[-1]} of {count} are done already" in said
    assert out.read_bytes().startswith(before)
    assert texts(out) == texts(unbroken)
    assert sorted(path.name for path in tmp_path.glob("*generations*")) == [out.name, f"{out.name}.meta.json"]


def _larger(folder: Path, count: int, model: Path, starter: Starter) -> tuple[Path, Path]:
    """A benchmark with enough instances for more kills, and the unbroken run over it."""
    bench, out = folder / "bench.jsonl", folder / "unbroken.jsonl"
    write_jsonl(bench, questions(count), {"seed": 0})
    starter.run("run", "--benchmark", str(bench), "--model", str(model), "--out", str(out), *SETTINGS)
    return bench, out


def test_what_a_run_was_made_with_stands_beside_it(unbroken: Path, bench: Path, small_model: Path) -> None:
    meta = read_meta(unbroken) or {}
    assert meta["benchmark_sha256"] == sha256_file(bench)
    assert (meta["model"], meta["dtype"], meta["quantize"]) == (small_model.name, "float32", None)
    assert meta["decoding"] == {"max_new_tokens": 6, "method": "greedy", "seed": 0}
    assert {generation.run_id for generation in read_jsonl(unbroken, Generation)} == {meta["run_id"]}
    assert meta["prompt_ids"] == ["default"]
    asked = asked_of(next(iter(read_jsonl(bench, Instance))), run_meta=meta, benchmark_meta={})
    assert [one.role for one in asked.turns] == ["system", "user"], asked.unknown
    endings = {ending_of(generation) for generation in read_jsonl(unbroken, Generation)}
    assert "Cut off before its end: the limit on its length was reached." in endings
    [session] = meta["sessions"]
    assert (session["client"], session["device"], session["written"]) == ("local", "cpu", COUNT)
    assert session["started_at"].endswith("+00:00")
    assert session["batch_tokens"] > 0
    assert {"torch", "transformers", "python", "clinicnum"} <= set(session["versions"])


def test_what_a_run_wrote_is_scored(tmp_path: Path, unbroken: Path, bench: Path, capfd: object) -> None:
    scores = tmp_path / "scores.jsonl"
    files = ["--benchmark", str(bench), "--generations", str(unbroken), "--out", str(scores)]
    assert run_command(["score", *files, "--json"]) == 0
    table = json.loads(capfd.readouterr().out)  # type: ignore[attr-defined]
    counted = sum(score.lenient for score in read_jsonl(scores, Score))
    assert (table["rows"][-1]["n"], table["rows"][-1]["correct"]) == (COUNT, counted)
