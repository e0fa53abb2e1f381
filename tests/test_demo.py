"""The whole loop as a newcomer runs it: a real model, simulated annotators, a report one can recount."""

import csv
import re
import shutil
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
from sqlalchemy import Engine

from clinicnum.annotations.exports.report_folder import folder_hash
from clinicnum.annotations.judgement import Judgement, Label
from clinicnum.db.engine import make_engine, reading
from clinicnum.db.work.accounts.users import list_users
from clinicnum.db.work.adjudication.adjudication_queue import list_waiting
from clinicnum.db.work.reports.frozen_reports import list_frozen
from clinicnum.db.work.studies.load_whole_study import load_study_agreement
from clinicnum.db.work.studies.study_summaries import list_studies
from clinicnum.scripts.cli import run_command
from clinicnum.scripts.commands.common.run_demo_step import run_step
from tests.db.test_annotate import first, submit
from tests.runs.starting import Starter

WRONG = Judgement(
    item_judgement="valid",
    response_judgement="failure",
    labels=(Label(code="undetermined", primary=True),),
    severity="2",
)


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as handle:
        return list(csv.DictReader(handle))


def test_it_says_where_the_time_went_and_where_things_are(demo: tuple[Path, str]) -> None:
    out, printed = demo
    for word in ("packages", "small model", "run", "in all", "database", "report", "log in"):
        assert word in printed
    assert printed.index("the longest step") < printed.index("$ clinicnum run ")
    assert (out / "clinicnum.db").is_file()
    assert (out / "report" / "report.html").is_file()


def test_it_ends_with_where_to_begin_and_with_passwords(demo: tuple[Path, str]) -> None:
    last = demo[1].splitlines()[-4:]
    assert last[0].startswith("BEGIN HERE: ")
    assert [re.sub("password .{12}", "password", line).split()[2:4] for line in last[1:]] == [
        ["ann", "password"],
        ["ada", "password"],
        ["admin", "password"],
    ]


def test_tables_of_the_steps_and_warnings_of_its_own_options_are_not_shown(demo: tuple[Path, str]) -> None:
    out, printed = demo
    tables = (out / "steps.txt").read_text(encoding="utf-8")
    for table in ("candidates rejected: V2", "95 % interval", "have a likely cause", "180 submitted"):
        assert table in tables
        assert table not in printed
    assert "--seed can be guessed" not in printed


def test_without_the_model_two_made_up_ones_are_labelled_and_reported(
    starter: Starter, tmp_path: Path
) -> None:
    out = tmp_path / "demo-out"
    said = starter.run("demo", "--without-model", "--no-serve", "--out", str(out))
    assert "$ clinicnum run " not in said
    models = {row["model"] for row in rows(out / "export" / "scores.csv")}
    assert models == {"careful (made up)", "hasty (made up)"}
    with reading(make_engine(f"sqlite:///{out / 'clinicnum.db'}")) as session:
        assert {study.name: study.generations for study in list_studies(session)} == {"demo": 60, "yours": 12}


def test_a_second_start_says_that_the_demo_runs_and_where_and_deletes_nothing(
    starter: Starter, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "demo-out"
    starter.run("demo", "--without-model", "--no-serve", "--out", str(out))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    asked = ("demo", "--out", str(out), "--port", str(port))
    process = starter.start(*asked)
    while "waits for jobs" not in starter.log.read_text():
        time.sleep(0.1)
    assert run_command(asked) == 0
    again = capsys.readouterr().out
    assert f"The demo in {out} runs already" in again
    assert f"BEGIN HERE: open http://127.0.0.1:{port}/ in a browser" in again
    assert run_command([*asked, "--fresh"]) == 2
    assert "runs; stop it with Ctrl+C" in capsys.readouterr().err
    assert run_command(["demo", "--out", str(tmp_path / "other"), "--port", str(port)]) == 2
    said = capsys.readouterr().err
    assert f"127.0.0.1:{port} is taken by another program" in said
    assert not (tmp_path / "other").exists()
    starter.kill(process)


def test_a_step_that_fails_says_why_though_its_tables_are_hidden(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bench.jsonl").write_text("", encoding="utf-8")
    asked = ("generate", "--preset", "tiny", "--out", str(tmp_path / "bench.jsonl"))
    with pytest.raises(typer.Exit) as ended:
        run_step(*asked, tables=tmp_path / "steps.txt", with_messages=True)
    assert ended.value.exit_code == 2
    assert "tiny" in capsys.readouterr().err.splitlines()[-1]


def test_a_real_model_and_two_made_up_ones_answered_every_instance_once(demo: tuple[Path, str]) -> None:
    scores = rows(demo[0] / "export" / "scores.csv")
    asked = {row["instance_id"] for row in scores}
    assert len(asked) == 48
    models = {row["model"] for row in scores}
    assert len(models) == 3
    assert {name for name in models if "made up" not in name} == {"smollm2-135m-instruct-0.1.2"}
    for model in models:
        assert sorted(row["instance_id"] for row in scores if row["model"] == model) == sorted(asked)


def test_the_reports_accuracy_is_what_one_counts_from_the_exported_scores(demo: tuple[Path, str]) -> None:
    out = demo[0]
    counted = [row for row in rows(out / "export" / "scores.csv") if not row["flags"]]
    page = (out / "report" / "report.html").read_text(encoding="utf-8")
    totals = [
        row
        for row in rows(out / "report" / "accuracy.csv")
        if (row["operation"], row["representation"]) == ("all", "all")
    ]
    assert len(totals) == 3
    for total in totals:
        own = [row["lenient"] == "True" for row in counted if row["model"] == total["model"]]
        assert (int(total["right"]), int(total["n"])) == (sum(own), len(own))
        assert f"{sum(own) / len(own):.1%}".replace("%", " %") in page


def test_the_first_line_of_the_report_and_every_export_say_simulated(demo: tuple[Path, str]) -> None:
    out = demo[0]
    page = (out / "report" / "report.html").read_text(encoding="utf-8")
    body = re.sub(r"<[^>]+>", "", page.split("<body>")[1]).strip()
    assert body.startswith("simulated")
    files = [*(out / "report").glob("*.csv"), *(out / "export").glob("*.csv")]
    assert len(files) > 10
    for path in files:
        for row in rows(path):
            if path.name == "rulings.csv":  # what a script ruled says so itself
                assert row["text"].startswith("Simulated: ")
            else:
                who = "adjudicator_kind" if path.name == "adjudications.csv" else "annotator_kind"
                assert row[who] == "simulated", path
    for line in (out / "export" / "annotations.jsonl").read_text(encoding="utf-8").splitlines():
        assert '"annotator_kind":"simulated"' in line


def test_three_annotators_labelled_every_drawn_failure(demo: tuple[Path, str]) -> None:
    annotations = rows(demo[0] / "export" / "annotations.csv")
    last = {(row["generation_id"], row["annotator_id"]): row for row in annotations}
    generations = {generation for generation, _ in last}
    assert len(last) == 3 * len(generations)
    assert all(row["response_judgement"] != "failure" or row["primary"] != "none" for row in last.values())


def test_two_models_alike_over_all_are_told_apart_on_notes(demo: tuple[Path, str]) -> None:
    right = {row["model"]: row for row in rows(demo[0] / "report" / "models.csv")}
    hasty, careful = right["hasty (made up)"], right["careful (made up)"]
    assert abs(float(hasty["all"]) - float(careful["all"])) < 0.1
    assert float(hasty["retrieval"]) > float(careful["retrieval"])
    assert float(hasty["structured"]) > float(careful["structured"])
    assert float(careful["note"]) - float(hasty["note"]) > 0.4
    found = re.sub("<[^>]+>", "", (demo[0] / "report" / "report.html").read_text(encoding="utf-8"))
    assert re.search(r"hasty \(made up\)\s+loses [\d.]+ percentage points .* written as note", found)


def test_annotators_differ_on_omission_and_hallucination_and_a_lead_decided_all_but_four(
    demo: tuple[Path, str],
) -> None:
    due = rows(demo[0] / "report" / "adjudication_due.csv")
    disputed = [row for row in due if "hallucination against omission" in row["reasons"]]
    assert len(disputed) >= 3
    assert len([row for row in due if row["decided"] == "no"]) == 4
    assert {row["decided"] for row in disputed} == {"yes"}
    (ruling,) = rows(demo[0] / "export" / "rulings.csv")
    assert ruling["text"].startswith("Simulated: ")
    assert ruling["guideline_version"] == ""
    assert {row["adjudicator_kind"] for row in rows(demo[0] / "export" / "adjudications.csv")} == {
        "simulated"
    }


def test_the_page_reports_lists_the_report_whose_files_are_in_its_folder(demo: tuple[Path, str]) -> None:
    engine = make_engine(f"sqlite:///{demo[0] / 'clinicnum.db'}")
    with reading(engine) as session:
        admin = next(user.user_id for user in list_users(session) if user.name == "admin")
        (report,) = list_frozen(session, user_id=admin)
    engine.dispose()
    assert (report.studies, report.created_by, report.changes) == (("demo",), "admin", 0)
    folder = demo[0] / "report"
    files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*.*")}
    assert folder_hash(files) == report.sha256


@pytest.fixture
def house(demo: tuple[Path, str], tmp_path: Path) -> Iterator[Engine]:
    """The database of the demo, on a copy."""
    shutil.copytree(demo[0], tmp_path / "demo-out")
    engine = make_engine(f"sqlite:///{tmp_path / 'demo-out' / 'clinicnum.db'}")
    yield engine
    engine.dispose()


def test_a_second_start_makes_nothing_again_and_says_how_to_log_in(
    house: Engine, starter: Starter, tmp_path: Path
) -> None:
    out = tmp_path / "demo-out"
    files = {path: path.stat().st_mtime_ns for path in out.rglob("*.*") if path.suffix in (".jsonl", ".html")}
    assert len(files) > 15
    said = starter.run("demo", "--no-serve", "--out", str(out))
    assert said == f"going on with the demo in {out}; --fresh deletes it and begins anew\n"
    assert {path: path.stat().st_mtime_ns for path in files} == files
    printed = starter.out.read_text(encoding="utf-8")
    assert [line.split()[2] for line in printed.splitlines() if line.startswith("log in")] == [
        "ann",
        "ada",
        "admin",
    ]
    assert f"clinicnum users reset admin --db sqlite:///{out}/clinicnum.db\n" in printed
    assert "where the time went" not in printed


def test_a_start_that_was_cut_off_is_gone_on_with(house: Engine, starter: Starter, tmp_path: Path) -> None:
    out = tmp_path / "demo-out"
    (out / ".clinicnum-demo").write_text("", encoding="utf-8")
    shutil.rmtree(out / "export")
    assert "$ clinicnum export" in starter.run("demo", "--no-serve", "--out", str(out))
    assert (out / "export" / "scores.csv").is_file()
    printed = starter.out.read_text(encoding="utf-8")
    assert "where the time went" in printed
    assert "users reset admin" in printed
    with reading(house) as session:
        assert len(list_users(session)) == 7


def test_the_first_labels_in_the_own_study_are_the_third_and_lead_to_agreement_and_a_report(
    house: Engine, tmp_path: Path
) -> None:
    with reading(house) as session:
        people = {user.name: user.user_id for user in list_users(session)}
        before = {one.item for one in list_waiting(session, user_id=people["ada"]) if one.study == "yours"}
    for _ in range(3):
        submit(house, people["ann"], first(house, people["ann"]), WRONG)
    with reading(house) as session:
        agreement = load_study_agreement(session, "yours").agreement
        waiting = {one.item for one in list_waiting(session, user_id=people["ada"]) if one.study == "yours"}
    assert agreement.annotator_kinds == ("human", "simulated")
    assert before < waiting
    out = tmp_path / "report"
    assert run_command(["report", "--study", "yours", "--db", str(house.url), "--out", str(out)]) == 0
    page = re.sub("<[^>]+>", "", (out / "report.html").read_text(encoding="utf-8"))
    assert "simulated: 2 of 3 annotators" in page
