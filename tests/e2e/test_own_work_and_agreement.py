"""A labelled study in a real browser: the agreement page's look and parts, and an annotator's own work."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from clinicnum.annotations.judgement import Judgement, Label
from clinicnum.db.engine import make_engine, reading, writing
from clinicnum.db.work.accounts import users
from clinicnum.db.work.annotation import annotate
from clinicnum.db.work.studies.study_lifecycle import close_study
from tests.e2e.conftest import ANNOTATORS, HOSTILE, ITEMS, Server, serve_copy
from tests.e2e.visit import Visit

pytestmark = pytest.mark.browser

FAILURE = Judgement(
    item_judgement="valid",
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
                judged = (
                    FAILURE
                    if name == "ann"
                    else Judgement(item_judgement="valid", response_judgement="acceptable")
                )
                annotate.submit(session, **address, revision=0, judgement=judged, active_ms=900)
    engine.dispose()
    yield server
    next(made, None)


def check_width(page: Page) -> None:
    """Nothing is wider than a phone."""
    page.set_viewport_size({"width": 390, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.set_viewport_size({"width": 1280, "height": 900})


def open_tab(page: Page, name: str) -> None:
    """Choose a tab and wait for its first answer, which may move what stands below."""
    with page.expect_response("**/run/predict*"):
        page.get_by_role("tab", name=name).click()


def test_the_summary_then_analyses_by_keyboard_and_new_judgements_are_announced(
    browser: Browser, labelled_server: Server
) -> None:
    visit = Visit(browser, labelled_server, "ada")
    problems: list[str] = []
    visit.page.on("console", lambda one: problems.append(one.text) if one.type == "error" else None)
    visit.context.clock.install()  # of the whole context, which no other test may get
    page = visit.open("/agreement/", "#verdict p")
    expect(page.locator("#verdict")).to_contain_text(
        "No interval yet for “Judgement of the response, before the gold”"
    )
    expect(page.locator("#summary-table")).to_contain_text("an interval needs at least 10")
    expect(page.get_by_role("img", name="Krippendorff's alpha with 95 % intervals")).to_be_visible()
    page.get_by_role("tab", name="Annotators").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".cn-content")).to_contain_text(
        "Pairs of annotators, on the items that both labelled"
    )
    page.get_by_label("Confusion").focus()
    page.keyboard.press("Space")
    expect(page.locator(".cn-content")).to_contain_text("pairs of labels on the same item")
    open_tab(page, "Consensus")
    page.get_by_role("combobox", name="Consensus", exact=True).click()
    page.get_by_role("option", name="Dawid and Skene").click()
    expect(page.locator(".cn-content")).to_contain_text("Consensus by Dawid and Skene")
    expect(page.locator(".cn-content")).to_contain_text("Answers by majority")
    page.get_by_role("tab", name="Planning").click()  # it asks for nothing
    page.get_by_role("button", name="Plan items and annotators").click()
    # Gradio may put a field's first value back just after its tab opens, before a person could type.
    expect(page.locator(".cn-content")).to_contain_text("Items for ±0.05")
    page.get_by_label("Half-width").fill("0.2")
    page.keyboard.press("Enter")
    expect(page.locator(".cn-content")).to_contain_text("Items for ±0.20")
    check_width(page)
    # What is new is announced, and comes when it is asked for.
    take_the_skip_back(labelled_server)
    page.clock.run_for(31_000)
    expect(page.locator("#newer")).to_have_text("1 newer judgement: press Refresh to include it.")
    page.get_by_role("button", name="Refresh").click()
    expect(page.locator("#newer")).not_to_be_visible()
    expect(page.locator(".cn-content")).to_contain_text("Items for ±0.20")
    page.get_by_role("tab", name="Summary").click()
    expect(page.locator("#verdict")).to_contain_text("6 of 6 items have 3 judgements")
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
    page.get_by_label("Find in questions").press("Enter")
    check_width(page)
    page.get_by_role("radio", name="Flagged").check()
    expect(page.locator(".mw-row")).to_have_count(1)
    expect(page.locator(".mw-mark")).to_contain_text("<script>")
    page.locator(".mw-row a").press("Enter")
    expect(page.locator(".mw-item")).to_contain_text("Failure; Omission; severity: 1")
    question = page.locator(".mw-item h2").inner_text()
    page.get_by_role("link", name="Change this judgement").press("Enter")
    expect(page.locator(".ab-question")).to_have_text(question)
    page.goto(f"{labelled_server.url}/my-work/?q=no+such+words")
    expect(page.locator(".mw-page")).to_contain_text("Nothing found")
    assert page.get_by_role("radio", name="Where the decision differs").count() == 0
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
