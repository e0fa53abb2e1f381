"""Every page of every role, with data and opened up: through axe-core, light and dark, wide and narrow, and
in German, where what stands there as in English is data, or has a translation that is the same.

The pages are those that each role's navigation shows, so a new page is visited without a change here.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page

from clinicnum.annotations.judgement import Judgement, Label
from clinicnum.db.engine import make_engine, reading, writing
from clinicnum.db.work.accounts import users
from clinicnum.db.work.annotation import annotate
from clinicnum.db.work.jobs import job_store
from clinicnum.io.jsonl import read_jsonl
from clinicnum.templates.packaged_banks import named_bank
from clinicnum.types import Generation, Instance
from tests.e2e.axe import axe_script, grave_violations
from tests.e2e.conftest import ANNOTATORS, HOSTILE, Server, serve_copy
from tests.e2e.page_data import Answer, PageData
from tests.e2e.page_states import further_states
from tests.e2e.page_texts import same_in_both, texts_on, untranslated
from tests.e2e.visit import Visit
from tests.e2e.walk import open_up, pages_of, settle

pytestmark = pytest.mark.browser

NAMES = ("ann", "ada", "cur", "rex", "root")
IN_GERMAN = frozenset({"ann", "ada", "root"})
"""Between them they see every text; root's pages are those of cur and rex, too."""
Look = tuple[Literal["light", "dark"], int]
LOOKS: tuple[Look, ...] = (("light", 1280), ("light", 390), ("dark", 390), ("dark", 1280))
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
WAIT = """(on) => document.querySelectorAll(".cn-page").forEach(
  (one) => on ? one.setAttribute("aria-busy", "true") : one.removeAttribute("aria-busy"))"""
DOUBT = Judgement(response_judgement="acceptable", item_judgement="ambiguous", rationale="which one?")


WRITTEN = {HOSTILE, DOUBT.rationale or "", "the unit is missing", "small, seed 3"}
"""What people of the study wrote, and what its benchmark is called."""


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


@dataclass(frozen=True)
class Seen:
    """A page that a role has been through."""

    answers: tuple[Answer, ...]
    texts: frozenset[str]


@pytest.fixture(scope="module")
def looked_at() -> dict[str, Seen]:
    """By page, what a role before saw there: several roles share some, and they look alike to each."""
    return {}


def _check(page: Page, script: str, where: str, *looks: Look) -> list[str]:
    found = []
    for scheme, width in looks:
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": 900})
        page.evaluate(MOVED)
        found += [f"{where}, {scheme}, {width} px: {one}" for one in grave_violations(page, script)]
    return found


def _through_axe(visit: Visit, script: str, path: str) -> list[str]:
    """What axe-core finds on a page as it opens, opened up, and while it waits; then it is wide and light.

    In each of the looks once, as axe-core takes its time.
    """
    page = visit.page
    wide, narrow, narrow_dark, wide_dark = LOOKS
    found = _check(page, script, path, narrow)
    open_up(visit)
    page.evaluate(WAIT, True)
    found += _check(page, script, f"{path} while it waits", wide_dark)
    page.evaluate(WAIT, False)
    return found + _check(page, script, f"{path} opened up", narrow_dark, wide)


def _texts_of_all_states(visit: Visit, path: str) -> set[str]:
    """The texts of a page that is opened up, then in its further states."""
    found = texts_on(visit.page)
    for _ in further_states(visit, path):
        found |= texts_on(visit.page)
    return found


def _in_german(browser: Browser, server: Server, name: str) -> dict[str, set[str]]:
    """By page, all its texts."""
    visit = Visit(browser, server, name, locale="de-DE")
    found: dict[str, set[str]] = {}
    for path in pages_of(visit):
        visit.page.goto(f"{server.url}{path}")
        settle(visit)
        found[path] = texts_on(visit.page)
        open_up(visit)
        found[path] |= _texts_of_all_states(visit, path)
    found["/account"] = _account(visit)
    visit.close()
    return found


def _account(visit: Visit) -> set[str]:
    visit.page.goto(f"{visit.server.url}/account")
    return texts_on(visit.page)


@pytest.mark.parametrize("name", NAMES)
def test_every_page_is_accessible_quiet_and_in_the_language_of_the_browser(
    browser: Browser, busy_server: Server, study_files: dict[str, Path], looked_at: dict[str, Seen], name: str
) -> None:
    script = axe_script()
    visit = Visit(browser, busy_server, name)
    said: list[str] = []
    page = visit.page
    page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    found: list[str] = []
    english: dict[str, set[str]] = {}
    data = PageData(visit)
    for path in pages_of(visit):
        before = looked_at.get(path)
        if before and (name not in IN_GERMAN or data.same(before.answers)):
            english[path] = set(before.texts)
            continue
        data.forget()
        page.goto(f"{busy_server.url}{path}")
        settle(visit)
        answers, texts = data.answers(), texts_on(page)
        if before:  # another role's turn has been through axe-core with this page
            open_up(visit)
        else:
            found += _through_axe(visit, script, path)
        english[path] = texts | _texts_of_all_states(visit, path)
        looked_at.setdefault(path, Seen(answers, frozenset(english[path])))
    english["/account"] = _account(visit)
    assert found == []
    assert said == []
    assert visit.foreign_requests() == []
    assert page.title() != "owned"
    visit.close()
    if name in IN_GERMAN:
        material = {one.question for one in read_jsonl(study_files["bench"], Instance)} | WRITTEN
        material |= {" ".join(one.text.split()) for one in read_jsonl(study_files["generations"], Generation)}
        material |= {text for one in named_bank("all") for text in (*one.wording, ", ".join(one.tags))}
        german, known = _in_german(browser, busy_server, name), same_in_both() | material
        left = [
            f"{path} {text}" for path in english for text in untranslated(english[path], german[path], known)
        ]
        assert left == [], "\n".join(left)


def test_the_login_a_refusal_and_the_own_password_have_no_grave_violation(
    browser: Browser, busy_server: Server
) -> None:
    script = axe_script()
    visit = Visit(browser, busy_server, "ann")
    page = visit.page
    found = []
    page.goto(f"{busy_server.url}/people/")
    assert re.search("not open to the role", page.content())
    found += _check(page, script, "a refusal", *LOOKS)
    page.goto(f"{busy_server.url}/account")
    found += _check(page, script, "the own password", *LOOKS)
    visit.context.clear_cookies()
    page.goto(f"{busy_server.url}/login")
    found += _check(page, script, "login", *LOOKS)
    assert found == []
    visit.close()
