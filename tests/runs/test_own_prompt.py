"""Runs by prompts of one's own with a real small model: kept in the run, resumed, compared, refused."""

import json
from pathlib import Path

import pytest

from clinicnum.io.jsonl import read_meta
from clinicnum.scripts.cli import run_command
from tests.runs.conftest import COUNT, SETTINGS, texts
from tests.runs.starting import Starter

BRIEF = """\
name: brief
version: 1
wording: |
  {context}

  {question} {options}
"""
EXAMPLES = f"""\
{BRIEF.replace("brief", "shown")}system: You read charts.
form: Answer with the number alone.
examples:
  - context: "06:27 heart rate 91 bpm"
    question: What was the first heart rate (bpm)?
    answer: "91"
"""


def _written(folder: Path, text: str) -> Path:
    path = folder / f"{text.split()[1]}.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def _refused(capfd: pytest.CaptureFixture[str], *arguments: str) -> str:
    capfd.readouterr()
    assert run_command(arguments) == 2
    (line,) = capfd.readouterr().err.strip().splitlines()
    return line


def test_two_prompts_are_run_recorded_resumed_and_compared(
    tmp_path: Path,
    bench: Path,
    unbroken: Path,
    small_model: Path,
    starter: Starter,
    capfd: pytest.CaptureFixture[str],
) -> None:
    def command(out: Path, prompt: Path, *more: str) -> list[str]:
        asked = ["run", "--benchmark", str(bench), "--model", str(small_model), "--out", str(out)]
        return [*asked, *SETTINGS, "--prompt", str(prompt), *more]

    brief, shown = _written(tmp_path, BRIEF), _written(tmp_path, EXAMPLES)
    one, other = tmp_path / "brief.jsonl", tmp_path / "shown.jsonl"
    assert run_command(command(one, brief, "--dry-run")) == 0
    assert f"{COUNT} of {COUNT} instances left" in capfd.readouterr().out
    starter.run(*command(one, brief, "--limit", "4"))
    starter.run(*command(one, brief))
    starter.run(*command(other, shown))
    assert len(texts(one)) == len(texts(other)) == COUNT
    metas = [read_meta(path) or {} for path in (one, other, unbroken)]
    assert len({meta["run_id"] for meta in metas}) == len({meta["prompt_hash"] for meta in metas}) == 3
    assert metas[1]["prompt"]["examples"][0]["answer"] == "91"
    assert metas[1]["prompt_ids"] == ["shown v1"]

    assert "prompt_hash" in _refused(capfd, *command(one, shown))
    capfd.readouterr()
    assert run_command(["compare-prompts", str(one), str(unbroken), "--benchmark", str(bench), "--json"]) == 0
    told = json.loads(capfd.readouterr().out)
    assert (told["n_common"], told["first_prompt"], told["second_prompt"]) == (COUNT, "brief v1", "default")
    assert next(row["outcome"] for row in told["outcomes"]) == "right"
    assert run_command(["compare-prompts", str(one), str(other), "--benchmark", str(bench)]) == 0
    said = capfd.readouterr().out
    assert "first prompt: brief v1; second prompt: shown v1" in said
    assert "form is not compared" in said
    assert "by the same prompt, brief v1" in _refused(
        capfd, "compare-prompts", str(one), str(one), "--benchmark", str(bench)
    )


def test_a_prompt_that_cannot_ask_the_benchmark_is_one_line_and_leaves_no_file(
    tmp_path: Path, bench: Path, small_model: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "g.jsonl"
    asked = ["run", "--benchmark", str(bench), "--model", str(small_model), "--out", str(out), "--prompt"]
    shown = json.loads(bench.read_text(encoding="utf-8").splitlines()[0])
    given_away = tmp_path / "away.yaml"
    example = {"context": shown["context"], "question": shown["question"], "answer": "70"}
    given_away.write_text(f"{BRIEF}examples: [{json.dumps(example)}]\n", encoding="utf-8")
    assert "whose answer it would give away" in _refused(capfd, *asked, str(given_away))
    for text, complaint in (
        (BRIEF.replace("{question}", ""), "has no place {question}"),
        (BRIEF.replace("1", "one"), "version: "),
        ("name: [", "not plain YAML"),
        ("", "has the fields name, version"),
    ):
        path = tmp_path / "p.yaml"
        path.write_text(text, encoding="utf-8")
        line = _refused(capfd, *asked, str(path))
        assert str(path) in line
        assert complaint in line
    assert "no such file" in _refused(capfd, *asked, str(tmp_path / "no.yaml"))
    varied = tmp_path / "varied.jsonl"
    lines = bench.read_text(encoding="utf-8").splitlines()
    lines[0] = json.dumps({**json.loads(lines[0]), "prompt_id": "direct"})
    varied.write_text("\n".join(lines) + "\n", encoding="utf-8")
    asked[2] = str(varied)
    assert "asked by several prompts, default, direct" in _refused(
        capfd, *asked, str(_written(tmp_path, BRIEF))
    )
    assert not out.exists()
