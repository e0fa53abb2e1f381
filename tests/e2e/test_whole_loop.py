"""The whole loop in the browser, without a shell: from an empty database to a report and a draft.

The first admin by the printed link, accounts, a benchmark, a run of a real small model, its failures
explored, a slice labelled by three people and decided by a fourth, a report, the draft of a template.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from clinicnum.scripts.commands.common.install_small_model import FOLDER_NAME
from tests.e2e.conftest import ANNOTATORS, PASSWORD, Server
from tests.e2e.test_home import empty_server  # noqa: F401  a fixture
from tests.e2e.visit import Visit
from tests.e2e.walk import name_study
from tests.jobs.workers import PATIENCE_S, WorkerProcess

pytestmark = pytest.mark.browser

JOB_MS = 1_000 * PATIENCE_S
PEOPLE = {**dict.fromkeys(ANNOTATORS, "annotator"), "ada": "adjudicator"}
QUESTIONS = 3


@pytest.fixture
def worker(empty_server: Server, tmp_path: Path, small_model: Path) -> Iterator[WorkerProcess]:  # noqa: F811
    """A worker on the server's database; the small model is where it looks for models."""
    started = WorkerProcess(empty_server.database, tmp_path).start()
    yield started
    started.kill()


def test_from_an_empty_database_to_a_report_and_a_draft(
    browser: Browser,
    empty_server: Server,  # noqa: F811
    worker: WorkerProcess,
) -> None:
    page = _first_admin(browser, empty_server)
    _invite(page)
    _generate(page)
    _run(page)
    _study_of_a_slice(page)
    for name in ANNOTATORS:
        _label(Visit(browser, empty_server, name), differently=name == ANNOTATORS[-1])
    _decide(Visit(browser, empty_server, "ada"))
    _close(page)
    _report(page)
    _draft(page)
    page.context.close()


def _go(page: Page, menu: str, name: str) -> None:
    """Through the navigation bar, as a person goes."""
    page.wait_for_selector(".cn-nav button[popovertarget]")
    menus = page.locator(".cn-nav button[popovertarget]", has_text=menu)
    if menus.count():  # a menu of one page is a link
        menus.click()
    page.locator(".cn-nav").get_by_role("link", name=name, exact=True).click()
    page.wait_for_selector(f"h1:has-text('{name}')")


def _first_admin(browser: Browser, server: Server) -> Page:
    found = re.search(r"open (http://\S+/first-admin/\S+)", server.log.read_text())
    assert found, server.log.read_text()
    page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
    page.set_default_timeout(60_000)
    page.goto(found[1])
    page.get_by_label("Name").fill("root")
    for label in ("Password", "The same again"):
        page.get_by_label(label).fill(PASSWORD)
    page.get_by_role("button", name="Set it and begin").click()
    page.wait_for_url("**/home/")
    return page


def _invite(page: Page) -> None:
    _go(page, "Administer", "People")
    for name, role in PEOPLE.items():
        page.get_by_role("textbox", name=re.compile("^Name")).fill(name)
        page.get_by_role("radio", name=re.compile(rf"^{role}:")).check()
        page.locator("input[type=password]").last.fill(PASSWORD)
        page.get_by_role("button", name="Add the account").click()
        expect(page.locator("#accounts").get_by_role("gridcell", name=name, exact=True)).to_be_visible()


def _generate(page: Page) -> None:
    _go(page, "Evaluate", "Benchmarks")
    page.get_by_role("tab", name="Generate").click()
    expect(page.locator("#sample")).to_contain_text("Gold answer:")
    page.get_by_label("Name", exact=True).first.fill("ward")
    page.get_by_role("button", name="Generate", exact=True).click()
    expect(page.locator(".cn-good", has_text="Done.")).to_be_visible(timeout=JOB_MS)


def _run(page: Page) -> None:
    _go(page, "Evaluate", "Runs")
    page.get_by_role("tab", name="Launch", exact=True).click()
    expect(page.get_by_label("Model", exact=True)).to_have_value(FOLDER_NAME)
    page.get_by_label("Number of answers").fill(str(QUESTIONS))
    page.get_by_label("Name of the new run").fill("small model")
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Longest answer, in tokens").fill("8")
    page.get_by_role("button", name="Launch the run").click()
    expect(page.get_by_text("The answers are scored:")).to_be_visible(timeout=JOB_MS)


def _study_of_a_slice(page: Page) -> None:
    _go(page, "Analyse", "Explore")
    expect(page.get_by_text(f"{QUESTIONS} answers")).to_be_visible()
    page.get_by_label("accuracy by slice").click()
    page.locator("#slices").get_by_role("gridcell", name=re.compile(r"^retrieval\.")).first.click()
    page.wait_for_url(re.compile("template"))
    page.get_by_role("button", name="Have this slice labelled in a study").click()
    page.wait_for_url(re.compile("/studies/"))
    expect(page.get_by_text("The sample is drawn from the slice")).to_be_visible()
    name_study(page, "first")
    for name in ANNOTATORS:
        page.get_by_role("checkbox", name=name, exact=True).check()
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("button", name="Open the study").click()
    expect(page.get_by_text("Study first is open:")).to_be_visible()


def _label(visit: Visit, *, differently: bool) -> None:
    """All items, by keyboard: an omission for two, an invention for the third."""
    page = visit.open("/annotate/", ".ab-question")
    while page.locator(".ab-question").count():
        item = page.locator(".ab-root").get_attribute("data-assignment") or ""
        page.keyboard.press("h" if differently else "o")
        page.keyboard.press("2")
        page.keyboard.press("Enter")
        page.wait_for_selector(".ab-reveal")
        page.keyboard.press("v")
        page.keyboard.press("Enter")
        page.wait_for_selector(f".ab-root:not([data-assignment='{item}'])")
    visit.close()


def _decide(visit: Visit) -> None:
    """Each disagreement: the first position is taken over."""
    page = visit.open("/adjudicate/", ".aj-position")
    waiting = page.locator(".aj-queue > summary")
    while page.locator(".aj-position").count():
        before = waiting.inner_text()
        page.keyboard.press("1")
        expect(page.locator(".aj-picked")).to_have_count(1)
        page.keyboard.press("Enter")
        expect(waiting).not_to_have_text(before)
    visit.close()


def _close(page: Page) -> None:
    """What was labelled feeds templates once the study is over."""
    _go(page, "Label", "Studies")
    page.get_by_role("gridcell", name="first", exact=True).click()
    page.locator("#study").get_by_role("button", name="Close", exact=True).click()
    page.locator("#study").get_by_role("button", name="Close the study").click()
    expect(page.get_by_role("status").filter(has_text="is closed")).to_be_visible()


def _report(page: Page) -> None:
    _go(page, "Analyse", "Reports")
    page.get_by_role("tab", name="Build a report").click()
    page.locator("#build-studies").get_by_label("first").check()
    page.get_by_role("button", name="Build the report").click()
    report = page.frame_locator("iframe.rp-frame")
    expect(report.get_by_role("heading", name="Clinical numeracy: first")).to_be_visible(timeout=JOB_MS)
    expect(report.get_by_text("small model").first).to_be_attached()
    with page.expect_download() as started:
        page.get_by_role("link", name=re.compile(r"\(JSON\)")).first.click()
    found = json.loads(Path(started.value.path()).read_text(encoding="utf-8"))
    assert found["study"] == "first"


def _draft(page: Page) -> None:
    _go(page, "Curate", "Failures")
    page.get_by_label("Individual failures").check()
    page.locator("#failures [role=gridcell]").first.click()
    page.get_by_role("button", name="New template from this").click()
    page.wait_for_url(re.compile(r"/draft/\?draft="))
    page.wait_for_selector(".df-form")
