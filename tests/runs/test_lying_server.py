"""A model server that lies: each lie is an error or a good generation, counted, and the run can go on."""

from pathlib import Path

import pytest

from clinicnum.inference.generations_journal import complete_lines
from clinicnum.inference.openai.response_body import LONGEST_BODY
from clinicnum.io.jsonl import read_jsonl, read_meta, write_jsonl
from clinicnum.scripts.cli import run_command
from clinicnum.types import Generation, Instance
from tests.clinicnum.answering import instance
from tests.runs.lying import BAD, GIGABYTE, GOOD, MODEL, Lying, lying_server

TIMEOUT_S = 6
BROKEN = ("longer_than_it_is", "shorter_than_it_is", "gigabyte", "drip")


def benchmark(path: Path, lies: list[str]) -> Path:
    """One question a lie; after each an honest one, or a row of failures would end the run."""
    made: list[Instance] = []
    for lie in lies:
        for asked in (lie, "none"):
            text = f"06:27 heart rate 72 bpm (lie: {asked})"
            made.append(instance(len(made), context=text, question="What was the first heart rate (bpm)?"))
    write_jsonl(path, made, {"seed": 0, "credentialed": False})
    return path


def run(server: Lying, bench: Path, out: Path, *more: str) -> int:
    where = ["--benchmark", str(bench), "--out", str(out), "--base-url", server.url]
    how = ["--client", "openai", "--model", MODEL, "--concurrency", "1", "--retries", "0"]
    return run_command(["run", *where, *how, "--timeout", str(TIMEOUT_S), "--max-new-tokens", "4", *more])


def by_lie(bench: Path, out: Path) -> dict[str, Generation]:
    """What became of each lie that was answered."""
    instances = {one.instance_id: one for one in read_jsonl(bench, Instance)}
    lies = {name: one.context.partition("lie: ")[2].rstrip(")") for name, one in instances.items()}
    return {lies[line.generation.instance_id]: line.generation for line in complete_lines(out)}


def test_every_lie_is_an_error_or_a_good_generation_and_the_run_goes_on(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    lies = [*GOOD, *BAD, *BROKEN]
    bench, out = benchmark(tmp_path / "bench.jsonl", lies), tmp_path / "g.jsonl"
    with lying_server() as server:
        assert run(server, bench, out) == 1
        said = capfd.readouterr().err
        assert "Traceback" not in said
        assert 0 < server.sent < 4 * LONGEST_BODY < GIGABYTE
        counts = (read_meta(out) or {})["sessions"][-1]["counts"]
        failed = len(BAD) + len(BROKEN)
        assert counts["completed"] == len(GOOD) + len(lies)
        assert (counts["failed"], counts["too_long"], counts["timeout"]) == (failed, 1, 1)
        assert (counts["other_model"], counts["broken_off"]) == (1, 1)
        assert counts["garbled"] == failed - 4
        kept = out.read_bytes()
        found = by_lie(bench, out)
        assert set(found) == set(GOOD)
        _check_good(found)
        server.honest = True
        assert run(server, bench, out) == 0
    assert out.read_bytes().startswith(kept)
    done = [one.instance_id for one in read_jsonl(out, Generation)]
    assert sorted(done) == sorted(one.instance_id for one in read_jsonl(bench, Instance))
    scores = ["--benchmark", str(bench), "--generations", str(out), "--out", str(tmp_path / "s.jsonl")]
    assert run_command(["score", *scores]) == 0


def _check_good(found: dict[str, Generation]) -> None:
    texts = {name: one.text for name, one in found.items()}
    odd = {"null_content": "", "nul": "7\0002", "surrogate": "72 � bpm"}
    assert texts == dict.fromkeys(GOOD, "72") | odd
    assert {one.finish_reason for one in found.values()} == {"stop"}
    for name in ("negative_usage", "huge_usage", "usage_is_text"):
        assert (found[name].prompt_tokens, found[name].completion_tokens) == (None, None)
    assert found["none"].text_confidence is not None
    for name in ("too_many_logprobs", "too_few_logprobs", "logprobs_above_one", "logprobs_huge"):
        assert (found[name].text_confidence, found[name].answer_confidence) == (None, None)


def test_a_server_that_lies_from_the_first_word_is_one_line(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    bench, out = benchmark(tmp_path / "bench.jsonl", ["none"]), tmp_path / "g.jsonl"
    for lie in ("gigabyte", "nested", "html"):
        monkeypatch.setitem(GOOD, "none", BAD.get(lie, b'{"choices": "' + b"x" * (LONGEST_BODY + 1)))
        with lying_server() as server:
            assert run(server, bench, out) == 2
        said = capfd.readouterr().err.strip().splitlines()
        assert len(said) == 1, said
        assert said[0].startswith(f"error: {server.url} cannot run '{MODEL}'")
        assert not out.exists()
