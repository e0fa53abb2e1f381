"""The chart of all vital signs, what it lights in table, context and answer, and evidence in all three."""

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect

from tests.db.monitor import RECORDS, monitor_instance
from tests.e2e.axe import axe_script, grave_violations
from tests.e2e.conftest import Server
from tests.e2e.ward import Worker

pytestmark = pytest.mark.browser
CHART = ".ab-chart"
WIDE: ViewportSize = {"width": 1900, "height": 900}
"""Table and context stand beside each other."""
LANES = ["Temp", "HR", "RR", "SpO₂", "SBP", "DBP", "Pain"]


def lane(page: Page, name: str) -> Locator:
    return page.locator(".ab-lane").filter(has=page.locator(f".ab-lane-name:has-text('{name}')"))


def lit(page: Page, box: str) -> list[str]:
    texts: list[str] = page.locator(f".ab-{box} .ab-same").all_text_contents()
    return texts


def form_top(page: Page) -> Any:
    return page.evaluate("document.querySelector('.ab-decide').getBoundingClientRect().top")


def lock(worker: Worker) -> None:
    worker.press("c", "Enter")
    expect(worker.page.locator(".ab-reveal")).to_be_visible()


def test_a_plot_opens_one_chart_of_all_vital_signs_on_one_axis_and_escape_gives_the_focus_back(
    browser: Browser, ward: Server
) -> None:
    mia = Worker(browser, ward, "mia")
    page = mia.begin()
    expect(page.locator(".ab-records tbody tr")).to_have_count(RECORDS)
    before = form_top(page)
    plot = page.get_by_role("button", name=re.compile("^HR bpm: 69 to 102 over 3 days, 94 values"))
    plot.focus()
    mia.press("Enter")
    chart = page.get_by_role("region", name="Vital signs over time")
    names = chart.locator(".ab-lane-name > span").all_text_contents()
    assert [name.split()[0] for name in names] == LANES
    widths = chart.locator(".ab-lane-svg").evaluate_all(
        "all => all.map(one => one.getBoundingClientRect().width)"
    )
    assert len(set(widths)) == 1
    expect(lane(page, "HR")).to_be_focused()
    expect(chart.locator(".ab-axis")).to_contain_text("2180-05-11")
    pen_lifts = "path => path.getAttribute('d').match(/M/g).length"
    assert lane(page, "HR").locator(".ab-course").evaluate(pen_lifts) == 1
    assert lane(page, "Temp").locator(".ab-course").evaluate(pen_lifts) == 19  # a gap at each missing value
    assert form_top(page) == before
    mia.press("Escape")
    expect(chart).to_have_count(0)
    expect(plot).to_be_focused()
    assert form_top(page) == before
    mia.leave()


def test_the_chart_keeps_the_gold_for_itself_until_a_judgement_is_locked(
    browser: Browser, ward: Server
) -> None:
    moe = Worker(browser, ward, "moe")
    page = moe.begin()
    moe.press("/")
    chart = page.locator(CHART)
    expect(chart).to_contain_text(
        "The question's threshold, shock index above 0.7, is drawn with its values once"
    )
    expect(chart.locator(".ab-mark-gold")).to_have_count(0)
    # The answer names a time, and of the values that it names those that are of this time.
    claimed = chart.locator(".ab-lane .ab-mark-claimed")
    expect(claimed).to_have_count(2)
    expect(lane(page, "HR")).to_have_attribute("aria-label", re.compile("; the answer names 1 of them$"))
    expect(lane(page, "SBP").locator(".ab-mark-claimed")).to_have_count(1)
    lock(moe)
    expect(chart).to_be_visible()
    formula = lane(page, "shock index")
    expect(formula.locator(".ab-limit-text")).to_have_text("above 0.7")
    expect(formula).to_have_attribute("aria-valuetext", "shock index 0.54 at 2180-05-10 06:27")
    gold = monitor_instance().evidence
    expect(chart.locator(".ab-lane .ab-mark-gold")).to_have_count(len(gold))
    marks = {
        kind: chart.locator(f".ab-legend .ab-mark-{kind} path").get_attribute("d")
        for kind in ("gold", "claimed")
    }
    assert marks["gold"] != marks["claimed"]  # told apart without colour
    assert grave_violations(page, axe_script()) == []
    moe.leave()


def test_a_value_lights_wherever_it_stands_from_table_context_answer_and_chart(
    browser: Browser, ward: Server
) -> None:
    mia = Worker(browser, ward, "mia")
    page = mia.begin()
    page.set_viewport_size(WIDE)
    mia.press("/")
    said = page.locator(".ab-chart-said")
    mia.press("Home", "ArrowRight", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowUp")
    expect(said).to_have_text("RR 16 /min at 2180-05-10 07:12")
    assert lit(page, "records") == ["2180-05-10 07:12:00", "16"]
    expect(page.locator(".ab-lit-point")).to_have_count(1)
    assert "16" in lit(page, "context")
    assert any("07:12" in one for one in lit(page, "context"))
    assert lit(page, "text") == ["2180-05-10 07:12"]

    page.locator(".ab-text .ab-number", has_text="124").hover()
    expect(page.locator(".ab-records .ab-same").first).to_have_text("124")
    expect(lane(page, "SBP").locator(".ab-lit-point").first).to_be_visible()
    assert set(lit(page, "context")) == {"124"}

    page.locator("[data-k=cell-1-2]").hover()
    assert lit(page, "records") == []
    assert lit(page, "text") == ["2180-05-10 07:12", "78"]
    expect(said).to_have_text("HR 78 bpm at 2180-05-10 07:12")

    page.locator(".ab-context .ab-number", has_text="07:12").first.hover()
    assert "2180-05-10 07:12:00" in lit(page, "records")
    page.mouse.move(2, 2)
    expect(page.locator(".ab-root .ab-same")).to_have_count(0)
    page.locator("[data-k=cell-1-2]").focus()
    assert lit(page, "text") == ["2180-05-10 07:12", "78"]
    page.locator(".ab-context").focus()
    mia.press(".", ".")
    assert page.evaluate("document.activeElement.closest('.ab-context') !== null")
    page.locator(".ab-question").click()
    expect(page.locator(".ab-root .ab-same")).to_have_count(0)
    mia.leave()


def test_evidence_is_marked_in_the_context_too_and_for_each_further_label(
    browser: Browser, ward: Server
) -> None:
    mel = Worker(browser, ward, "mel")
    page = mel.begin()
    page.set_viewport_size(WIDE)
    here = mel.assignment()
    lock(mel)
    mel.press("2", "+", "h", "Escape")
    mel.press("y", "y", ".", "Space")  # the first number of the context, for the primary label
    chips = page.locator(".ab-evidence-line .ab-chip")
    expect(chips).to_have_text([re.compile("^“.+” in the context$")])
    choice = page.get_by_role("group", name="Evidence for")
    mel.press(";")
    expect(choice.get_by_role("button", name="Hallucination")).to_have_attribute("aria-pressed", "true")
    expect(chips).to_have_count(0)
    expect(page.locator(".ab-context .ab-other")).to_have_count(1)
    page.locator(".ab-text .ab-number", has_text="0.63").click()
    page.locator("[data-k=cell-0-2]").click()
    expect(choice.get_by_role("button", name="Hallucination (2)")).to_be_visible()
    expect(page.get_by_role("status").filter(has_text="Draft kept.")).to_be_visible()
    page.reload()
    expect(choice.get_by_role("button", name="Hallucination (2)")).to_be_visible()
    page.locator(".ab-question").click()
    mel.press("v", "Enter")
    expect(page.get_by_role("status").filter(has_text="All done")).to_be_visible()
    primary, further = mel.saved(here)["labels"]
    instance = monitor_instance()
    ((start, end),) = primary["context_spans"]
    assert re.fullmatch(r"[\d: -]+", instance.context[start:end])
    assert (primary["spans"], primary["cells"]) == ([], [])
    assert (further["code"], further["cells"]) == (
        "hallucination",
        [{"record": 0, "vital": "heart_rate_bpm"}],
    )
    assert len(further["spans"]) == 1
    mel.leave()
