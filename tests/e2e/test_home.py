"""From an empty database in a browser: the printed link, the first admin, the sample, its study, its end."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from clinicnum.db.engine import make_engine, reading, writing
from clinicnum.db.work.accounts import users
from clinicnum.db.work.audit.audit_log import verify_chain
from clinicnum.db.work.audit.compare_tables_with_log import compare_with_log
from tests.e2e.axe import axe_script, grave_violations
from tests.e2e.conftest import PASSWORD, Server, free_port
from tests.e2e.test_overlaps import SMALL
from tests.e2e.visit import Visit

pytestmark = pytest.mark.browser


@pytest.fixture
def empty_server(tmp_path: Path) -> Iterator[Server]:
    """A server on a database that has nothing in it."""
    made = Server(database=f"sqlite:///{tmp_path / 'new.db'}", port=free_port(), log=tmp_path / "log")
    made.start()
    yield made
    made.kill()


def test_from_the_printed_link_to_the_first_label_on_the_sample_and_back_to_nothing(
    browser: Browser, empty_server: Server
) -> None:
    server = empty_server
    found = re.search(r"open (http://\S+/first-admin/\S+)", server.log.read_text())
    assert found, server.log.read_text()
    context = browser.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.goto(server.url)
    expect(page.get_by_text("There is no admin yet.")).to_be_visible()
    page.goto(found[1])
    assert grave_violations(page, axe_script()) == []
    page.get_by_label("Name").fill("root")
    for label in ("Password", "The same again"):
        page.get_by_label(label).fill(PASSWORD)
    page.get_by_role("button", name="Set it and begin").click()
    page.wait_for_url("**/home/")
    expect(page.locator(".cn-steps [data-state=next]")).to_contain_text("Make a benchmark")
    assert page.evaluate(SMALL, "body") == []
    engine = make_engine(server.database)
    with writing(engine) as session:
        users.add_user(session, name="ann", role="annotator", password=PASSWORD)
    page.reload()
    page.get_by_label("Annotators").click()
    page.get_by_role("option", name="ann").click()
    page.get_by_role("button", name="Make the sample project").click()
    expect(page.get_by_text("The sample project is made.")).to_be_visible()
    expect(page.locator(".cn-steps [data-state=next]")).to_contain_text("Let them label")
    assert grave_violations(page, axe_script()) == []
    page.get_by_role("link", name="Explore what they got wrong").click()  # in the same tab
    page.wait_for_url("**/explore/**")
    page.go_back()
    ann = Visit(browser, server, "ann", by_form=True)
    ann.page.wait_for_url("**/annotate/")  # one study: at once to where they label
    ann.page.wait_for_selector(".ab-question")
    ann.page.get_by_role("button", name=re.compile("^C? ?Acceptable")).first.click()
    ann.page.keyboard.press("Enter")
    ann.page.wait_for_selector(".ab-reveal")
    ann.page.get_by_role("link", name="clinicnum").click()
    expect(ann.page.get_by_text("of your 12 items")).to_be_visible()
    assert (
        not ann.page.locator(".cn-steps, #studies, button:has-text('sample')").locator("visible=true").count()
    )
    ann.close()
    page.reload()
    remove = page.get_by_role("button", name="Remove the sample project")
    remove.click()
    expect(page.get_by_text("People made 1 judgements in the sample project")).to_be_visible()
    page.get_by_label("Also delete the 1 judgement").check()
    remove.click()
    expect(page.get_by_text("The sample project is removed.")).to_be_visible()
    expect(page.locator(".cn-steps [data-state=next]")).to_contain_text("Make a benchmark")
    with reading(engine) as session:
        assert all(one.broken_at is None for one in verify_chain(session))
        assert compare_with_log(session) == ()
    engine.dispose()
    context.close()
