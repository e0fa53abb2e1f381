"""A lead finds items, opens them, puts them back and gives them to somebody."""

import re

import pytest
from playwright.sync_api import Browser, expect

from clinicnum.annotations.judgement import Judgement
from clinicnum.db.engine import make_engine, reading, writing
from clinicnum.db.work.accounts import users
from clinicnum.db.work.annotation import annotate
from tests.e2e.conftest import Server
from tests.e2e.visit import visit_as_root

pytestmark = pytest.mark.browser


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
