"""On an empty installation every page says what it is for and what to do: no empty table, no blank."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from clinicnum.annotations.types import ROLES
from clinicnum.db.engine import make_engine, writing
from clinicnum.db.migrate import migrate
from clinicnum.db.work.accounts import users
from tests.e2e.axe import axe_script, grave_violations
from tests.e2e.conftest import PASSWORD, Server, free_port
from tests.e2e.visit import Visit
from tests.e2e.walk import pages_of, settle

pytestmark = pytest.mark.browser
EMPTY_TABLES = """() => [...document.querySelectorAll(".table-container, .cn-table")]
  .filter((one) => one.checkVisibility() && !one.querySelector("[role=gridcell], tbody tr"))
  .map((one) => one.innerText.slice(0, 80))"""
SAYS = {
    "/home/": (
        "From here to your first report",
        "Nothing waits for you now.",
        "No study is open for you yet",
    ),
    "/annotate/": ("Once a study is opened with you in it",),
    "/my-work/": ("You are in no study yet; whoever leads one adds you.",),
    "/adjudicate/": ("Nothing waits for you",),
    "/studies/": ("In a study, people label answers of models",),
    "/items/": ("Here a study's lead follows its items one by one.",),
    "/benchmarks/": ("A benchmark is a set of questions with gold answers.",),
    "/runs/": ("There is no run yet.",),
    "/explore/": ("No run has answers yet.",),
    "/jobs/": ("Nobody has asked for a job yet.",),
    "/people/": ("Manage an account",),
    "/agreement/": ("Here you see how far the people who label agree.",),
    "/changes/": ("Here you see which labels were changed",),
    "/reports/": ("A report says what went wrong", "There is no report that is open to you yet."),
    "/bank/": ("Versions 1 to 50",),
    "/draft/": ("No draft yet.",),
    "/item-draft/": ("No item draft yet.",),
    "/failures/": ("No study with labelled failures is closed yet.",),
    "/rounds/": ("In a round, experts answer examples of a template",),
    "/releases/": ("Ready: 0 templates",),
    "/review/": ("Nothing to review.",),
    "/help": ("Then take ten minutes for the tutorial",),
}
"""What each page says; of several, one is enough, as it depends on the role."""
USELESS = ("Look at my last item again", "Have this slice labelled in a study", "Save this view")
"""Buttons that can do nothing yet."""


@pytest.fixture(scope="module")
def empty_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server on a database that holds an account of each role and nothing else."""
    folder: Path = tmp_path_factory.mktemp("empty")
    server = Server(database=f"sqlite:///{folder / 'new.db'}", port=free_port(), log=folder / "log")
    engine = make_engine(server.database)
    migrate(engine)
    with writing(engine) as session:
        for role in ROLES:
            users.add_user(session, name=role, role=role, password=PASSWORD)
    engine.dispose()
    server.start()
    yield server
    server.kill()


@pytest.mark.parametrize("role", ROLES)
def test_every_page_of_an_empty_installation_says_what_it_is_for(
    browser: Browser, empty_server: Server, role: str
) -> None:
    visit = Visit(browser, empty_server, role)
    page, script = visit.page, axe_script()
    wrong: list[str] = []
    for path in pages_of(visit):
        page.goto(f"{empty_server.url}{path}")
        settle(visit)
        text = page.locator("body").inner_text()
        if not any(one in text for one in SAYS[path]):
            wrong.append(f"{path} says none of {SAYS[path]}")
        wrong += [f"{path}: a button that can do nothing: {one}" for one in USELESS if one in text]
        if path != "/bank/":  # the same as with data
            wrong += [f"{path}: {one}" for one in grave_violations(page, script)]
        wrong += [f"{path}: an empty table: {one}" for one in page.evaluate(EMPTY_TABLES)]
    assert wrong == []
    visit.close()


def test_from_an_empty_page_a_link_leads_to_the_form(browser: Browser, empty_server: Server) -> None:
    visit = Visit(browser, empty_server, "admin")
    page = visit.open("/studies/", ".cn-note a")
    page.get_by_role("link", name="Open the first study").click()
    expect(page.get_by_role("tab", name="New study")).to_have_attribute("aria-selected", "true")
    expect(page.get_by_text("There is no scored run yet")).to_be_visible()
    page.get_by_role("link", name="Go to Runs").click()
    page.get_by_role("tab", name="Compare").click()
    expect(page.get_by_text("There are no two runs of one benchmark yet.")).to_be_visible()
    page = visit.open("/reports/", "[role=tab]")
    page.get_by_role("tab", name="Build a report").click()
    expect(page.get_by_text("There is no study yet to report on.")).to_be_visible()
    visit.close()
