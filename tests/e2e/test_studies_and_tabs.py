"""Annotating in several studies and tabs: what is chosen, what a second tab is told, who is let on."""

import re

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.axe import axe_script, grave_violations
from tests.e2e.conftest import Server
from tests.e2e.visit import Visit
from tests.e2e.ward import Worker, set_status

pytestmark = pytest.mark.browser


def test_a_second_tab_is_told_what_happened_and_shows_the_item_as_it_stands(
    browser: Browser, ward: Server
) -> None:
    one = Worker(browser, ward, "amy")
    page = one.begin()
    here = one.assignment()
    other = one.context.new_page()
    other.goto(f"{ward.url}/annotate/")
    other.wait_for_selector(".ab-question")
    other.keyboard.press("h")
    other.keyboard.press("Enter")
    expect(other.locator(".ab-reveal")).to_contain_text("Gold answer")
    one.press("c", "Enter")
    expect(
        page.get_by_role("alert").filter(has_text="You changed this item in another window")
    ).to_be_visible()
    assert one.assignment() == here
    expect(page.get_by_role("button", name="Hallucination", exact=True)).to_have_attribute(
        "aria-pressed", "true"
    )
    one.press("z")
    expect(page.get_by_role("button", name="Causal reasoning", exact=True)).to_have_attribute(
        "aria-pressed", "true"
    )
    one.leave()


def test_what_is_chosen_in_a_study_that_is_paused_stays_and_is_saved_when_it_goes_on(
    browser: Browser, ward: Server
) -> None:
    ugo = Worker(browser, ward, "ugo")
    page = ugo.begin()
    here = ugo.assignment()
    set_status(ward.database, "school", "paused")
    ugo.press("c", "Enter")
    expect(page.get_by_role("alert").filter(has_text="This study is paused")).to_be_visible()
    set_status(ward.database, "school", "open")
    ugo.lock("a", "2")
    ugo.press("v", "Enter")
    expect(page.get_by_role("region", name="Feedback")).to_be_visible()
    assert [one["code"] for one in ugo.saved(here)["labels"]] == ["causal_reasoning.arithmetic_slip"]
    ugo.leave()


def test_who_is_in_two_studies_chooses_one_by_keyboard_and_a_second_tab_keeps_the_choice(
    browser: Browser, ward: Server
) -> None:
    ivy = Worker(browser, ward, "ivy")
    page = ivy.begin()
    progress = page.locator(".ab-progress")
    expect(progress).to_contain_text("ward: 0 of 8 done")
    in_ward = ivy.assignment()
    ivy.press("c", "2")
    page.get_by_role("button", name="Studies: 2").focus()
    ivy.press("Enter")
    panel = page.get_by_role("complementary", name="Your studies")
    expect(panel.get_by_role("button", name="All in turn, the oldest first")).to_be_focused()
    expect(panel.get_by_role("listitem")).to_contain_text(
        ["All in turn", "ward0 of 8 done", re.compile("night0 of 2 done.*; due .*, 4 days left")]
    )
    assert grave_violations(page, axe_script()) == []
    ivy.press("Tab", "Tab", "Enter")
    expect(progress).to_contain_text("night: 0 of 2 done")
    expect(progress).to_contain_text(", 4 days left")
    expect(panel).to_have_count(0)
    expect(page.locator(".ab-live")).to_contain_text("Study night, item 1 of 2.")
    tab = ivy.open_tab("/annotate/", ".ab-question")
    expect(tab.locator(".ab-progress")).to_contain_text("night: 0 of 2 done")
    # Home: each study's link opens that study.
    for name in ("ward", "night"):
        tab.goto(f"{ward.url}/home/")
        tab.get_by_role("listitem").filter(has_text=f"“{name}”").get_by_role("link").click()
        expect(tab.locator(".ab-progress")).to_contain_text(f"{name}: 0 of ")
    assert "?" not in tab.url
    tab.close()
    here = ivy.assignment()
    ivy.lock("a")
    ivy.press("v", "Enter")
    ivy.moves_on(here)
    ivy.lock("a")
    ivy.press("v", "Enter")
    # One study does not pass on to the other silently.
    between = page.locator(".ab-idle")
    expect(between).to_contain_text("You have finished the study “night”. Thank you. Next: “ward”.")
    expect(between.get_by_role("link", name="Home")).to_have_attribute("href", "/home/")
    expect(between.get_by_role("button", name="Go on with the study “ward”")).to_be_visible()
    assert grave_violations(page, axe_script()) == []
    ivy.press("]")
    expect(page.locator(".ab-question")).to_be_visible()
    # What was begun in the other comes back, with what was chosen on it.
    assert ivy.assignment() == in_ward
    expect(page.get_by_role("button", name="Causal reasoning", exact=True)).to_have_attribute(
        "aria-pressed", "true"
    )
    ivy.leave()


def test_with_one_study_there_is_no_menu(browser: Browser, ward: Server) -> None:
    vic = Worker(browser, ward, "vic")
    page = vic.begin()
    expect(page.get_by_role("button", name="Key sheet")).to_be_visible()
    expect(page.get_by_role("button", name="Studies")).to_have_count(0)
    expect(page.locator(".ab-progress")).to_contain_text("overdue by 2 days")
    here = vic.assignment()
    vic.lock("a")
    vic.press("v", "Enter")
    vic.moves_on(here)
    vic.lock("a")
    vic.press("v", "Enter")
    expect(page.get_by_role("status").filter(has_text="All done")).to_be_visible()
    expect(page.locator(".ab-study-line")).to_contain_text("old2 of 2 done")
    vic.leave()


def test_who_misses_the_threshold_is_told_so_and_goes_on_once_qualified_by_hand(
    browser: Browser, ward: Server
) -> None:
    lea = Worker(browser, ward, "lea")
    page = lea.begin()
    for _ in range(2):
        here = lea.assignment()
        lea.lock("h", "2")
        lea.press("v", "Enter")
        expect(page.get_by_role("region", name="Feedback")).to_be_visible()
        lea.press("Enter")
        expect(page.locator(f".ab-root[data-assignment='{here}']")).to_have_count(0)
    told = page.locator(".ab-missed")
    expect(told).to_contain_text("0 of your 2 training judgements were as the reference labels")
    expect(told).to_contain_text("2 are needed before you get items that count.")
    expect(told).to_contain_text("decides whether you repeat the training or go on all the same.")
    expect(told.locator("dt")).to_have_text(["Contextual inconsistency", "Wrong record"])
    assert page.get_by_text("All done").count() == 0
    for scheme, width in (("light", 1280), ("dark", 390)):
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": 844})
        assert grave_violations(page, axe_script()) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    lead = Visit(browser, ward, "root")
    board = lead.open("/studies/", "#studies [role='gridcell']")
    board.get_by_role("gridcell", name="exam").click()
    panel = board.locator("#qualification")
    expect(panel.get_by_role("row").filter(has_text="lea")).to_contain_text("not qualified: you decide")
    panel.get_by_role("combobox", name="Held back").click()
    board.get_by_role("option", name="lea").click()
    panel.get_by_role("button", name="Qualify by hand").click()
    expect(board.get_by_role("alert").filter(has_text="the reason has 0 characters")).to_be_visible()
    panel.get_by_label("Reason").fill("We went through both items together.")
    panel.get_by_role("button", name="Qualify by hand").click()
    expect(panel.get_by_role("row").filter(has_text="lea")).to_contain_text("qualified by hand: We went")
    assert grave_violations(board, axe_script()) == []
    lead.close()
    page.get_by_role("button", name="Look for more").click()
    expect(page.locator(".ab-question")).to_be_visible()
    expect(page.locator(".ab-remark")).to_have_count(0)
    lea.leave()
