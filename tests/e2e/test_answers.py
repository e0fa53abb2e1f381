"""From a flag to the guideline: an adjudicator answers with a ruling, its annotator reads it and replies."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from clinicnum.annotations.judgement import Judgement
from clinicnum.db.engine import make_engine, reading, writing
from clinicnum.db.work.accounts import users
from clinicnum.db.work.annotation import annotate
from tests.e2e.axe import axe_script, grave_violations
from tests.e2e.conftest import HOSTILE, Server, serve_copy
from tests.e2e.visit import Visit

pytestmark = pytest.mark.browser

NOTE = f"Does 'about 120' count? {HOSTILE}"
RULE = "A rounded value counts where the question does not ask for a form."
ANSWER = "[aria-label=Flag]"


@pytest.fixture
def asking_server(tmp_path: Path, study_database: Path) -> Iterator[tuple[Server, str]]:
    """A server on a study in which Ann has submitted one item, and that item."""
    made = serve_copy(study_database, tmp_path)
    server = next(made)
    engine = make_engine(server.database)
    with reading(engine) as session:
        (ann,) = [one.user_id for one in users.list_users(session) if one.name == "ann"]
    with writing(engine) as session:
        item = annotate.next_assignment(session, user_id=ann)
        assert item is not None
        address = {"user_id": ann, "assignment_id": item.assignment_id}
        fine = Judgement(item_judgement="valid", response_judgement="acceptable")
        annotate.submit(session, **address, revision=0, judgement=fine, active_ms=900)
    engine.dispose()
    yield server, item.assignment_id
    next(made, None)


class Looking:
    """Holds each view to what every page is held to, and keeps a picture of it where one is asked for."""

    pictures: Path | None = None

    def __init__(self) -> None:
        self.script = axe_script()
        self.found: list[str] = []

    def at(self, page: Page, name: str) -> None:
        for scheme in ("light", "dark"):
            for width, height in ((1280, 800), (390, 844)):
                page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
                page.set_viewport_size({"width": width, "height": height})
                self.found += [
                    f"{name}, {scheme}, {width}: {one}" for one in grave_violations(page, self.script)
                ]
                if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                    self.found.append(f"{name}, {width}: wider than the screen")
                if self.pictures is not None:
                    page.screenshot(path=self.pictures / f"{name}-{width}-{scheme}.png", full_page=True)
        page.emulate_media(color_scheme="light")
        page.set_viewport_size({"width": 1280, "height": 800})


def visit_noted(browser: Browser, server: Server, name: str, complaints: list[str]) -> Visit:
    visit = Visit(browser, server, name)
    visit.page.on("console", lambda one: complaints.append(one.text) if one.type == "error" else None)
    visit.page.on("pageerror", lambda error: complaints.append(str(error)))
    return visit


def test_a_flag_comes_back_as_a_ruling_is_replied_to_and_becomes_a_guideline(
    browser: Browser, asking_server: tuple[Server, str]
) -> None:
    server, item = asking_server
    said: list[str] = []
    looking = Looking()
    ann, ada, root = (visit_noted(browser, server, name, said) for name in ("ann", "ada", "root"))

    page = ann.open(f"/annotate/?item={item}", ".ab-question")
    expect(page.locator(".ab-answers")).to_have_count(0)
    page.keyboard.press("q")
    page.get_by_label("What should somebody look at?").fill(NOTE)
    page.keyboard.press("Enter")
    expect(page.locator(".ab-state")).to_have_text("Flagged.")

    page = ada.open("/adjudicate/", ANSWER)
    expect(page.locator(f"{ANSWER} blockquote")).to_have_text(NOTE)
    page.get_by_role("button", name="Answer the flag").click()
    expect(page.locator(".aj-message")).to_contain_text("Write a comment first")
    page.get_by_role("textbox", name="Answer kept in the log").fill(RULE)
    page.get_by_label("A ruling, for the guideline").check()
    looking.at(page, "flag")
    page.get_by_role("button", name="Answer the flag").click()
    expect(page.locator(".aj-message")).to_contain_text("The flag is answered. Nothing waits for you")

    _read_and_reply(ann, looking, item)
    page = ada.open("/adjudicate/", "[aria-label=Threads]")
    expect(page.locator(".aj-queue > summary")).to_contain_text("0 flags, 1 reply")
    expect(page.locator(".cn-thread > li")).to_have_count(2)
    expect(page.locator("[aria-label=Threads]")).to_contain_text("The annotator")
    looking.at(page, "threads")
    page.get_by_role("button", name="Needs no answer").click()
    expect(page.locator(".aj-message")).to_contain_text("The reply waits no more.")

    _publish(root, looking)
    page = ann.open("/annotate/", ".ab-question")
    page.keyboard.press("i")
    expect(page.locator("[data-panel=guide]")).to_contain_text(f"{RULE} Say so.")
    expect(page.locator("[data-panel=guide] h2", has_text="Guideline, version 1")).to_be_visible()

    page = ann.open(f"/my-work/?item={item}", ".cn-thread")
    expect(page.locator(".cn-thread > li")).to_have_count(2)
    looking.at(page, "my-work")
    page.get_by_label("Reply to the adjudicators").fill("One more thing.")
    page.get_by_role("button", name="Send the reply").click()
    expect(page.locator(".cn-thread > li")).to_have_count(3)
    assert looking.found == []
    assert said == []
    for visit in (ann, ada, root):
        assert visit.foreign_requests() == []
        visit.close()


def _read_and_reply(ann: Visit, looking: Looking, item: str) -> None:
    """The answer does not get into the way of the item in work; it is read, and has an answer itself."""
    page = ann.open("/my-work/", ".mw-page")
    expect(page.get_by_role("link", name="1 answer for you")).to_be_visible()
    page.get_by_role("link", name="1 answer for you").click()
    expect(page.locator(".mw-row")).to_have_count(1)
    page = ann.open("/annotate/", ".ab-question")
    expect(page.locator(".ab-answers")).to_have_text("1 answer for you")
    assert page.locator(".ab-root").get_attribute("data-assignment") != item
    page.keyboard.press("r")
    looking.at(page, "count")
    page.locator(".ab-answers").click()
    panel = page.locator("[data-panel=answers]")
    expect(panel).to_contain_text(RULE)
    expect(panel.locator("blockquote")).to_have_text(NOTE)
    expect(panel.get_by_text("Ruling")).to_be_visible()
    assert panel.locator("script, img").count() == 0
    assert (panel.locator("h3 a").get_attribute("href") or "").endswith(f"item={item}")
    expect(page.locator(".ab-response_judgement [aria-pressed=true]")).to_have_count(1)
    panel.get_by_label("Reply").fill("And if it asks for a whole number?")
    looking.at(page, "answers")
    panel.get_by_role("button", name="Send the reply").click()
    expect(panel.locator(".cn-thread > li")).to_have_count(2)
    expect(panel.get_by_label("Reply")).to_have_value("")
    page.keyboard.press("Escape")
    expect(panel).to_have_count(0)
    expect(page.locator(".ab-answers")).to_have_count(0)
    expect(page.locator(".ab-response_judgement [aria-pressed=true]")).to_have_count(1)


def _publish(root: Visit, looking: Looking) -> None:
    """The ruling becomes a draft, which is edited and published, and is marked as in the guideline."""
    page = root.open("/studies/", "#studies [role='gridcell']")
    page.get_by_role("gridcell", name="six").click()
    page.get_by_role("tab", name="Guideline").click()
    rulings = page.locator("#rulings")
    expect(rulings).to_contain_text("not yet")
    page.get_by_role("button", name="Draft the next guideline version").click()
    expect(page.get_by_role("alert")).to_contain_text("Choose the rulings")
    page.get_by_label(RULE).check()
    page.get_by_role("button", name="Draft the next guideline version").click()
    text = page.get_by_label("New version")
    expect(text).to_have_value(
        re.compile(rf"made from taxonomy.*## Rulings\n\n- {re.escape(RULE)}\s*$", re.S)
    )
    looking.at(page, "guideline")
    text.fill(text.input_value().replace(RULE, f"{RULE} Say so."))
    page.get_by_role("button", name="Save as a new version").click()
    expect(rulings).to_contain_text("since version 1")
    expect(page.get_by_label(RULE)).to_have_count(0)
