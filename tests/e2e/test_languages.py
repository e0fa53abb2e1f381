"""What only some see, in the language of the browser: the tour, the log-in, suggestions, answers, studies.

`test_every_page` goes through all pages in German.
"""

import pytest
from playwright.sync_api import Browser

from clinicnum.db.engine import make_engine, reading, writing
from clinicnum.db.work.accounts import users
from clinicnum.db.work.adjudication import answer_annotators
from clinicnum.db.work.adjudication.adjudication_item import load_adjudication_item
from clinicnum.db.work.adjudication.adjudication_queue import list_waiting
from clinicnum.db.work.annotation import annotate
from tests.e2e.conftest import Server
from tests.e2e.page_states import lock
from tests.e2e.page_texts import same_in_both, texts_on, untranslated
from tests.e2e.test_every_page import busy_server  # noqa: F401  a fixture
from tests.e2e.visit import Visit
from tests.e2e.walk import settle

pytestmark = pytest.mark.browser

LOCALES = ("en-US", "de-DE")
NOTE = "NOTE 1"


@pytest.mark.parametrize("locale", LOCALES)
def test_the_tour_and_the_login_are_in_the_language_of_the_browser(
    browser: Browser,
    busy_server: Server,  # noqa: F811
    locale: str,
) -> None:
    visit = Visit(browser, busy_server, "ben", tour=True, locale=locale)
    page = visit.open("/annotate/", ".ab-tour-card")
    titles = []
    for _ in range(7):
        titles.append(page.locator("#ab-tour-title").inner_text())
        page.keyboard.press("ArrowRight")
    assert ("The records" in titles) == (locale == "en-US")
    assert page.locator("html").get_attribute("lang") == locale[:2]
    visit.context.clear_cookies()
    page.goto(f"{busy_server.url}/login")
    assert page.get_by_role("button", name="Log in", exact=True).count() == (locale == "en-US")
    visit.close()


def test_studies_suggestions_and_answers_are_in_the_language_of_the_browser(
    browser: Browser,
    ward: Server,
    busy_server: Server,  # noqa: F811
) -> None:
    _answer_the_flag_of_eve(busy_server.database)
    found: dict[str, list[set[str]]] = {"studies": [], "suggestions": [], "answers": []}
    eves = [Visit(browser, busy_server, "eve", locale=locale) for locale in LOCALES]
    for eve in eves:  # before one of them reads the answer
        eve.open("/annotate/", ".ab-answers")
    for eve, locale in zip(eves, LOCALES, strict=True):
        eve.page.locator(".ab-answers").click()
        eve.page.wait_for_selector("[data-panel='answers']")
        found["answers"].append(texts_on(eve.page))
        eve.close()
        ivy = Visit(browser, ward, "ivy", locale=locale)
        ivy.open("/annotate/", ".ab-question").locator("[data-k='studies']").click()
        ivy.page.wait_for_selector("[data-panel='studies']")
        settle(ivy)
        found["studies"].append(texts_on(ivy.page))
        ivy.close()
        bob = Visit(browser, ward, "bob", locale=locale)
        bob.open("/annotate/", ".ab-question")
        lock(bob)
        found["suggestions"].append(texts_on(bob.page))
        bob.close()
    known = same_in_both() | {"ward", "night", "2000 is what the later record gives."}
    left = {panel: untranslated(both[0], both[1], known) for panel, both in found.items()}
    assert left == {panel: [] for panel in found}


def _answer_the_flag_of_eve(database: str) -> None:
    """Eve flags an item that she has submitted, and Ada answers."""
    engine = make_engine(database)
    with reading(engine) as session:
        ids = {user.name: user.user_id for user in users.list_users(session)}
        item = annotate.previous(session, user_id=ids["eve"], assignment_id=None)
    assert item is not None
    with writing(engine) as session:
        annotate.flag(session, user_id=ids["eve"], assignment_id=item.assignment_id, note=NOTE)
    with writing(engine) as session:
        ada = ids["ada"]
        for one in list_waiting(session, user_id=ada):
            seen = load_adjudication_item(session, user_id=ada, study_id=one.study_id, item=one.item)
            for flag in seen.flags:
                if flag.note == NOTE:
                    answer_annotators.answer_flag(
                        session,
                        user_id=ada,
                        study_id=one.study_id,
                        item=one.item,
                        flag=flag.key,
                        comment="NOTE 2",
                    )
    engine.dispose()
