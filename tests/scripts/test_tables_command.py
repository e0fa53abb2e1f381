"""`clinicnum tables` as typed: Markdown, JSON, files, and what it refuses."""

import csv
import json
from pathlib import Path

import pytest

from clinicnum.io.jsonl import sha256_file, write_jsonl
from clinicnum.scoring import score
from clinicnum.scripts.cli import run_command
from tests.clinicnum.answering import generation, instance


@pytest.fixture
def given(tmp_path: Path) -> list[str]:
    """Forty questions of twenty subjects, each with a typing slip; every fourth base and every third variant
    is answered wrongly, by 22 bpm."""
    bases = [instance(i, subject_id=f"s{i % 20}") for i in range(40)]
    slips = [
        instance(100 + i, subject_id=f"s{i % 20}", variant="input.typo", base_id=f"i{i}", expected="same")
        for i in range(40)
    ]
    bench, answers, scores = (tmp_path / f"{name}.jsonl" for name in ("bench", "g", "s"))
    write_jsonl(bench, [*bases, *slips], {"seed": 0, "credentialed": False})
    asked = [(one, i % 4 == 0) for i, one in enumerate(bases)] + [
        (one, i % 3 == 0) for i, one in enumerate(slips)
    ]
    made = [generation("88" if wrong else "110", of=one) for one, wrong in asked]
    write_jsonl(answers, made, {"benchmark_sha256": sha256_file(bench), "model": "m"})
    judged = [score(instance=one, generation=g) for (one, _), g in zip(asked, made, strict=True)]
    write_jsonl(scores, judged, {"generations_sha256": sha256_file(answers)})
    return ["tables", "--benchmark", str(bench), "--generations", str(answers), "--scores", str(scores)]


def test_json_and_markdown_have_every_table_or_why_not(
    given: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command([*given, "--json"]) == 0
    found = {one["name"]: one for one in json.loads(capsys.readouterr().out)["tables"]}
    (broken,) = found["broken_by_any_attack"]["rows"]
    # Of 30 bases right, those whose number is a multiple of 3 and not of 4: 10 of them.
    assert (broken["figures"][0]["value"], broken["figures"][0]["n"]) == (pytest.approx(10 / 30), 30)
    assert found["personas"]["undefined"].startswith("no question was answered under a persona")
    assert run_command(given) == 0
    said = capsys.readouterr().out
    assert "Not made: no question was answered under a persona" in said
    assert "| input | retrieval |" not in said
    assert "33.3 % (" in said


def test_a_folder_gets_a_csv_and_a_latex_table_of_each(
    given: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    wanted = ["--only", "error_magnitude,personas", "--margin", "bpm=25", "--out", str(out)]
    assert run_command([*given, *wanted]) == 0
    assert "not made: personas: " in capsys.readouterr().out
    assert sorted(one.name for one in out.iterdir()) == [
        *("error_magnitude.csv", "error_magnitude.tex", "tables.md")
    ]
    (row,) = csv.DictReader((out / "error_magnitude.csv").read_text(encoding="utf-8").splitlines())
    assert (row["model"], row["unit"], row["within_margin"], row["absolute_error"]) == (
        *("m", "bpm", "1.0", "22.0"),
    )
    assert float(row["accuracy"]) == 0.75
    assert float(row["accuracy_ci95_low"]) < 0.75 < float(row["accuracy_ci95_high"])


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (["--only", "flips"], "--only: no table is named 'flips'; expected some of accuracy_by_factor"),
        (["--margin", "bpm"], "--margin: 'bpm'; expected a unit and a number of 0 or more joined by ="),
        (["--margin", "bpm=-1"], "--margin: 'bpm=-1'; expected a unit"),
        (["--margin", "bpm=nan"], "--margin: 'bpm=nan'; expected a unit"),
    ],
)
def test_what_is_refused(
    given: list[str], wrong: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command([*given, *wrong]) == 2
    assert said in capsys.readouterr().err
