"""From a failure on an imported question to an item in the benchmark's next version, on the pages alone."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from sqlalchemy import select
from sqlmodel import col

from clinicnum.db.engine import make_engine, reading, writing
from clinicnum.db.migrate import migrate
from clinicnum.db.rows import ReviewRoundRow
from clinicnum.db.work.accounts import users
from clinicnum.io.benchmark import read_benchmark
from clinicnum.scripts.cli import run_command
from tests.annotations.imported_items import CHOICE
from tests.db.imported_failures import EXPERTS, closed_study, failure_on
from tests.e2e.axe import axe_script, grave_violations
from tests.e2e.conftest import PASSWORD, Server, free_port
from tests.e2e.visit import Visit

pytestmark = pytest.mark.browser
REWORDED = "A pregnant 34-year-old has a fever (39.2 °C, for 3 days)."


@pytest.fixture
def failures(tmp_path: Path) -> Iterator[Server]:
    """A server whose only study, on imported questions, is closed."""
    database = f"sqlite:///{tmp_path / 'items.db'}"
    engine = make_engine(database)
    migrate(engine)
    closed_study(engine)
    with writing(engine) as session:
        for name in ("cur", *EXPERTS):
            users.reset_password(session, name=name, password=PASSWORD)
    engine.dispose()
    server = Server(database=database, port=free_port(), log=tmp_path / "server.log")
    server.start()
    yield server
    server.kill()


def press(page: Page, name: str) -> None:
    """A button, by keyboard."""
    page.get_by_role("button", name=name, exact=True).focus()
    page.keyboard.press("Enter")


def field(page: Page, label: str) -> Locator:
    """A field by the beginning of its label; a hint may follow there."""
    return page.get_by_label(re.compile(rf"^\s*{label}\b"))


def write(page: Page, label: str, text: str) -> None:
    """A field filled anew, by keyboard."""
    field(page, label).focus()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.insert_text(text)


def begin(curator: Visit) -> Page:
    """The draft from the failure on the multiple-choice question."""
    engine = make_engine(curator.server.database)
    item = failure_on(engine, "choice").item
    engine.dispose()
    page = curator.open(f"/failures/?failure={item}", "#failures [role=gridcell]")
    expect(page.get_by_role("button", name="New item from this")).to_be_visible()
    expect(page.get_by_role("button", name="New template from this")).to_be_hidden()
    press(page, "New item from this")
    page.wait_for_url("**/item-draft/?draft=*")
    expect(page.get_by_label("Question", exact=True)).to_have_value(CHOICE.question)
    return page


def review(browser: Browser, server: Server, name: str, address: str) -> None:
    expert = Visit(browser, server, name)
    expert.page.set_viewport_size({"width": 390, "height": 844})
    page = expert.open(address.replace("rounds", "review"), "#sheet")
    expect(page.get_by_text("It must ask the same as the original, shown below.")).to_be_visible()
    page.get_by_label("Your answer").focus()
    page.keyboard.type("B")
    for scale in ("clarity", "relevance", "answerability"):
        options = page.locator(f"#{scale} input")
        options.last.focus()
        page.keyboard.press("Space")
        expect(options.last).to_be_checked()
    expect(page.locator("#missing")).to_have_text("")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    press(page, "Submit")
    press(page, "Submit for good")
    expect(page.get_by_text("You have submitted this review. It cannot be changed.")).to_be_visible()
    expert.close()


def test_a_failure_becomes_a_reviewed_paraphrase_in_the_next_version(
    browser: Browser, failures: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    curator, script = Visit(browser, failures, "cur"), axe_script()
    page = begin(curator)
    press(page, "Submit for review")
    expect(page.get_by_text("Nothing is worded differently").first).to_be_visible()
    expect(page.locator("#item-faults")).to_contain_text("2 faults to mend")
    write(page, "Text", "A pregnant woman has a fever.")
    press(page, "Save and check")
    expect(page.locator("#item-faults")).to_contain_text("lacking: 34, 39.2, 3; added: -")
    expect(field(page, "Gold answer")).to_be_disabled()
    write(page, "Text", REWORDED)
    press(page, "Save and check")
    expect(page.locator("#item-faults")).to_contain_text("The checks find no fault")
    assert grave_violations(page, script) == []
    numbered = [one for one in page.get_by_role("textbox").all() if one.is_visible()]
    assert "2" not in [one.input_value() for one in numbered], "the revision is for the page alone"
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.set_viewport_size({"width": 1280, "height": 900})
    press(page, "Submit for review")
    expect(page.get_by_text("The item is sent to review")).to_be_visible()
    page.get_by_role("link", name="Its review").click()
    page.wait_for_url("**/rounds/?template=*")
    for name in EXPERTS:
        page.get_by_role("checkbox", name=f"{name}, annotator").check()
    expect(page.get_by_role("button", name="Open the round")).to_be_enabled()
    press(page, "Open the round")
    expect(page.get_by_text("3 experts are invited")).to_be_visible()
    expect(page.locator("#round-heading")).to_contain_text("Paraphrase")
    engine = make_engine(failures.database)
    with reading(engine) as session:
        key = session.scalars(select(col(ReviewRoundRow.id))).one()
    engine.dispose()
    for name in EXPERTS:
        review(browser, failures, name, f"/rounds/?round={key}")
    page = curator.open(f"/rounds/?round={key}", "#conditions")
    expect(page.locator("#conditions")).to_contain_text("Every condition is met")
    assert grave_violations(page, script) == []
    expect(page.get_by_role("button", name="Accept", exact=True)).to_be_enabled()
    press(page, "Accept")
    press(page, "Accept the version")
    expect(page.get_by_text("is validated.")).to_be_visible()
    assert curator.foreign_requests() == []
    curator.close()

    out = tmp_path / "next.jsonl"
    asked = ["items", "write", "--benchmark", "imported", "--out", str(out), "--db", failures.database]
    assert run_command(asked) == 0
    capsys.readouterr()
    assert run_command(["lint", str(out), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["findings"] == []
    made = [one for one in read_benchmark(out).values() if one.variant == "reviewed.paraphrase"]
    assert [(one.context, one.base_id, one.answer) for one in made] == [(REWORDED, "choice", "B")]


def test_another_kind_shows_the_fields_that_it_needs_and_nothing_typed_is_lost(
    browser: Browser, failures: Server
) -> None:
    curator = Visit(browser, failures, "cur")
    page = begin(curator)
    write(page, "Text", CHOICE.context.replace("pregnant", "allergic to penicillin"))
    expect(field(page, "Reason")).to_be_hidden()
    page.get_by_role("radio", name="Minimal counterfactual").focus()
    page.keyboard.press("Space")
    expect(field(page, "Reason")).to_be_visible()
    expect(page.get_by_label("Text", exact=True)).to_have_value(
        CHOICE.context.replace("pregnant", "allergic to penicillin")
    )
    write(page, "Gold answer", "C")
    write(page, "Reason", "amoxicillin is a penicillin")
    press(page, "Save and check")
    expect(page.locator("#item-faults")).to_contain_text("The checks find no fault")
    expect(page.get_by_role("gridcell", name="allergic to penicillin")).to_be_visible()
    # A second tab saves over nothing of the first.
    other = curator.open_tab(page.url.replace(failures.url, ""), "#item-form")
    expect(field(other, "Gold answer")).to_have_value("C")
    write(other, "Gold answer", "A")
    press(other, "Save and check")
    expect(other.get_by_text("Saved.")).to_be_visible()
    write(page, "Gold answer", "B")
    press(page, "Save and check")
    expect(page.get_by_text("Somebody saved this draft after you opened it")).to_be_visible()
    expect(field(page, "Gold answer")).to_have_value("B")
    press(other, "Discard")
    expect(other.get_by_text("No item draft yet.")).to_be_visible()
    curator.close()
