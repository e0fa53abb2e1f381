"""A killed server never makes a label land on another item."""

import sqlite3

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.conftest import Server
from tests.e2e.visit import Visit

pytestmark = pytest.mark.browser


def submitted(server: Server) -> list[tuple[str, int]]:
    """(assignment, revision) of the complete annotations, straight from the file."""
    with sqlite3.connect(server.database.removeprefix("sqlite:///")) as connection:
        return list(
            connection.execute(
                "SELECT assignment_id, revision FROM annotation ORDER BY assignment_id, revision"
            )
        )


def assignment_of_page(visit: Visit) -> str:
    return str(visit.page.evaluate("document.querySelector('.ab-root').dataset.assignment"))


def test_the_submit_after_a_restart_lands_on_the_item_that_was_open(browser: Browser, server: Server) -> None:
    visit = Visit(browser, server, "ann")
    page = visit.open("/annotate/", ".ab-question")
    opened = assignment_of_page(visit)
    for key in ("c", "Enter"):
        page.keyboard.press(key)
    expect(page.locator(".ab-reveal")).to_contain_text("Gold answer")
    for key in ("3", "v"):
        page.keyboard.press(key)
    expect(page.get_by_text("Draft kept.")).to_be_visible()
    server.kill()
    server.start()
    assert assignment_of_page(visit) == opened
    page.keyboard.press("Enter")
    expect(page.locator(".ab-progress")).to_contain_text("1 of 6 done")
    assert submitted(server) == [(opened, 1), (opened, 2)]
    visit.close()


def test_what_was_sent_to_a_server_that_was_down_is_saved_by_itself_even_by_the_next_tab(
    browser: Browser, server: Server
) -> None:
    visit = Visit(browser, server, "ann")
    page = visit.open("/annotate/", ".ab-question")
    opened = assignment_of_page(visit)
    server.kill()
    page.keyboard.press("c")
    page.keyboard.press("f")
    page.keyboard.press("3")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").filter(has_text="trying again")).to_be_visible()
    assert submitted(server) == []
    server.start()
    expect(page.locator(".ab-reveal")).to_contain_text("Gold answer")
    page.keyboard.press("v")
    page.keyboard.press("Enter")
    expect(page.locator(".ab-progress")).to_contain_text("1 of 6 done")
    assert submitted(server) == [(opened, 1), (opened, 2)]
    server.kill()
    for key in ("h", "2", "Enter"):
        page.keyboard.press(key)
    expect(page.get_by_role("status").filter(has_text="trying again")).to_be_visible()
    page.close()
    server.start()
    page = visit.context.new_page()
    page.goto(f"{server.url}/annotate/")
    expect(page.locator(".ab-reveal")).to_contain_text("Gold answer")
    expect(page.get_by_role("button", name="Hallucination", exact=True)).to_have_attribute(
        "aria-pressed", "true"
    )
    expect(page.get_by_role("button", name="Severity 2")).to_have_attribute("aria-pressed", "true")
    assert len(submitted(server)) == 3
    visit.close()


def test_a_stale_tab_is_refused_with_a_clear_message_after_a_restart(
    browser: Browser, server: Server
) -> None:
    stale = Visit(browser, server, "ann")
    page = stale.open("/annotate/", ".ab-question")
    opened = assignment_of_page(stale)
    other = Visit(browser, server, "ann")
    second = other.open("/annotate/", ".ab-question")
    for key in ("a", "Enter"):
        second.keyboard.press(key)
    expect(second.locator(".ab-reveal")).to_contain_text("Gold answer")
    for key in ("v", "Enter"):
        second.keyboard.press(key)
    expect(second.locator(".ab-progress")).to_contain_text("1 of 6 done")
    server.kill()
    server.start()
    for key in ("c", "Enter"):
        page.keyboard.press(key)
    expect(page.get_by_role("alert").filter(has_text="in another window")).to_be_visible()
    assert submitted(server) == [(opened, 1), (opened, 2)]
    stale.close()
    other.close()
