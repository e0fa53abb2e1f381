"""Every page of every role, with data and opened up, light and dark, wide and narrow, through axe-core.

The pages are those that each role's navigation shows, so a new page is visited without a change here.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page

from clinicnum.annotations.judgement import Judgement, Label
from clinicnum.db.engine import make_engine, reading, writing
from clinicnum.db.work.accounts import users
from clinicnum.db.work.annotation import annotate
from clinicnum.db.work.jobs import job_store
from tests.e2e.axe import axe_script, grave_violations
from tests.e2e.conftest import ANNOTATORS, HOSTILE, Server, Visit, serve_copy
from tests.e2e.walk import open_up, pages_of, settle

pytestmark = pytest.mark.browser

NAMES = ("ann", "ada", "cur", "rex", "root")
LOOKS: tuple[tuple[Literal["light", "dark"], int], ...] = (
    ("light", 1280),
    ("light", 390),
    ("dark", 390),
    ("dark", 1280),
)
LABELLED = 4
"""Items of six that all three have judged, not alike; the others are open."""
FAILURE = Judgement(
    item_judgement="valid",
    response_judgement="failure",
    labels=(Label(code="omission", primary=True, spans=((0, 10),)),),
    severity="1",
    rationale=HOSTILE,
)
MOVED = """() => Promise.allSettled(document.getAnimations()
  .filter((one) => one.effect.getComputedTiming().endTime !== Infinity).map((one) => one.finished))"""
"""Colours and widths move for a moment."""
WAIT = "document.querySelectorAll('.cn-page').forEach((one) => one.setAttribute('aria-busy', 'true'))"
DOUBT = Judgement(response_judgement="acceptable", item_judgement="ambiguous", rationale="which one?")


@pytest.fixture(scope="module")
def busy_server(tmp_path_factory: pytest.TempPathFactory, study_database: Path) -> Iterator[Server]:
    """A study with agreement, disagreement, a contest, a flag, a skip, and items still open."""
    made = serve_copy(study_database, tmp_path_factory.mktemp("busy"))
    server = next(made)
    engine = make_engine(server.database)
    with writing(engine) as session:
        users.add_user(session, name="cur", role="curator", password="a long enough password")
    with reading(engine) as session:
        ids = {user.name: user.user_id for user in users.list_users(session)}
    for name in ANNOTATORS:
        for _ in range(LABELLED):
            with writing(engine) as session:
                item = annotate.next_assignment(session, user_id=ids[name])
                assert item is not None
                annotate.submit(
                    session,
                    user_id=ids[name],
                    assignment_id=item.assignment_id,
                    revision=0,
                    judgement=DOUBT if name == "eve" else FAILURE,
                    active_ms=900,
                )
    with writing(engine) as session:
        item = annotate.next_assignment(session, user_id=ids["ann"])
        assert item is not None
        address = {"user_id": ids["ann"], "assignment_id": item.assignment_id}
        annotate.flag(session, **address, note=HOSTILE)
        annotate.skip(session, **address, revision=0, reason="the unit is missing")
        job_store.enqueue(session, user_id=ids["root"], kind="generate", arguments={})
    engine.dispose()
    yield server
    next(made, None)


@pytest.fixture(scope="module")
def looked_at() -> set[str]:
    """Pages that a role before has been through: several roles share some, and they look alike to each."""
    return set()


def _check(page: Page, script: str, where: str, looks: int = len(LOOKS)) -> list[str]:
    found = []
    for scheme, width in LOOKS[:looks]:
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": 900})
        page.evaluate(MOVED)
        found += [f"{where}, {scheme}, {width} px: {one}" for one in grave_violations(page, script)]
    return found


@pytest.mark.parametrize("name", NAMES)
def test_no_page_has_a_grave_violation_a_console_error_or_a_request_to_elsewhere(
    browser: Browser, busy_server: Server, looked_at: set[str], name: str
) -> None:
    script = axe_script()
    visit = Visit(browser, busy_server, name)
    said: list[str] = []
    page = visit.page
    page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    found: list[str] = []
    for path in pages_of(visit):
        if path in looked_at:  # another role's turn has been through the same page
            continue
        looked_at.add(path)
        page.goto(f"{busy_server.url}{path}")
        settle(visit)
        found += _check(page, script, path, looks=1)
        open_up(visit)
        found += _check(page, script, f"{path} opened up")
        page.evaluate(WAIT)
        found += _check(page, script, f"{path} while it waits", looks=1)
    assert found == []
    assert said == []
    assert visit.foreign_requests() == []
    assert page.title() != "owned"
    visit.close()


def test_the_login_a_refusal_and_the_own_password_have_no_grave_violation(
    browser: Browser, busy_server: Server
) -> None:
    script = axe_script()
    visit = Visit(browser, busy_server, "ann")
    page = visit.page
    found = []
    page.goto(f"{busy_server.url}/people/")
    assert re.search("not open to the role", page.content())
    found += _check(page, script, "a refusal")
    page.goto(f"{busy_server.url}/account")
    found += _check(page, script, "the own password")
    visit.context.clear_cookies()
    page.goto(f"{busy_server.url}/login")
    found += _check(page, script, "login")
    assert found == []
    visit.close()
