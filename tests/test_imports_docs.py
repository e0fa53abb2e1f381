"""`docs/imports.md`: what comes of the files that stand on it (`tests/docs` runs all its commands)."""

import re
import shlex
from pathlib import Path

import pytest

from clinicnum.io.jsonl import read_jsonl
from clinicnum.scripts.cli import run_command
from clinicnum.types import Generation, Score

DOC = Path(__file__).parents[1] / "docs" / "imports.md"


def test_the_examples_of_the_page_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = DOC.read_text(encoding="utf-8")
    files = re.findall(r"[Tt]his is `([^`]+)`.*?\n```(?:json|csv)\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert [name for name, _ in files] == [
        "choices.jsonl",
        "ward.csv",
        "texts.jsonl",
        "robbench.csv",
        "answers.csv",
        "answers.jsonl",
        "project.json",
    ]
    for name, content in files:
        (tmp_path / name).write_text(content, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```sh\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    own = [block for block in blocks if re.search(r"--from (\S+)", block)[1] in dict(files)]  # type: ignore[index]
    commands = "".join(own).splitlines()
    assert len(commands) == 11
    for command in commands:
        program, *arguments = shlex.split(command)
        assert program == "clinicnum"
        assert run_command(arguments) == 0, command
    scores = read_jsonl(tmp_path / "robbench-scores.jsonl", Score)
    assert [score.status for score in scores] == ["correct", "incorrect"]
    told = read_jsonl(tmp_path / "choices-generations.jsonl", Generation)
    assert [generation.instance_id for generation in told] == ["c1", "c2"]
