"""A curator searches the bank, opens a version, and makes a draft from a failure that people labelled."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from clinicnum.annotations.judgement import Judgement, Label
from clinicnum.db.engine import make_engine, reading, writing
from clinicnum.db.work.accounts import users
from clinicnum.db.work.annotation import annotate
from clinicnum.db.work.studies import study_lifecycle
from tests.e2e.conftest import ANNOTATORS, HOSTILE, PASSWORD, Server, serve_copy
from tests.e2e.visit import Visit

pytestmark = pytest.mark.browser

FAILURE = Judgement(
    item_judgement="valid",
    response_judgement="failure",
    labels=(Label(code="causal_reasoning.wrong_formula", primary=True, spans=((0, 10),)),),
    severity="1",
    rationale="nobody else reads this",
)


@pytest.fixture(scope="module")
def labelled_server(tmp_path_factory: pytest.TempPathFactory, study_database: Path) -> Iterator[Server]:
    """A curator, and the study with all its failures labelled and closed."""
    made = serve_copy(study_database, tmp_path_factory.mktemp("labelled"))
    server = next(made)
    engine = make_engine(server.database)
    with writing(engine) as session:
        users.add_user(session, name="cur", role="curator", password=PASSWORD)
    with reading(engine) as session:
        ids = {user.name: user.user_id for user in users.list_users(session)}
    with writing(engine) as session:
        for name in ANNOTATORS:
            while (item := annotate.next_assignment(session, user_id=ids[name])) is not None:
                annotate.submit(
                    session,
                    user_id=ids[name],
                    assignment_id=item.assignment_id,
                    revision=0,
                    judgement=FAILURE,
                    active_ms=900,
                )
        study_lifecycle.close_study(session, name="six", actor=ids["root"])
    engine.dispose()
    yield server
    next(made, None)


def complaints(page: Page) -> list[str]:
    """What the page's console will say."""
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    return said


def fits(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))


def test_a_curator_searches_opens_and_begins_a_draft_from_a_failure(
    browser: Browser, labelled_server: Server
) -> None:
    visit = Visit(browser, labelled_server, "cur")
    said = complaints(visit.page)
    page = visit.open("/bank/", "#versions [role=gridcell]")
    expect(page.locator("#versions")).to_contain_text(re.compile("Versions 1 to 50 of "))
    page.get_by_label("Search id, tags and wording").fill("arithmetic.pulse_pressure minus")
    page.keyboard.press("Enter")
    expect(page.locator("#versions")).to_contain_text("Versions 1 to 1 of 1")
    page.get_by_label("Template version").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    shown = page.locator("#version")
    expect(shown.get_by_role("heading", name="arithmetic.pulse_pressure version")).to_be_visible()
    expect(shown).to_contain_text("Systolic pressure at {time} - diastolic pressure at {time}")
    shown.get_by_role("button", name="Retire").first.click()
    shown.get_by_role("button", name="Retire for good").click()
    expect(page.get_by_text("Say why it is retired")).to_be_visible()
    page.get_by_label("accuracy below 50 %").check()
    expect(page.locator("#versions")).to_contain_text(re.compile("No template matches|Versions 1 to 1 of 1"))

    page.goto(f"{labelled_server.url}/failures/?template=none")
    expect(page.get_by_text("No failure matches these filters")).to_be_visible(timeout=60_000)
    page.get_by_role("button", name="Show all failures").click()
    page.get_by_label("Individual failures (6)").check()
    expect(page.locator("#failures")).to_contain_text("Individual failures: 1 to 6 of 6")
    row = page.locator("#failures [role=row]", has_text="Wrong formula").first
    row.get_by_role("gridcell").first.click()
    failure = page.locator("#details")
    expect(failure).to_contain_text("most annotators agree")
    expect(failure.get_by_label("Answer of")).to_have_value(re.compile(re.escape(HOSTILE)))
    expect(page.locator(".cn-content script, #details img")).to_have_count(0)
    expect(page.locator(".cn-content")).not_to_contain_text("nobody else reads this")
    page.set_viewport_size({"width": 390, "height": 800})
    page.emulate_media(color_scheme="dark")
    assert fits(page)
    page.get_by_label("Similar failures (").check()
    expect(page.locator("#failures")).to_contain_text("Distinctive words")
    assert fits(page)
    page.get_by_label("Individual failures (6)").check()
    expect(page.locator("#failures")).to_contain_text("Individual failures: 1 to 6 of 6")
    row.get_by_role("gridcell").first.click()
    failure.get_by_role("button", name="New template from this").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/draft/?draft=*")
    expect(page.get_by_text("Should provoke causal_reasoning.wrong_formula").first).to_be_visible()

    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(f"{labelled_server.url}/failures/")
    page.get_by_label("Individual failures (6)").check()
    expect(page.locator("#failures")).to_contain_text("Individual failures: 1 to 6 of 6")
    row.get_by_role("gridcell").first.click()
    expect(page.get_by_text("Drafts made from it")).to_be_visible()
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto(f"{labelled_server.url}/bank/?template=retrieval.sbp&version=2")
    expect(page.get_by_role("heading", name="retrieval.sbp version 2")).to_be_visible()
    assert fits(page)
    page.goto(f"{labelled_server.url}/bank/?template=<b>none&version=1")
    expect(page.get_by_text("The bank has no <b>none version 1")).to_be_visible()
    assert said == []
    assert visit.foreign_requests() == []
    assert page.title() != "owned"
    visit.close()
