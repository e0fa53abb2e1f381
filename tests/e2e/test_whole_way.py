"""The whole way round: a labelled failure becomes a template, and a figure is traced back to it.

A label, an upheld contest, a draft from it, three blind reviews, acceptance and publication on the pages, as
people do it; then a benchmark from the release, a run of a real small model, a study and its report.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser
from sqlalchemy import select
from sqlmodel import col

from clinicnum.db.engine import make_engine, reading, writing
from clinicnum.db.rows import AnnotationRow, ContestRow, GenerationRow, StudyRow, TemplateRow
from clinicnum.db.work.accounts import users
from clinicnum.io.jsonl import meta_path, read_jsonl
from clinicnum.release import read_release
from clinicnum.types import Instance
from tests.e2e.conftest import ANNOTATORS, PASSWORD, Server, clinicnum, serve_copy
from tests.e2e.template_steps import ASKED, Person, accept, draft, label, open_round, publish, review, uphold
from tests.runs.starting import Starter

pytestmark = pytest.mark.browser


@pytest.fixture
def house(tmp_path: Path, study_database: Path) -> Iterator[Server]:
    """A study of six failures, and a curator beside its people."""
    made = serve_copy(study_database, tmp_path)
    server = next(made)
    engine = make_engine(server.database)
    with writing(engine) as session:
        users.add_user(session, name="cora", role="curator", password=PASSWORD)
    engine.dispose()
    yield server
    next(made, None)


def test_a_figure_of_a_report_is_traced_back_to_the_failure_that_its_template_came_from(
    browser: Browser, house: Server, small_model: Path, starter: Starter, tmp_path: Path
) -> None:
    label(Person(browser, house, "ann"))
    uphold(Person(browser, house, "ada"))
    cora = Person(browser, house, "cora")
    template, version = draft(cora)
    open_round(cora, template, version)
    for name in ANNOTATORS:
        review(Person(browser, house, name), house)
    accept(cora, template, version)
    sha256 = publish(cora)
    cora.leave()
    contest = _rows(house)
    report, bench = _measure(house, small_model, starter, tmp_path)
    _trace(house, report, bench, contest, sha256, template, version)


def _rows(house: Server) -> ContestRow:
    engine = make_engine(house.database)
    with reading(engine) as session:
        contest = session.scalars(select(ContestRow)).one()
        session.expunge(contest)
    engine.dispose()
    return contest


def _measure(house: Server, model: Path, starter: Starter, folder: Path) -> tuple[dict[str, Any], Path]:
    """A benchmark from the release, a run, a study of it, its report."""
    release, bench, answers, scores = (folder / name for name in ("ward-1", "b.jsonl", "g.jsonl", "s.jsonl"))
    db = ("--db", house.database)
    starter.run("templates", "export", str(release), "--release", "ward-1", *db)
    starter.run("templates", "check", "--release", str(release))
    (operation,) = {one.operation for one in read_release(release).templates}
    starter.run(
        *("generate", "--bank", str(release), "--quota", f"{operation}=6", "--representation", "structured"),
        *("--seed", "7", "--out", str(bench)),
    )
    settings = ("--max-new-tokens", "12", "--dtype", "float32")
    files = ("--benchmark", str(bench))
    starter.run("run", *files, "--model", str(model), "--out", str(answers), *settings)
    starter.run("score", *files, "--generations", str(answers), "--out", str(scores))
    starter.run(
        *(
            "study",
            "create",
            "--name",
            "second",
            *files,
            "--generations",
            str(answers),
            "--scores",
            str(scores),
        ),
        *("--annotators", ",".join(ANNOTATORS), "--overlap", "3", "--include", "all", *db),
    )
    starter.run("report", "--study", "second", "--out", str(folder / "report"), *db)
    bundle = str(folder / "second.zip")
    starter.run("export", "--study", "second", "--bundle", bundle, *db)
    starter.run("verify", bundle)
    return json.loads((folder / "report" / "report.json").read_text()), bench


def _trace(
    house: Server,
    report: dict[str, Any],
    bench: Path,
    contest: ContestRow,
    sha256: str,
    template: str,
    version: int,
) -> None:
    tables = {table["id"]: table for section in report["sections"] for table in section["tables"]}
    asked = list(read_jsonl(bench, Instance))
    # The figure: six answers to questions of just this version, of just this release.
    (row,) = tables["template_versions"]["rows"]
    name, number, status, count, release, origin = row
    assert (name, number, status, count, release) == (template, version, "validated", len(asked), "ward-1")
    assert {(one.template_id, one.template_version) for one in asked} == {(template, version)}
    assert all(one.question.startswith(ASKED) for one in asked)
    assert json.loads(meta_path(bench).read_text())["bank_release"]["sha256"] == sha256
    (figure,) = [one for one in tables["accuracy_main"]["rows"] if one[1] == "all"]
    assert len([one for one in asked if not one.flags]) in figure
    # What it came from: that contest of that answer, which somebody had labelled.
    engine = make_engine(house.database)
    with reading(engine) as session:
        study = session.scalars(select(StudyRow).where(col(StudyRow.name) == "six")).one()
        answer = session.get_one(GenerationRow, contest.generation)
        assert origin == f"study six, generation {answer.generation_id}, contest {contest.annotation_id}"
        assert contest.study_id == study.id
        assert contest.status == "upheld"
        label = session.get_one(AnnotationRow, contest.annotation_id).payload
        assert (label["response_judgement"], label["item_judgement"]) == ("failure", "ambiguous")
        statuses = {
            row.version: row.status
            for row in session.scalars(select(TemplateRow).where(col(TemplateRow.template_id) == template))
        }
    engine.dispose()
    assert statuses == {version - 1: "retired", version: "validated"}
    said = clinicnum("templates", "trace", template, "--version", str(version), "--db", house.database)
    lines = [line.strip() for line in said.splitlines()]
    for start in (
        f"contest: {origin}",
        "draft: ",
        "review: round 1, 3 of 3 experts handed in, accepted",
        f"release: ward-1, sha256 {sha256}",
        f"benchmark: {asked[0].benchmark_id}, {len(asked)} instances of it, made from release ward-1",
    ):
        assert [line for line in lines if line.startswith(start)], (start, said)
    counted = r"accuracy \d+\.\d % "
    assert re.search(rf"run: .*{counted}.*\n +in study second, counted as in a report: {counted}", said), said
