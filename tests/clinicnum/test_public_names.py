"""The names of `import clinicnum`: just these, each with an example that runs."""

import doctest
import subprocess
import sys
from pathlib import Path

import pytest

import clinicnum
from clinicnum.annotations.bundle.archive import pack
from tests.annotations.bundle_example import files

NAMES = [
    *("Benchmark", "Generation", "InputError", "Instance", "Scores", "agreement", "compare_runs"),
    "find_slices",
    *("generate", "lint_benchmark", "load_benchmark", "load_scores", "measure_robustness", "report", "score"),
    *("slice_accuracy", "suggest", "verify"),
]


def test_the_public_names_are_these() -> None:
    assert clinicnum.__all__ == NAMES
    assert [name for name in dir(clinicnum) if not name.startswith("_")] == NAMES
    with pytest.raises(AttributeError, match="no attribute 'scores'"):
        clinicnum.scores  # type: ignore[attr-defined]  # noqa: B018


@pytest.mark.parametrize("name", NAMES)
def test_every_name_has_an_example_that_runs(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    known = {}
    if name in {"report", "verify"}:
        known["bundle"] = tmp_path / "study.zip"
        known["bundle"].write_bytes(pack(files()))
    found = doctest.DocTestFinder(recurse=False).find(getattr(clinicnum, name), name, globs=known)
    result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(found[0])
    assert (result.attempted > 1, result.failed) == (True, 0)


def test_the_import_is_light() -> None:
    heavy = "torch", "transformers", "gradio", "fastapi", "sqlmodel", "pandas", "numpy"
    code = f"import sys, clinicnum; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
