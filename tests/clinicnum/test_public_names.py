"""The names of `import clinicnum`: just these, each with an example that runs."""

import doctest
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import clinicnum

NAMES = [
    *("Benchmark", "Generation", "InputError", "Instance", "Scores", "agreement", "generate"),
    *("lint_benchmark", "load_benchmark", "load_scores", "measure_robustness", "report", "score"),
    *("suggest", "verify"),
]
TYPES = {"Generation", "InputError", "Instance"}
"""Contracts, which have no behaviour to show."""
NEEDS_BUNDLE = {"report", "verify"}


def test_the_public_names_are_these() -> None:
    assert clinicnum.__all__ == NAMES
    assert [name for name in dir(clinicnum) if not name.startswith("_")] == NAMES
    with pytest.raises(AttributeError, match="no attribute 'scores'"):
        clinicnum.scores  # type: ignore[attr-defined]  # noqa: B018


@pytest.mark.parametrize("name", NAMES)
def test_every_name_says_what_it_does(name: str) -> None:
    text = inspect.getdoc(getattr(clinicnum, name)) or ""
    assert text
    assert name in TYPES or "Example:" in text


@pytest.mark.parametrize("name", [name for name in NAMES if name not in TYPES | NEEDS_BUNDLE])
def test_every_example_runs(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run_example(name, {}) > 0


def run_example(name: str, known: dict[str, object]) -> int:
    """Run the example of a public name; the number of its lines that were tried."""
    found = doctest.DocTestFinder(recurse=False).find(getattr(clinicnum, name), name, globs=known)
    result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(found[0])
    assert result.failed == 0
    return result.attempted


def test_the_import_is_light() -> None:
    heavy = "torch", "transformers", "gradio", "fastapi", "sqlmodel", "pandas", "numpy"
    code = f"import sys, clinicnum; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
