"""A researcher opens a study on a run in the database, looks at it first, and pauses and reopens it."""

import re
from datetime import timedelta

import pytest
from playwright.sync_api import Browser, Page, expect
from sqlalchemy import update
from sqlmodel import col

from clinicnum.annotations.study_deadline import today
from clinicnum.db.engine import make_engine, writing
from clinicnum.db.rows import StudyRow
from tests.e2e.conftest import Server
from tests.e2e.visit import visit_as_root
from tests.e2e.walk import settle

pytestmark = pytest.mark.browser


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
    page = visit.open("/studies/", "#studies [role='gridcell']")
    page.get_by_role("tab", name="New study").press("Enter")
    expect(page.get_by_label("Name of the study")).not_to_have_value("")
    page.get_by_label("Name of the study").focus()
    page.keyboard.press("Control+a")  # a name is proposed
    page.keyboard.type("<b>second</b>")
    for name in ("ann", "ben", "eve"):  # few people: all of them are chosen
        press_until(page, name)
        expect(page.get_by_role("checkbox", name=name, exact=True)).to_be_checked()
        page.keyboard.press("Space")
        expect(page.get_by_label("How many people label each answer")).to_have_value("2")
        page.keyboard.press("Space")
    page.get_by_label("How many people label each answer").fill("3")
    expect(page.get_by_role("button", name="Open the study")).to_be_hidden()
    expect(page.get_by_label("Lease time (minutes)")).to_be_hidden()
    page.set_viewport_size({"width": 390, "height": 500})
    press_until(page, "Preview")
    page.keyboard.press("Enter")
    preview = page.get_by_role("status").filter(has_text="Preview")
    expect(preview).to_contain_text(
        "6 of 6 answers will be labelled: 6 scored as failures, 0 scored as right."
    )
    expect(preview).to_contain_text("No scored-correct generation is drawn")
    expect(preview).to_contain_text("no interval is given under 5 subjects or 10 items")
    expect(preview.get_by_role("table")).to_be_hidden()
    expect(page.get_by_role("button", name="Open the study")).to_be_in_viewport(ratio=0.9)
    expect(page.get_by_role("button", name="Preview")).to_be_focused()
    press_until(page, "Details of the sample")
    page.keyboard.press("Enter")
    expect(preview.get_by_role("table")).to_contain_text("6 of 6 answers would be drawn")
    page.set_viewport_size({"width": 1280, "height": 900})
    page.get_by_label("How many people label each answer").fill("2")
    page.get_by_role("button", name="Open the study").press("Enter")
    expect(page.get_by_role("alert").filter(has_text="preview it again")).to_be_visible()
    page.get_by_label("How many people label each answer").fill("3")
    page.get_by_role("button", name="Open the study").press("Enter")
    opened = page.get_by_role("status").filter(has_text="Study <b>second</b> is open: 6 items")
    expect(opened).to_be_in_viewport()
    opened.get_by_role("link", name="Set a deadline").press("Enter")
    study = page.locator("#study")
    expect(study.get_by_label("Deadline")).to_be_visible()
    study.get_by_role("tab", name="Annotators").press("Enter")
    expect(study).to_contain_text("<b>second</b>")
    expect(study).to_contain_text("0 of 18 (0 %) judgements")
    expect(page.locator("#study b, #studies b")).to_have_count(0)
    expect(study.get_by_role("row", name=re.compile("ann"))).to_be_visible()

    study.get_by_role("button", name="Pause").press("Enter")
    expect(page.get_by_role("status").filter(has_text="is paused")).to_be_visible()
    study.get_by_role("button", name="Reopen", exact=True).press("Enter")
    expect(page.get_by_role("status").filter(has_text="is open: its annotators")).to_be_visible()
    assert said == []
    assert visit.foreign_requests() == []
    visit.close()


def test_a_long_name_of_a_study_pushes_no_column_out_of_its_table(browser: Browser, server: Server) -> None:
    long = "x" * 100
    _rename(server, "six", long)
    visit, _said = visit_as_root(browser, server)
    try:
        for width, last in ((1280, "Deadline"), (390, "Judgements")):
            visit.page.set_viewport_size({"width": width, "height": 844})
            for path, cell in (("/studies/", "[role='gridcell']"), ("/home/", "td")):
                page = visit.open(path, f"#studies {cell}")
                expect(page.locator("#studies").get_by_text(long)).not_to_have_count(0)
                box = page.locator("#studies").get_by_role("columnheader", name=last).bounding_box()
                assert box is not None
                assert box["x"] + box["width"] <= width, (path, width)
    finally:
        _rename(server, long, "six")
    visit.close()


def _rename(server: Server, old: str, new: str) -> None:
    engine = make_engine(server.database)
    with writing(engine) as session:
        session.execute(update(StudyRow).where(col(StudyRow.name) == old).values(name=new))
    engine.dispose()


def test_closing_is_asked_once_more_and_a_new_guideline_leaves_the_old_one_readable(
    browser: Browser, server: Server
) -> None:
    visit, said = visit_as_root(browser, server)
    page = visit.open("/studies/?study=none", "#studies [role='gridcell']")
    expect(page.get_by_role("status").filter(has_text="There is no study “none”")).to_be_visible()
    page.get_by_role("gridcell", name="six").click()
    study = page.locator("#study")
    study.get_by_role("tab", name="Guideline").click()
    study.get_by_label("New version").fill("# Look twice <img src=x>")
    study.get_by_role("button", name="Save as a new version").click()
    expect(study.get_by_role("region", name="Guideline")).to_have_text("# Look twice <img src=x>")
    study.get_by_role("combobox", name="Version").click()
    page.get_by_role("option", name="Version 0, the default").click()
    expect(study.get_by_role("region", name="Guideline")).to_contain_text(
        "made from taxonomy clinical-numeracy 2"
    )
    study.get_by_role("tab", name="Deadline").click()
    settle(visit)  # a field that is filled while its tab is still being drawn loses what was written
    study.get_by_label("Deadline").fill("soon")
    study.get_by_role("button", name="Save the deadline").click()
    expect(page.get_by_role("alert").filter(has_text="is no date")).to_be_visible()
    study.get_by_label("Deadline").fill(f"{today() + timedelta(days=2)}")
    study.get_by_role("button", name="Save the deadline").press("Enter")
    expect(study.locator(".st-outlook")).to_contain_text("At risk: 6 judgements a day are needed until")
    expect(page.get_by_role("row", name="six")).to_contain_text("2 days left; at risk")
    close = study.get_by_role("button", name="Close", exact=True)
    close.click()
    expect(study.get_by_role("alert")).to_contain_text("Nobody can save in it any more")
    expect(study.get_by_role("alert")).to_contain_text("not judged by all their annotators")
    expect(study.get_by_role("button", name="Leave it open")).to_be_focused()
    page.keyboard.press("Enter")
    expect(study.get_by_role("button", name="Leave it open")).to_have_count(0)
    close.press("Enter")
    study.get_by_role("button", name="Close the study").click()
    expect(page.get_by_role("status").filter(has_text="is closed")).to_be_visible()
    expect(page.get_by_role("row", name="six")).to_contain_text("closed")
    page.set_viewport_size({"width": 390, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert said == []
    visit.close()
