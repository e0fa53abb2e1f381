"""One benchmark and one unbroken run of the small model over it, which other runs are compared with."""

import shlex
import sys
from pathlib import Path

import pytest

from clinicnum.inference.generations_journal import complete_lines
from clinicnum.io.jsonl import write_jsonl
from clinicnum.types import Instance
from tests.clinicnum.answering import instance
from tests.runs.starting import Starter

COUNT = 9
SETTINGS = ("--max-new-tokens", "6", "--dtype", "float32")


def questions(count: int) -> list[Instance]:
    """Three questions on each context; contexts of different length."""
    made = []
    for number in range(count):
        context, place = divmod(number, 3)
        lines = [
            f"0{6 + line}:27 heart rate {70 + 7 * line + context} bpm" for line in range(2 + context % 3)
        ]
        asked = ("first", "second", "last")[place]
        made.append(
            instance(number, context="\n".join(lines), question=f"What was the {asked} heart rate (bpm)?")
        )
    return made


def texts(path: Path) -> dict[str, str]:
    """Texts by instance; each instance must be there once."""
    found = [line.generation for line in complete_lines(path)]
    assert len({generation.instance_id for generation in found}) == len(found)
    return {generation.instance_id: generation.text for generation in found}


@pytest.fixture(scope="session")
def runs_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("runs")


@pytest.fixture(scope="session")
def engine_program(model_programs: Path) -> Path:
    """`transformers` as an engine that is forked, with the Python beside it that tells its version."""
    python = model_programs / "python"
    python.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} "$@"\n')
    python.chmod(0o755)
    return model_programs / "transformers"


@pytest.fixture(scope="session")
def bench(runs_folder: Path) -> Path:
    path = runs_folder / "bench.jsonl"
    write_jsonl(path, questions(COUNT), {"seed": 0, "credentialed": False})
    return path


@pytest.fixture(scope="session")
def unbroken(runs_folder: Path, bench: Path, small_model: Path, starter: Starter) -> Path:
    """The generations of an unbroken run, all in one batch."""
    out = runs_folder / "unbroken.jsonl"
    starter.run("run", "--benchmark", str(bench), "--model", str(small_model), "--out", str(out), *SETTINGS)
    return out
