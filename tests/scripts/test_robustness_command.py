"""`clinicnum robustness` as typed: its tables, its JSON, and files that do not match."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from clinicnum.inference.hidden_states import contexts_of
from clinicnum.io.jsonl import sha256_file, write_jsonl
from clinicnum.scoring import score
from clinicnum.scripts.cli import run_command
from clinicnum.types import Instance
from tests.clinicnum.answering import generation, instance

Files = dict[str, Path]


def _instances() -> list[Instance]:
    """Forty questions of twenty subjects, each with a variant whose right answer stays."""
    bases = [instance(i, subject_id=f"s{i % 20}") for i in range(40)]
    variants = [
        instance(100 + i, subject_id=f"s{i % 20}", variant="input.typo", base_id=f"i{i}", expected="same")
        for i in range(40)
    ]
    return [*bases, *variants]


@pytest.fixture
def files(tmp_path: Path) -> Files:
    """A benchmark, two models on it, and the first asked again."""
    asked = _instances()
    paths = {"bench": tmp_path / "bench.jsonl"}
    write_jsonl(paths["bench"], asked, {"seed": 0})
    of_benchmark = {"benchmark_sha256": sha256_file(paths["bench"])}
    for name, wrong in {"one": 4, "two": 3, "again": 5}.items():
        made = [
            generation("88" if i % wrong == 0 else "110", of=one, run=name) for i, one in enumerate(asked)
        ]
        made = [g.model_copy(update={"answer_confidence": 0.3 + i % 7 / 10}) for i, g in enumerate(made)]
        scores = [score(instance=one, generation=g) for one, g in zip(asked, made, strict=True)]
        paths[name], paths[f"{name}-scores"] = tmp_path / f"{name}.jsonl", tmp_path / f"{name}-scores.jsonl"
        write_jsonl(paths[name], made, of_benchmark | {"model": name})
        meta = of_benchmark | {"generations_sha256": sha256_file(paths[name])}
        write_jsonl(paths[f"{name}-scores"], scores, meta)
    return paths


def _arguments(files: Files, *models: str) -> list[str]:
    given = ["robustness", "--benchmark", str(files["bench"])]
    for name in models:
        given += ["--generations", str(files[name]), "--scores", str(files[f"{name}-scores"])]
    return given


def _json(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    assert run_command([*arguments, "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_json_has_every_table(files: Files, capsys: pytest.CaptureFixture[str]) -> None:
    again = ["--rerun-generations", str(files["again"]), "--rerun-scores", str(files["again-scores"])]
    found = _json([*_arguments(files, "one", "two"), *again], capsys)
    assert [model["model"] for model in found["models"]] == ["one", "two"]
    (row,) = found["models"][0]["flips"]
    # Of 40 bases, every fourth is wrong; as 40 is a multiple of 4, its variant is wrong with it.
    assert (row["kind"], row["flip"]["value"], row["flip"]["n"]) == ("input.typo", 0.0, 30)
    # The re-run is wrong at every fifth; of the 30 right at first, those are 5, 10, 15, 25, 30 and 35.
    assert row["rerun_flip"]["value"] == pytest.approx(6 / 30)
    assert found["models"][1]["flips"][0]["rerun_flip"]["undefined"] == "no identical re-run was given"
    (compared,) = found["comparisons"]
    assert (compared["first"], compared["second"], compared["n"]) == ("one", "two", 40)
    assert found["models"][0]["calibration"][-1]["n"] == 40
    assert found["latent"] == []
    assert _json(_arguments(files, "one", "two"), capsys) == _json(_arguments(files, "one", "two"), capsys)


def test_text_says_the_same_and_why_something_is_missing(
    files: Files, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command(_arguments(files, "one", "two")) == 0
    out = capsys.readouterr().out
    for said in (
        "one: 80 answers, 40 variants, no identical re-run",
        "input.typo",
        "Models against each other",
    ):
        assert said in out
    assert "undefined (-): no identical re-run was given" in out
    assert "nan" not in out.lower()


def test_hidden_states_add_latent_flips(
    files: Files, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "states.npy"
    contexts = contexts_of(_instances())
    np.save(path, np.zeros((len(contexts), 3), dtype=np.float32))
    rows = [{"row": i, "instance_ids": list(c.instance_ids)} for i, c in enumerate(contexts)]
    Path(f"{path}.rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = _json([*_arguments(files, "one"), "--hidden-states", str(path)], capsys)
    assert [row["state"] for row in found["latent"]] == ["shock_index", "fever", "hypoxia"]
    assert all(row["withheld"] for row in found["latent"])
    assert run_command([*_arguments(files, "one"), "--hidden-states", str(path)]) == 0
    assert "shock_index: withheld, as " in capsys.readouterr().out


def _refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    assert run_command(arguments) == 2
    told = capsys.readouterr()
    assert told.out == ""
    (line,) = told.err.strip().splitlines()
    return line


def test_files_that_do_not_match_are_one_line(files: Files, capsys: pytest.CaptureFixture[str]) -> None:
    one = _arguments(files, "one")
    assert "expected one of each" in _refused([*one, "--scores", str(files["two-scores"])], capsys)
    assert "give both or neither" in _refused([*one, "--rerun-scores", str(files["two-scores"])], capsys)
    crossed = [*one[:-1], str(files["two-scores"])]
    assert "are scores of other generations" in _refused(crossed, capsys)
    other = files["bench"].with_name("other.jsonl")
    write_jsonl(other, _instances()[:40])
    line = _refused([*one[:1], "--benchmark", str(other), *one[3:]], capsys)
    assert "one.jsonl: is of another benchmark" in line
    files["one"].write_text(files["one"].read_text() + "\n")
    assert "differs from the file that its .meta.json describes" in _refused(one, capsys)
