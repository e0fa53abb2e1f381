"""`clinicnum attack` as typed: planted models on a server, the small model, refused benchmarks."""

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from clinicnum.io.benchmark import read_benchmark
from clinicnum.io.jsonl import read_meta, write_jsonl
from clinicnum.prompt import messages_for
from clinicnum.scripts.cli import run_command
from clinicnum.types import Instance
from tests.clinicnum.importing import import_items
from tests.jobs.slow_server import MODEL, Slow, slow_server
from tests.runs.starting import Starter

KINDS = (
    "input.distractor,representation.order,input.typo,numeric.relevant,prompt.direct,input.typo+prompt.direct"
)
OUTPUTS = ("benchmark.jsonl", "generations.jsonl", "scores.jsonl", "attack.json")


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("attack") / "bench.jsonl"
    made = ("--quota", "retrieval=6,comparison=6", "--representation", "structured", "--variants", KINDS)
    assert run_command(["generate", *made, "--out", str(out)]) == 0
    return out


def planted(bench: Path) -> Callable[[str], str]:
    """Wrong on typing errors and changed values of the second half; wrong on one base; right elsewhere."""
    instances = list(read_benchmark(bench).values())
    by_text = {json.dumps(list(messages_for(one))): one for one in instances}
    bases = [one.instance_id for one in instances if one.variant is None]

    def answer(asked: str) -> str:
        one = by_text.get(asked)
        if one is None:
            return "the server is tried before the run"
        base = bases.index(one.base_id or one.instance_id)
        kinds = (one.variant or "").split("+")
        wrong = base == 0 or "input.typo" in kinds or ("numeric.relevant" in kinds and base >= 6)
        return json.dumps({"answer": "-1" if wrong else one.answer})

    return answer


@pytest.fixture
def server(bench: Path) -> Iterator[Slow]:
    with slow_server(0, planted(bench)) as running:
        yield running


def _command(bench: Path, server: Slow, out: Path, *more: str) -> list[str]:
    asked = ("--model", MODEL, "--client", "openai", "--base-url", server.url, "--per-round", "4")
    return ["attack", "--benchmark", str(bench), *asked, "--out", str(out), *more]


def _figures(command: list[str], capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    capsys.readouterr()
    assert run_command([*command, "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def _questions(server: Slow) -> list[str]:
    """What the server was asked, without the greeting by which each command tries it."""
    return [asked for asked in server.asked if "Be brief." not in asked]


def test_an_attack_is_a_benchmark_with_its_answers_and_goes_on_where_it_stopped(
    tmp_path: Path, bench: Path, server: Slow, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "attack"
    static = _figures(
        _command(bench, server, tmp_path / "static", "--budget", "2", "--order", "static"), capsys
    )
    assert (static["n_bases_asked"], static["n_items"], static["broken_by"]) == (12, 11, {})
    assert static["n_asked"] == 22

    first = _figures(_command(bench, server, out, "--budget", "1"), capsys)
    assert first["n_asked"] == 11
    asked = len(_questions(server))
    found = _figures(_command(bench, server, out, "--budget", "3"), capsys)
    assert len(set(_questions(server)[asked:])) == len(_questions(server)[asked:])
    assert found["broken"]["value"] == 1.0  # each has a typing error among its first three
    assert found["n_asked"] <= 33
    asked = len(_questions(server))
    before = {name: (out / name).read_bytes() for name in OUTPUTS}
    assert _figures(_command(bench, server, out, "--budget", "3"), capsys) == found
    assert len(_questions(server)) == asked, "the same command asks nothing again"
    assert {name: (out / name).read_bytes() for name in OUTPUTS} == before

    # Killed in the middle of a line, and started again.
    lines = (out / "run.jsonl").read_bytes().splitlines(keepends=True)
    half, cut = tmp_path / "half", len(lines) // 2
    half.mkdir()
    (half / "run.jsonl").write_bytes(b"".join(lines[:cut]) + lines[cut][:40])
    shutil.copy(out / "run.jsonl.meta.json", half)
    assert _figures(_command(bench, server, half, "--budget", "3"), capsys) == found

    mutated = read_benchmark(out / "benchmark.jsonl")
    assert all(one.base_id in mutated for one in mutated.values() if one.variant is not None)
    assert set(found["broken_by"].values()) <= set(mutated)
    assert run_command(["lint", str(out / "benchmark.jsonl")]) == 0
    scored = ["--benchmark", str(out / "benchmark.jsonl"), "--generations", str(out / "generations.jsonl")]
    assert run_command(["robustness", *scored, "--scores", str(out / "scores.jsonl")]) == 0
    again = tmp_path / "again.jsonl"
    assert run_command(["score", *scored, "--out", str(again)]) == 0
    assert again.read_bytes() == (out / "scores.jsonl").read_bytes()
    capsys.readouterr()

    assert run_command(_command(bench, server, out, "--budget", "3")) == 0
    said = capsys.readouterr().out
    assert f"{MODEL}: 11 of 12 items answered rightly" in said
    assert "adaptive attack, at most 3 variants an item on average" in said
    assert "100.0 %" in said


def _refused(command: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    capsys.readouterr()
    assert run_command(command) == 2
    (line,) = capsys.readouterr().err.strip().splitlines()
    return line


def test_a_wrong_gold_refuses_the_attack_before_anything_is_asked(
    tmp_path: Path, bench: Path, server: Slow, capsys: pytest.CaptureFixture[str]
) -> None:
    instances = list(read_benchmark(bench).values())
    place = next(at for at, one in enumerate(instances) if one.variant == "numeric.relevant")
    bad = tmp_path / "bad.jsonl"
    changed = instances[place].model_copy(update={"answer": instances[0].answer})
    write_jsonl(bad, [*instances[:place], changed, *instances[place + 1 :]])
    out = tmp_path / "out"
    line = _refused(_command(bad, server, out), capsys)
    assert f"bad.jsonl:{place + 1}: V3.answer" in line
    assert "nothing was asked" in line
    write_jsonl(bad, [one for one in instances if one.variant is None])
    assert "make it anew with --variants attack" in _refused(_command(bad, server, out), capsys)
    foreign = [one.model_copy(update={"template_id": "of.elsewhere"}) for one in instances]
    write_jsonl(bad, foreign)
    assert "of.elsewhere cannot be recomputed; give its --bank" in _refused(
        _command(bad, server, out), capsys
    )
    assert "expected a folder" in _refused(_command(bench, server, bad), capsys)
    assert not out.exists()
    assert _questions(server) == []


def test_a_model_that_is_never_right_leaves_nothing_to_attack(
    tmp_path: Path, bench: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with slow_server(0) as server:
        assert run_command(_command(bench, server, tmp_path / "out")) == 2
    assert "answered none of 12 items rightly" in capsys.readouterr().err


QUESTIONS = """question,A,B,answer
Which is hotter?,ice,fire,B
Which is a number?,seven,grass,A
Which is colder?,ice,fire,A
Which is a colour?,red,seven,A
"""


@pytest.fixture(scope="module")
def questions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("questions")
    (folder / "questions.csv").write_text(QUESTIONS)
    made = ("--open-data", "--variants", "attack", "--prompt", "choice.direct")
    import_items("csv-choice", folder / "questions.csv", folder / "bench.jsonl", *made)
    return folder / "bench.jsonl"


SMALL = ("--max-new-tokens", "8", "--dtype", "float32", "--budget", "2")


def test_the_small_model_is_never_broken_less_by_the_adaptive_attack(
    tmp_path: Path, questions: Path, small_model: Path, starter: Starter
) -> None:
    told = {}
    for order in ("static", "adaptive"):
        out = tmp_path / order
        asked = ("--benchmark", str(questions), "--model", str(small_model), "--out", str(out))
        starter.run("attack", *asked, *SMALL, "--order", order)
        told[order] = json.loads((out / "attack.json").read_text())
    assert set(told["static"]["broken_by"]) <= set(told["adaptive"]["broken_by"])
    assert told["adaptive"]["n_asked"] <= 2 * told["adaptive"]["n_items"]
    assert told["static"]["n_items"] == told["adaptive"]["n_items"] > 0
    assert run_command(["lint", str(tmp_path / "adaptive" / "benchmark.jsonl")]) == 0


PROMPT = """\
name: letter
version: 1
wording: |
  {context} {question}
  {options}
  {form}
"""


def test_an_attack_starts_an_engine_and_asks_by_a_prompt_of_ones_own(
    tmp_path: Path,
    questions: Path,
    small_model: Path,
    engine_program: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    plain, prompt = tmp_path / "plain.jsonl", tmp_path / "letter.yaml"
    write_jsonl(
        plain, [one for one in read_benchmark(questions).values() if "prompt" not in (one.variant or "")]
    )
    prompt.write_text(PROMPT)
    asked = [
        "attack",
        "--benchmark",
        str(plain),
        "--model",
        str(small_model),
        "--prompt",
        str(prompt),
        *SMALL,
    ]
    by_engine = [*asked, "--engine", "transformers", "--engine-path", str(engine_program), "--out"]
    told = _figures([*asked, "--out", str(tmp_path / "here")], capfd)
    assert told["n_items"] > 0
    assert _figures([*by_engine, str(tmp_path / "engine")], capfd) == told

    run = read_meta(tmp_path / "engine" / "run.jsonl") or {}
    assert {one["engine"] for one in run["sessions"]} == {"transformers"}
    assert run["prompt"]["name"] == "letter"
    assert "choice.direct" in _refused(
        [*by_engine[:2], str(questions), *by_engine[3:], str(tmp_path / "no")], capfd
    )
    assert "--gpu-memory: belongs to an engine" in _refused(
        [*asked, "--gpu-memory", "0.5", "--out", str(tmp_path / "no")], capfd
    )


def test_attack_stands_for_all_kinds_that_keep_a_right_answer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "bench.jsonl"
    made = ("--quota", "arithmetic=1", "--representation", "note", "--variants", "attack, attack+attack")
    assert run_command(["generate", *made, "--out", str(out)]) == 0
    (line,) = [line for line in capsys.readouterr().err.splitlines() if line.startswith("variants: ")]
    assert line.count(",") < 40
    assert " others (in the .meta.json)" in line
    names = {one.variant for one in read_benchmark(out).values()}
    assert {"input.typo", "numeric.relevant+prompt.direct", "input.typo+input.distractor"} <= names
    assert not any("missing.masked" in (name or "") or "options." in (name or "") for name in names)
    instances: list[Instance] = list(read_benchmark(out).values())
    assert all(len((one.variant or "").split("+")) <= 2 for one in instances)
