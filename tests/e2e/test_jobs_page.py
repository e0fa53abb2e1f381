"""The page Jobs follows a run by itself; cancel and try again work; what the run made is a click away."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from clinicnum.db.engine import make_engine, writing
from clinicnum.db.work.accounts.users import add_user
from clinicnum.db.work.bank.template_versions import add_packaged_templates
from tests.e2e.conftest import PASSWORD, Server, free_port
from tests.e2e.visit import Visit
from tests.jobs.performing import enqueue, perform_job
from tests.jobs.slow_server import MODEL, Slow, slow_server
from tests.jobs.workers import WorkerProcess

pytestmark = pytest.mark.browser


@pytest.fixture
def slow() -> Iterator[Slow]:
    with slow_server(0.5) as server:
        yield server


def _wait_for_more(page: Page) -> None:
    """Wait until the bar has gone on, without a reload."""
    bar = page.locator("progress")
    before = bar.get_attribute("value")
    expect(bar).not_to_have_attribute("value", str(before))


def test_a_run_is_followed_cancelled_and_tried_again(
    browser: Browser, slow: Slow, sqlite_template: Path, tmp_path: Path
) -> None:
    shutil.copy(sqlite_template, tmp_path / "jobs.db")
    database = f"sqlite:///{tmp_path / 'jobs.db'}"
    engine = make_engine(database)
    with writing(engine) as session:
        add_packaged_templates(session)
        user = add_user(session, name="res", role="researcher", password=PASSWORD).user_id
        add_user(session, name="ann", role="annotator", password=PASSWORD)
    made = perform_job(engine, tmp_path / "files", user, "generate", quota="retrieval=10,comparison=10")
    assert made.result is not None
    run = enqueue(
        engine,
        user,
        "run",
        benchmark_id=made.result["benchmark"],
        client="openai",
        model=MODEL,
        base_url=slow.url,
        label="Slow <b>Abe</b>",
    )
    engine.dispose()
    server = Server(database, free_port(), tmp_path / "log")
    server.start()
    visit = Visit(browser, server, "res")
    page = visit.open(f"/jobs?job={run}", "h2")
    expect(page.locator("h2")).to_have_text("Run a model: Slow <b>Abe</b>")
    worker = WorkerProcess(database, tmp_path).start()
    state = page.locator(".cn-page p").first
    expect(state).to_contain_text("of 60 answers")
    _wait_for_more(page)
    _wait_for_more(page)
    page.get_by_role("button", name="Cancel").click()
    expect(state).to_have_text("cancelled")
    slow.seconds = 0.01
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_text("goes on from what it had")).to_be_visible()
    expect(state).to_have_text("done")
    assert "are done already" in page.get_by_label("The end of its log").input_value()
    assert "/runs/?run=" in str(page.get_by_role("link", name="Show the run").get_attribute("href"))
    assert visit.foreign_requests() == []
    worker.stop()
    other = Visit(browser, server, "ann")
    refused = other.page.goto(f"{server.url}/jobs")
    assert refused is not None
    assert refused.status == 403
    visit.close()
    other.close()
    server.kill()
