"""A study's whole design on the command line, its preview, its changes; and runs without a study."""

import json
from pathlib import Path

import pytest

from clinicnum.db.engine import make_engine, reading
from clinicnum.db.migrate import migrate
from clinicnum.db.work.studies.study_lifecycle import design_of, find_study
from clinicnum.db.work.studies.study_progress import study_details
from clinicnum.errors import ClinicnumError
from clinicnum.io.jsonl import read_jsonl, write_jsonl
from clinicnum.scripts.cli import run_command
from clinicnum.types import Generation
from tests.db.examples import FAILURE, add_users, material
from tests.db.test_left_out import SAID, drawn, upheld
from tests.scripts.test_study_commands import run


@pytest.fixture
def url(tmp_path: Path) -> str:
    """An SQLite database with three annotators and one run; the files are beside it."""
    database = f"sqlite:///{tmp_path / 'study.db'}"
    made = material(wrong=14, right=6)
    write_jsonl(tmp_path / "bench.jsonl", made.instances)
    write_jsonl(tmp_path / "generations.jsonl", made.generations())
    write_jsonl(tmp_path / "scores.jsonl", made.scores)
    lines = [
        {"generation_id": f"run-of-llama-g{number}", **FAILURE.model_dump(mode="json")} for number in range(3)
    ]
    (tmp_path / "references.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    (tmp_path / "guideline.md").write_text("# Look twice\n")
    run(["runs", "add", *files(tmp_path), "--db", database])
    engine = make_engine(database)
    add_users(engine, ["ann", "ben", "eve"])
    engine.dispose()
    return database


def files(folder: Path) -> list[str]:
    names = ("benchmark", "bench"), ("generations", "generations"), ("scores", "scores")
    return [part for flag, name in names for part in (f"--{flag}", str(folder / f"{name}.jsonl"))]


def design(folder: Path) -> list[str]:
    return [
        *("--annotators", "ann,ben", "--overlap", "2", "--size", "10", "--correct-share", "0.2"),
        *("--where", "operation=arithmetic", "--where", "status=incorrect", "--where", "status=correct"),
        *("--training", "2", "--controls", "1", "--references", str(folder / "references.jsonl")),
        *("--repeat-share", "0.1", "--lease-minutes", "30", "--guideline", str(folder / "guideline.md")),
        *("--suggestion-policy", "after_judgement", "--deadline", "2999-12-15"),
        *("--qualifying", "1"),
    ]


def test_the_preview_of_stored_runs_is_the_study_that_then_opens(
    url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    create = ["study", "create", "--name", "s", "--run", "run-of-llama", *design(tmp_path), "--db", url]
    run([*create, "--preview", "--json", "--pace", "90"])
    preview = json.loads(capsys.readouterr().out)
    assert [(one["stratum"], one["available"], one["drawn"]) for one in preview["strata"]] == [
        ("arithmetic/structured/correct", 6, 2),
        ("arithmetic/structured/failure", 11, 8),
    ]
    # 10 drawn for 2 of 2 annotators, 2 training, 1 control: 13 each, too few for a repeat after 20.
    assert (preview["items_an_annotator"], preview["judgements"]) == (13, 26)
    assert preview["hours_an_annotator"] == pytest.approx(13 * 90 / 3600)
    run(["study", "list", "--db", url])
    assert "no study yet" in capsys.readouterr().out
    run([*create, "--seed", preview["seed"]])
    told = capsys.readouterr()
    assert "10 generations, 2 annotators, overlap 2, 0 of 26 submitted" in told.out
    assert "guessed" not in told.err
    engine = make_engine(url)
    with reading(engine) as session:
        assert find_study(session, "s").seed == preview["seed"]
        opened = design_of(find_study(session, "s"))
        assert study_details(session, "s").guidelines[0].text == "# Look twice"
    engine.dispose()
    assert (opened.training, opened.controls, opened.lease_minutes) == (2, 1, 30)
    assert opened.where.statuses == ("incorrect", "correct")


def test_a_preview_from_files_prints_a_table_and_needs_no_database(
    url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    elsewhere = f"sqlite:///{tmp_path / 'other.db'}"
    run(
        [
            *("study", "create", "--name", "s", *files(tmp_path), "--annotators", "ann"),
            *("--overlap", "1", "--include", "incorrect", "--preview", "--db", elsewhere),
        ]
    )
    told = capsys.readouterr().out
    assert "arithmetic/structured/failure         14      14       1.0000" in told
    assert "\nbase questions only: the runs answered no variants\n" in told
    assert "warning: No scored-correct generation is drawn" in told
    assert "warning: One annotator an item" in told
    assert "warning: Only one person labels each answer: the report will count no failure" in told
    assert not (tmp_path / "other.db").exists()


def test_a_study_is_paused_reopened_reworded_staffed_and_closed(
    url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(["study", "create", "--name", "s", "--run", "run-of-llama", *design(tmp_path), "--db", url])
    (tmp_path / "second.md").write_text("# Look three times\n")
    capsys.readouterr()
    for arguments, status in (
        (["pause", "s"], "paused"),
        (["guideline", "s", str(tmp_path / "second.md")], "paused"),
        (["add-annotator", "s", "eve"], "paused"),
        (["deadline", "s", "2999-12-16"], "paused"),
        (["reopen", "s"], "open"),
        (["close", "s"], "closed"),
    ):
        run(["study", *arguments, "--db", url, "--json"])
        (shown,) = json.loads(capsys.readouterr().out)
        assert shown["status"] == status
    assert (shown["guideline_version"], shown["annotators"], shown["assignments"]) == ("2", 3, 29)
    assert shown["deadline"] == "2999-12-16"


def test_runs_are_listed_and_shown(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    run(["runs", "list", "--db", url])
    assert "20 generations: 6 correct, 14 incorrect" in capsys.readouterr().out
    run(["runs", "show", "run-of-llama", "--db", url])
    assert "20 scored" in capsys.readouterr().out


def test_runs_are_named_and_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    url = f"sqlite:///{tmp_path / 'runs.db'}"
    for name, wrong in (("one", 4), ("two", 12)):
        made = material(wrong=wrong, right=16 - wrong, run_id=name)
        plain = tuple(one.model_copy(update={"flags": ()}) for one in made.instances)
        for kind, rows in (("bench", plain), ("generations", made.generations()), ("scores", made.scores)):
            write_jsonl(tmp_path / f"{kind}.jsonl", rows)
        run(["runs", "add", *files(tmp_path), "--db", url])
    run(["runs", "label", "one", "with hints", "--db", url])
    assert "one is called with hints" in capsys.readouterr().out
    run(["runs", "compare", "with hints", "two", "--db", url])
    told = capsys.readouterr().out
    (line,) = (one.split() for one in told.splitlines() if one.startswith("with hints - two  all "))
    assert line[5:] == ["16", "+50.0", "+22.2", "to", "+77.8", "0.00781", "0.00781", "8", "0"]
    assert "on the 16 questions that all 2 runs answered" in told
    run(["runs", "compare", "two", "one", "--json", "--db", url])
    (whole,) = json.loads(capsys.readouterr().out)["differences"]
    assert (whole["only_first"], whole["only_second"], whole["difference"]) == (0, 8, -0.5)
    with pytest.raises(ClinicnumError, match="takes 2 to 8 runs, not 1"):
        run(["runs", "compare", "two", "--db", url])


WRONG = {
    "files and a run at once": (["--run", "run-of-llama", "--benchmark", "b.jsonl"], "leave out the files"),
    "neither": ([], "nothing to draw from"),
    "an unknown run": (["--run", "nobody"], "no run 'nobody'"),
    "a filter that is none": (["--run", "run-of-llama", "--where", "mood=good"], "expected KEY=VALUE"),
    "a policy that is none": (["--run", "run-of-llama", "--suggestion-policy", "loud"], "suggestions"),
    "too few references": (["--run", "run-of-llama", "--training", "1"], "need 1 references; got 0"),
    "references of no study": (["--run", "run-of-llama", "--references-from", "x"], "no study 'x'"),
    "a pace of nothing": (["--run", "run-of-llama", "--pace", "0"], "--pace 0"),
    "a lease of a minute": (["--run", "run-of-llama", "--lease-minutes", "1"], "lease_minutes"),
}


def test_what_cannot_be_opened_is_one_line_and_leaves_nothing(
    url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for case, (arguments, complaint) in WRONG.items():
        with pytest.raises(ClinicnumError, match=complaint) as caught:
            run(
                [
                    *("study", "create", "--name", "s", "--annotators", "ann", "--overlap", "1", "--db", url),
                    *arguments,
                ]
            )
        assert "\n" not in str(caught.value), case
    capsys.readouterr()
    run(["study", "list", "--db", url])
    assert "no study yet" in capsys.readouterr().out


def test_a_name_that_tells_the_model_is_warned_of(
    url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    read = files(tmp_path)
    answered = read_jsonl(tmp_path / "generations.jsonl", Generation)
    write_jsonl(tmp_path / "generations.jsonl", answered, {"model": "acme/Llama-7B-Instruct"})
    asked = ["study", "create", *read, "--annotators", "ann,ben", "--overlap", "2", "--preview", "--db", url]
    run([*asked, "--name", "errors of the first quarter"])
    assert capsys.readouterr().err == ""
    run([*asked, "--name", "errors of llama"])
    assert capsys.readouterr().err == (
        "warning: Annotators see the name “errors of llama”. From it they would learn that they judge "
        "answers of acme/Llama-7B-Instruct, which is hidden from them everywhere else. Choose a name that "
        "says nothing of the model.\n"
    )


def test_a_seed_is_drawn_for_each_study_and_a_number_is_warned_of(
    url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stored = ("--run", "run-of-llama", *design(tmp_path), "--db", url)
    run(["study", "create", "--name", "one", *stored])
    run(["study", "create", "--name", "two", *stored])
    assert "guessed" not in capsys.readouterr().err
    run(["study", "create", "--name", "three", *stored, "--seed", "3"])
    assert "a number as --seed can be guessed" in capsys.readouterr().err
    engine = make_engine(url)
    with reading(engine) as session:
        seeds = [find_study(session, name).seed for name in ("one", "two", "three")]
    engine.dispose()
    assert len({*seeds}) == 3
    assert [len(one) for one in seeds] == [32, 32, 1]
    for wrong in ("-1", "3.5", "2147483648", "F" * 32, "0" * 33, "x"):
        assert run_command(["study", "create", "--name", "four", *stored, "--seed", wrong]) == 2
        assert "expected 32 hexadecimal digits" in capsys.readouterr().err


def test_what_was_invalidated_is_left_out_of_stored_runs_and_of_files_alike(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    url = f"sqlite:///{tmp_path / 'study.db'}"
    engine = make_engine(url)
    migrate(engine)
    made, gone = upheld(engine)
    for name, lines in (("b", made.instances), ("g", made.generations()), ("s", made.scores)):
        write_jsonl(tmp_path / f"{name}.jsonl", lines)
    files = [f"--{key}={tmp_path / key[0]}.jsonl" for key in ("benchmark", "generations", "scores")]
    common = ["--annotators", "ann,ben", "--overlap", "2", "--include", "all", "--db", url]
    for number, source in enumerate((files, ["--run", "One", "--run", "Two"])):
        create = ["study", "create", "--name", f"later{number}", *source, *common]
        capsys.readouterr()
        run([*create, "--preview"])
        assert f"\n{SAID}\n" in capsys.readouterr().out
        run([*create, "--preview", "--json"])
        told = json.loads(capsys.readouterr().out)["left_out"]
        assert told == [{"study": "six", "rule": "by hand: group", "instances": 3, "generations": 6}]
        run(create)
        assert f"\n{SAID}\n" in capsys.readouterr().out
        assert not {instance for instance, _ in drawn(engine, f"later{number}")} & gone
    run([*create[:3], "json", *create[4:], "--json"])
    told = capsys.readouterr()
    assert json.loads(told.out)
    assert SAID in told.err
    engine.dispose()
