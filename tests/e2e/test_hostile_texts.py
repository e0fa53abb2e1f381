"""No text that a model, an annotator, a curator or a file brings runs in any page or in a report.

A house full of payloads is walked through in Chromium, role by role, with all that opens open. The suite
deals some payloads into each field and all into texts, rationales and comments; `scripts/evidence xss` deals
all of them into every field.
"""

import os
import re
import shutil
from collections.abc import Iterator, Sequence
from html.parser import HTMLParser
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from annotations.exports.report_files import PAGE, report_files
from annotations.report.build import build_report
from annotations.report.markdown import escaped
from clinicnum.errors import InputError
from clinicnum.templates.release import Wanted, make_release
from clinicnum.templates.release.texts import in_markdown
from clinicnum.templates.template import Template
from db.engine import make_engine, reading
from db.migrate import migrate
from db.work import study, users
from db.work.reporting import load_study_tables
from tests.db.reviewing import of_the_bank
from tests.e2e.bare_page import bare_page, unsafe_markdown
from tests.e2e.canary import Canary
from tests.e2e.conftest import Server, Visit, free_port
from tests.e2e.hostile_bank import fill_bank
from tests.e2e.hostile_house import furnish
from tests.e2e.hostile_material import House
from tests.e2e.hostile_walk import Walk
from tests.e2e.payloads import Dealer, corpus

pytestmark = pytest.mark.browser

WHOLE = os.environ.get("CLINICNUM_XSS") == "all"
ROLES = ("ann", "ada", "cur", "root")
PATIENCE_MS = 120_000
READ_BY_ALL = {
    *("model text", "rationale", "question", "context", "option", "unit", "gold", "working", "parsed"),
    *("score reason", "suggestion", "guideline", "study name", "name of a code", "definition of a code"),
    *(
        "name of a severity",
        "example of a severity",
        "rationale of a draft",
        "proposed gold of a draft",
        "flag",
    ),
    *("wording", "source", "comment of an expert", "answer to an expert", "asked: q"),
}
"""Fields that an annotator's pages show: the walk must have had them in sight, or it proves nothing."""


@pytest.fixture(scope="module")
def dealer() -> Dealer:
    return Dealer()


def make_house(folder: Path, dealer: Dealer) -> House:
    """A house on SQLite: few payloads a field, or as many as go in."""
    engine = make_engine(f"sqlite:///{folder / 'house.db'}")
    migrate(engine)
    house = House(engine, dealer, each=60 if WHOLE else 4, many=40 if WHOLE else 1)
    furnish(house)
    fill_bank(house)
    return house


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory, dealer: Dealer) -> Iterator[House]:
    made = make_house(tmp_path_factory.mktemp("house"), dealer)
    yield made
    made.engine.dispose()


def walked(browser: Browser, house: House, folder: Path) -> tuple[list[str], set[int], int]:
    """What was wrong, which payloads could be read, and at how many stops, through all roles."""
    shutil.copy(str(house.engine.url.database), folder / "walked.db")
    server = Server(f"sqlite:///{folder / 'walked.db'}", free_port(), folder / "server.log")
    found: list[str] = []
    shown: set[int] = set()
    stops = 0
    server.start()
    try:
        for name in ROLES:
            visit = Visit(browser, server, name)
            visit.page.set_default_timeout(PATIENCE_MS)
            canary = Canary(visit.context, f"{server.url}/")
            for stop in Walk(visit, house, name, thorough=WHOLE).stops():
                found += canary.faults(visit.page, f"{name} at {stop}", house.dealer)
                shown |= canary.shown(visit.page)
                stops += 1
            visit.close()
    finally:
        server.kill()
    return found, shown, stops


def test_most_payloads_run_in_a_page_that_escapes_nothing(browser: Browser) -> None:
    numbered = dict(enumerate(corpus()))
    context = browser.new_context()
    page = context.new_page()
    canary = Canary(context, "http://bare.invalid/")
    raw = bare_page(numbered)
    context.route("http://bare.invalid/*", lambda route: route.fulfill(body=raw, content_type="text/html"))
    page.goto("http://bare.invalid/", timeout=PATIENCE_MS)
    alive = canary.still(page) & set(numbered)
    print(f"{len(alive)} of {len(numbered)} payloads run, or make a request, where nothing is escaped")
    assert len(alive) >= 250
    context.close()


def test_no_payload_runs_on_any_page_of_any_role(browser: Browser, house: House, tmp_path: Path) -> None:
    found, shown, stops = walked(browser, house, tmp_path)
    dealt = house.dealer
    fields = {dealt.given[number][0] for number in shown if number in dealt.given}
    seen = f"{len(shown)} seen in {len(fields)} fields at {stops} stops"
    print(f"{len(dealt.given)} texts in {len(dealt.dealt)} fields; {seen}")
    assert found == []
    assert READ_BY_ALL - fields == set()
    assert len({dealt.given[number][1] for number in shown if number in dealt.given}) >= 300


def report_of(house: House, name: str) -> dict[str, str]:
    with reading(house.engine) as session:
        return report_files(build_report(load_study_tables(session, name), generated_by="test"))


def names_of(house: House) -> list[str]:
    with reading(house.engine) as session:
        found = [one.name for one in study.list_studies(session) if one.generations > 1]
    return found if WHOLE else [name for name in found if name.startswith("first ")]


def test_no_payload_runs_in_a_report_or_in_its_markdown_however_it_is_rendered(
    browser: Browser, house: House, tmp_path: Path
) -> None:
    context = browser.new_context()
    page = context.new_page()
    canary = Canary(context, "file://")
    found: list[str] = []
    for number, name in enumerate(names_of(house)):
        files = report_of(house, name)
        pages = {PAGE: files[PAGE]}
        # A renderer that lets everything through shows whether the text itself holds markup.
        pages |= {f"{key}.html": unsafe_markdown(text) for key, text in files.items() if key.endswith(".md")}
        assert len(pages) > 1
        for key, text in pages.items():
            path = tmp_path / f"{number}-{key}"
            path.write_text(f"<!doctype html>{text}" if key != PAGE else text, encoding="utf-8")
            page.goto(path.as_uri(), timeout=PATIENCE_MS)
            page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
            found += canary.faults(page, f"{name} {key}", house.dealer)
            assert len(canary.shown(page)) > 20
    assert found == []
    context.close()


class Tags(HTMLParser):
    """The elements of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        self.found |= {tag, *(name for name, _ in attrs if name != "start")}


def test_no_payload_makes_an_element_in_the_markdown_of_reports_cards_and_releases(house: House) -> None:
    plain = {"class", "p", "em", "strong", "code", "pre", "blockquote", "ul", "ol", "li", "hr", "h1", "br"}
    for payload in corpus():
        for shown in (in_markdown(payload.text), escaped(payload.text)):
            assert Tags(unsafe_markdown(f"words {shown}")).found <= plain, payload
            assert Tags(unsafe_markdown(f"- {shown}")).found <= plain, payload


def test_no_cell_of_a_markdown_report_breaks_its_table(house: House) -> None:
    for name in names_of(house):
        for key, text in report_of(house, name).items():
            if key.endswith(".md"):
                assert broken_rows(text) == []


def broken_rows(text: str) -> list[str]:
    """Rows of tables that have not as many cells as their heading."""
    found, wanted = [], 0
    for line in re.sub(r"(?ms)^(`{3,})text$.*?^\1$", "", text).split("\n"):
        cells = len(re.findall(r"(?<!\\)\|", line)) if line.startswith("|") else 0
        if cells and wanted and cells != wanted:
            found.append(line)
        wanted = cells
    return found


def test_what_is_refused_is_refused_for_every_payload(house: House) -> None:
    """Names that are part of addresses and files take letters, digits and few signs."""
    pulse = of_the_bank("arithmetic.pulse_pressure").model_dump(mode="json")
    with reading(house.engine) as session:
        for payload in corpus():
            text = payload.numbered(0)
            with pytest.raises(InputError, match="cannot be an account"):
                users.add_user(session, name=text, role="annotator", password=None)
            with pytest.raises(InputError, match="cannot name a release"):
                make_release((), Wanted(name=text, notes="", date=None))
            with pytest.raises(ValueError, match="id\n"):
                Template.model_validate({**pulse, "id": text})
