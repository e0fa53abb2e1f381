"""Evidence for a label: marked by keys and by mouse, and taken over from a suggestion."""

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.conftest import Server
from tests.e2e.ward import CAUSE, TEXT, Worker

pytestmark = pytest.mark.browser


def test_evidence_is_marked_by_keys_counted_as_python_counts_and_there_after_a_reload(
    browser: Browser, ward: Server
) -> None:
    bob = Worker(browser, ward, "bob")
    page = bob.begin()
    here = bob.assignment()
    bob.press("x", ".", ".")
    expect(page.locator(".ab-records .ab-same")).to_contain_text("118")
    bob.press("Space", ".", ".", "Space", "Shift+ArrowLeft")
    bob.press("y", "ArrowRight", "ArrowDown", "Space")
    expect(page.get_by_role("status").filter(has_text="Draft kept.")).to_be_visible()
    page.reload()
    expect(page.locator(".ab-evidence-line .ab-chip")).to_have_text(
        ["“118”", "“is 2000”", "SBP 119 at 07:27"]
    )
    bob.lock("1")
    bob.press("v", "Enter")
    bob.moves_on(here)
    label = bob.saved(here)["labels"][0]
    assert [TEXT[start:end] for start, end in label["spans"]] == ["118", "is 2000"]
    assert label["cells"] == [{"record": 1, "vital": "sbp_mmhg"}]
    bob.leave()


def test_a_mouse_marks_evidence_by_a_click_and_by_selecting(browser: Browser, ward: Server) -> None:
    bob = Worker(browser, ward, "gil")
    page = bob.begin()
    here = bob.assignment()
    bob.press("x")
    page.locator(".ab-number", has_text="76").click()
    page.get_by_role("gridcell", name="36.8").first.click()
    box = page.locator(".ab-text")
    place = box.evaluate(
        """box => { const range = document.createRange(), end = box.lastChild;
                    range.setStart(end, 0); range.setEnd(end, end.length);
                    const word = [...box.childNodes].find(n => n.textContent.includes("So the"));
                    const at = word.textContent.indexOf("answer");
                    range.setStart(word, at); range.setEnd(word, at + 6);
                    const r = range.getBoundingClientRect();
                    return [r.left + 1, r.right - 1, (r.top + r.bottom) / 2]; }"""
    )
    page.mouse.move(place[0], place[2])
    page.mouse.down()
    page.mouse.move(place[1], place[2], steps=4)
    page.mouse.up()
    expect(page.locator(".ab-evidence-line .ab-chip")).to_have_text(
        ["“76”", "“answer”", "Temp 36.8 at 06:27"]
    )
    page.get_by_role("button", name="Take away the evidence “76”").click()
    bob.lock("1")
    bob.press("v", "Enter")
    bob.moves_on(here)
    label = bob.saved(here)["labels"][0]
    assert [TEXT[start:end] for start, end in label["spans"]] == ["answer"]
    assert label["cells"] == [{"record": 0, "vital": "temperature_c"}]
    bob.leave()


def test_a_suggestion_waits_for_the_judgement_and_is_taken_over_with_its_evidence(
    browser: Browser, ward: Server
) -> None:
    cem = Worker(browser, ward, "cem")
    page = cem.begin()
    here = cem.assignment()
    assert page.locator(".ab-suggestions").count() == 0
    cem.press("j")
    expect(page.get_by_role("button", name="Failure", exact=True)).to_have_attribute("aria-pressed", "false")
    cem.lock("o")
    expect(page.locator(".ab-suggestions")).to_contain_text("2000 is what the later record gives.")
    cem.press("j", "2", "v", "Enter")
    cem.moves_on(here)
    label = cem.saved(here)["labels"][0]
    assert label["code"] == CAUSE
    assert [TEXT[start:end] for start, end in label["spans"]] == ["2000"]
    assert label["cells"] == [{"record": 1, "vital": "sbp_mmhg"}]
    cem.leave()
