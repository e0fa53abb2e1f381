"""A claims study by commands: opened, labelled by scripts, reported, exported."""

import csv
import json
from pathlib import Path

import pytest

from clinicnum.db.engine import make_engine
from clinicnum.errors import ClinicnumError, InputError
from clinicnum.scripts.commands.common.simulated_annotators import add_simulated, label_study
from tests.scripts.test_study_commands import annotators, create, files, run

__all__ = ["annotators", "files"]


def test_a_claims_study_from_files_to_its_report(
    files: dict[str, Path], annotators: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    engine = make_engine(annotators)
    add_simulated(engine, ["sim-1", "sim-2"])
    asked = ("--generations", str(files["one"]), str(files["two"]), "--annotators", "sim-1,sim-2", "--claims")
    create(files, annotators, *asked, "--preview")
    create(files, annotators, *asked)
    done = label_study(engine, "s", error_rate=0.5, seed=1)
    engine.dispose()
    assert done == 16
    out = tmp_path / "out"
    run(["report", "--study", "s", "--out", str(out), "--db", annotators])
    with (out / "claims.csv").open(newline="", encoding="utf-8") as table:
        rows = list(csv.DictReader(table))
    assert {row["model"] for row in rows} == {"one", "two"}
    assert {row["part"] for row in rows} == {"answer", "reference"}
    assert {row["harm"] for row in rows if row["verdict"] in ("supported", "stated")} == {""}
    assert "" not in {row["harm"] for row in rows if row["verdict"] in ("contradicted", "omitted")}
    report = json.loads((out / "report.json").read_text())
    assert report["sections"][0]["id"] == "claims"
    assert not (out / "annotations.csv").exists()
    for form in ("csv,jsonl,xlsx,parquet", "hugging-face"):
        run(["export", "--study", "s", "--out", str(tmp_path / form), "--format", form, "--db", annotators])
    assert "cut into sentences" in (tmp_path / "hugging-face" / "hugging_face" / "README.md").read_text()
    with pytest.raises(InputError, match="checks each claim of an answer"):
        run(["export", "--study", "s", "--out", str(out), "--format", "label-studio", "--db", annotators])
    run(["agreement", "--study", "s", "--db", annotators])
    assert "Any sentence of the answer contradicted" in capsys.readouterr().out


def test_what_does_not_go_with_claims_is_refused_before_anything_is_written(
    files: dict[str, Path], annotators: str, tmp_path: Path
) -> None:
    both = ("--generations", str(files["one"]), str(files["two"]), "--claims")
    (tmp_path / "rubric.csv").write_text("text\nIs safe.\n")
    for more, says in (
        (("--suggestion-policy", "shown"), "takes no suggestions"),
        (("--training", "1"), "takes no training"),
        (("--criteria", str(tmp_path / "rubric.csv")), "takes no criteria"),
        (("--pairwise",), "asks one thing"),
    ):
        with pytest.raises(ClinicnumError, match=says):
            create(files, annotators, *both, *more)
