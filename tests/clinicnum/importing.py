"""Imports as a user starts them, in this process, and the files that they are tried on."""

from pathlib import Path

from clinicnum.io.benchmark import read_benchmark
from clinicnum.scripts.cli import run_command
from clinicnum.types import Instance

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
