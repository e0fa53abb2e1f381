"""A report is built, read in the page, downloaded in every form, and compared after one more decision."""

import io
import json
import re
import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from sqlalchemy import Engine

from clinicnum.db.engine import make_engine, reading
from clinicnum.db.work.accounts import users
from clinicnum.scripts.cli import run_command
from tests.db.adjudicating import OMISSION, decide_all
from tests.db.examples import FAILURE
from tests.db.reporting import work_off
from tests.db.test_annotate import first, submit
from tests.e2e.axe import axe_script, grave_violations
from tests.e2e.conftest import HOSTILE, ITEMS, Server, clinicnum
from tests.e2e.visit import Visit
from tests.e2e.ward import set_status

pytestmark = pytest.mark.browser

FORMS = {
    "HTML": "report.html",
    "XLSX": "report.xlsx",
    "Markdown": "report.md",
    "JSON": "report.json",
    "CSV": "tables.zip",
    "SVG and PDF": "figures.zip",
    "LaTeX": "latex.zip",
    "ZIP": "everything.zip",
}


def judge_all(engine: Engine) -> dict[str, str]:
    """All three judge every item, not alike, and quote what must not run; ids by name."""
    with reading(engine) as session:
        ids = {user.name: user.user_id for user in users.list_users(session)}
    hostile = FAILURE.model_copy(update={"rationale": HOSTILE})
    for name, judgement in (("ann", hostile), ("ben", OMISSION), ("eve", OMISSION)):
        for _ in range(ITEMS):
            submit(engine, ids[name], first(engine, ids[name]), judgement)
    return ids


def build(page: Page, engine: Engine, folder: Path) -> None:
    """Press the button, do the worker's part, and be led to the report."""
    page.get_by_role("tab", name="Build a report").click()
    page.get_by_role("button", name="Build the report").click()
    expect(page.get_by_text("It waits for the worker.")).to_be_visible()
    work_off(engine, folder)
    expect(page.get_by_role("tab", name="Read")).to_have_attribute("aria-selected", "true")


def download(page: Page, name: str) -> tuple[str, bytes]:
    with page.expect_download() as started:
        page.get_by_role("link", name=re.compile(rf"\({name}\)|^six, .*SHA-256")).first.click()
    return started.value.suggested_filename, Path(started.value.path()).read_bytes()


def test_a_report_is_built_read_downloaded_and_compared(
    browser: Browser, server: Server, tmp_path: Path
) -> None:
    engine = make_engine(server.database)
    ids = judge_all(engine)
    visit = Visit(browser, server, "root")
    said: list[str] = []
    visit.page.on("console", lambda one: said.append(one.text) if one.type == "error" else None)
    visit.page.on("pageerror", lambda error: said.append(str(error)))
    page = visit.open("/reports/", ".cn-note")
    expect(page.get_by_text("There is no report yet.")).to_be_visible()
    page.get_by_role("tab", name="Build a report").click()
    page.get_by_role("button", name="Build the report").click()
    expect(page.get_by_role("alert")).to_contain_text("No study is chosen")
    page.locator("#build-studies").get_by_label("six").check()
    build(page, engine, tmp_path / "files")

    report = page.frame_locator("iframe.rp-frame")
    expect(report.get_by_role("heading", name="Clinical numeracy: six")).to_be_visible()
    expect(report.get_by_text("document.title =").first).to_be_attached()
    assert page.title() == "Reports · clinicnum"
    report.get_by_role("link", name="What went wrong").first.click()
    expect(report.get_by_text("severity.csv, counted from").first).to_be_visible()
    assert report.locator("a:not([href^='#'])").count() == 0, "dead where the page is alone"
    saved = {form: download(page, form) for form in FORMS}
    assert [name[-len(end) :] for (name, _), end in zip(saved.values(), FORMS.values(), strict=True)] == list(
        FORMS.values()
    )
    assert b"Clinical numeracy: six" in saved["HTML"][1]
    assert json.loads(saved["JSON"][1])["study"] == "six"
    with zipfile.ZipFile(io.BytesIO(saved["ZIP"][1])) as archive:
        assert archive.read("report.html") == saved["HTML"][1]
    assert grave_violations(page, axe_script()) == []
    page.set_viewport_size({"width": 390, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.set_viewport_size({"width": 1280, "height": 900})

    decide_all(engine, ids["ada"])
    build(page, engine, tmp_path / "files")
    rows = page.locator("#reports").get_by_role("row")
    expect(rows.filter(has_text="unchanged")).to_have_count(1)
    expect(rows.filter(has_text=f"{ITEMS} changes")).to_have_count(1)
    page.get_by_role("tab", name="Compare two reports").click()
    for side, place in (("before", 1), ("after", 0)):
        page.locator(f"#{side} input").click()
        page.get_by_role("option").nth(place).click()
    page.get_by_role("button", name="Compare", exact=True).click()
    expect(page.locator("#compared")).to_contain_text("What differs: figures at the head: 1")
    expect(page.locator("#differences").get_by_role("row").filter(has_text="Omission").first).to_contain_text(
        "−3"
    )
    page.get_by_role("tab", name="Compare models").click()
    page.locator("#models-studies").get_by_label("six").check()
    page.get_by_role("button", name="Compare models").click()
    expect(page.get_by_role("grid", name="Failures per 100 answers, by model")).to_contain_text(
        "run elsewhere"
    )

    page.get_by_role("tab", name="Build a report").click()
    page.get_by_role("button", name="Make the bundle").click()
    expect(page.get_by_text("It waits for the worker.")).to_be_visible()
    page = visit.open("/reports/", "iframe.rp-frame")  # a page that is loaded anew waits on
    page.get_by_role("tab", name="Build a report").click()
    expect(page.get_by_text("It waits for the worker.")).to_be_visible()
    work_off(engine, tmp_path / "files")
    expect(page.locator("#bundles a")).to_be_visible()
    with page.expect_download() as started:
        page.locator("#bundles a").click()
    bundle = tmp_path / started.value.suggested_filename
    started.value.save_as(bundle)
    assert bundle.name == "six-bundle.zip"
    assert run_command(["verify", str(bundle)]) == 0
    assert (said, visit.foreign_requests()) == ([], [])
    listed = json.loads(clinicnum("reports", "list", "--json", "--db", server.database))
    assert [one["changes"] for one in listed] == [0, ITEMS]
    clinicnum(
        "reports", "save", listed[1]["report_id"], "--out", str(tmp_path / "out"), "--db", server.database
    )
    assert (tmp_path / "out" / "report.html").read_bytes() == saved["HTML"][1]
    address = page.locator("iframe.rp-frame").get_attribute("src") or ""
    packed = page.locator("#bundles a").get_attribute("href") or ""
    visit.close()
    engine.dispose()
    _who_else_reads(browser, server, address, packed)


def _who_else_reads(browser: Browser, server: Server, report: str, bundle: str) -> None:
    """Of an open study nobody else; of a decided one adjudicators the report, not the bundle."""
    saved = report.replace("/read/", "/files/")
    for name, status in (("ann", 403), ("ada", 404)):
        visit = Visit(browser, server, name)
        for path in (report, saved, bundle):
            answer = visit.context.request.get(f"{server.url}{path}")
            assert answer.status in (status, 403), (name, path)
            assert "Clinical numeracy" not in answer.text()
        visit.close()
    set_status(server.database, "six", "closed")
    visit = Visit(browser, server, "ada")
    page = visit.open("/reports/", "iframe.rp-frame")
    expect(page.frame_locator("iframe.rp-frame").get_by_role("heading", level=1)).to_be_visible()
    assert visit.context.request.get(f"{server.url}{bundle}").status == 403
    page.get_by_role("tab", name="Build a report").click()
    expect(page.get_by_text("Reports are built by researchers and admins")).to_be_visible()
    page.goto(f"{server.url}{report}")
    expect(page.get_by_role("heading", level=1)).to_have_text("Clinical numeracy: six")
    visit.close()
