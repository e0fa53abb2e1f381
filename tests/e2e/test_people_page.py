"""An account is added, invited and switched off."""

import re

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.conftest import Server
from tests.e2e.visit import visit_as_root

pytestmark = pytest.mark.browser


def test_an_account_is_added_and_switched_off_and_runs_show_their_accuracy(
    browser: Browser, server: Server
) -> None:
    visit, said = visit_as_root(browser, server)
    page = visit.open("/people/", "[role='row']:has-text('root')")
    page.get_by_role("button", name="Switch off").click()
    refused = page.get_by_role("alert").filter(has_text="Choose an account first.")
    expect(refused).to_be_visible()
    at, button = refused.bounding_box(), page.get_by_role("button", name="Switch off").bounding_box()
    assert at
    assert button
    assert 0 < at["y"] - button["y"] - button["height"] < 60, "beside the button, in its half of the page"
    assert abs(at["x"] - button["x"]) < 300
    page.get_by_role("textbox", name=re.compile("^Name")).fill("ida")
    password = page.get_by_label(re.compile(r"^\s*Password"))
    password.fill("a long enough password")
    page.get_by_role("radio", name="annotator: judges items").check()
    password.press("Enter")
    expect(page.get_by_role("status").get_by_text("Added ida as annotator.")).to_be_visible()
    expect(password).to_have_value("")
    expect(page.get_by_role("combobox", name="Account")).to_have_value("ida")
    page.get_by_role("button", name="Switch off").click()
    expect(page.get_by_role("row", name="ida")).to_contain_text("switched off")
    expect(page.get_by_role("row", name="root")).to_contain_text("your own account")
    page.get_by_role("row", name="ann").get_by_text("ann", exact=True).click()
    expect(page.get_by_role("combobox", name="Account")).to_have_value("ann")
    page.get_by_role("button", name="Invite").click()
    _accept(browser, page.get_by_label("Invitation for ann").input_value(), server)
    page = visit.open("/runs/", "#accuracy [role='gridcell']")
    expect(page.locator("#runs")).to_contain_text("0.0 %")
    expect(page.get_by_role("combobox", name="Run")).to_have_value("elsewhere")
    page.locator("#runs").get_by_role("gridcell", name="elsewhere").click()
    expect(page.get_by_role("grid", name="Accuracy of elsewhere")).to_contain_text("retrieval")
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
    expect(page.get_by_role("heading", name="This link works no longer")).to_be_visible()
    expect(page.get_by_text("log in with your name and that password")).to_be_visible()
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
