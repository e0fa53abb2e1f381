"""What helps newcomers on the annotate page: the codebook, by button or key; the tour; the practice items."""

from collections.abc import Iterator
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.axe import axe_script, grave_violations
from tests.e2e.conftest import Server
from tests.e2e.ward import Worker, ward_server

pytestmark = pytest.mark.browser
LOOKS: tuple[tuple[Literal["light", "dark"], int], ...] = (("light", 1280), ("dark", 390))
PRESSED = "[...document.querySelectorAll('.ab-side [aria-pressed=true]')].map(one => one.textContent)"
SMALL = """() => [...document.querySelectorAll(":is(.cb-about, .cb-order-step, .cb-link)")].filter((one) => {
  const { width, height } = one.getBoundingClientRect();
  return one.checkVisibility() && (width < 24 || height < 24);
}).map((one) => one.outerHTML)"""
"""Buttons that a finger misses."""
PRACTISED = ("a", "a", "ca2", "or1", "ht1")
"""Keys for each practice item; on the first they are not what the expert says."""
SAME, DIFFERENT = "Same as the reference labels", "Different from the reference labels"


@pytest.fixture(scope="module")
def ward(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with ward_server(tmp_path_factory.mktemp("codebook")) as server:
        yield server


def entry(page: Page, name: str) -> None:
    """Wait until this entry stands on top."""
    expect(page.locator(".cb-entry h3")).to_contain_text(name)


def posted(worker: Worker) -> list[str]:
    return [url for url in worker.requests if "/api/annotate/" in url]


def test_an_entry_is_read_by_key_and_by_button_and_nothing_is_chosen_or_sent(
    browser: Browser, ward: Server
) -> None:
    amy = Worker(browser, ward, "amy")
    page = amy.begin()
    chosen, before = page.evaluate(PRESSED), posted(amy)
    panel = page.get_by_role("complementary", name="Codebook")
    for key, name in (
        ("Shift+H", "Hallucination made something up"),
        ("Shift+A", "Acceptable"),
        ("Shift+G", "Gold answer is wrong"),
        ("Shift+Digit3", "3: Serious harm or delayed rescue"),
        ("Shift+Minus", "Not applicable"),
        ("Shift+W", "Failure"),
    ):
        amy.press(key)
        entry(page, name)
    for part in ("Use when", "Not when", "Examples", "Near it"):
        expect(panel).to_contain_text(part)
    amy.press("Shift+W")  # again: it closes
    expect(panel).to_have_count(0)

    omission = page.get_by_role("button", name="Omission", exact=True)
    expect(omission.locator(".cb-numbers")).to_have_text("steps 2, 3, 6")
    expect(omission.get_by_title("made at: select, rule, express")).to_be_visible()
    expect(page.get_by_role("button", name="Undetermined", exact=True).locator(".cb-numbers")).to_have_text(
        ""
    )
    about = page.get_by_role("button", name="About Omission", exact=True)
    about.press("Enter")
    entry(page, "Omission left something out")
    expect(about).to_have_attribute("aria-expanded", "true")
    page.locator(".cb-entry").get_by_role("button", name="Unanswered").press("Enter")
    entry(page, "Unanswered gave no answer")
    amy.press("Escape")
    expect(panel).to_have_count(0)
    expect(about).to_be_focused()

    page.get_by_role("button", name="2. select").click()
    expect(page.locator(".cb-codebook > .cb-steps")).to_contain_text("Are the right records, vital signs and")
    amy.press("Shift+I")
    expect(page.locator(".cb-codebook > .cb-steps")).to_have_count(0)
    expect(page.locator(".cb-book > .cb-steps")).to_be_visible()
    expect(page.locator(".cb-entry")).to_have_count(0)
    expect(panel.get_by_role("button", name="Answered another question").last).to_be_visible()
    for key, other in (("i", "Guideline, version 1"), ("?", "Keys")):
        amy.press(key)
        expect(page.get_by_role("complementary", name=other)).to_be_visible()
        amy.press("Escape")
    assert page.evaluate(PRESSED) == chosen
    assert [url for url in posted(amy)[len(before) :] if not url.endswith("/guideline")] == []
    amy.leave()


def test_while_a_class_is_open_shift_and_a_letter_explain_its_sub_class_and_keep_the_choice(
    browser: Browser, ward: Server
) -> None:
    bob = Worker(browser, ward, "bob")
    page = bob.begin()
    bob.press("x", "Shift+Q")
    entry(page, "Answered another question")
    expect(page.locator(".cb-place")).to_contain_text("Contextual inconsistency · made at: read")
    classes = page.get_by_role("group", name="Primary label")
    chosen = classes.get_by_role("button", name="Contextual inconsistency", exact=True)
    expect(chosen).to_have_attribute("aria-pressed", "true")
    kind = page.locator(".ab-subs").get_by_role("button", name="Answered another question", exact=True)
    expect(kind.locator("kbd")).to_have_text("q")
    bob.press("q")  # the letter alone still chooses
    expect(kind).to_have_attribute("aria-pressed", "true")
    expect(kind.locator("kbd")).to_have_text("x q")  # from now on after the letter of the class
    bob.leave()


def test_the_codebook_is_searched_through_all_of_its_text(browser: Browser, ward: Server) -> None:
    cem = Worker(browser, ward, "cem")
    page = cem.begin()
    page.get_by_role("button", name="Codebook").click()
    search = page.get_by_role("searchbox", name="Search the codebook")
    search.fill("potassium")  # stands in an example alone
    expect(page.locator(".cb-count")).to_have_text("1 of 49 entries")
    expect(page.locator(".cb-book [data-entry]:visible")).to_contain_text("Distractor used")
    page.locator(".cb-book [data-entry]").get_by_role("button", name="Distractor used").click()
    entry(page, "Distractor used")
    expect(page.locator(".cb-book [data-entry]:visible")).to_have_count(1)
    search.fill("no such word")
    expect(page.locator(".cb-book :is(li, section):visible")).to_have_count(0)
    search.press("Escape")
    expect(search).to_have_count(0)
    cem.leave()


def test_a_study_on_version_1_has_its_own_codebook(browser: Browser, ward: Server) -> None:
    vic = Worker(browser, ward, "vic")
    page = vic.begin()
    expect(page.locator(".cb-plain")).to_have_count(0)  # version 1 has no plain words
    vic.press("Shift+I")
    expect(page.locator(".cb-book [data-entry]")).to_have_count(48)
    expect(page.locator(".cb-book")).not_to_contain_text("Answered another question")
    expect(page.locator(".cb-order")).to_contain_text("5. round and unit")
    vic.press("Escape", "i")
    guide = page.get_by_role("complementary", name="Guideline, version 0, the default made from the taxonomy")
    expect(guide).to_contain_text("made from taxonomy clinical-numeracy 1")
    vic.press("Escape", "x", "n")
    expect(page.get_by_role("group", name="Severity")).to_contain_text("Serious harm or delayed rescue")
    chosen = page.locator(".ab-subs").get_by_role("button", name="Negation missed", exact=True)
    expect(chosen).to_have_attribute("aria-pressed", "true")
    vic.leave()


def test_the_codebook_is_accessible_and_its_buttons_are_large_enough(browser: Browser, ward: Server) -> None:
    dea = Worker(browser, ward, "dea")
    page = dea.begin()
    dea.lock("x")
    found, script = [], axe_script()
    for scheme, width in LOOKS:
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": 844})
        found += page.evaluate(SMALL)
        for key in ("Shift+X", "Shift+I"):
            dea.press(key)
            found += [f"{scheme} {width}: {one}" for one in grave_violations(page, script)]
            found += page.evaluate(SMALL)
            assert page.evaluate("document.documentElement.scrollWidth") <= width
        dea.press("Escape")
    assert found == []
    dea.leave()


def test_at_a_first_log_in_the_tour_is_led_by_keys_and_the_practice_that_it_offers_saves_nothing(
    browser: Browser, ward: Server
) -> None:
    joy = Worker(browser, ward, "joy", tour=True)
    page = joy.begin()
    own = joy.assignment()
    tour = page.get_by_role("dialog")
    expect(tour).to_have_accessible_name("The question")
    expect(tour).to_contain_text("Step 1 of 6")
    for scheme, width in LOOKS:
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": 844})
        assert grave_violations(page, axe_script()) == []
    page.set_viewport_size({"width": 1280, "height": 900})
    joy.press("c")  # no key judges anything meanwhile
    joy.press("Enter", "ArrowRight", "ArrowLeft", "ArrowRight")
    expect(tour).to_have_accessible_name("The answer")
    expect(tour.get_by_role("status")).to_contain_text("What the model wrote.")
    for name in ("Your judgement", "Step 1: lock it", "Step 2: judge", "Do you want to practise"):
        joy.press("Enter")
        expect(tour.get_by_role("heading")).to_contain_text(name)
    assert page.evaluate(PRESSED) == []
    joy.press("Enter")
    expect(tour).to_have_count(0)
    expect(page.locator(".ab-progress")).to_contain_text("Practice, not your own items: 0 of 5 done")
    for place, keys in enumerate(PRACTISED):
        expect(page.locator(".ab-root")).to_have_attribute("data-assignment", f"practice-{place}")
        joy.press(*keys, "Enter")
        expect(page.locator(".ab-reveal")).to_be_visible()
        joy.press("v", "Enter")
        feedback = page.get_by_role("region", name="Feedback")
        expect(feedback).to_contain_text("Why:")
        expect(feedback.get_by_role("heading")).to_have_text(SAME if place else DIFFERENT)
        if place == 0:
            joy.press("s", "q", "i")
            assert grave_violations(page, axe_script()) == []
        joy.press("Enter")
    expect(page.locator(".ab-message")).to_contain_text("nothing of it was saved")
    assert joy.assignment() == own
    assert not [url for url in posted(joy) if url.rsplit("/", 1)[1] in ("judge", "submit", "save_draft")]
    page.reload()
    page.wait_for_selector(".ab-question")
    expect(page.locator(".ab-progress")).to_contain_text("ward: 0 of")
    expect(tour).to_have_count(0)
    joy.leave()


def test_the_tour_can_be_skipped_by_esc_and_taken_again_from_the_key_sheet(
    browser: Browser, ward: Server
) -> None:
    kim = Worker(browser, ward, "kim", tour=True)
    page = kim.begin()
    tour = page.get_by_role("dialog")
    expect(tour).to_be_visible()
    kim.press("Escape")
    expect(tour).to_have_count(0)
    kim.press("c")
    expect(page.get_by_role("button", name="Causal reasoning", exact=True)).to_have_attribute(
        "aria-pressed", "true"
    )
    expect(page.get_by_role("status").filter(has_text="Draft kept.")).to_be_visible()
    page.reload()
    page.wait_for_selector(".ab-question")
    expect(page.locator(".ab-progress")).to_contain_text("ward")
    expect(tour).to_have_count(0)
    kim.press("?")
    page.get_by_role("button", name="Take the tour").click()
    expect(tour).to_contain_text("Step 1 of 6")
    kim.press("Escape")
    page.get_by_role("button", name="Five practice items").click()
    expect(page.locator(".ab-progress")).to_contain_text("Practice, not your own items: 0 of 5 done")
    kim.press("f", "Enter")
    expect(page.locator(".ab-reveal")).to_be_visible()
    page.get_by_role("button", name="Leave the practice").click()
    # What was chosen on the own item is still there.
    expect(page.get_by_role("button", name="Causal reasoning", exact=True)).to_have_attribute(
        "aria-pressed", "true"
    )
    kim.leave()
