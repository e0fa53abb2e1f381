"""Three people label the same six failures, and the page's agreement is the command's."""

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from clinicnum.ui.pages.agreement.coefficient_titles import coefficient_title
from tests.e2e.conftest import ANNOTATORS, ITEMS, Server, clinicnum
from tests.e2e.visit import Visit
from tests.e2e.walk import settle

pytestmark = pytest.mark.browser

CHOICES = {
    "ann": ["c", "f", "h", "o", "x", "a"],
    "ben": ["c", "f", "h", "h", "x", "c"],
    "eve": ["c", "h", "h", "o", "f", "a"],
}
"""The class letter each presses on their n-th item; `a` is acceptable."""
LOOKS = 300
"""Most looks, a tenth of a second apart, at a table that draws its rows."""
ALL_IN_VIEW = """(table) => {
  const view = [...table.querySelectorAll("*")].find((one) =>
    one.scrollHeight > one.clientHeight && one.querySelector("[role=row] [role=gridcell]")
    && /auto|scroll/.test(getComputedStyle(one).overflowY));
  Object.assign(view.style, { maxHeight: "none", height: "1000000px" });
  view.dispatchEvent(new Event("scroll"));
}"""
"""A long table draws the rows in view alone: it is made higher than any table is."""


def label_by_keyboard(page: Page, letters: list[str]) -> None:
    for done, letter in enumerate(letters):
        expect(page.locator(".ab-progress")).to_contain_text(f"{done} of {ITEMS} done")
        page.keyboard.press(letter)
        if letter != "a":
            page.keyboard.press("2")
        assert page.locator(".ab-reveal").count() == 0, "the reference must wait until a judgement is locked"
        page.keyboard.press("Enter")
        expect(page.locator(".ab-reveal")).to_contain_text("Gold answer")
        page.keyboard.press("v")
        page.keyboard.press("Enter")
    expect(page.get_by_role("status").filter(has_text="All done")).to_be_visible()


def label_by_mouse(page: Page, letters: list[str]) -> None:
    expect(page.get_by_role("button", name="Context", exact=True)).to_be_visible()
    expect(page.get_by_text("As the model saw it")).to_have_count(0)  # nobody recorded what it was asked
    names = {
        "c": "Causal reasoning",
        "h": "Hallucination",
        "o": "Omission",
        "f": "Format mismatch",
        "x": "Contextual inconsistency",
    }
    for done, letter in enumerate(letters):
        expect(page.locator(".ab-progress")).to_contain_text(f"{done} of {ITEMS} done")
        page.get_by_role("button", name=names.get(letter, "Acceptable"), exact=True).click()
        if letter != "a":
            page.get_by_role("button", name="Severity 2").click()
        page.get_by_role("button", name="Lock and see the gold answer").click()
        expect(page.locator(".ab-reveal")).to_contain_text("Gold answer")
        page.get_by_role("button", name="Valid", exact=True).click()
        page.get_by_role("button", name="Submit").click()
    expect(page.get_by_role("status").filter(has_text="All done")).to_be_visible()


def page_figures(page: Page, wanted: int) -> dict[str, dict[str, str]]:
    """layer -> coefficient -> value, as the page's table shows them with all of its `wanted` rows in view."""
    page.get_by_role("tab", name="Coefficients").click()
    table, found = page.locator("#coefficients"), dict[str, dict[str, str]]()
    expect(table.get_by_role("gridcell", name="Percent agreement", exact=True).first).to_be_visible()
    table.evaluate(ALL_IN_VIEW)
    for _ in range(LOOKS):
        rows: list[list[str]] = table.locator("tbody tr, [role='row']").evaluate_all(
            """rows => rows.map(row =>
               [...row.querySelectorAll('td, [role=gridcell]')].map(cell => cell.textContent.trim()))"""
        )
        for layer, name, value in (row[:3] for row in rows if len(row) > 2 and row[0]):
            found.setdefault(layer, {})[name] = value
        if sum(map(len, found.values())) >= wanted:
            break
        page.wait_for_timeout(100)
    return found


def command_figures(printed: dict[str, Any]) -> dict[str, dict[str, str]]:
    return {
        layer["title"] + (" (conditional)" if layer["conditional"] else ""): {
            coefficient_title(one["name"]): "undefined" if one["value"] is None else f"{one['value']:.3f}"
            for one in layer["coefficients"]
        }
        for layer in printed["layers"]
        if layer["coefficients"]
    }


def test_three_people_label_and_the_page_agrees_with_the_command(browser: Browser, server: Server) -> None:
    foreign: list[str] = []
    for name in ANNOTATORS:
        visit = Visit(browser, server, name, by_form=True)
        page = visit.open("/annotate/", ".ab-question")
        expect(page.locator(".ab-text")).to_contain_text(
            '<script>document.title = "owned"</script><img src=x onerror='
        )
        assert page.locator(".ab-text script, .ab-text img").count() == 0
        (label_by_mouse if name == "ben" else label_by_keyboard)(page, CHOICES[name])
        assert "owned" not in page.title()
        foreign += visit.foreign_requests()
        visit.close()

    visit = Visit(browser, server, "ada")
    page = visit.open("/agreement/", "#verdict")
    printed = json.loads(clinicnum("agreement", "--study", "six", "--db", server.database, "--json"))
    wanted = command_figures(printed)
    shown = page_figures(page, sum(map(len, wanted.values())))
    foreign += visit.foreign_requests()
    visit.close()
    visit = Visit(browser, server, "root")
    page = visit.open("/people/", "[role='row']:has-text('eve')")
    foreign += visit.foreign_requests()
    visit.close()

    assert shown == wanted
    assert any(figures["Percent agreement"] != "undefined" for figures in shown.values())
    assert foreign == []


def test_annotators_do_not_see_each_other_nor_the_model(browser: Browser, server: Server) -> None:
    visit = Visit(browser, server, "ann")
    bodies: list[str] = []
    visit.page.on(
        "response",
        lambda r: bodies.append(r.text()) if "/api/annotate/" in r.url or "/gradio_api/" in r.url else None,
    )
    visit.open("/annotate/", ".ab-question")
    settle(visit)
    blind = " ".join(bodies)
    for hidden in ("elsewhere", "ben", "eve", "answer_exact", "distractors", "incorrect", "generation_id"):
        assert not re.search(rf"\b{hidden}\b", blind), hidden
    assert '"reveal":null' in blind.replace(" ", "")
    visit.close()


def test_work_in_hand_survives_a_closed_tab(browser: Browser, server: Server) -> None:
    visit = Visit(browser, server, "ann")
    page = visit.open("/annotate/", ".ab-question")
    question = page.locator(".ab-question").inner_text()
    page.keyboard.press("c")
    page.keyboard.press("f")
    page.keyboard.press("t")
    page.keyboard.type("half the pulse pressure")
    expect(page.get_by_text("Draft kept.")).to_be_visible()
    page.close()
    page = visit.context.new_page()
    page.goto(f"{server.url}/annotate/")
    page.wait_for_selector(".ab-question")
    assert page.locator(".ab-question").inner_text() == question
    expect(page.locator("#ab-rationale")).to_have_value("half the pulse pressure")
    expect(page.get_by_role("button", name="Wrong formula", exact=True)).to_have_attribute(
        "aria-pressed", "true"
    )
    visit.close()
