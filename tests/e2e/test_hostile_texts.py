"""No text that a model, an annotator, a curator or a file brings runs in any page or in a report.

A house full of payloads is walked through in Chromium, role by role, with all that opens open. The suite
deals some payloads into each field and all into texts, rationales and comments; `scripts/dev/evidence xss`
deals all of them into every field.
"""

import os
import re
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from html.parser import HTMLParser
from itertools import chain
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from clinicnum.annotations.escape_markdown import escaped
from clinicnum.annotations.exports.report_files import PAGE, report_files
from clinicnum.annotations.report.build import build_report
from clinicnum.db.engine import make_engine, reading
from clinicnum.db.migrate import migrate
from clinicnum.db.work.accounts import users
from clinicnum.db.work.studies.load_whole_study import load_study_tables
from clinicnum.db.work.studies.study_summaries import list_studies
from clinicnum.errors import InputError
from clinicnum.release import ReleaseDescription, make_release
from clinicnum.release.data_card import in_markdown
from clinicnum.templates.template import Template
from tests.db.reviewing import of_the_bank
from tests.e2e.bare_page import bare_page, unsafe_markdown
from tests.e2e.canary import Canary
from tests.e2e.conftest import Server, free_port
from tests.e2e.hostile_bank import fill_bank
from tests.e2e.hostile_fields import NOT_WHOLE, ON_NO_PAGE, READ_BY_ALL
from tests.e2e.hostile_forms import Forms, turned_away
from tests.e2e.hostile_house import freeze_reports, furnish
from tests.e2e.hostile_kinds import rate_an_answer, tick_criteria
from tests.e2e.hostile_material import House
from tests.e2e.hostile_walk import PATIENCE_MS, Walk, Walked
from tests.e2e.payloads import HOST, Dealer, corpus
from tests.e2e.visit import Visit

pytestmark = pytest.mark.browser

WHOLE = os.environ.get("CLINICNUM_XSS") == "all"
ROLES = ("ann", "ada", "cur", "rex", "root")
MOST_ROUNDS = 16
ALIVE = 250
"""Payloads that must run where nothing is escaped; `WHOLE` waits for the others, too."""


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
    freeze_reports(house)
    rate_an_answer(house)
    tick_criteria(house)
    return house


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory, dealer: Dealer) -> Iterator[House]:
    made = make_house(tmp_path_factory.mktemp("house"), dealer)
    yield made
    made.engine.dispose()


def walked(browser: Browser, house: House, folder: Path) -> tuple[list[str], set[int], int]:
    """What was wrong, which payloads could be read, and at how many stops, through all roles."""
    # A copy of the file alone would lack what SQLite still holds in its log beside it.
    with (
        closing(sqlite3.connect(str(house.engine.url.database))) as held,
        closing(sqlite3.connect(folder / "walked.db")) as copied,
    ):
        held.backup(copied)
    server = Server(f"sqlite:///{folder / 'walked.db'}", free_port(), folder / "server.log")
    found: list[str] = []
    shown: set[int] = set()
    pages: Walked = {}
    stops = 0
    server.start()
    try:
        for name in ROLES:
            began = time.monotonic()
            visit = Visit(browser, server, name)
            visit.page.set_default_timeout(PATIENCE_MS)
            canary = Canary(visit.context, f"{server.url}/")
            walk = Walk(visit, house, name, thorough=WHOLE, walked=pages)
            for stop in chain(walk.stops(), Forms(visit, house, name).stops()):
                told = canary.faults(visit.page, f"{name} at {stop}", house.dealer)
                found += ran(told) if stop.startswith("form:") else told
                shown |= canary.shown(visit.page, house.dealer)
                stops += 1
            visit.close()
            print(f"{name}: {time.monotonic() - began:.0f} s", flush=True)
        found += strangers(browser, server, house)
    finally:
        server.kill()
    return found, shown, stops


def ran(faults: list[str]) -> list[str]:
    """Without refusals: a form that is not taken is an error to the console, and nothing ran by that."""
    return [fault for fault in faults if "the server responded with a status of" not in fault]


def strangers(browser: Browser, server: Server, house: House) -> list[str]:
    """What was wrong on the pages for whoever is not logged in."""
    context = browser.new_context()
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    canary = Canary(context, f"{server.url}/")
    found = [
        fault
        for stop in turned_away(page, server.url, house)
        for fault in ran(canary.faults(page, stop, house.dealer))
    ]
    context.close()
    return found


def left_over(dealer: Dealer) -> dict[str, int]:
    """Fields through which some payloads have not gone yet, with how many."""
    fields = {name for name in dealer.dealt if not name.startswith(NOT_WHOLE)} - dealer.whole()
    return {
        name: len(corpus()) - len(dealer.dealt[name] | dealer.unfit.get(name, set()))
        for name in sorted(fields)
    }


def test_most_payloads_run_in_a_page_that_escapes_nothing(browser: Browser) -> None:
    numbered = dict(enumerate(corpus()))
    context = browser.new_context()
    page = context.new_page()
    canary = Canary(context, "http://bare.invalid/")
    raw = bare_page(numbered)
    # Both hosts answer here. Elsewhere none does: where requests are routed, the browser keeps nothing that
    # it has loaded.
    context.route("http://bare.invalid/*", lambda route: route.fulfill(body=raw, content_type="text/html"))
    context.route(f"**://{HOST}/**", lambda route: route.fulfill(body="", content_type="text/plain"))
    page.goto("http://bare.invalid/", wait_until="commit")  # some of them never end loading
    alive = canary.still(page, set(numbered), enough=len(numbered) if WHOLE else ALIVE)
    print(f"{len(alive)} of {len(numbered)} payloads have run, or made a request, where nothing is escaped")
    assert len(alive) >= ALIVE
    context.close()


def test_no_payload_runs_on_any_page_of_any_role(
    browser: Browser, house: House, tmp_path_factory: pytest.TempPathFactory
) -> None:
    dealt, shown, faults = house.dealer, set[int](), list[str]()
    for number in range(1, MOST_ROUNDS + 1):
        began = time.monotonic()
        folder = tmp_path_factory.mktemp("round")
        now = house if number == 1 else make_house(folder, dealt)
        found, seen, stops = walked(browser, now, folder)
        shown |= seen
        to_go = left_over(dealt)
        print(f"round {number}: {stops} stops in {time.monotonic() - began:.0f} s; {len(found)} faults")
        print(f"to go: {to_go}" if WHOLE else f"{len(to_go)} fields to go", *found, sep="\n", flush=True)
        faults += found
        if not WHOLE or not to_go:
            break
    assert faults == []
    fields = {dealt.given[number][0] for number in shown if number in dealt.given}
    texts = {dealt.given[number][1] for number in shown if number in dealt.given}
    print(
        f"{len(dealt.given)} texts in {len(dealt.dealt)} fields; {len(texts)} payloads seen in {len(fields)}"
    )
    print(f"not in sight: {sorted(set(dealt.dealt) - fields)}")
    hidden = {name for name in set(dealt.dealt) - fields if not name.startswith(NOT_WHOLE)}
    assert hidden - set(ON_NO_PAGE) == set()
    assert READ_BY_ALL - fields == set()
    assert len(texts) >= 300
    assert not WHOLE or left_over(dealt) == {}


def report_of(house: House, name: str) -> dict[str, str]:
    with reading(house.engine) as session:
        return report_files(build_report(load_study_tables(session, name), generated_by="test"))


def names_of(house: House) -> list[str]:
    with reading(house.engine) as session:
        found = [one.name for one in list_studies(session) if one.generations > 1]
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
            assert len(canary.shown(page, house.dealer)) > 20
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
            with pytest.raises(InputError, match=r"cannot be an account|the name has"):
                users.add_user(session, name=text, role="annotator", password=None)
            with pytest.raises(InputError, match="cannot name a release"):
                make_release((), ReleaseDescription(name=text, notes="", date=None))
            with pytest.raises(ValueError, match="id\n"):
                Template.model_validate({**pulse, "id": text})
