"""Several samples of one model as runs of their own: each resumable, each the same however it is computed."""

import json
import time
from pathlib import Path

import pytest

from clinicnum.inference.client_interface import Decoding
from clinicnum.io.jsonl import meta_path, read_meta
from clinicnum.scripts.cli import run_command
from tests.runs.conftest import COUNT, SETTINGS, texts
from tests.runs.starting import Starter

DRAWN = ("--temperature", "0.8", "--seed", "4")
PATIENCE_S = 240


def _command(bench: Path, model: Path, out: Path, *more: str) -> list[str]:
    return ["run", "--benchmark", str(bench), "--model", str(model), "--out", str(out), *SETTINGS, *more]


def _kill_in_the_second(starter: Starter, run: list[str], second: Path) -> None:
    process = starter.start(*run)
    deadline = time.monotonic() + PATIENCE_S
    while not (second.exists() and second.read_bytes().count(b"\n") >= 2):
        assert time.monotonic() < deadline, starter.log.read_text()
        time.sleep(0.002)
    assert starter.kill(process) == -9


def test_samples_are_runs_of_their_own_and_the_same_in_any_batch_and_after_a_kill(
    tmp_path: Path, bench: Path, unbroken: Path, small_model: Path, starter: Starter
) -> None:
    out, second = tmp_path / "g.jsonl", tmp_path / "g.sample-2.jsonl"
    run = _command(bench, small_model, out, *DRAWN, "--samples", "2")
    _kill_in_the_second(starter, [*run, "--batch-tokens", "1"], second)  # one row at a time
    kept = out.read_bytes(), second.read_bytes()
    assert kept[0].count(b"\n") == COUNT
    assert kept[1].count(b"\n") < COUNT
    said = starter.run(*run, "--batch-tokens", "1400")
    assert f"sample 1: {COUNT} of {COUNT} are done already" in said
    assert out.read_bytes() == kept[0]
    assert second.read_bytes().startswith(kept[1][: kept[1].rfind(b"\n") + 1])

    whole = tmp_path / "whole.jsonl"
    starter.run(*_command(bench, small_model, whole, *DRAWN, "--samples", "2", "--batch-tokens", "1400"))
    assert texts(out) == texts(whole)
    assert texts(second) == texts(tmp_path / "whole.sample-2.jsonl")
    different = [texts(one)[name] for name in texts(out) for one in (out, second, unbroken)]
    assert len(set(different)) > 2 * COUNT
    metas = [read_meta(one) or {} for one in (out, second)]
    assert [meta["decoding"] for meta in metas] == [
        {"max_new_tokens": 6, "method": "sampling", "temperature": 0.8, "seed": 4, "sample": sample}
        for sample in (1, 2)
    ]
    assert len({meta["run_id"] for meta in metas}) == 2

    # One more is a third file, and neither of the first two is touched, though one alone was asked for.
    before = [one.read_bytes() for one in (out, second)]
    starter.run(*run[:-1], "3")
    starter.run(*run[:-2])
    assert [one.read_bytes() for one in (out, second)] == before
    assert len(texts(tmp_path / "g.sample-3.jsonl")) == COUNT


def test_other_draws_are_another_run_and_equal_samples_none(
    tmp_path: Path, bench: Path, unbroken: Path, small_model: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "g.jsonl"
    drawn = Decoding(max_new_tokens=6, seed=4, temperature=0.8).as_dict()
    meta = (read_meta(unbroken) or {}) | {"decoding": drawn}
    out.write_bytes(b"")
    meta_path(out).write_text(json.dumps(meta))
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    for others in (("0.8", "5"), ("0.9", "4"), ("0", "4")):
        more = ("--temperature", others[0], "--seed", others[1])
        assert run_command(_command(bench, small_model, out, *more)) == 2
        assert "belongs to another run: decoding was" in capfd.readouterr().err
    for more, told in (
        (("--samples", "3"), "error: 3 samples at temperature 0 would all be equal; give a temperature"),
        (("--temperature", "7"), "error: temperature 7.0: expected 0, or a number from 0.01 to 2.0"),
        (("--samples", "0", "--temperature", "1"), "--samples"),
    ):
        assert run_command(_command(bench, small_model, tmp_path / "new.jsonl", *more)) == 2
        assert told in capfd.readouterr().err
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_dry_run_says_what_each_sample_takes(
    tmp_path: Path, bench: Path, small_model: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    run = _command(bench, small_model, tmp_path / "g.jsonl", *DRAWN, "--samples", "2", "--dry-run")
    assert run_command(run) == 0
    said = capfd.readouterr().out
    assert all(f"sample {sample}: {COUNT} of {COUNT} instances left" in said for sample in (1, 2))
    assert list(tmp_path.iterdir()) == []


def test_an_engine_draws_by_the_seeds_it_is_sent(
    tmp_path: Path, bench: Path, small_model: Path, engine_program: Path
) -> None:
    """Of transformers, whose one generator serves all requests: one at a time."""
    engine = ("--engine", "transformers", "--engine-path", str(engine_program), "--concurrency", "1")
    outs = [tmp_path / "a.jsonl", tmp_path / "b.jsonl"]
    orders: list[tuple[str, ...]] = [(*DRAWN, "--samples", "2"), DRAWN]
    for out, order in zip(outs, orders, strict=True):
        assert run_command(_command(bench, small_model, out, *engine, "--limit", "3", *order)) == 0
    second = tmp_path / "a.sample-2.jsonl"
    assert texts(outs[0]) == texts(outs[1])
    assert all(texts(outs[0])[name] != text for name, text in texts(second).items())
    sessions = [(read_meta(out) or {})["sessions"][-1] for out in (outs[0], second)]
    assert [session["counts"]["completed"] for session in sessions] == [3, 3]
    assert {"top_k", "min_p"} <= set(sessions[0]["not_taken"])
    assert "seed" not in sessions[0]["not_taken"]
    assert (tmp_path / "a.transformers.log").read_text().count("Application startup complete") == 1
