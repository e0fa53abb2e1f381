"""A ratings study by commands: opened on axes of a file or the built-in ones, reported, exported."""

import csv
import json
from pathlib import Path

import pytest
from sqlalchemy import select

from clinicnum.db.engine import make_engine, reading
from clinicnum.db.rows import StudyRow
from clinicnum.db.work.studies.study_lifecycle import design_of
from clinicnum.errors import ClinicnumError, InputError
from clinicnum.scripts.commands.common.simulated_annotators import add_simulated, label_study
from tests.scripts.test_study_commands import annotators, create, files, run

__all__ = ["annotators", "files"]


def test_a_ratings_study_from_files_to_its_report(
    files: dict[str, Path], annotators: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    engine = make_engine(annotators)
    add_simulated(engine, ["sim-1", "sim-2"])
    axes = tmp_path / "axes.yaml"
    axes.write_text("- {name: use, label: Would you use it?, options: [{value: never}, {value: at once}]}\n")
    both = ("--generations", str(files["one"]), str(files["two"]), "--annotators", "sim-1,sim-2")
    capsys.readouterr()
    create(files, annotators, *both, "--ratings", "built-in", "--preview")
    shown = json.loads(capsys.readouterr().out)
    assert (shown["drawn"], shown["kind"]) == (8, "ratings")
    assert not any("sensitivity" in one for one in shown["warnings"])
    create(files, annotators, *both, "--ratings", str(axes))
    with reading(engine) as session:
        assert design_of(session.scalars(select(StudyRow)).one()).adjudicated
    assert label_study(engine, "s", error_rate=0.5, seed=1) == 16
    engine.dispose()
    out = tmp_path / "out"
    run(["report", "--study", "s", "--out", str(out), "--db", annotators])
    with (out / "ratings.csv").open(newline="", encoding="utf-8") as table:
        rows = list(csv.DictReader(table))
    assert len(rows) == 16
    assert {(row["axis"], row["point"], row["number"]) for row in rows} <= {
        ("use", "never", "1"),
        ("use", "at once", "2"),
    }
    assert {row["reference_shown"] for row in rows} == {"False"}
    report = json.loads((out / "report.json").read_text())
    assert report["sections"][0]["id"] == "ratings"
    assert "not weighted, as each had the same chance" in report["sections"][0]["paragraphs"][0]
    assert report["key_figures"][1]["note"].endswith("; not told apart from one")
    assert not (out / "annotations.csv").exists()
    for form in ("csv,jsonl,xlsx,parquet", "hugging-face"):
        run(["export", "--study", "s", "--out", str(tmp_path / form), "--format", form, "--db", annotators])
    card = (tmp_path / "hugging-face" / "hugging_face" / "README.md").read_text()
    assert "Would you use it?" in card
    with pytest.raises(InputError, match="this study rates each answer on its axes"):
        run(["export", "--study", "s", "--out", str(out), "--format", "label-studio", "--db", annotators])
    capsys.readouterr()
    run(["agreement", "--study", "s", "--db", annotators])
    assert "Would you use it?" in capsys.readouterr().out


def test_what_does_not_go_with_ratings_is_refused_before_anything_is_written(
    files: dict[str, Path], annotators: str, tmp_path: Path
) -> None:
    one = ("--generations", str(files["one"]))
    wrong = tmp_path / "axes.yaml"
    wrong.write_text("- {name: use, label: Use?, points: 99}\n")
    rubric = tmp_path / "rubric.csv"
    rubric.write_text("text\nIs safe.\n")
    for more, says in (
        (("--ratings", str(wrong)), "axes.yaml: the declared fields cannot be used in field 1"),
        (("--ratings", str(tmp_path / "none.yaml")), "no such file"),
        (("--ratings", "built-in", "--fields", str(wrong)), "asks its axes only"),
        (("--ratings", "built-in", "--controls", "1"), "takes no controls"),
        (("--ratings", "built-in", "--criteria", str(rubric)), "takes no criteria"),
        (("--ratings", "built-in", "--pairwise"), "a study asks one thing"),
        (("--rating-limit", "2"), "only ratings have a limit"),
        (("--ratings", "built-in", "--rating-limit", "9"), "rating_limit"),
        (("--show-reference",), "in ratings studies only"),
    ):
        with pytest.raises(ClinicnumError, match=says):
            create(files, annotators, *one, *more)
