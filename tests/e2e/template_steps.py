"""The steps from a labelled failure to a published template, as people take them on the pages."""

import re

from playwright.sync_api import Browser, expect
from sqlalchemy import select
from sqlmodel import col

from clinicnum.db.engine import make_engine, reading
from clinicnum.db.rows import ReviewRow, UserRow
from tests.e2e.axe import axe_script, grave_violations
from tests.e2e.conftest import ANNOTATORS, Server
from tests.e2e.visit import Visit

ASKED = "Within this stay: "
"""What the next version says in front of every wording."""
STEP_S = 60_000
"""A page that tries a template on sample patients takes its time on a busy machine."""


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


def label(ann: Person) -> None:
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


def uphold(ada: Person) -> None:
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


def draft(cora: Person) -> tuple[str, int]:
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


def open_round(cora: Person, template: str, version: int) -> None:
    page = cora.open(f"/rounds/?template={template}&version={version}", "#plan")
    for name in ANNOTATORS:
        page.get_by_role("checkbox", name=f"{name}, annotator").check()
    cora.press("Open the round")
    heading = page.get_by_role("heading", name=f"{template} version {version}")
    expect(heading).to_be_visible(timeout=STEP_S)


def review(expert: Person, house: Server) -> None:
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


def accept(cora: Person, template: str, version: int) -> None:
    page = cora.open("/rounds/", "#rounds [role=gridcell]")
    row = page.locator("#rounds [role=row]", has_text=template).filter(has_text=str(version))
    row.get_by_role("gridcell").first.click()
    expect(page.get_by_role("heading", name=f"{template} version {version}")).to_be_visible(timeout=STEP_S)
    cora.press("Accept")
    cora.press("Accept the version")
    expect(page.get_by_text(f"{template} version {version} is validated.")).to_be_visible(timeout=STEP_S)


def publish(cora: Person) -> str:
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
