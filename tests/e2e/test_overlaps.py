"""On the annotate page no text lies over a button and no target is too small, whatever is unfolded."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.conftest import Server
from tests.e2e.visit import Visit
from tests.e2e.walk import settle

pytestmark = pytest.mark.browser
OVERLAPS = """() => {
  const shown = (one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest(".cn-sr");
  const region = (one) => one.closest(".ab-bar, .ab-decide, .ab-read, .ab-progress, .ab-beside");
  const texts = [];
  const walk = document.createTreeWalker(document.querySelector(".ab-page"), NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const node = walk.currentNode, at = node.parentElement;
    if (!node.data.trim() || at.closest("button, option, .ab-records") || !shown(at)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) texts.push({ at, box, text: node.data.trim().slice(0, 60) });
  }
  const found = [];
  for (const button of document.querySelectorAll(".ab-page button")) {
    if (!shown(button)) continue;
    const b = button.getBoundingClientRect();
    for (const { at, box, text } of texts) {
      if (region(at) !== region(button)) continue;  // the bar sticks over what scrolls
      const wide = Math.min(b.right, box.right) - Math.max(b.left, box.left);
      const high = Math.min(b.bottom, box.bottom) - Math.max(b.top, box.top);
      if (wide > 0.5 && high > 0.5) found.push(`${text} / ${button.textContent.trim().slice(0, 30)}`);
    }
  }
  return found;
}"""


SMALL = """(root) => [...document.querySelector(root)
  .querySelectorAll("button, a, summary, input, select, textarea, td[tabindex]")]
  .filter((one) => one.checkVisibility() && !one.closest("p, li > p"))
  .map((one) => [one.textContent.trim().slice(0, 40) || one.ariaLabel, one.getBoundingClientRect()])
  .filter(([, box]) => box.width && (box.width < 24 || box.height < 24))
  .map(([name, box]) => `${name}: ${box.width} x ${box.height}`)"""
"""What can be pressed and is smaller than 24 px, WCAG 2.2's least size of a target (2.5.8); links in a
sentence are exempt."""


def overlaps(page: Page) -> list[str]:
    found: list[str] = page.evaluate(OVERLAPS)
    return found


@pytest.mark.parametrize("width", [1280, 390])
def test_no_text_lies_over_a_button(browser: Browser, server: Server, tmp_path: Path, width: int) -> None:
    visit = Visit(browser, server, "ann")
    page = visit.open("/annotate/", ".ab-question")
    page.set_viewport_size({"width": width, "height": 900})
    settle(visit)
    assert overlaps(page) == []
    classes = page.locator(".ab-decide fieldset", has_text="Primary label").first.locator(".cn-option")
    opened = 0
    for place in range(classes.count()):
        classes.nth(place).click()
        assert overlaps(page) == []
        for sub in page.locator(".ab-subs .cn-option").all():
            sub.click()
            assert overlaps(page) == []
            opened += 1
    assert opened, "no sub-class was ever shown"
    page.locator(".ab-decide [data-fold='optional'] summary").click()
    page.locator(".ab-decide [data-k='add']").click()
    assert overlaps(page) == []
    assert page.evaluate(SMALL, "body") == []
    page.screenshot(path=tmp_path / f"annotate-{width}.png", full_page=True)
    visit.close()


def test_a_judgement_fits_a_laptop_s_screen_without_scrolling_for_every_class(
    browser: Browser, server: Server
) -> None:
    visit = Visit(browser, server, "ben")
    page = visit.open("/annotate/", ".ab-question")
    page.set_viewport_size({"width": 1280, "height": 800})
    page.get_by_role("button", name="Failure", exact=True).click()
    severity = page.get_by_role("button", name="Severity 2")
    before = severity.bounding_box()
    assert page.locator(".ab-records thead th").count() >= 7, "a time and the vital signs"
    hidden = page.locator(".ab-records").evaluate("one => one.scrollWidth - one.clientWidth")
    assert hidden <= 0, f"{hidden} px of the record table can only be seen by scrolling"
    for step in ("1 of 2", "2 of 2"):
        expect(page.locator(".ab-step")).to_contain_text(step)
        for place in range(page.locator(".ab-first .ab-classes .cn-option").count()):
            page.locator(".ab-first .ab-classes .cn-option").nth(place).click()
            heights = page.locator(".ab-decide").evaluate("box => [box.scrollHeight, box.clientHeight]")
            assert heights[0] <= heights[1], (step, place, heights)
            assert page.locator(".ab-bar").evaluate("bar => bar.getBoundingClientRect().bottom") <= 800
            if step == "1 of 2":
                assert severity.bounding_box() == before, (place, severity.bounding_box(), before)
        if step == "1 of 2":
            page.keyboard.press("Enter")
            page.wait_for_selector(".ab-reveal")
    visit.close()
