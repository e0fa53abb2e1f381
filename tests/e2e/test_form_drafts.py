"""What was typed into a form comes back after a restart of the server, to the same person, until stored."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.conftest import PASSWORD, Server
from tests.e2e.visit import Visit
from tests.e2e.walk import settle

pytestmark = pytest.mark.browser
RESTORED = "The form is as you left it"


def fill_study(visit: Visit, name: str) -> Page:
    """The new-study form with this name, two annotators of three and four answers."""
    page = visit.open("/studies/?part=new", "text=Name of the study")
    expect(page.get_by_label("Name of the study")).not_to_have_value("")
    settle(visit)
    page.get_by_label("Name of the study").fill(name)
    page.get_by_role("radio", name="failures only").check()
    page.get_by_role("checkbox", name="eve", exact=True).uncheck()
    expect(page.get_by_label("How many people label each answer")).to_have_value("2")
    page.get_by_label("How many answers", exact=False).first.fill("4")
    settle(visit)
    return page


def test_a_half_filled_study_is_back_after_a_restart_until_it_is_opened(
    browser: Browser, server: Server
) -> None:
    visit = Visit(browser, server, "root")
    page = fill_study(visit, "pilot")
    server.kill()
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_text("Connection to the server was lost")).to_be_visible()
    server.start()
    restored = page.get_by_role("status").filter(has_text=RESTORED)
    expect(restored).to_be_in_viewport()
    expect(page.get_by_label("Name of the study")).to_have_value("pilot")
    expect(page.get_by_role("radio", name="failures only")).to_be_checked()
    expect(page.get_by_role("checkbox", name="ben", exact=True)).to_be_checked()
    expect(page.get_by_role("checkbox", name="eve", exact=True)).not_to_be_checked()
    expect(page.get_by_label("How many people label each answer")).to_have_value("2")
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_role("status").filter(has_text="4 of 6 answers will be labelled")).to_be_visible()
    page.get_by_role("button", name="Open the study").click()
    expect(page.get_by_role("status").filter(has_text="Study pilot is open: 4 items")).to_be_visible()
    expect(restored).to_have_count(0)
    page.reload()
    settle(visit)
    expect(page.get_by_role("status").filter(has_text=RESTORED)).to_have_count(0)
    visit.close()


def test_a_draft_is_shown_to_nobody_else_and_not_when_the_page_is_opened_anew(
    browser: Browser, server: Server
) -> None:
    visit = Visit(browser, server, "root")
    page = fill_study(visit, "mine")
    page.goto(f"{server.url}/home/")
    page.go_back()
    expect(page.get_by_label("Name of the study")).to_have_value("mine")
    own = {"origin": server.url}
    told = {"name": "rex", "password": PASSWORD}
    assert visit.context.request.post(f"{server.url}/login", form=told, headers=own).ok
    page.reload()
    expect(page.get_by_role("link", name=re.compile("^rex"))).to_be_visible()
    settle(visit)
    expect(page.get_by_label("Name of the study")).not_to_have_value("mine")
    expect(page.get_by_text(RESTORED)).to_have_count(0)
    page = fill_study(visit, "later")
    page = visit.open("/studies/?part=new", "text=Name of the study")
    settle(visit)
    expect(page.get_by_label("Name of the study")).not_to_have_value("later")
    visit.close()


def test_other_forms_come_back_too_with_what_depends_on_a_choice_but_no_password(
    browser: Browser, server: Server
) -> None:
    visit = Visit(browser, server, "root")
    page = visit.open("/runs/", "#runs [role='gridcell']")
    page.get_by_role("tab", name="Launch").click()
    settle(visit)
    page.get_by_role("radio", name=re.compile("server")).check()
    settle(visit)
    page.get_by_label("Name of the model there").fill("llama")
    settle(visit)
    assert "llama" in page.evaluate("JSON.stringify(sessionStorage)")
    page.reload()
    expect(page.get_by_text(RESTORED)).to_be_visible()
    expect(page.get_by_label("Name of the model there")).to_have_value("llama")

    page = visit.open("/benchmarks/", "#benchmarks [role='gridcell']")
    page.get_by_role("tab", name="Generate").click()
    settle(visit)
    page.get_by_label("Name", exact=True).fill("ours")
    page.reload()
    expect(page.get_by_text(RESTORED)).to_be_visible()
    expect(page.get_by_label("Name", exact=True)).to_have_value("ours")
    expect(page.get_by_text("To be expected:")).to_be_visible()

    page = visit.open("/people/", "[role='row']:has-text('root')")
    settle(visit)
    page.get_by_role("textbox", name=re.compile("^Name")).fill("ida")
    page.get_by_label(re.compile(r"^\s*Password")).fill(PASSWORD)
    page.get_by_role("radio", name="annotator: judges items").check()
    assert PASSWORD not in page.evaluate("JSON.stringify(sessionStorage)")
    page.reload()
    expect(page.get_by_text(RESTORED)).to_be_visible()
    expect(page.get_by_role("textbox", name=re.compile("^Name"))).to_have_value("ida")
    expect(page.get_by_role("radio", name="annotator: judges items")).to_be_checked()
    visit.close()
