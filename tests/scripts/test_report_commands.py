"""`report`, `leaderboard` and `compare-reports` as they are typed, on studies."""

import json
import shutil
from pathlib import Path

import pytest
from sqlalchemy import Engine, select

from clinicnum.annotations.exports.report_folder import folder_hash
from clinicnum.db.engine import make_engine, reading
from clinicnum.db.rows import RunRow
from clinicnum.scripts.cli import run_command
from clinicnum.scripts.commands import report as report_command
from clinicnum.scripts.commands.common.simulated_annotators import label_study
from tests.scripts.study_made import Made, make_study


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    return make_study(tmp_path_factory.mktemp("made"))


def test_a_file_in_the_way_of_the_folder_is_said(tmp_path: Path) -> None:
    from clinicnum.errors import InputError

    (tmp_path / "o").write_text("")
    with pytest.raises(InputError, match="is a file; --out takes a folder"):
        report_command.write_files(tmp_path / "o", {"a": "b"})


def test_a_report_of_two_studies_compares_models_and_prints_the_hash_of_its_files(
    made: Made, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    again = shutil.copy(made.folder / "made.db", tmp_path / "two.db")
    two = Made(tmp_path, f"sqlite:///{again}")
    engine = make_engine(two.url)
    runs = [row.run_id for row in _runs(engine)]
    created = two.run(
        *("study", "create", "--name", "second", "--run", *runs, "--annotators", "simulated-1,simulated-2"),
        *("--overlap", "2"),
    )
    assert created == 0
    label_study(engine, "second", error_rate=0.3, seed=2)
    engine.dispose()
    capsys.readouterr()
    both = ("--study", "made", "--study", "second")
    assert two.run("report", *both, "--sections", "taxonomy", "--out", str(tmp_path / "a")) == 0
    files = {
        one.relative_to(tmp_path / "a").as_posix(): one.read_bytes()
        for one in (tmp_path / "a").rglob("*")
        if one.is_file()
    }
    assert capsys.readouterr().out.endswith(f"report.html  sha256 of all files {folder_hash(files)}\n")
    assert (tmp_path / "a" / "1-made" / "severity.csv").is_file()
    assert not (tmp_path / "a" / "1-made" / "accuracy_main.csv").exists()
    assert two.run("leaderboard", *both) == 0
    printed = capsys.readouterr().out
    assert printed == (tmp_path / "a" / "report.md").read_text(encoding="utf-8")
    assert "Failures per 100 answers, by model" in printed
    assert two.run("leaderboard", "--json") == 0
    assert [one["id"] for one in json.loads(capsys.readouterr().out)["sections"]] == ["leaderboard"]
    assert run_command(["compare-reports", str(tmp_path / "a"), str(tmp_path / "a")]) == 0
    assert capsys.readouterr().out == "the same: no figure, table, plot or text differs\n"
    folders = [str(tmp_path / "a" / one) for one in ("1-made", "2-second")]
    assert run_command(["compare-reports", *folders]) == 0
    assert "table severity (Severity of failures) changed" in capsys.readouterr().out
    assert run_command(["compare-reports", str(tmp_path), str(tmp_path / "a")]) == 2
    assert "No such file or directory; expected a report's folder" in capsys.readouterr().err
    assert two.run("report", *both, "--sections", "x", "--out", str(tmp_path / "c")) == 2
    assert not (tmp_path / "c").exists()


def _runs(engine: Engine) -> list[RunRow]:
    with reading(engine) as session:
        return list(session.scalars(select(RunRow)))
