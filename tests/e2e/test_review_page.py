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
from tests.e2e.conftest import ANNOTATORS, HOSTILE, PASSWORD, Server, Visit, clinicnum, serve_copy

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


def invite(curator: Visit) -> None:
    page = curator.open("/rounds/", ".rd-root section")
    page.get_by_label("Words of its id, tags or wording").fill("pulse pressure systolic minus")
    page.keyboard.press("Enter")
    page.get_by_role("button", name=f"Choose experts for {PULSE} version 1").click()
    expect(page.get_by_role("button", name="Open the round")).to_be_disabled()
    for name in ANNOTATORS:
        page.get_by_role("checkbox", name=f"{name} annotator").check()
    expect(page.get_by_text("3 chosen: all of them must rate 3 or 4")).to_be_visible()
    page.get_by_role("button", name="Open the round").click()
    expect(page.get_by_text("3 experts are invited")).to_be_visible()
    expect(page.get_by_text("shown once every invited expert has handed in")).to_be_visible()


def work(page: Page, given: list[str]) -> None:
    """The sheet, with the keyboard alone, from the first answer to the confirmation."""
    page.get_by_label("Your answer").first.focus()
    page.keyboard.type(given[0])
    for answer in given[1:]:
        page.keyboard.press("Tab")  # the comment
        while "Your answer" not in page.evaluate("document.activeElement.labels?.[0]?.innerText || ''"):
            page.keyboard.press("Tab")
        page.keyboard.type(answer)
    for scale in ("clarity", "relevance", "answerability"):
        page.locator(f'[data-key="{scale}-1"]').focus()
        for _ in range(3):
            page.keyboard.press("ArrowRight")
        expect(page.locator(f'[data-key="{scale}-4"]')).to_be_checked()


def test_three_blind_experts_and_a_curator_take_a_template_to_acceptance(
    browser: Browser, reviewed_server: Server
) -> None:
    curator = Visit(browser, reviewed_server, "cora")
    invite(curator)
    for name in ANNOTATORS:
        expert = Visit(browser, reviewed_server, name)
        expect(expert.page).to_have_url(f"{reviewed_server.url}/annotate/")
        expert.page.set_viewport_size({"width": 390, "height": 844})
        page = expert.open("/review/", ".st-card")
        page.get_by_role("button", name="Begin").click()
        given = answers(reviewed_server, name)
        work(page, given)
        if name == "ann":
            page.get_by_text("Comment on question 2").click()
            page.get_by_label("What would make it better").nth(1).fill(f"Which arm? {HOSTILE}")
            expect(page.locator(".rv-kept")).to_have_text("Not kept yet …")
            expect(page.locator(".rv-kept")).to_contain_text("Kept at")
            page = expert.open(page.url.removeprefix(reviewed_server.url), ".rv-part")
            expect(page.get_by_label("What would make it better").nth(1)).to_have_value(
                f"Which arm? {HOSTILE}"
            )
            assert page.evaluate("document.documentElement.scrollWidth") <= 390
            assert grave_violations(page, axe_script()) == []
        expect(page.locator(".rv-lacking")).to_have_text("All is given.")
        page.get_by_role("button", name="Hand in").focus()
        page.keyboard.press("Enter")
        expect(page.get_by_role("button", name="Not yet")).to_be_focused()
        page.get_by_role("button", name="Hand it in").click()
        expect(page.get_by_text("You have handed this in. It cannot be changed.")).to_be_visible()
        assert expert.foreign_requests() == []
        expert.close()
        if name != ANNOTATORS[-1]:
            page = curator.open(curator.page.url.removeprefix(reviewed_server.url), ".rd-seats")
            expect(page.get_by_text("None to read yet.")).to_be_visible()
            expect(page.get_by_text("comment to answer")).to_have_count(0)

    page = curator.open(curator.page.url.removeprefix(reviewed_server.url), ".rd-checks")
    expect(page.locator(".rd-unmet")).to_have_count(1)
    expect(page.locator(".rd-unmet")).to_contain_text("1 without an answer")
    expect(page.get_by_role("button", name="Accept")).to_be_disabled()
    expect(page.locator(".rd-remark")).to_contain_text(HOSTILE)
    page.get_by_label("Or return it").fill("half typed")
    page.get_by_label("How it was addressed").fill("Either: the records hold one pressure.")
    page.get_by_role("button", name="Save the answer").click()
    expect(page.get_by_role("heading", name="Every condition is met")).to_be_visible()
    expect(page.get_by_label("Or return it")).to_have_value("half typed")
    expect(page.locator("tr", has_text="Clinical relevance")).to_contain_text("1.000 (excellent)")
    assert grave_violations(page, axe_script()) == []
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.get_by_role("button", name="Accept", exact=True).click()
    page.get_by_role("button", name="Accept the template").click()
    expect(page.get_by_text(f"{PULSE} version 1 is validated.")).to_be_visible()
    assert page.title() != "owned"
    assert curator.foreign_requests() == []
    curator.close()

    listed = clinicnum("templates", "review", "--json", "--db", reviewed_server.database).stdout
    (told,) = json.loads(listed)
    assert (told["template_id"], told["status"], told["handed_in"]) == (PULSE, "accepted", 3)
    assert told["verdict"]["accepted"]
    assert len(told["ratings"]) == 3
    assert not any(f'"{name}"' in listed for name in ANNOTATORS)
