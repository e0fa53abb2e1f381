"""A labelled study in a real browser: the agreement page's look and parts, and an annotator's own work."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from clinicnum.annotations.judgement import Judgement, Label
from clinicnum.db.engine import make_engine, reading, writing
from clinicnum.db.work.accounts import users
from clinicnum.db.work.annotation import annotate
from clinicnum.db.work.studies.study import close_study
from tests.e2e.conftest import ANNOTATORS, HOSTILE, ITEMS, Server, Visit, serve_copy

pytestmark = pytest.mark.browser

FAILURE = Judgement(
    response_judgement="failure",
    labels=(Label(code="omission", primary=True),),
    severity="1",
    rationale=HOSTILE,
)


@pytest.fixture(scope="module")
def labelled_server(tmp_path_factory: pytest.TempPathFactory, study_database: Path) -> Iterator[Server]:
    """A server on a study that three people have labelled; the first skipped one and flagged one."""
    made = serve_copy(study_database, tmp_path_factory.mktemp("labelled"))
    server = next(made)
    engine = make_engine(server.database)
    with reading(engine) as session:
        ids = {user.name: user.user_id for user in users.list_users(session)}
    for name in ANNOTATORS:
        for n in range(ITEMS):
            with writing(engine) as session:
                item = annotate.next_assignment(session, user_id=ids[name])
                assert item is not None
                address = {"user_id": ids[name], "assignment_id": item.assignment_id}
                if (name, n) == ("ann", 1):
                    annotate.flag(session, **address, note=HOSTILE)
                if (name, n) == ("ann", 2):
                    annotate.skip(session, **address, revision=0, reason="the unit is missing")
                    continue
                judged = FAILURE if name == "ann" else Judgement(response_judgement="acceptable")
                annotate.submit(session, **address, revision=0, judgement=judged, active_ms=900)
    engine.dispose()
    yield server
    next(made, None)


def check_width(page: Page) -> None:
    """Nothing is wider than a phone."""
    page.set_viewport_size({"width": 390, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.set_viewport_size({"width": 1280, "height": 900})


def test_one_look_then_parts_by_keyboard_and_new_judgements_are_announced(
    browser: Browser, labelled_server: Server
) -> None:
    visit = Visit(browser, labelled_server, "ada")
    problems: list[str] = []
    visit.page.on("console", lambda one: problems.append(one.text) if one.type == "error" else None)
    visit.page.clock.install()
    page = visit.open("/agreement/", ".ag-look")
    expect(page.locator(".ag-verdict")).to_have_text("Too early to say: go on labelling.")
    expect(page.locator("[data-outlook=response_judgement]")).to_contain_text("an interval needs at least 10")
    expect(page.locator("[data-outlook=response_judgement] svg")).to_have_attribute("role", "img")
    page.locator("[data-part=confusion]").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#part")).to_contain_text("acceptable against failure")
    expect(page.locator("[data-part=confusion]")).to_be_focused()
    page.get_by_label("Consensus", exact=True).select_option("dawid_skene")
    page.get_by_role("button", name="What the judgements come to").press("Enter")
    expect(page.locator("#part")).to_contain_text("Consensus by Dawid and Skene")
    expect(page.locator("#part")).to_contain_text("Generations by majority")
    expect(page.get_by_label("Consensus", exact=True)).to_have_value("dawid_skene")
    page.get_by_label("Half-width").fill("0.2")
    page.keyboard.press("Enter")
    expect(page.locator("#part")).to_contain_text("Items for ±0.20")
    check_width(page)
    # Somebody reads a part: what is new is announced, and comes when it is asked for.
    page.locator("section[data-layer=primary] summary").first.click()
    take_the_skip_back(labelled_server)
    page.clock.run_for(31_000)
    expect(page.locator(".ag-state").first).to_have_text("1 newer judgement: these figures are from before.")
    page.get_by_role("button", name="Refresh").click()
    expect(page.locator("section[data-layer=primary] details").first).to_have_attribute("open", "")
    expect(page.locator(".ag-look")).to_contain_text("6 of 6 items are filled to 3 judgements")
    expect(page.locator(".ag-state").first).to_have_text("")
    assert (problems, visit.foreign_requests()) == ([], [])
    visit.close()


def take_the_skip_back(server: Server) -> None:
    engine = make_engine(server.database)
    with writing(engine) as session:
        ann = next(user for user in users.list_users(session) if user.name == "ann")
        skipped = annotate.previous(session, user_id=ann.user_id, assignment_id=None)
        while skipped is not None and skipped.status != "skipped":
            skipped = annotate.previous(session, user_id=ann.user_id, assignment_id=skipped.assignment_id)
        assert skipped is not None
        annotate.submit(
            session,
            user_id=ann.user_id,
            assignment_id=skipped.assignment_id,
            revision=0,
            judgement=FAILURE,
            active_ms=900,
        )
    engine.dispose()


def test_my_work_leads_to_an_item_to_change_it_and_after_closing_to_the_decision(
    browser: Browser, labelled_server: Server
) -> None:
    visit = Visit(browser, labelled_server, "ann")
    problems: list[str] = []
    visit.page.on("console", lambda one: problems.append(one.text) if one.type == "error" else None)
    page = visit.open("/my-work/", ".mw-row")
    expect(page.locator(".mw-row")).to_have_count(ITEMS)
    check_width(page)
    page.get_by_role("link", name="Flagged").click()
    expect(page.locator(".mw-row")).to_have_count(1)
    expect(page.locator(".mw-mark")).to_contain_text("<script>")
    page.locator(".mw-row a").press("Enter")
    expect(page.locator(".mw-item")).to_contain_text("Failure; Omission; severity: 1")
    question = page.locator(".mw-item h2").inner_text()
    page.get_by_role("link", name="Change this judgement").press("Enter")
    expect(page.locator(".ab-question")).to_have_text(question)
    page.goto(f"{labelled_server.url}/my-work/?q=no+such+words")
    expect(page.locator(".mw-page")).to_contain_text("Nothing found")
    assert page.get_by_role("link", name="Where the decision differs").count() == 0
    close(labelled_server)
    page.goto(f"{labelled_server.url}/my-work/?show=differ")
    expect(page.locator(".mw-page")).to_contain_text("the decision is another than yours")
    expect(page.locator(".mw-row").first).to_contain_text("Decided by the majority")
    assert "owned" not in page.title()
    assert (problems, visit.foreign_requests()) == ([], [])
    visit.close()


def close(server: Server) -> None:
    engine = make_engine(server.database)
    with writing(engine) as session:
        close_study(session, name="six")
    engine.dispose()
