"""Every page in German: what stands there as in English is data, or has a translation that is the same."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from clinicnum.db.engine import make_engine, reading, writing
from clinicnum.db.work.accounts import users
from clinicnum.db.work.adjudication import answers
from clinicnum.db.work.adjudication.adjudication_item import load_adjudication_item
from clinicnum.db.work.adjudication.adjudication_queue import list_waiting
from clinicnum.db.work.annotation import annotate
from clinicnum.io.jsonl import read_jsonl
from clinicnum.templates.packaged_banks import named_bank
from clinicnum.types import Instance
from clinicnum.ui.components.language import catalogue, forms_of, key_of
from tests.e2e.conftest import ANNOTATORS, HOSTILE, Server, Visit
from tests.e2e.test_axe import DOUBT, busy_server  # noqa: F401  a fixture
from tests.e2e.walk import open_up, pages_of, settle

pytestmark = pytest.mark.browser

LOCALES = ("en-US", "de-DE")
NOTE = "NOTE 1"
WRITTEN = {HOSTILE, DOUBT.rationale or "", "the unit is missing", "small, seed 3"}
"""What people of the study wrote, and what its benchmark is called."""
LETTERS = re.compile(r"[^\W\d_]{2}")
MATERIAL = ", ".join(
    (
        *("script", "style", "[lang]:not(html)", ".cn-nav strong", "kbd", "code"),
        # question, context, answer, prompt, working and what people wrote
        *(
            ".ab-question",
            ".cn-demand",
            ".ab-context",
            ".ab-text",
            ".cn-long",
            ".ab-reveal ol",
            ".ab-choices",
            "[data-panel='answers'] h3 a",
        ),
        *(
            ".ab-live",
            ".aj-live",
            ".aj-question",
            ".aj-context",
            ".aj-text",
            ".aj-goldbox ol",
            "blockquote",
            "textarea",
            ".cn-said",
        ),
    )
)
"""Where a page shows what it was given."""
COLLECT = """(material) => {
  const found = new Set();
  const add = (text) => { const one = (text || "").replace(/\\s+/g, " ").trim(); if (one) found.add(one); };
  for (const node of document.body.querySelectorAll("*")) {
    if (node.closest(material) || !node.checkVisibility()) continue;
    // Gradio gives a checkbox the value of its choice as title.
    for (const name of ["aria-label", "title", "placeholder"])
      if (name !== "title" || node.type !== "checkbox") add(node.getAttribute(name));
    for (const child of node.childNodes) if (child.nodeType === Node.TEXT_NODE) add(child.nodeValue);
  }
  add(document.title);
  return [...found];
}"""
DATA = re.compile(
    r"clinicnum|six|ann|ben|eve|ada|bob|ivy|cur|rex|root|elsewhere|[a-z]+(?:[._-][a-z0-9_]+)+|[0-9a-f]{8,}|"
    r"(?:\S+ )?(?:°C|bpm|breaths/min|/min|mmHg|%|min|s)|Temp|HR|NOTE|RR|SpO₂|SBP|DBP|"
    r"English|Deutsch|UTC|JSON|CSV|YAML|HTML|Copy table data|Fullscreen|Table actions",
)
"""Names, ids, codes, units, abbreviations and Gradio's own: a text of nothing else is none of a page's."""


def texts_on(page: Page) -> set[str]:
    """The texts and labels that the page shows now, without its material."""
    return set(page.evaluate(COLLECT, MATERIAL))


@pytest.fixture(scope="module")
def same_in_both() -> set[str]:
    """English texts whose translation is the same."""
    return {
        form
        for one in catalogue("de")
        if one.id
        for form in forms_of(one)
        if form in {key_of(one), *(one.id if isinstance(one.id, (tuple, list)) else ())}
    }


Step = Callable[[Visit], None]


def _pressing(*keys: str) -> Step:
    def press(visit: Visit) -> None:
        for key in keys:
            visit.page.keyboard.press(key)
        settle(visit, 3)

    return press


def _practise(visit: Visit) -> None:
    visit.page.keyboard.press("?")
    visit.page.locator("[data-k='practice']").click()
    visit.page.wait_for_selector(".ab-root[data-assignment='practice-0']")


def _lock(visit: Visit) -> None:
    visit.page.keyboard.press("c")
    visit.page.keyboard.press("Enter")
    visit.page.wait_for_selector(".ab-reveal")


def _submit(visit: Visit) -> None:
    for key in ("2", "v", "Enter"):
        visit.page.keyboard.press(key)
    visit.page.wait_for_selector(".ab-feedback")


ANNOTATING: tuple[Step, ...] = (
    _pressing("?"),
    _pressing("Shift+I"),
    _pressing("Shift+C"),
    _pressing("Escape", "i"),
    _pressing("Escape", "s"),
    _pressing("Escape", "q"),
    _pressing("Escape", "/"),
    _pressing("Escape", "z", "+"),
    _pressing("Enter"),
    _practise,
    _lock,
    _submit,
)
"""What is opened on the annotate page besides what `open_up` opens."""


def _states(visit: Visit, path: str) -> Iterator[str]:
    """Go through the states of a page; the name of each."""
    visit.page.goto(f"{visit.server.url}{path}")
    settle(visit)
    yield path
    open_up(visit)
    yield f"{path} opened up"
    if path.startswith("/annotate"):
        for place, step in enumerate(ANNOTATING):
            step(visit)
            yield f"{path} step {place}"
    if path.startswith("/adjudicate") and visit.page.locator("[data-k^='see-']").count():
        visit.page.locator("[data-k^='see-']").first.click()
        visit.page.wait_for_selector(".aj-uphold-preview")
        yield f"{path} upholding"


def _shown(browser: Browser, server: Server, name: str, locale: str) -> dict[str, set[str]]:
    visit = Visit(browser, server, name, locale=locale)
    found: dict[str, set[str]] = {}
    for path in [*pages_of(visit), "/account"]:
        if path == "/account":
            visit.page.goto(f"{server.url}{path}")
            found[path] = texts_on(visit.page)
            continue
        for state in _states(visit, path):
            found.setdefault(path, set()).update(texts_on(visit.page))
            del state
    visit.close()
    return found


@pytest.mark.parametrize("name", [ANNOTATORS[0], "ada", "root"])
def test_no_text_of_a_page_is_the_same_in_german_as_in_english(
    browser: Browser,
    busy_server: Server,  # noqa: F811
    study_files: dict[str, Path],
    same_in_both: set[str],
    name: str,
) -> None:
    material = {one.question for one in read_jsonl(study_files["bench"], Instance)} | WRITTEN
    material |= {text for one in named_bank("all") for text in (*one.wording, ", ".join(one.tags))}
    english, german = (_shown(browser, busy_server, name, locale) for locale in LOCALES)
    left = [
        f"{path} {text}"
        for path in english
        for text in untranslated(english[path], german[path], same_in_both | material)
    ]
    assert left == [], "\n".join(left)


def untranslated(english: set[str], german: set[str], known: set[str]) -> list[str]:
    """What stands in both, is not known, and is more than data."""
    found = (text for text in english & german if text.removesuffix(" · clinicnum") not in known)
    return sorted(text for text in found if LETTERS.search(text) and not _is_data(text))


def _is_data(text: str) -> bool:
    """Whether nothing of the text is left without names, ids, codes, units and numbers."""
    return not LETTERS.search(DATA.sub("", text))


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
    same_in_both: set[str],
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
        _lock(bob)
        found["suggestions"].append(texts_on(bob.page))
        bob.close()
    known = same_in_both | {"ward", "night", "2000 is what the later record gives."}
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
                    answers.answer_flag(
                        session,
                        user_id=ada,
                        study_id=one.study_id,
                        item=one.item,
                        flag=flag.key,
                        comment="NOTE 2",
                    )
    engine.dispose()
