"""On the annotate page the form uses the height of the window, and a message hides nothing that is chosen."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.conftest import Server
from tests.e2e.visit import Visit
from tests.e2e.walk import settle

pytestmark = pytest.mark.browser
BOX = """(selector) => {
  const box = document.querySelector(selector).getBoundingClientRect();
  return [box.top, box.bottom];
}"""
HIDDEN = "() => { const f = document.querySelector('.ab-decide'); return f.scrollHeight - f.clientHeight; }"
"""How much of the form is scrolled away, px."""
LAST = "[data-k='undetermined']"
"""The last class of the list, which a message would cover first."""


def edges(page: Page, selector: str) -> tuple[float, float]:
    """Top and bottom of an element in the window, px."""
    top, bottom = page.evaluate(BOX, selector)
    return top, bottom


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


@pytest.mark.parametrize("height", [800, 757])
def test_a_message_hides_nothing_that_is_chosen(browser: Browser, server: Server, height: int) -> None:
    visit = Visit(browser, server, "ann")
    page = visit.open("/annotate/", ".ab-question")
    page.set_viewport_size({"width": 1280, "height": height})
    settle(visit)
    press(page, "w", "d", "2", "Enter")
    page.wait_for_selector(".ab-reveal")
    for at_top in (False, True):
        if at_top:
            page.evaluate("window.scrollTo(0, 0)")
        press(page, "Enter")
        expect(page.get_by_role("alert")).to_contain_text("Judge the item")
        settle(visit)
        chosen, form, bar = (edges(page, one) for one in (LAST, ".ab-decide", ".ab-bar"))
        assert form[0] <= chosen[0]
        assert chosen[1] <= form[1] <= bar[0] + 1
        assert bar[1] <= height, "the buttons are in sight"
        assert page.evaluate(HIDDEN) == 0 or height - bar[1] <= 16, (
            "nothing is scrolled while there is room below"
        )
        press(page, "z", "d")
    visit.close()


def test_guideline_and_codebook_open_as_high_as_there_is_room(browser: Browser, server: Server) -> None:
    visit = Visit(browser, server, "ann")
    page = visit.open("/annotate/", ".ab-question")
    page.set_viewport_size({"width": 1280, "height": 800})
    settle(visit)
    for keys in (("Shift+I",), ("Escape", "i")):
        press(page, *keys)
        page.wait_for_selector(".ab-beside-body")
        settle(visit)
        top, bottom = edges(page, ".ab-beside-body")
        assert bottom - top >= 450
        assert bottom <= 800
    visit.close()
