"""A researcher generates a benchmark after a look at a sample, imports a file, checks golds and browses."""

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from sqlalchemy import Engine

from clinicnum.annotations.worker_jobs import JobKind
from clinicnum.db.engine import make_engine, writing
from clinicnum.db.work.accounts.users import add_user
from clinicnum.scripts.commands.common.uploads_folder import files_folder
from clinicnum.scripts.commands.jobs.job_process import perform
from tests.e2e.axe import axe_script, grave_violations
from tests.e2e.conftest import HOSTILE, PASSWORD, PATIENCE_MS, Server
from tests.e2e.visit import Visit
from tests.jobs.performing import claim

pytestmark = pytest.mark.browser

Work = Callable[[JobKind], None]


@pytest.fixture
def engine(server: Server) -> Iterator[Engine]:
    made = make_engine(server.database)
    with writing(made) as session:
        add_user(session, name="ida", role="researcher", password=PASSWORD)
    yield made
    made.dispose()


@pytest.fixture
def work(engine: Engine) -> Work:
    """Performs the job that the page has just asked for, as the worker would."""

    def do(kind: JobKind) -> None:
        deadline = time.monotonic() + PATIENCE_MS / 1000
        while (taken := claim(engine, kind)) is None:
            assert time.monotonic() < deadline, f"no job of kind {kind!r} was asked for"
            time.sleep(0.05)
        perform(engine, files_folder(engine), taken.attempt)

    return do


HEAR = """() => {
  window.heard = [];
  const hear = (one) => window.heard.push(one.target.textContent);
  const line = document.querySelector(".sr-only[aria-live=polite]");
  const all = { childList: true, characterData: true, subtree: true };
  new MutationObserver((changes) => changes.forEach(hear)).observe(line, all);
}"""
"""Notes what Gradio has screen readers read after each event."""


def _done(page: Page) -> None:
    expect(page.locator(".cn-note.cn-good").filter(has_text="Done.")).to_be_visible()


def _tab(page: Page, name: str) -> None:
    page.get_by_role("tab", name=name, exact=True).click()


def _upload(page: Page, path: Path, content: str) -> None:
    path.write_text(content, encoding="utf-8")
    page.get_by_label("File of questions").first.set_input_files(path)


def test_a_benchmark_is_generated_imported_checked_and_browsed(
    browser: Browser, server: Server, work: Work, tmp_path: Path
) -> None:
    visit, script, said = Visit(browser, server, "ida"), axe_script(), list[str]()
    visit.page.on("console", lambda one: said.append(one.text) if one.type == "error" else None)
    visit.page.on("pageerror", lambda error: said.append(str(error)))
    page = visit.open("/benchmarks/", "#benchmarks [role='gridcell']")
    page.evaluate(HEAR)
    _tab(page, "Generate")
    expect(page.locator(".bm-sample")).to_have_count(3)
    page.set_viewport_size({"width": 1280, "height": 800})
    for part in (page.get_by_label("Name").first, page.get_by_role("button", name="Generate", exact=True)):
        expect(part).to_be_in_viewport(ratio=1)
    expect(page.locator(".bm-sample").first).to_be_in_viewport()
    page.get_by_label("Name").first.fill("First <b>try</b>")
    page.get_by_label("note: as in a nurse's note").uncheck()
    expect(page.locator("#content")).to_contain_text("16 questions in 2 representations, 32 instances.")
    found = grave_violations(page, script)
    page.get_by_role("button", name="Generate", exact=True).click()
    expect(page.get_by_text("It waits for the worker.")).to_be_in_viewport()
    work("generate")
    _done(page)
    launch = page.locator("#job-line").get_by_role("link", name="Launch a run on it")
    expect(launch).to_have_attribute("href", re.compile(r"^/runs/\?benchmark=\w"))

    _tab(page, "Benchmarks")
    page.locator("#benchmarks").get_by_role("gridcell", name="First <b>try</b>").click()
    instances = page.locator("#instances")
    expect(instances).to_contain_text("32 instances")
    page.get_by_label("Words in question or records").fill("no such words")
    page.get_by_role("button", name="Show", exact=True).click()
    expect(instances).to_contain_text("0 instances")
    page.get_by_label("Words in question or records").fill("")
    page.get_by_label("Words in question or records").press("Enter")
    instances.get_by_role("gridcell").first.click()
    expect(page.locator("#instance .bm-sample table")).to_contain_text("heart rate (bpm)")
    expect(page.locator("#instance")).not_to_contain_text("|")
    expect(page.get_by_label("Worked steps")).not_to_have_value("")
    _tab(page, "Check of the gold answers")
    page.get_by_role("button", name="Check the gold answers").click()
    work("lint")
    expect(page.get_by_text("32 of 32 gold answers were computed again. Nothing was found.")).to_be_visible()
    found += grave_violations(page, script)

    _tab(page, "Import")
    _upload(
        page, tmp_path / "wrong.csv", f"Frage,Antwort,Notiz\n{HOSTILE.replace(',', '')!r},x,\nPulse?,88,\n"
    )
    expect(page.locator("#wrong-rows")).to_contain_text("answer is 'x'; expected a number")
    expect(page.get_by_role("button", name="Import", exact=True)).to_be_disabled()
    found += grave_violations(page, script)
    ward, importable = tmp_path / "ward.csv", page.get_by_text("1 item can be imported.")
    _upload(page, ward, "Frage,Antwort,Notiz\nPulse?,88,=1+1\n")
    expect(importable).to_be_visible()
    _upload(page, tmp_path / "empty.csv", "")
    expect(page.get_by_text("The file is empty")).to_be_visible()
    expect(page.locator("#import-form")).to_be_hidden()  # not ward.csv any more
    _upload(page, ward, "Frage,Antwort,Notiz\nPulse?,88,=1+1\n")
    expect(importable).to_be_visible()
    expect(page.locator("#first-items")).to_contain_text("=1+1")
    page.get_by_role("button", name="Import", exact=True).click()
    work("import_items")
    _tab(page, "Benchmarks")
    expect(page.locator("#benchmarks")).to_contain_text("ward.csv")
    expect(page.locator("#benchmarks b, #instances b, #first-items b")).to_have_count(0)
    said = [one for one in said if "422" not in one]  # the refusal of the empty file
    assert (found, said, visit.foreign_requests()) == ([], [], [])
    assert page.title() != "owned"
    heard = set(page.evaluate("window.heard"))
    assert "Done." in heard
    assert not [one for one in heard if "common." in one], "not the name of a text that Gradio lacks"
    visit.close()
