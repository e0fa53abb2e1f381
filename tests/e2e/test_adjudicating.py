"""An adjudicator goes through the queue: takes a position over, judges alone, upholds a contest."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from sqlalchemy import select

from clinicnum.annotations.judgement import Judgement, Label
from clinicnum.annotations.study_design import read_design
from clinicnum.annotations.taxonomy import load_taxonomy
from clinicnum.db.engine import make_engine, reading, writing
from clinicnum.db.rows import AdjudicationRow, ContestRow, InvalidationRow, UserRow
from clinicnum.db.work.annotation import annotate
from clinicnum.db.work.studies import study_lifecycle
from tests.db.examples import material
from tests.e2e.axe import axe_script, grave_violations
from tests.e2e.conftest import ANNOTATORS, HOSTILE, ITEMS, Server, free_port
from tests.e2e.visit import Visit

pytestmark = pytest.mark.browser

HALLUCINATED = Judgement(
    item_judgement="valid",
    response_judgement="failure",
    labels=(Label(code="hallucination.fabricated_value", primary=True, spans=((0, 10),)),),
    severity="3",
    rationale=HOSTILE,
)
OMITTED = Judgement(
    item_judgement="valid",
    response_judgement="failure",
    labels=(Label(code="omission", primary=True, spans=((5, 12),)),),
    severity="1",
)
DOUBTED = OMITTED.model_copy(update={"item_judgement": "ambiguous", "rationale": "which reading is meant?"})


def judge_all(database: str) -> None:
    """Ann differs from the others on every item; on one Eve doubts the question."""
    engine = make_engine(database)
    with reading(engine) as session:
        ids = {row.name: row.id for row in session.scalars(select(UserRow))}
    doubted = ""
    for name in ANNOTATORS:
        for _ in range(ITEMS):
            with writing(engine) as session:
                item = annotate.next_assignment(session, user_id=ids[name])
                assert item is not None
                doubted = doubted or item.instance.context
                hers = DOUBTED if name == "eve" and item.instance.context == doubted else None
                annotate.submit(
                    session,
                    user_id=ids[name],
                    assignment_id=item.assignment_id,
                    revision=0,
                    judgement=hers or (HALLUCINATED if name == "ann" else OMITTED),
                    active_ms=1000,
                )
    engine.dispose()


@pytest.fixture
def judged_server(tmp_path: Path, study_database: Path) -> Iterator[Server]:
    """A server on a copy of the study, all judged."""
    shutil.copy(study_database, tmp_path / "study.db")
    one = Server(database=f"sqlite:///{tmp_path / 'study.db'}", port=free_port(), log=tmp_path / "log")
    judge_all(one.database)
    one.start()
    yield one
    one.kill()


def test_a_position_is_taken_over_another_composed_and_a_contest_upheld(
    browser: Browser, judged_server: Server
) -> None:
    visit = Visit(browser, judged_server, "ada")
    errors: list[str] = []
    visit.page.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
    visit.page.on("pageerror", lambda error: errors.append(str(error)))
    page = visit.open("/adjudicate/", ".aj-position")
    waiting = page.locator(".aj-queue > summary")
    expect(waiting).to_contain_text(f"{ITEMS} disagreements, 1 contested item, 0 flags")
    # The hardest is the doubted one: three positions, no names, evidence of two of them in the text.
    expect(page.locator(".aj-position")).to_have_count(3)
    expect(page.locator(".aj-text mark")).not_to_have_count(0)
    expect(page.locator("blockquote", has_text="<script>")).to_have_count(1)
    expect(page.locator(".cn-demand")).to_have_count(0)  # nobody recorded how this model was asked
    expect(page.locator(".cn-ended")).to_have_count(0)
    page.get_by_text("Everything the model was asked").click()
    expect(page.locator("[data-fold=prompt] p")).to_contain_text("The prompt is not known, as another")
    expect(page.locator("[data-fold=context] > summary")).to_have_text(re.compile(r"^The context \("))
    assert page.locator(".aj-root script, .aj-root img").count() == 0
    shown = page.locator("#adjudicate").inner_text().lower()
    assert not any(name in shown.split() for name in ("a1", "a2", "a3", *ANNOTATORS))

    # The contest: nothing is done without a word, and what is done was shown.
    page.get_by_role("button", name="See what upholding does").click()
    expect(page.locator(".aj-uphold-preview")).to_contain_text("No validity rule finds a fault")
    page.get_by_role("button", name="every question of this template version").click()
    expect(page.get_by_role("button", name="every question of this template version")).to_have_attribute(
        "aria-pressed", "true"
    )
    uphold = page.get_by_role("button", name="Uphold: take out")
    n = int(uphold.inner_text().rsplit(" ", 1)[1])
    assert n > 1
    uphold.click()
    expect(page.locator(".aj-message")).to_contain_text("Write a comment first")
    page.get_by_label("Why").fill("the question does not say which")
    uphold.click()
    expect(page.locator(".aj-message")).to_contain_text(f"Upheld: {n} instances are out")
    expect(waiting).to_contain_text("0 contested items")

    # By keyboard alone: take a position over, then judge alone, then back and decide otherwise.
    page.get_by_role("button", name="Decide, next").click()
    expect(page.locator(".aj-message")).to_contain_text(
        "Choose one of the judgements with “Take over” (1 to 9)"
    )
    page.locator(".aj-message").focus()
    page.keyboard.press("2")
    expect(page.locator(".aj-picked")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(waiting).to_contain_text(f"{ITEMS - 1} disagreements")
    for key in ("c", "a", "2", "v", "t"):
        page.keyboard.press(key)
    page.keyboard.type("c1 all of it")  # in a text field no key decides anything
    page.keyboard.press("Escape")
    page.keyboard.press("Enter")
    expect(waiting).to_contain_text(f"{ITEMS - 2} disagreements")
    page.keyboard.press("[")
    expect(page.locator(".aj-side")).to_contain_text("Causal reasoning: arithmetic slip; severity: 2")
    expect(page.locator(".aj-side")).to_contain_text("c1 all of it")
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    expect(page.locator(".aj-side")).not_to_contain_text("Decided")
    assert errors == []
    assert visit.foreign_requests() == []
    visit.close()
    engine = make_engine(judged_server.database)
    with reading(engine) as session:
        decisions = list(session.scalars(select(AdjudicationRow)))
        assert [one.payload["taken_over"] for one in sorted(decisions, key=lambda one: one.created_at)] == [
            True,
            False,
            True,
        ]
        assert len(list(session.scalars(select(InvalidationRow)))) == n
        assert [one.status for one in session.scalars(select(ContestRow))] == ["upheld"]
    engine.dispose()


def test_a_study_is_put_first_in_the_queue_and_stays_so_after_a_reload(
    browser: Browser, judged_server: Server
) -> None:
    engine = make_engine(judged_server.database)
    with writing(engine) as session:
        ids = {row.name: row.id for row in session.scalars(select(UserRow))}
        study_lifecycle.create_study(
            session,
            name="seven",
            taxonomy=load_taxonomy(),
            material=material(run_id="seventh", wrong=1),
            annotators=["ann"],
            design=read_design({"overlap": 1}),
            seed=0,
        )
        item = annotate.next_assignment(session, user_id=ids["ann"])
        assert item is not None
        annotate.flag(session, user_id=ids["ann"], assignment_id=item.assignment_id, note="look here")
    engine.dispose()
    visit = Visit(browser, judged_server, "ada")
    page = visit.open("/adjudicate/", ".aj-position")
    page.locator(".aj-queue > summary").click()
    choice = page.get_by_role("list", name="Study that comes first")
    expect(choice.get_by_role("button")).to_have_text(
        [
            f"All studies {ITEMS} disagreements, 1 contested item, 1 flag",
            f"six {ITEMS} disagreements, 1 contested item, 0 flags",
            "seven 0 disagreements, 0 contested items, 1 flag",
        ]
    )
    choice.get_by_role("button", name="seven").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".aj-side")).to_contain_text("look here")
    assert grave_violations(page, axe_script()) == []
    page.reload()
    expect(page.locator(".aj-side")).to_contain_text("look here")
    visit.close()


def test_the_codebook_is_read_beside_a_decision_and_keeps_it(browser: Browser, judged_server: Server) -> None:
    visit = Visit(browser, judged_server, "ada")
    page = visit.open("/adjudicate/", ".aj-position")
    panel = page.get_by_role("complementary", name="Codebook")
    page.keyboard.press("o")  # a class of one's own
    omission = page.get_by_role("button", name="Omission", exact=True)
    expect(omission).to_have_attribute("aria-pressed", "true")
    assert "left something out" in (omission.get_attribute("title") or "")
    about = page.get_by_role("button", name="About Hallucination", exact=True)
    about.press("Enter")
    expect(panel.locator(".cb-entry h3")).to_contain_text("Hallucination made something up")
    for scheme, width in (("light", 1280), ("dark", 390)):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        page.set_viewport_size({"width": width, "height": 900})
        assert grave_violations(page, axe_script()) == []
    page.keyboard.press("Escape")
    expect(panel).to_have_count(0)
    expect(about).to_be_focused()
    page.keyboard.press("Shift+X")
    expect(panel.locator(".cb-entry h3")).to_contain_text("Contextual inconsistency")
    panel.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Codebook").click()
    panel.get_by_role("searchbox").fill("potassium")
    expect(panel.locator(".cb-count")).to_contain_text("1 of ")
    page.keyboard.press("Escape")
    expect(panel).to_have_count(0)
    expect(omission).to_have_attribute("aria-pressed", "true")
    visit.close()
