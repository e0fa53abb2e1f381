"""A pairwise study by commands: opened, previewed, labelled by scripts, reported, exported."""

import csv
import json
from pathlib import Path

import pytest

from clinicnum.db.engine import make_engine
from clinicnum.errors import ClinicnumError, InputError
from clinicnum.scripts.commands.common.simulated_annotators import add_simulated, label_study
from tests.scripts.test_study_commands import annotators, create, files, run

__all__ = ["annotators", "files"]


def test_a_pairwise_study_from_files_to_its_report(
    files: dict[str, Path], annotators: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    engine = make_engine(annotators)
    add_simulated(engine, ["sim-1", "sim-2"])
    both = (
        "--generations",
        str(files["one"]),
        str(files["two"]),
        "--annotators",
        "sim-1,sim-2",
        "--pairwise",
    )
    capsys.readouterr()
    create(files, annotators, *both, "--preview")
    shown = json.loads(capsys.readouterr().out)
    assert (shown["drawn"], [one["stratum"] for one in shown["strata"]]) == (
        4,
        ["arithmetic/structured/pair"],
    )
    assert not any("sensitivity" in one for one in shown["warnings"])
    create(files, annotators, *both)
    assert label_study(engine, "s", error_rate=0.5, seed=1) == 8
    engine.dispose()
    out = tmp_path / "out"
    run(["report", "--study", "s", "--out", str(out), "--db", annotators])
    with (out / "comparisons.csv").open(newline="", encoding="utf-8") as table:
        rows = list(csv.DictReader(table))
    assert len(rows) == 8
    assert {row["first_model"] for row in rows} | {row["second_model"] for row in rows} == {"one", "two"}
    assert {row["left"] for row in rows} == {"first", "second"}
    report = json.loads((out / "report.json").read_text())
    ids = [one["id"] for one in report["sections"]]
    assert [one for one in ids if one != "unsaid"] == ["pairwise", "disputes", "provenance"]
    assert not (out / "annotations.csv").exists()
    for form in ("csv,jsonl,xlsx,parquet", "hugging-face"):
        run(["export", "--study", "s", "--out", str(tmp_path / form), "--format", form, "--db", annotators])
    card = (tmp_path / "hugging-face" / "hugging_face" / "README.md").read_text()
    assert "Bradley-Terry" in card
    with pytest.raises(InputError, match="label-studio holds judgements of single answers"):
        run(["export", "--study", "s", "--out", str(out), "--format", "label-studio", "--db", annotators])
    run(["agreement", "--study", "s", "--db", annotators])
    assert "Preference between two answers" in capsys.readouterr().out


def test_what_does_not_go_with_pairs_is_refused_before_anything_is_written(
    files: dict[str, Path], annotators: str, tmp_path: Path
) -> None:
    both = ("--generations", str(files["one"]), str(files["two"]), "--pairwise")
    (tmp_path / "rubric.csv").write_text("text\nIs safe.\n")
    for more, says in (
        (("--suggestion-policy", "shown"), "takes no suggestions"),
        (("--training", "1"), "takes no training"),
        (("--where", "status=incorrect"), "takes no statuses"),
        (("--criteria", str(tmp_path / "rubric.csv")), "takes no criteria"),
    ):
        with pytest.raises(ClinicnumError, match=says):
            create(files, annotators, *both, *more)
    one = ("--where", "run=run-of-qwen")
    with pytest.raises(InputError, match="no two answers to the same question"):
        create(files, annotators, *both, *one)
