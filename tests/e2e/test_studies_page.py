"""A researcher opens a study on a run in the database, looks at it first, and pauses and reopens it."""

import re

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect

from tests.e2e.conftest import Server, Visit

pytestmark = pytest.mark.browser


def visit_as_root(browser: Browser, server: Server) -> tuple[Visit, list[str]]:
    """The admin's browser, and what its console complains of."""
    visit = Visit(browser, server, "root")
    said: list[str] = []

    def note(message: ConsoleMessage) -> None:
        if message.type == "error":
            said.append(message.text)

    visit.page.on("console", note)
    visit.page.on("pageerror", lambda error: said.append(str(error)))
    return visit, said


def press_until(page: Page, name: str) -> None:
    """Tab to the control of this name, as somebody without a mouse does."""
    for _ in range(80):
        page.keyboard.press("Tab")
        if name in page.evaluate(
            "(document.activeElement.closest('label') || document.activeElement).innerText"
        ):
            return
    raise AssertionError(f"no control {name!r} within 80 tabs")


def test_a_study_is_previewed_opened_paused_and_reopened_with_the_keyboard_alone(
    browser: Browser, server: Server
) -> None:
    visit, said = visit_as_root(browser, server)
    page = visit.open("/studies/", "#new-study form")
    page.get_by_label("Name of the study").focus()
    page.keyboard.type("<b>second</b>")
    for name in ("ann", "ben", "eve"):
        press_until(page, name)
        page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Open the study")).to_be_disabled()
    press_until(page, "Preview")
    page.keyboard.press("Enter")
    preview = page.locator(".st-preview")
    expect(preview.get_by_role("heading", name="Preview")).to_be_focused()
    expect(preview).to_contain_text("6 of 6 answers would be drawn")
    expect(preview).to_contain_text("No scored-correct generation is drawn")
    expect(preview).to_contain_text("no interval is given under 5 subjects or 10 items")
    page.get_by_role("button", name="Open the study").focus()
    page.keyboard.press("Enter")
    card = page.get_by_role("article", name="Study <b>second</b>")
    expect(card).to_contain_text("0 of 18 judgements (0 %)")
    expect(page.locator("#studies b")).to_have_count(0)
    expect(card.get_by_role("row", name=re.compile("ann"))).to_be_visible()

    card.get_by_role("button", name="Pause").focus()
    page.keyboard.press("Enter")
    expect(card.locator(".st-status")).to_have_text("paused")
    expect(card.get_by_role("button", name="Reopen")).to_be_focused()
    page.keyboard.press("Enter")
    expect(card.locator(".st-status")).to_have_text("open")
    assert said == []
    assert visit.foreign_requests() == []
    visit.close()


def test_closing_is_asked_once_more_and_a_new_guideline_leaves_the_old_one_readable(
    browser: Browser, server: Server
) -> None:
    visit, said = visit_as_root(browser, server)
    page = visit.open("/studies/", ".st-card")
    card = page.get_by_role("article", name="Study six")
    card.get_by_role("button", name="Details").click()
    card.get_by_text("Guideline, version 1").click()
    card.get_by_role("textbox").fill("# Look twice <img src=x>")
    card.get_by_role("button", name="Save as a new version").click()
    expect(card.get_by_text("Guideline, version 2")).to_be_visible()
    expect(card.get_by_role("region", name="Guideline in force")).to_have_text("# Look twice <img src=x>")
    expect(card.get_by_text(re.compile("Version 1, of"))).to_be_visible()
    card.get_by_role("button", name="Close six", exact=True).click()
    expect(card.get_by_role("alertdialog")).to_contain_text("Nobody can save in it any more")
    expect(card.get_by_role("alertdialog")).to_contain_text("not judged by all their annotators")
    expect(card.get_by_role("button", name="Leave it open")).to_be_focused()
    page.keyboard.press("Escape")
    expect(card.get_by_role("button", name="Close six", exact=True)).to_be_focused()
    page.keyboard.press("Enter")
    card.get_by_role("button", name="Close the study").click()
    expect(card.locator(".st-status")).to_have_text("closed")
    page.set_viewport_size({"width": 390, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert said == []
    visit.close()


def test_an_account_is_added_and_switched_off_and_runs_show_their_accuracy(
    browser: Browser, server: Server
) -> None:
    visit, said = visit_as_root(browser, server)
    page = visit.open("/people/", ".pp-root table")
    page.get_by_label("Name").fill("ida")
    page.get_by_role("textbox", name="Password").fill("a long enough password")
    page.get_by_role("radio", name="annotator judges items").check()
    page.get_by_role("button", name="Add the account").click()
    expect(page.get_by_text("Added ida as annotator.")).to_be_visible()
    expect(page.get_by_role("textbox", name="Password")).to_have_value("")
    row = page.get_by_role("row", name="ida")
    row.get_by_role("button", name="Switch off ida").click()
    expect(row).to_contain_text("switched off")
    expect(page.get_by_role("row", name="root").get_by_text("your own account")).to_be_visible()
    page.get_by_role("button", name="Invite ann to choose a password").click()
    _accept(browser, page.get_by_label("Link").input_value(), server)
    page = visit.open("/runs/", "#accuracy table")
    expect(page.locator("#runs")).to_contain_text("6 incorrect")
    expect(page.get_by_role("button", name="elsewhere")).to_have_attribute("aria-pressed", "true")
    assert said == []
    assert visit.foreign_requests() == []
    visit.close()


def _accept(browser: Browser, link: str, server: Server) -> None:
    """Follow an invitation, choose a password with it, change that one, and find the invitation used up."""
    page = browser.new_context().new_page()
    page.goto(link)
    expect(page.get_by_role("heading", name="Welcome, ann")).to_be_visible()
    for new, again in (("a new password", "another one"), ("a new password", "a new password")):
        page.get_by_label("New password").fill(new)
        page.get_by_label("The same again").fill(again)
        page.get_by_role("button", name="Set it and begin").click()
        if new != again:
            expect(page.get_by_role("alert")).to_contain_text("differ")
    page.wait_for_selector(".ab-question")
    page.goto(link)
    expect(page.get_by_text("has been used or is over")).to_be_visible()
    page.goto(f"{server.url}/account")
    for old in ("not the one", "a new password"):
        page.get_by_label("Password until now").fill(old)
        page.get_by_label("New password").fill("the third password")
        page.get_by_label("The same again").fill("the third password")
        page.get_by_role("button", name="Change it").click()
        if old == "not the one":
            expect(page.get_by_role("alert")).to_contain_text("does not match; nothing was changed")
    page.wait_for_selector(".ab-question")
    page.context.close()
