"""The annotate page by keyboard alone: what each key does, what it costs, and what is then saved."""

import urllib.error
import urllib.request

import pytest
from playwright.sync_api import Browser, expect

from clinicnum.ui.components.static_files import static_path
from tests.e2e.conftest import Server
from tests.e2e.ward import OWN_NAME, Worker

pytestmark = pytest.mark.browser


def test_after_an_upgrade_no_browser_mixes_old_modules_with_new_ones(ward: Server) -> None:
    now = static_path("annotate/page.js")
    with urllib.request.urlopen(f"{ward.url}{now}", timeout=10) as answer:
        assert answer.headers["cache-control"].endswith("immutable")
        text = answer.read().decode()
    # Each module names the others beside it, so those of one version find one another alone.
    assert text.count('from "./') > 5
    assert "/static/" not in text
    earlier = now.replace(now.split("/")[2], "0" * 12)
    with pytest.raises(urllib.error.HTTPError, match="404"):
        urllib.request.urlopen(f"{ward.url}{earlier}", timeout=10)


def test_a_failure_costs_three_keys_by_class_and_four_with_its_sub_class_and_enter_at_each_step(
    browser: Browser, ward: Server
) -> None:
    amy = Worker(browser, ward, "amy")
    amy.begin()
    first = amy.assignment()
    amy.lock("c", "2")  # at once, as a practised hand does
    amy.press("v", "Enter")
    amy.moves_on(first)
    assert amy.keys == 5
    second = amy.assignment()
    amy.lock("c", "a", "3")
    amy.press("v", "Enter")
    amy.moves_on(second)
    assert amy.keys == 11
    by_class, with_sub_class = amy.saved(first), amy.saved(second)
    assert ([one["code"] for one in by_class["labels"]], by_class["severity"]) == (["causal_reasoning"], "2")
    assert [one["code"] for one in with_sub_class["labels"]] == ["causal_reasoning.arithmetic_slip"]
    assert with_sub_class["severity"] == "3"
    expect(amy.page.locator(".ab-pace")).to_contain_text("an item")
    amy.leave()


def test_letters_of_an_open_sub_class_stay_its_own_and_nothing_is_saved_before_enter(
    browser: Browser, ward: Server
) -> None:
    amy = Worker(browser, ward, "amy")
    page = amy.begin()
    here = amy.assignment()
    failure = page.get_by_role("button", name="Failure", exact=True)
    amy.press("w")
    expect(page.locator(".ab-step")).to_contain_text("Primary label may wait: step 2 asks for it.")
    amy.press("h", "2", "n")
    expect(page.get_by_role("alert")).to_contain_text(
        "“n” is no kind of “Hallucination”: its kinds have the letters v, t, a. Esc closes the list"
    )
    expect(failure).to_have_attribute("aria-pressed", "true")
    amy.press("a")
    expect(page.get_by_role("button", name="Unsupported assumption", exact=True)).to_have_attribute(
        "aria-pressed", "true"
    )
    expect(failure).to_have_attribute("aria-pressed", "true")
    assert page.locator(".ab-reveal").count() == 0
    amy.press("Escape", "a")
    expect(page.get_by_role("button", name="Acceptable", exact=True)).to_have_attribute(
        "aria-pressed", "true"
    )
    expect(page.locator(".ab-step")).to_contain_text("Step 1 of 2: without the gold answer")
    assert page.get_by_role("button", name="Valid", exact=True).count() == 0
    amy.lock()
    expect(page.locator(".ab-step")).to_contain_text("Step 2 of 2: with the gold answer")
    expect(page.locator(".ab-contradiction")).to_contain_text(
        "is not the gold answer. If the response is right all the same, leave it so and say why"
    )
    amy.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text(
        "Judge the item: valid, gold answer wrong or ambiguous."
    )
    amy.press("v", "Enter")
    amy.moves_on(here)
    expect(page.get_by_role("alert")).to_contain_text("If you did not mean it, Back ([) leads there.")
    amy.leave()


def test_a_mistyped_kind_or_severity_never_puts_an_item_aside(browser: Browser, ward: Server) -> None:
    amy = Worker(browser, ward, "amy")
    page = amy.begin()
    here, said = amy.assignment(), page.locator(".ab-message")
    causal = page.locator("[data-k='causal_reasoning']")
    for keys in (("w", "c", "s"), ("+", "h", "s")):
        amy.press(*keys)
        expect(said).to_contain_text("“s” is no kind of")
        expect(said).to_contain_text("To skip the item, press Esc first, or use the button Skip.")
    for key in ("q", "p", "j", "n"):
        amy.press(key)
        expect(said).to_contain_text(f"“{key}” is no kind of “Hallucination”")
    assert page.locator("[data-panel]").count() == 0
    expect(causal).to_have_attribute("aria-pressed", "true")
    amy.press("Escape", "s")
    reasons = page.get_by_role("group", name="Why skip?")
    expect(reasons).to_be_focused()
    for key in ("2", "3", "v", "a", "Enter"):  # as if typed on in the form
        amy.press(key)
        expect(said).to_contain_text("Nothing was put aside. Choose a reason by its letter (i, j, k, l)")
        expect(reasons).to_be_visible()
    assert amy.assignment() == here
    amy.press("Escape")
    expect(said).to_have_text("")
    expect(page.locator(".ab-remark")).to_have_count(0)
    amy.press("z", "z", "z", "z")
    amy.leave()


SHOWN_KEYS = """() => [...document.querySelectorAll(".ab-page button kbd")]
    .filter((key) => getComputedStyle(key).visibility === "visible").map((key) => key.textContent)"""


def test_no_two_buttons_show_the_same_key_at_once(browser: Browser, ward: Server) -> None:
    amy = Worker(browser, ward, "amy")
    page = amy.begin()
    opened: tuple[tuple[str, ...], ...] = (("w",), ("c",), ("x",), ("u",), ("+",), ("h",), ("Escape", "s"))
    for keys in opened:
        amy.press(*keys)
        shown = page.evaluate(SHOWN_KEYS)
        assert len(shown) == len(set(shown)), (keys, shown)
    assert shown == ["i", "j", "k", "l", "Esc"]
    amy.press("Escape", "x")
    assert {"r", "v", "d", "n", "q"} <= set(page.evaluate(SHOWN_KEYS))
    assert not {"a", "s", "w"} & set(page.evaluate(SHOWN_KEYS))
    amy.press("Escape", "z", "z", "z", "z", "z", "z")
    amy.leave()


def test_the_last_page_leads_to_the_first_item_put_aside(browser: Browser, ward: Server) -> None:
    una = Worker(browser, ward, "una")
    page = una.begin()
    here = una.assignment()
    una.press("s", "i")
    una.moves_on(here)
    other = una.assignment()
    una.press("s", "l")
    expect(page.get_by_role("status").first).to_contain_text("You put 2 items aside")
    page.get_by_role("button", name="The first item put aside").click()
    expect(page.locator(".ab-remark")).to_contain_text("You put this aside: I cannot tell from what is shown")
    assert una.assignment() == here != other
    una.leave()


def test_further_labels_confidence_rationale_and_undo_have_keys(browser: Browser, ward: Server) -> None:
    dea = Worker(browser, ward, "dea")
    page = dea.begin()
    here = dea.assignment()
    dea.lock("c")
    dea.press("v", "+", "h", "v", "+", "f", "+", "m", "m", "4", "z", "2", "p", "p")
    dea.press("t")
    page.keyboard.type("x a 4")  # letters are letters in a field
    dea.press("Control+Enter")
    dea.moves_on(here)
    saved = dea.saved(here)
    codes = [one["code"] for one in saved["labels"]]
    assert codes == ["causal_reasoning", "hallucination.fabricated_value", "format_mismatch"]
    assert (saved["severity"], saved["confidence"], saved["rationale"]) == ("2", 2, "x a 4")
    dea.leave()


def test_the_way_back_forward_aside_and_a_flag_have_keys(browser: Browser, ward: Server) -> None:
    eli = Worker(browser, ward, "eli")
    page = eli.begin()
    first = eli.assignment()
    eli.press("q")
    page.keyboard.type("look at this")
    eli.press("Enter")
    expect(page.locator(".ab-remark")).to_have_text("Flagged: look at this")
    eli.press("s", "j")
    eli.moves_on(first)
    second = eli.assignment()
    eli.press("[")
    expect(page.locator(".ab-remark")).to_contain_text("You put this aside: The guideline does not say")
    assert eli.assignment() == first
    eli.press("]")
    eli.moves_on(first)
    assert eli.assignment() == second
    eli.press("i")
    guide = page.get_by_role("complementary")
    expect(guide).to_contain_text("Read all of it. <script>")
    assert guide.locator("script, img").count() == 0
    expect(guide.get_by_role("heading", name="Guideline, version 1")).to_be_visible()
    eli.press("Escape")
    expect(guide).to_have_count(0)
    assert page.title() != "owned"
    eli.leave()


def test_keys_can_be_switched_off_and_stay_off(browser: Browser, ward: Server) -> None:
    fay = Worker(browser, ward, "fay")
    page = fay.begin()
    page.get_by_role("button", name="Keys are on").click()
    page.reload()
    page.wait_for_selector(".ab-question")
    expect(page.get_by_role("button", name="Keys are off")).to_be_visible()
    fay.press("c")
    expect(page.get_by_role("button", name="Causal reasoning", exact=True)).to_have_attribute(
        "aria-pressed", "false"
    )
    page.set_viewport_size({"width": 390, "height": 844})
    for name in ("Records", "As the model saw it"):
        page.get_by_role("button", name=name).click()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, name
    bar = page.locator(".ab-bar").bounding_box()
    assert bar is not None
    assert bar["y"] + bar["height"] <= 845
    fay.leave()


def test_training_shows_suggestions_and_then_how_the_judgement_compares(
    browser: Browser, ward: Server
) -> None:
    tess = Worker(browser, ward, "tess")
    page = tess.begin()
    here = tess.assignment()
    expect(page.locator(".ab-remark")).to_contain_text("Training")
    expect(page.locator(".ab-suggestions")).to_be_visible()
    expect(page.get_by_role("button", name=OWN_NAME, exact=True)).to_be_visible()
    tess.lock("c", "2")
    tess.press("v", "Enter")
    feedback = page.get_by_role("region", name="Feedback")
    expect(feedback).to_contain_text("Contextual inconsistency: Wrong record")
    expect(feedback.get_by_role("row").filter(has_text="Primary label")).to_contain_text("different")
    expect(feedback.get_by_role("row").filter(has_text="Severity")).to_contain_text("same")
    expect(feedback).to_contain_text("It is the later one.")
    tess.press("Enter")
    tess.moves_on(here)
    expect(page.locator(".ab-remark")).to_have_count(0)
    tess.leave()


def test_the_first_tab_leads_past_the_navigation(browser: Browser, ward: Server) -> None:
    amy = Worker(browser, ward, "amy")
    page = amy.begin()
    page.evaluate("document.activeElement?.blur()")
    amy.press("Tab")
    skip = page.get_by_role("link", name="Skip to the content")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()
    amy.press("Enter")
    expect(page.locator("#content")).to_be_focused()
    amy.close()


def test_the_right_gold_is_written_at_once_and_a_class_that_is_put_aside_is_named(
    browser: Browser, ward: Server
) -> None:
    hal = Worker(browser, ward, "hal")
    page = hal.begin()
    hal.press("o", "r", "n")
    expect(page.locator(".ab-bar")).to_contain_text("“Omission: Missed record” does not go with this")
    hal.press("z", "2")
    hal.lock()
    hal.press("g", "1", "2", "Enter")
    expect(page.get_by_label("The right gold")).to_have_value("12")
    expect(page.get_by_label("The right gold")).not_to_be_focused()
    expect(page.get_by_role("button", name="Severity 2")).to_have_attribute("aria-pressed", "true")
    hal.close()
