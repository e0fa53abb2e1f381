"""Three experts review a template blind, on a phone, with the keyboard; a curator answers and accepts it."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from sqlalchemy import select
from sqlmodel import col

from clinicnum.db.engine import make_engine, reading
from clinicnum.db.rows import ReviewRow, UserRow
from tests.e2e.axe import axe_script, grave_violations
from tests.e2e.conftest import ANNOTATORS, HOSTILE, PASSWORD, Server, clinicnum, serve_copy
from tests.e2e.visit import Visit

pytestmark = pytest.mark.browser
PULSE = "arithmetic.pulse_pressure"


@pytest.fixture
def reviewed_server(tmp_path: Path, study_database: Path) -> Iterator[Server]:
    """A server whose accounts have a curator among them."""
    path = tmp_path / "with_curator.db"
    shutil.copy(study_database, path)
    account = ("users", "add", "cora", "--role", "curator", "--password-stdin", "--db", f"sqlite:///{path}")
    clinicnum(*account, stdin=PASSWORD)
    yield from serve_copy(path, tmp_path)


def answers(server: Server, name: str) -> list[str]:
    """What a careful expert works out."""
    engine = make_engine(server.database)
    with reading(engine) as session:
        who = select(col(UserRow.id)).where(col(UserRow.name) == name)
        row = session.scalars(select(ReviewRow).where(col(ReviewRow.user_id) == who.scalar_subquery())).one()
        found = [str(case["answer"]) for case in row.cases]
    engine.dispose()
    return found


def invite(curator: Visit) -> str:
    """A round of all experts; its address."""
    page = curator.open("/rounds/", "text=No round yet")
    page.get_by_role("tab", name="New round").click()
    expect(page.locator("#waiting")).to_contain_text("never reviewed")
    page.get_by_label("Search unreviewed templates").fill("pulse pressure systolic minus")
    page.keyboard.press("Enter")
    expect(page.locator("#waiting")).to_contain_text("Never reviewed, with all of these words")
    page.locator("#waiting [role=gridcell]", has_text=PULSE).first.click()
    expect(page.get_by_role("button", name="Open the round")).to_be_disabled()
    for name in ANNOTATORS:
        page.get_by_role("checkbox", name=f"{name}, annotator").check()
    expect(page.get_by_text("3 chosen: all of them must rate 3 or 4")).to_be_visible()
    page.get_by_role("button", name="Open the round").click()
    expect(page.get_by_text("3 experts are invited")).to_be_visible()
    expect(page.get_by_text("shown once every invited expert has handed in")).to_be_visible()
    engine = make_engine(curator.server.database)
    with reading(engine) as session:
        key = session.scalars(select(col(ReviewRow.round_id))).first()
    engine.dispose()
    return f"/rounds/?round={key}"


def work(page: Page, given: list[str]) -> None:
    """The sheet, with the keyboard alone, from the first answer to the last rating."""
    page.get_by_label("Your answer").first.focus()
    page.keyboard.type(given[0])
    for answer in given[1:]:
        page.keyboard.press("Tab")  # the comment
        while "Your answer" not in page.evaluate(
            "document.activeElement.closest('label')?.innerText || document.activeElement.ariaLabel || ''"
        ):
            page.keyboard.press("Tab")
        page.keyboard.type(answer)
    for scale in ("clarity", "relevance", "answerability"):
        options = page.locator(f"#{scale} input")
        options.first.focus()
        for _ in range(3):  # each option of Gradio's Radio is a tab stop of its own
            page.keyboard.press("Tab")
        page.keyboard.press("Space")
        expect(options.last).to_be_checked()


def test_three_blind_experts_and_a_curator_take_a_template_to_acceptance(
    browser: Browser, reviewed_server: Server
) -> None:
    curator = Visit(browser, reviewed_server, "cora")
    script = axe_script()
    address = invite(curator)
    for name in ANNOTATORS:
        expert = Visit(browser, reviewed_server, name, by_form=True)
        expect(expert.page).to_have_url(f"{reviewed_server.url}/annotate/")
        expert.page.set_viewport_size({"width": 390, "height": 844})
        page = expert.open("/review/", "#invitations [role=gridcell]")
        page.locator("#invitations [role=gridcell]").first.click()
        expect(page.locator("#missing")).to_contain_text("Missing: an answer to question 1, 2, 3;")
        work(page, answers(reviewed_server, name))
        expect(page.locator("#missing")).to_have_text("")
        if name == "ann":
            with page.expect_response("**/run/predict*"):
                page.get_by_label("Comment on question 2").fill(f"Which arm? {HOSTILE}")
                page.keyboard.press("Tab")
            expect(page.locator("#saved")).to_contain_text("Saved at")
            page = expert.open(address.replace("rounds", "review"), "#sheet")
            expect(page.get_by_label("Comment on question 2")).to_have_value(f"Which arm? {HOSTILE}")
            assert page.evaluate("document.documentElement.scrollWidth") <= 390
            assert grave_violations(page, script) == []
        page.get_by_role("button", name="Submit", exact=True).focus()
        page.keyboard.press("Enter")
        expect(page.get_by_text("It cannot be changed afterwards.")).to_be_visible()
        page.get_by_role("button", name="Submit for good").click()
        expect(page.get_by_text("You have submitted this review. It cannot be changed.")).to_be_visible()
        assert expert.foreign_requests() == []
        expert.close()
        if name != ANNOTATORS[-1]:
            page = curator.open(address, "#seats")
            expect(page.get_by_text("shown once every invited expert has handed in")).to_be_visible()
            expect(page.locator("#comments")).to_have_count(0)

    page = curator.open(address, "#conditions")
    expect(page.locator("#conditions [role=row]", has_text="Not met")).to_have_count(1)
    expect(page.locator("#conditions [role=row]", has_text="Not met")).to_contain_text("1 without an answer")
    expect(page.get_by_role("button", name="Accept", exact=True)).to_be_disabled()
    expect(page.locator("#comments")).to_contain_text(HOSTILE)
    page.get_by_label("Return it instead").fill("half typed")
    page.get_by_label("How it was addressed").fill("Either: the records hold one pressure.")
    page.get_by_role("button", name="Save the reply").click()
    expect(page.locator("#conditions")).to_contain_text("Every condition is met")
    expect(page.get_by_label("Return it instead")).to_have_value("half typed")
    relevance = page.locator("#ratings [role=row]", has_text="Clinical relevance")
    expect(relevance).to_contain_text("1.000 (excellent)")
    assert grave_violations(page, script) == []
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.get_by_role("button", name="Accept", exact=True).click()
    page.get_by_role("button", name="Accept the version").click()
    expect(page.get_by_text(f"{PULSE} version 1 is validated.")).to_be_visible()
    assert page.title() != "owned"
    assert curator.foreign_requests() == []
    curator.close()

    listed = clinicnum("templates", "review", "--json", "--db", reviewed_server.database)
    (told,) = json.loads(listed)
    assert (told["template_id"], told["status"], told["handed_in"]) == (PULSE, "accepted", 3)
    assert told["verdict"]["accepted"]
    assert len(told["ratings"]) == 3
    assert not any(f'"{name}"' in listed for name in ANNOTATORS)
