"""`users` and `study` as typed on a command line, on files and a real database."""

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from clinicnum.annotations.types import StudySummary
from clinicnum.db.engine import make_engine, reading
from clinicnum.db.login import log_in
from clinicnum.db.work.accounts.users import list_users
from clinicnum.errors import ClinicnumError
from clinicnum.io.jsonl import meta_path, write_jsonl
from clinicnum.scripts.cli import build_app
from clinicnum.scripts.commands.common.simulated_annotators import add_simulated, label_study
from tests.db.examples import material

PASSWORD = "correct horse"


def run(arguments: Sequence[str]) -> None:
    """A command, its errors raised and not printed."""
    build_app()(args=list(arguments), standalone_mode=False)


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    """A benchmark, two runs on it with a meta each, and their scores in one file."""
    one, two = material(wrong=4), material(wrong=4, run_id="run-of-qwen")
    paths = {name: tmp_path / f"{name}.jsonl" for name in ("bench", "one", "two", "scores")}
    write_jsonl(paths["bench"], one.instances, {"seed": 0})
    sha = json.loads(meta_path(paths["bench"]).read_text())["sha256"]
    for name, made in {"one": one, "two": two}.items():
        write_jsonl(paths[name], made.generations(), {"model": name, "benchmark_sha256": sha})
    write_jsonl(paths["scores"], [*one.scores, *two.scores])
    return paths


@pytest.fixture
def annotators(database_url: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """Two accounts, made by the command; the address of their database."""
    for name in ("ann", "ben"):
        monkeypatch.setattr("sys.stdin", io.StringIO(PASSWORD + "\n"))
        run(["users", "add", name, "--role", "annotator", "--password-stdin", "--db", database_url])
    return database_url


def create(files: dict[str, Path], url: str, *more: str) -> None:
    run(
        [
            *("study", "create", "--name", "s", "--benchmark", str(files["bench"])),
            *("--scores", str(files["scores"]), "--annotators", "ann, ben", "--overlap", "2"),
            *("--db", url, "--json", *more),
        ]
    )


def test_from_accounts_to_a_closed_study(
    files: dict[str, Path], annotators: str, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    create(files, annotators, "--generations", str(files["one"]), str(files["two"]))
    (made,) = (StudySummary.model_validate(one) for one in json.loads(capsys.readouterr().out))
    assert (made.generations, made.annotators, made.assignments, made.status) == (8, 2, 16, "open")
    run(["study", "list", "--db", annotators])
    assert capsys.readouterr().out == (
        "s (open): 8 generations, 2 annotators, overlap 2, 0 of 16 submitted, 0 skipped\n"
    )
    run(["study", "close", "s", "--db", annotators, "--json"])
    told = capsys.readouterr()
    assert json.loads(told.out)[0]["status"] == "closed"
    assert (
        "warning: Not settled: 8 items not judged by all their annotators "
        "(no adjudicator decides on these before).\n" in told.err
    )


def test_a_repeated_option_names_several_runs_as_well(
    files: dict[str, Path], annotators: str, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    create(files, annotators, "--generations", str(files["one"]), "--generations", str(files["two"]))
    assert json.loads(capsys.readouterr().out)[0]["generations"] == 8


def test_a_new_password_takes_the_place_of_the_old(annotators: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("another long one\n"))
    run(["users", "reset", "ann", "--password-stdin", "--db", annotators])
    engine = make_engine(annotators)
    assert log_in(engine, name="ann", password=PASSWORD) is None
    assert log_in(engine, name="ann", password="another long one") is not None
    assert log_in(engine, name="ben", password=PASSWORD) is not None
    engine.dispose()


def test_the_database_may_come_from_the_environment(
    annotators: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CLINICNUM_DATABASE_URL", annotators)
    monkeypatch.setattr("sys.stdin", io.StringIO(PASSWORD + "\n"))
    run(["users", "add", "ada", "--role", "admin", "--password-stdin"])
    engine = make_engine(annotators)
    with reading(engine) as session:
        assert [user.name for user in list_users(session)] == ["ada", "ann", "ben"]
    engine.dispose()


def test_bad_input_is_one_line_and_leaves_no_study(
    files: dict[str, Path], annotators: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one = str(files["one"])
    broken = tmp_path / "broken.jsonl"
    broken.write_text('{"generation_id": 1}\n')
    cases = {
        "no such file": ["--generations", str(tmp_path / "none.jsonl")],
        "1: not a valid generation": ["--generations", str(broken)],
        "scores name unknown generations": ["--generations", one],
        "--include 'some' does not exist": ["--generations", one, "--include", "some"],
        "expected a taxonomy in YAML": ["--generations", one, "--taxonomy", str(tmp_path / "none.yaml")],
    }
    capsys.readouterr()
    for complaint, arguments in cases.items():
        with pytest.raises(ClinicnumError) as caught:
            create(files, annotators, *arguments)
        assert complaint in str(caught.value)
        assert "\n" not in str(caught.value)
    run(["study", "list", "--db", annotators])
    assert "no study yet" in capsys.readouterr().out


def test_a_file_that_changed_since_it_was_made_is_refused(files: dict[str, Path], annotators: str) -> None:
    with files["bench"].open("a") as handle:
        handle.write("\n")
    with pytest.raises(ClinicnumError, match=r"differs from the file that its .meta.json describes"):
        create(files, annotators, "--generations", str(files["one"]), str(files["two"]))


def test_without_a_terminal_the_password_comes_from_stdin_or_not_at_all(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    with pytest.raises(ClinicnumError, match="pipe it in with --password-stdin"):
        run(["users", "add", "ann", "--role", "annotator", "--db", database_url])
    with pytest.raises(ClinicnumError, match="--role 'king' does not exist"):
        run(["users", "add", "ann", "--role", "king", "--password-stdin", "--db", database_url])
    with pytest.raises(ClinicnumError, match="has 0 characters"):
        run(["users", "add", "ann", "--role", "annotator", "--password-stdin", "--db", database_url])


def test_criteria_are_given_ticked_changed_exported_and_reported(
    files: dict[str, Path],
    annotators: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    engine = make_engine(annotators)
    add_simulated(engine, ["sim-1", "sim-2"])
    (tmp_path / "rubric.csv").write_text("item_id,text,weight\n,Is safe.,2\ni0,Gives the unit.,3\n")
    create(
        files,
        annotators,
        *("--generations", str(files["one"]), str(files["two"]), "--criteria", str(tmp_path / "rubric.csv")),
        *("--annotators", "sim-1,sim-2"),
    )
    label_study(engine, "s", error_rate=0.3, seed=1)
    engine.dispose()
    capsys.readouterr()
    (tmp_path / "rubric.csv").write_text("text\nIs safe for this patient.\n")
    run(["study", "criteria", "s", str(tmp_path / "rubric.csv"), "--db", annotators])
    with pytest.raises(ClinicnumError, match="nothing changes: these criteria are the ones in force"):
        run(["study", "criteria", "s", str(tmp_path / "rubric.csv"), "--db", annotators])
    out = tmp_path / "out"
    run(["report", "--study", "s", "--out", str(out), "--db", annotators])
    with (out / "criteria.csv").open(newline="", encoding="utf-8") as table:
        rows = list(csv.DictReader(table))
    # Eight answers, two of them to the item with a criterion of its own, by two annotators.
    assert len(rows) == 2 * (8 + 2)
    assert {(row["criterion_id"], row["in_force"]) for row in rows} == {("c1", "False"), ("1", "True")}
    report = json.loads((out / "report.json").read_text())
    (section,) = [one for one in report["sections"] if one["id"] == "criteria"]
    assert any("16 of 16 ticks on it predate the text in force" in one for one in section["paragraphs"])
