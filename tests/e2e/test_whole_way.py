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
from playwright.sync_api import Browser, expect
from sqlalchemy import select
from sqlmodel import col

from clinicnum.db.engine import make_engine, reading, writing
from clinicnum.db.rows import (
    AnnotationRow,
    ContestRow,
    GenerationRow,
    ReviewRow,
    StudyRow,
    TemplateRow,
    UserRow,
)
from clinicnum.db.work.accounts import users
from clinicnum.io.jsonl import meta_path, read_jsonl
from clinicnum.release import read_release
from clinicnum.types import Instance
from tests.e2e.axe import axe_script, grave_violations
from tests.e2e.conftest import ANNOTATORS, PASSWORD, Server, Visit, clinicnum, serve_copy
from tests.runs.starting import Starter

pytestmark = pytest.mark.browser

ASKED = "Within this stay: "
"""What the next version says in front of every wording."""
STEP_S = 60_000
"""A page that tries a template on sample patients takes its time on a busy machine."""


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


class Person(Visit):
    """Somebody's browser; what its console complains of is noted."""

    def __init__(self, browser: Browser, server: Server, name: str) -> None:
        super().__init__(browser, server, name)
        self.said: list[str] = []
        self.page.on("console", lambda one: self.said.append(one.text) if one.type == "error" else None)
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.name = name
        self.page.set_default_timeout(STEP_S)

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).first.click()

    def leave(self) -> None:
        assert self.said == []
        assert self.foreign_requests() == []
        self.close()


def test_a_figure_of_a_report_is_traced_back_to_the_failure_that_its_template_came_from(
    browser: Browser, house: Server, small_model: Path, starter: Starter, tmp_path: Path
) -> None:
    _label(Person(browser, house, "ann"))
    _uphold(Person(browser, house, "ada"))
    cora = Person(browser, house, "cora")
    template, version = _draft(cora)
    _open_round(cora, template, version)
    for name in ANNOTATORS:
        _review(Person(browser, house, name), house)
    _accept(cora, template, version)
    sha256 = _publish(cora)
    cora.leave()
    contest = _rows(house)
    report, bench = _measure(house, small_model, starter, tmp_path)
    _trace(house, report, bench, contest, sha256, template, version)


def _label(ann: Person) -> None:
    """The first item: a failure, and its question has two readings."""
    page = ann.open("/annotate/", ".ab-question")
    page.keyboard.press("c")
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    expect(page.locator(".ab-reveal")).to_contain_text("Gold answer")
    page.keyboard.press("b")
    page.keyboard.press("Enter")
    expect(page.locator(".ab-progress")).to_contain_text("1 of 6 done")
    ann.leave()


def _uphold(ada: Person) -> None:
    page = ada.open("/adjudicate/", ".aj-queue > summary")
    expect(page.locator(".aj-queue > summary")).to_contain_text("1 contested item")
    page.get_by_role("button", name="See what upholding does").click()
    page.get_by_role("button", name="every question of this template version").click()
    # The page sends one request at a time: a click before the answer to the last one does nothing.
    expect(page.locator(".aj-root")).not_to_have_attribute("data-busy", "")
    page.get_by_label("Why").fill("it does not say which stay is meant")
    page.get_by_role("button", name="Uphold: take out").click()
    expect(page.locator(".aj-message")).to_contain_text("Upheld:")
    ada.leave()


def _draft(cora: Person) -> tuple[str, int]:
    """From the upheld contest to the next version of its template, reworded and sent to review."""
    page = cora.open("/failures/", "#kind")
    page.get_by_label("Upheld contests (1)").check(timeout=STEP_S)
    page.locator("#failures [role=gridcell]").first.click()
    page.get_by_role("button", name="New version of the template").click()
    page.wait_for_url(re.compile(r"/draft/\?draft="))
    page.wait_for_selector(".df-form")
    wordings = page.locator(".df-form textarea")
    assert wordings.count() > 0
    for place in range(wordings.count()):
        said = wordings.nth(place).input_value()
        wordings.nth(place).fill(ASKED + said[:1].lower() + said[1:])
    expect(page.locator(".df-count")).to_have_text("Nothing to mend", timeout=STEP_S)
    expect(page.locator(".df-saved")).to_have_text("Saved", timeout=STEP_S)
    cora.press("Send to review")
    message = page.locator(".df-message")
    expect(message).to_contain_text("is in the bank as a draft", timeout=STEP_S)
    found = re.match(r"(\S+) version (\d+) is in the bank", message.inner_text())
    assert found is not None
    return found[1], int(found[2])


def _open_round(cora: Person, template: str, version: int) -> None:
    page = cora.open(f"/rounds/?template={template}&version={version}", "#plan")
    for name in ANNOTATORS:
        page.get_by_role("checkbox", name=f"{name}, annotator").check()
    cora.press("Open the round")
    heading = page.get_by_role("heading", name=f"{template} version {version}")
    expect(heading).to_be_visible(timeout=STEP_S)


def _review(expert: Person, house: Server) -> None:
    """An expert who works each question as the gold does, and rates all scales 4."""
    golds = _golds(house, expert)
    page = expert.open("/review/", "#invitations [role=gridcell]")
    page.locator("#invitations [role=gridcell]").first.click()
    for number, gold in enumerate(golds, start=1):
        page.locator(f"#answer-{number}").get_by_label("Your answer").fill(gold)
    for scale in ("clarity", "relevance", "answerability"):
        options = page.locator(f"#{scale} input")
        if options.count():
            options.last.check()
    expect(page.locator("#missing")).to_have_text("")
    expert.press("Submit")
    expert.press("Submit for good")
    expect(page.get_by_text("You have submitted this review.")).to_be_visible(timeout=STEP_S)
    expert.leave()


def _golds(house: Server, expert: Person) -> list[str]:
    """The test knows what the expert must work out."""
    engine = make_engine(house.database)
    with reading(engine) as session:
        statement = select(col(ReviewRow.cases)).join(UserRow, col(UserRow.id) == col(ReviewRow.user_id))
        cases = session.scalars(statement.where(col(UserRow.name) == expert.name)).one()
    engine.dispose()
    return [str(one["answer"]) for one in cases]


def _accept(cora: Person, template: str, version: int) -> None:
    page = cora.open("/rounds/", "#rounds [role=gridcell]")
    row = page.locator("#rounds [role=row]", has_text=template).filter(has_text=str(version))
    row.get_by_role("gridcell").first.click()
    expect(page.get_by_role("heading", name=f"{template} version {version}")).to_be_visible(timeout=STEP_S)
    cora.press("Accept")
    cora.press("Accept the version")
    expect(page.get_by_text(f"{template} version {version} is validated.")).to_be_visible(timeout=STEP_S)


def _publish(cora: Person) -> str:
    page = cora.open("/releases/", "#ready p")
    expect(page.locator("#ready")).to_contain_text("Ready: 1 template, of which 1 validated.")
    page.get_by_label("Name").fill("ward-1")
    page.get_by_label("Notes").fill("The first bank of our own.")
    expect(page.get_by_role("button", name="Publish")).to_have_count(0)
    cora.press("Preview")
    expect(page.get_by_label("Changelog", exact=True)).to_have_value(re.compile("contest"), timeout=STEP_S)
    script = axe_script()
    for scheme, width in (("light", 1280), ("dark", 390)):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        page.set_viewport_size({"width": width, "height": 900})
        assert grave_violations(page, script) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.set_viewport_size({"width": 1280, "height": 900})  # where it is narrow, tabs move into a menu
    sha256 = page.get_by_label("SHA-256").input_value()
    cora.press("Publish")
    said = page.get_by_text("Release ward-1 is published, with 1 template.")
    expect(said).to_be_visible(timeout=STEP_S)
    page.get_by_role("tab", name="Published").click()
    expect(page.get_by_role("row").filter(has_text="ward-1")).to_contain_text(sha256)
    return sha256


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
    assert re.search(r"run: .*accuracy \d+\.\d % .*\n +in the report of second: accuracy \d+\.\d % ", said), (
        said
    )
