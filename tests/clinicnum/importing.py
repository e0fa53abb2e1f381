"""Imports as a user starts them, in this process, and the files that they are tried on."""

import csv
from pathlib import Path

import pytest

from clinicnum.io.benchmark import read_benchmark
from clinicnum.io.jsonl import read_jsonl
from clinicnum.scripts.cli import run_command
from clinicnum.types import Generation, Instance

IMPORTED = Path(__file__).parent / "imported"


def import_items(name: str, source: Path, out: Path, *more: str) -> dict[str, Instance]:
    """The instances of a file that is right."""
    arguments = ["import", "items", "--format", name, "--from", str(source), "--out", str(out), *more]
    assert run_command(arguments) == 0
    return read_benchmark(out)


def generations_command(name: str, source: Path, benchmark: Path, out: Path, *more: str) -> list[str]:
    """The arguments that import generations."""
    return [
        *("import", "generations", "--format", name, "--from", str(source)),
        *("--benchmark", str(benchmark), "--model-name", "some-model", "--out", str(out), *more),
    ]


def robbench(folder: Path) -> Path:
    """A benchmark of the four questions that the logs in `imported` answer."""
    out = folder / "bench.jsonl"
    import_items("clinicnumrobbench", IMPORTED / "robbench.csv", out)
    return out


def questions(bench: Path) -> dict[str, str]:
    """The questions of a benchmark by the ids of its instances."""
    return {instance.instance_id: instance.question for instance in read_jsonl(bench, Instance)}


def import_generations(name: str, source: Path, bench: Path, *more: str) -> list[Generation]:
    """The generations of a file that is right."""
    out = source.parent / "out.jsonl" if source.parent != IMPORTED else bench.parent / "out.jsonl"
    assert run_command(generations_command(name, source, bench, out, *more)) == 0
    return list(read_jsonl(out, Generation))


def _labels_command(name: str, source: Path, *more: str) -> list[str]:
    out = source.parent / "labels.csv"
    return ["import", "labels", "--format", name, "--from", str(source), "--out", str(out), *more]


def import_labels(source: Path, name: str, *more: str) -> list[dict[str, str]]:
    """The rows of the `labels.csv` that a file of labels gives."""
    assert run_command(_labels_command(name, source, *more)) == 0
    with (source.parent / "labels.csv").open(encoding="utf-8", newline="") as handle:
        return list(csv.DictReader(handle))


def refuse_labels(source: Path, name: str, capsys: pytest.CaptureFixture[str], *more: str) -> str:
    """What is said of a file of labels that is wrong: one line, and nothing is written."""
    assert run_command(_labels_command(name, source, *more)) == 2
    assert not (source.parent / "labels.csv").exists()
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    return error
