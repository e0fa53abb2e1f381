"""The annotate page by keyboard alone: what each key does, what it costs, and what is then saved."""

import re
import urllib.error
import urllib.request

import pytest
from playwright.sync_api import Browser, expect

from clinicnum.prompt import messages_for
from clinicnum.ui.components.static_files import static_path
from tests.db.examples import instance
from tests.e2e.axe import axe_script, grave_violations
from tests.e2e.conftest import Server, Visit
from tests.e2e.ward import CAUSE, OWN_NAME, TEXT, Worker, set_status

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
        "The kinds of “Hallucination” are open: v, t, a choose one"
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
    asked = page.locator(".ab-asked")
    expect(asked).to_contain_text("is not the gold answer. Is it acceptable all the same?")
    amy.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text(
        "Judge the item: valid, gold answer wrong or ambiguous."
    )
    amy.press("v", "Enter")
    amy.moves_on(here)
    amy.leave()


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
    eli.press("s", "2")
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


def test_the_whole_task_is_on_the_page_and_what_is_unfolded_stays_so_until_the_next_item(
    browser: Browser, ward: Server
) -> None:
    hal = Worker(browser, ward, "hal")
    page = hal.begin()
    here = hal.assignment()
    form = page.locator(".ab-question + .cn-demand")
    expect(form).to_have_text(
        re.compile(
            '^The model was told to answer like this: End with one line of JSON: .*"not documented" if the'
        )
    )
    expect(page.locator(".ab-text + .cn-ended")).to_have_text(
        "Cut off before its end: the limit on its length was reached."
    )
    prompt, thinking = (page.locator(f"[data-fold={name}]") for name in ("prompt", "thinking"))
    for fold in (prompt, thinking):
        expect(fold.locator("pre").first).to_be_hidden()
        fold.locator("summary").click()
    system, user = messages_for(instance(0))
    assert prompt.locator("pre").all_text_contents() == [system["content"], user["content"]]
    expect(thinking.locator("summary")).to_contain_text("not judged as the answer")
    expect(thinking.locator("pre")).to_have_text("As ████████████ I would take 4242 first.")
    expect(page.locator(".ab-text")).not_to_contain_text("4242")
    assert grave_violations(page, axe_script()) == []
    hal.lock("c")
    for fold in (prompt, thinking):
        expect(fold.locator("pre").first).to_be_visible()
    hal.press("2", "v", "Enter")
    hal.moves_on(here)
    for fold in (prompt, thinking):
        expect(fold.locator("pre").first).to_be_hidden()
    hal.leave()


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


def test_a_second_tab_is_told_what_happened_and_shows_the_item_as_it_stands(
    browser: Browser, ward: Server
) -> None:
    one = Worker(browser, ward, "amy")
    page = one.begin()
    here = one.assignment()
    other = one.context.new_page()
    other.goto(f"{ward.url}/annotate/")
    other.wait_for_selector(".ab-question")
    other.keyboard.press("h")
    other.keyboard.press("Enter")
    expect(other.locator(".ab-reveal")).to_contain_text("Gold answer")
    one.press("c", "Enter")
    expect(
        page.get_by_role("alert").filter(has_text="You changed this item in another window")
    ).to_be_visible()
    assert one.assignment() == here
    expect(page.get_by_role("button", name="Hallucination", exact=True)).to_have_attribute(
        "aria-pressed", "true"
    )
    one.press("z")
    expect(page.get_by_role("button", name="Causal reasoning", exact=True)).to_have_attribute(
        "aria-pressed", "true"
    )
    one.leave()


def test_what_is_chosen_in_a_study_that_is_paused_stays_and_is_saved_when_it_goes_on(
    browser: Browser, ward: Server
) -> None:
    ugo = Worker(browser, ward, "ugo")
    page = ugo.begin()
    here = ugo.assignment()
    set_status(ward.database, "school", "paused")
    ugo.press("c", "Enter")
    expect(page.get_by_role("alert").filter(has_text="This study is paused")).to_be_visible()
    set_status(ward.database, "school", "open")
    ugo.lock("a", "2")
    ugo.press("v", "Enter")
    expect(page.get_by_role("region", name="Feedback")).to_be_visible()
    assert [one["code"] for one in ugo.saved(here)["labels"]] == ["causal_reasoning.arithmetic_slip"]
    ugo.leave()


def test_who_is_in_two_studies_chooses_one_by_keyboard_and_a_second_tab_keeps_the_choice(
    browser: Browser, ward: Server
) -> None:
    ivy = Worker(browser, ward, "ivy")
    page = ivy.begin()
    progress = page.locator(".ab-progress")
    expect(progress).to_contain_text("ward: 0 of 8 done")
    in_ward = ivy.assignment()
    ivy.press("c", "2")
    page.get_by_role("button", name="Studies: 2").focus()
    ivy.press("Enter")
    panel = page.get_by_role("complementary", name="Your studies")
    expect(panel.get_by_role("button", name="All in turn, the oldest first")).to_be_focused()
    expect(panel.get_by_role("listitem")).to_contain_text(
        ["All in turn", "ward0 of 8 done", re.compile("night0 of 2 done.*; due .*, 4 days left")]
    )
    assert grave_violations(page, axe_script()) == []
    ivy.press("Tab", "Tab", "Enter")
    expect(progress).to_contain_text("night: 0 of 2 done")
    expect(progress).to_contain_text(", 4 days left")
    expect(panel).to_have_count(0)
    expect(page.locator(".ab-live")).to_contain_text("Study night, item 1 of 2.")
    tab = ivy.open_tab("/annotate/", ".ab-question")
    expect(tab.locator(".ab-progress")).to_contain_text("night: 0 of 2 done")
    # Home: each study's link opens that study.
    for name in ("ward", "night"):
        tab.goto(f"{ward.url}/home/")
        tab.get_by_role("listitem").filter(has_text=f"{name}:").get_by_role("link").click()
        expect(tab.locator(".ab-progress")).to_contain_text(f"{name}: 0 of ")
    assert "?" not in tab.url
    tab.close()
    here = ivy.assignment()
    ivy.lock("a")
    ivy.press("v", "Enter")
    ivy.moves_on(here)
    ivy.lock("a")
    ivy.press("v", "Enter")
    # One study does not pass on to the other silently.
    between = page.locator(".ab-idle")
    expect(between).to_contain_text("You have finished night. Thank you. Next: ward.")
    expect(between.get_by_role("link", name="Home")).to_have_attribute("href", "/home/")
    expect(between.get_by_role("button", name="Go on with ward")).to_be_visible()
    assert grave_violations(page, axe_script()) == []
    ivy.press("]")
    expect(page.locator(".ab-question")).to_be_visible()
    # What was begun in the other comes back, with what was chosen on it.
    assert ivy.assignment() == in_ward
    expect(page.get_by_role("button", name="Causal reasoning", exact=True)).to_have_attribute(
        "aria-pressed", "true"
    )
    ivy.leave()


def test_with_one_study_there_is_no_menu(browser: Browser, ward: Server) -> None:
    vic = Worker(browser, ward, "vic")
    page = vic.begin()
    expect(page.get_by_role("button", name="Key sheet")).to_be_visible()
    expect(page.get_by_role("button", name="Studies")).to_have_count(0)
    expect(page.locator(".ab-progress")).to_contain_text("overdue by 2 days")
    here = vic.assignment()
    vic.lock("a")
    vic.press("v", "Enter")
    vic.moves_on(here)
    vic.lock("a")
    vic.press("v", "Enter")
    expect(page.get_by_role("status").filter(has_text="All done")).to_be_visible()
    expect(page.locator(".ab-study-line")).to_contain_text("old2 of 2 done")
    vic.leave()


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


def test_who_misses_the_threshold_is_told_so_and_goes_on_once_qualified_by_hand(
    browser: Browser, ward: Server
) -> None:
    lea = Worker(browser, ward, "lea")
    page = lea.begin()
    for _ in range(2):
        here = lea.assignment()
        lea.lock("h", "2")
        lea.press("v", "Enter")
        expect(page.get_by_role("region", name="Feedback")).to_be_visible()
        lea.press("Enter")
        expect(page.locator(f".ab-root[data-assignment='{here}']")).to_have_count(0)
    told = page.locator(".ab-missed")
    expect(told).to_contain_text("0 of your 2 training judgements were as the reference labels")
    expect(told).to_contain_text("2 are needed before you get items that count.")
    expect(told).to_contain_text("decides whether you repeat the training or go on all the same.")
    expect(told.locator("dt")).to_have_text(["Contextual inconsistency", "Wrong record"])
    assert page.get_by_text("All done").count() == 0
    for scheme, width in (("light", 1280), ("dark", 390)):
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": 844})
        assert grave_violations(page, axe_script()) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    lead = Visit(browser, ward, "root")
    board = lead.open("/studies/", "#studies [role='gridcell']")
    board.get_by_role("gridcell", name="exam").click()
    panel = board.locator("#qualification")
    expect(panel.get_by_role("row").filter(has_text="lea")).to_contain_text("not qualified: you decide")
    panel.get_by_role("combobox", name="Held back").click()
    board.get_by_role("option", name="lea").click()
    panel.get_by_role("button", name="Qualify by hand").click()
    expect(board.get_by_role("alert").filter(has_text="the reason has 0 characters")).to_be_visible()
    panel.get_by_label("Reason").fill("We went through both items together.")
    panel.get_by_role("button", name="Qualify by hand").click()
    expect(panel.get_by_role("row").filter(has_text="lea")).to_contain_text("qualified by hand: We went")
    assert grave_violations(board, axe_script()) == []
    lead.close()
    page.get_by_role("button", name="Look for more").click()
    expect(page.locator(".ab-question")).to_be_visible()
    expect(page.locator(".ab-remark")).to_have_count(0)
    lea.leave()


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
