"""A researcher opens a study on a run in the database, looks at it first, and pauses and reopens it."""

import csv
import json
import re
from datetime import timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect
from sqlalchemy import update
from sqlmodel import col

from clinicnum.annotations.judgement import Judgement
from clinicnum.annotations.study_deadline import today
from clinicnum.db.engine import make_engine, reading, writing
from clinicnum.db.rows import StudyRow
from clinicnum.db.work.accounts import users
from clinicnum.db.work.annotation import annotate
from tests.e2e.conftest import Server, clinicnum
from tests.e2e.visit import Visit
from tests.e2e.walk import name_study, settle
from tests.e2e.ward import Worker, set_status

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


FIELDS = """
- name: readable
  label: Could a nurse act on this answer?
  type: choice
  ordered: true
  required: true
  options: [{value: at once, means: Nothing is missing., key: 5}, {value: never, key: 6}]
- name: reasons
  label: What is in the way?
  type: multiple choice
  options: [{value: units, key: 7}, {value: form, key: 8}]
- {name: minutes, label: Minutes lost, type: number, step: 2, asked: failures, required: true, key: 9}
"""


def label_with_keys(browser: Browser, server: Server, name: str, readable: str) -> None:
    """Label both items of the study; what is required and not given is asked for at each step."""
    worker = Worker(browser, server, name)
    page = worker.begin()
    for last in (False, True):
        here = worker.assignment()
        worker.press("c", "Escape", "2", "Enter")
        expect(page.get_by_role("alert")).to_contain_text("Answer “Could a nurse act on this answer?”.")
        page.get_by_role("button", name="About At once").click()
        expect(page.locator(".cb-entry")).to_contain_text("Nothing is missing.")
        worker.press("Escape", readable, "8", "7", "Enter")
        expect(page.locator(".ab-reveal")).to_be_visible()
        worker.press("v", "Enter")
        expect(page.get_by_role("alert")).to_contain_text("Answer “Minutes lost”.")
        worker.press("2", "Control+Enter")
        if last:
            expect(page.locator(".ab-idle")).to_contain_text("All done")
        else:
            worker.moves_on(here)
        saved = worker.saved(here)["custom"]
        assert saved == {
            "readable": "at once" if readable == "5" else "never",
            "reasons": ["form", "units"],
            "minutes": 2.0,
        }
    worker.leave()


def test_a_field_that_a_study_declares_is_labelled_by_key_exported_compared_and_reported(
    browser: Browser, server: Server, tmp_path: Path
) -> None:
    set_status(server.database, "six", "paused")
    visit, said = visit_as_root(browser, server)
    page = visit.open("/studies/", "#studies [role='gridcell']")
    page.get_by_role("tab", name="New study").click()
    name_study(page, "own")
    page.get_by_label("eve", exact=True).uncheck()
    page.get_by_label("How many people label each answer").fill("2")
    page.get_by_label("How many answers", exact=False).first.fill("2")
    page.get_by_role("button", name="More settings").click()
    page.get_by_role("button", name="What annotators see").click()
    page.get_by_label("Fields of the study's own").fill(FIELDS.replace("key: 5", "key: s"))
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_role("alert")).to_contain_text("Key 's' of field readable is taken")
    page.get_by_label("Fields of the study's own").fill(FIELDS)
    page.get_by_role("button", name="Preview").click()
    expect(page.locator(".st-preview")).to_contain_text("2 of 6 answers would be drawn")
    page.get_by_role("button", name="Open the study").click()
    expect(page.get_by_text("Study own is open: 2 items")).to_be_visible()

    label_with_keys(browser, server, "ann", "5")
    label_with_keys(browser, server, "ben", "6")

    page = visit.open("/agreement/?study=own", "#verdict p")
    expect(page.locator("#summary-table")).to_contain_text("Could a nurse act on this answer?")
    expect(page.locator("#summary-table")).to_contain_text("What is in the way?")
    out = tmp_path / "out"
    clinicnum("export", "--study", "own", "--out", str(out / "csv"), "--db", server.database)
    exported = (out / "csv" / "annotations.csv").read_text(encoding="utf-8")
    rows = list(csv.DictReader(exported.splitlines()))
    assert {row["custom_readable"] for row in rows} == {"at once", "never"}
    assert {row["custom_reasons"] for row in rows} == {"form|units"}
    assert {row["custom_minutes"] for row in rows if row["last"] == "True"} == {"2.0"}
    said_of = clinicnum("agreement", "--study", "own", "--db", server.database, "--json")
    layers = {one["name"]: one for one in json.loads(said_of)["layers"]}
    assert layers["custom_readable"]["population"]["scale"] == "ordinal"
    clinicnum("report", "--study", "own", "--out", str(out / "report"), "--db", server.database)
    report = "".join(one.read_text(encoding="utf-8") for one in (out / "report").glob("*.html"))
    assert "What this study asked besides" in report
    assert "Could a nurse act on this answer?" in report
    assert (said, visit.foreign_requests()) == ([], [])
    visit.close()


def begin_items(server: Server) -> None:
    """Ann has locked one item; ben and eve have submitted it, not alike, and ben changed his mind once."""
    failure = {"response_judgement": "failure", "item_judgement": "valid"}
    engine = make_engine(server.database)
    with reading(engine) as session:
        ids = {user.name: user.user_id for user in users.list_users(session)}
    for name, codes in (("ann", ()), ("ben", ("omission", "hallucination")), ("eve", ("omission",))):
        with writing(engine) as session:
            item = annotate.next_assignment(session, user_id=ids[name])
            assert item is not None
            about = {"user_id": ids[name], "assignment_id": item.assignment_id, "active_ms": 1}
            blind = Judgement(response_judgement="failure")
            annotate.save_judgement(session, **about, revision=0, judgement=blind)
            for revision, code in enumerate(codes, start=1):
                labels = [{"code": code, "primary": True}]
                said = Judgement.model_validate({**failure, "labels": labels, "severity": str(revision)})
                annotate.submit(session, **about, revision=revision, judgement=said)
    engine.dispose()


def test_items_are_found_opened_put_back_and_given_to_somebody(browser: Browser, server: Server) -> None:
    begin_items(server)
    visit, said = visit_as_root(browser, server)
    page = visit.open("/items/", "#items [role='gridcell']")
    expect(page.locator("#items")).to_contain_text("Items 1 to 6 of 6")
    page.get_by_role("combobox", name="State").click()
    page.get_by_role("option", name="in work").click()
    expect(page.locator("#items")).to_contain_text("Items 1 to 1 of 1")
    assert "state=in_work" in page.url
    page.reload()
    expect(page.locator("#items")).to_contain_text("Items 1 to 1 of 1")
    page.get_by_text("Put back or give to an annotator").click()
    page.get_by_role("radio", name="all that the filters find").check()
    page.get_by_role("button", name="Put back to the pool").click()
    expect(page.get_by_role("alert")).to_contain_text("Put 1 unfinished judgement back to the pool?")
    expect(page.get_by_role("button", name="Leave them")).to_be_focused()
    page.get_by_role("button", name="Put them back").click()
    expect(
        page.get_by_role("status").filter(has_text="1 unfinished judgement is back in the pool")
    ).to_be_visible()
    expect(page.locator(".cn-content")).to_contain_text("No item matches these filters.")

    page = visit.open("/items/?study=six", "#items [role='gridcell']")
    page.get_by_role("combobox", name="Annotator", exact=True).click()
    page.get_by_role("option", name=re.compile("ben")).click()
    expect(page.locator("#items")).to_contain_text("Items 1 to 1 of 1")
    page.locator("#items [role='gridcell']").nth(1).click()
    revisions = page.locator("#revisions")
    expect(revisions).to_contain_text("locked blind")
    expect(revisions).to_contain_text("Primary class: Omission to Hallucination; Severity: 1 to 2")
    expect(page.locator("#item").get_by_label("Model's text")).to_have_value(re.compile("<script>"))
    expect(page.locator("#item script, #item img")).to_have_count(0)
    page = visit.open("/items/?study=six", "#items [role='gridcell']")
    page.get_by_text("Put back or give to an annotator").click()
    page.get_by_role("radio", name="all that the filters find").check()
    page.get_by_role("button", name="Give to this annotator").click()
    expect(page.get_by_role("alert")).to_contain_text("Choose who gets the items first.")
    page.get_by_role("combobox", name="Annotator who gets them").click()
    page.get_by_role("option", name=re.compile("ben")).click()
    page.get_by_role("button", name="Give to this annotator").click()
    expect(page.get_by_role("alert").filter(has_text="Give 6 items to")).to_be_visible()
    page.get_by_role("button", name="Give them", exact=True).click()
    expect(
        page.get_by_role("status").filter(has_text=re.compile(r"\d items? (is|are) next in the queue of"))
    ).to_be_visible()
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert (said, visit.foreign_requests()) == ([], [])
    visit.close()
