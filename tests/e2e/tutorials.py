"""Walks through the tutorials of `docs/tutorials/` as their readers do, and takes their pictures."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Locator, Page, expect

from tests.e2e.conftest import PATIENCE_MS

LARGEST = 120_000
"""Most bytes of a picture."""
COLOURS = 128
REPORT_PARTS = {
    "models": "section#models",
    "failures": "figure#plot-classes_by_model",
    "harm": "figure#plot-harm",
    "discordant": "section#discordant",
}
"""Name of a picture -> the part of the report."""


@dataclass
class Camera:
    """One person's browser, in light colours and 1280 wide; it remembers what was on each picture's page."""

    browser: Browser
    url: str
    passwords: Mapping[str, str]
    folder: Path
    texts: dict[str, str] = field(default_factory=dict)
    """Name of a picture -> all that could be read on the way to it since the one before."""
    _noted: str = ""

    def begin(self, address: str) -> Page:
        """Open an address in a browser of one's own."""
        context = self.browser.new_context(
            viewport={"width": 1280, "height": 800}, locale="en-US", color_scheme="light"
        )
        context.set_default_timeout(PATIENCE_MS)
        self.page = context.new_page()
        self.page.goto(address)
        return self.page

    def fill_log_in(self, name: str) -> Page:
        """Fill the form with which one logs in."""
        self.begin(f"{self.url}/login")
        self.page.get_by_label("Name").fill(name)
        self.page.get_by_label("Password").fill(self.passwords[name])
        return self.page

    def log_in(self, name: str, wait_for: str) -> Page:
        """Log in, and wait for what the first page shows."""
        page = self.fill_log_in(name)
        page.get_by_role("button", name="Log in").click()
        page.wait_for_selector(wait_for)
        return page

    def press(self, name: str | re.Pattern[str]) -> None:
        self.note()
        self.page.get_by_role("button", name=name, exact=True).first.click()

    def open(self, path: str, wait_for: str) -> Page:
        self.page.goto(f"{self.url}{path}")
        self.page.wait_for_selector(wait_for)
        return self.page

    def note(self) -> None:
        """Remember what can be read now, for the next picture."""
        shown = self.page.locator("body").inner_text()
        links = self.page.locator("nav a").all_text_contents()
        fields = self.page.locator("input, textarea").evaluate_all(
            "all => all.map(one => one.placeholder || '')"
        )
        self._noted = "\n".join((self._noted, shown, *links, *fields))

    def take(self, name: str, *, height: int = 800, of: Locator | None = None) -> None:
        """A picture of the page, or of a part of it."""
        self.page.wait_for_timeout(300)  # what opens or fades has come to rest
        self.note()
        path = self.folder / f"{name}.png"
        self.page.set_viewport_size({"width": 1280, "height": height})
        self.page.mouse.move(0, 0)
        self.page.evaluate("scrollTo(0, 0)")
        (of or self.page).screenshot(path=path, animations="disabled", caret="hide")
        with Image.open(path) as picture:
            picture.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)
        self.page.set_viewport_size({"width": 1280, "height": 800})
        self.texts[name], self._noted = self._noted, ""


def clinician(camera: Camera) -> None:
    """Label an item as `ann`, look back on it, and decide one as `ada`."""
    page = camera.fill_log_in("ann")
    camera.take("log-in", height=420)
    camera.press("Log in")
    page.wait_for_selector(".ab-question")
    camera.note()
    page.keyboard.press("Escape")  # the tour
    camera.take("annotate")
    page.keyboard.press("a")
    camera.note()
    _label_until_wrong(page)
    camera.take("annotate-gold", height=1000)
    page.locator("button", has_text="Valid").first.click()
    camera.press(re.compile("^Submit"))
    page.locator(".ab-reveal").wait_for(state="detached")
    camera.open("/my-work/", "main")
    page.get_by_text("submitted, 0 skipped").wait_for()
    camera.take("my-work", height=600)
    camera.log_in("ada", "main")
    camera.open("/adjudicate/", ".aj-queue > summary")
    camera.take("adjudicate", height=1000)


def _label_until_wrong(page: Page) -> None:
    """Accept what is right, until a number turns out to be wrong; call that a failure of no visible cause."""
    for _ in range(12):
        page.keyboard.press("Enter")
        gold = page.locator(".ab-reveal")
        gold.wait_for()
        if "Difference" in gold.inner_text():
            break
        page.locator("button", has_text="Valid").first.click()
        page.get_by_role("button", name=re.compile("^Submit")).click()
        gold.wait_for(state="detached")
        page.keyboard.press("a")
    for key in ("w", "d", "2"):
        page.keyboard.press(key)


def researcher(camera: Camera, work_off: Callable[[], None]) -> None:
    """From *Home* to a report as `admin`; `work_off` does the worker's part."""
    page = camera.log_in("admin", "h2:text('Latest reports')")
    camera.take("home")
    _explore(camera)
    _new_study(camera)
    camera.open("/agreement/", "[role=gridcell]")
    camera.take("agreement")
    page = camera.open("/reports/", "[role=tab]")
    page.get_by_role("tab", name="Build a report").click()
    page.get_by_label("demo", exact=True).check()
    camera.press("Build the report")
    expect(page.get_by_text("It waits for the worker.")).to_be_visible()
    work_off()
    expect(page.get_by_role("tab", name="Read")).to_have_attribute("aria-selected", "true")
    page.get_by_role("link", name="Web page, opens offline (HTML)").wait_for()
    camera.take("report-page", height=1000)


def _explore(camera: Camera) -> None:
    page = camera.open("/explore/", "[role=gridcell]")
    page.get_by_role("button", name=re.compile("Where does it fail most")).click()
    page.get_by_role("button", name="Find where it fails most").wait_for()
    camera.note()
    page.get_by_role("button", name=re.compile("Where does it fail most")).click()
    page.get_by_label("map of failures").check()
    page.get_by_label("Rows").click()
    page.get_by_role("option", name="Representation", exact=True).click()
    page.get_by_text("Wrong answers by Representation and Model").wait_for()
    camera.take("explore", height=900)


def _new_study(camera: Camera) -> None:
    page = camera.open("/studies/", "[role=tab]")
    page.get_by_role("tab", name="New study").click()
    page.get_by_label("Name of the study").fill("notes")
    page.get_by_role("checkbox", name=re.compile("^hasty")).check()
    page.get_by_label("How many answers").fill("12")
    page.get_by_label("How many people label each answer").fill("1")
    camera.note()
    page.get_by_role("button", name="Preview: what will happen").click()
    page.get_by_role("button", name="Open the study").wait_for()
    camera.take("new-study", height=1400)


def curator(camera: Camera) -> None:
    """From the failures of a closed study to a template that waits for its review, as `admin`."""
    camera.log_in("admin", "main")
    page = camera.open("/studies/", "[role=gridcell]")
    page.get_by_role("gridcell", name="demo", exact=True).click()
    camera.press("Close")
    page.get_by_role("button", name="Close the study").wait_for()
    camera.take("close-study")
    camera.press("Close the study")
    page.get_by_role("button", name="Reopen").wait_for()
    page = camera.open("/failures/", "#failures [role=gridcell]")
    page.locator("#failures [role=gridcell]").first.click()
    page.get_by_role("button", name="New version of the template").wait_for()
    camera.take("failures")
    camera.press("New version of the template")
    page.wait_for_selector(".df-form")
    wordings = page.locator(".df-form textarea")
    said = wordings.first.input_value()
    wordings.first.fill(f"Within this stay: {said[:1].lower()}{said[1:]}")
    page.get_by_text("Not proven").first.wait_for()
    expect(page.locator(".df-count")).to_have_text("Nothing to mend")
    expect(page.locator(".df-saved")).to_have_text("Saved")
    camera.take("draft", height=1000)
    camera.press("Send to review")
    message = page.locator(".df-message")
    expect(message).to_contain_text("is in the bank as a draft")
    review = page.get_by_role("link", name="Begin a round of review").get_attribute("href")
    assert review is not None
    camera.note()
    page = camera.open(review, "#plan")
    page.get_by_role("button", name="Open the round").wait_for()
    camera.take("review-round")


def report(camera: Camera, path: Path) -> None:
    """The parts of a report, from its file."""
    page = camera.begin(path.as_uri())
    camera.take("report", height=1000)
    for name, part in REPORT_PARTS.items():
        camera.take(f"report-{name}", of=page.locator(part))
