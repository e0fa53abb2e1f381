"""The report's page in a real Chromium: no network, both widths and colour schemes, and on paper."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from clinicnum.annotations.report.build import build_report
from clinicnum.annotations.report.render_html_and_csv import render_html
from tests.annotations.report_example_models import eight_models
from tests.annotations.report_example_whole import whole_study

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    path: Path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(render_html(build_report(whole_study(), generated_by="test")), encoding="utf-8")
    return path.as_uri()


@pytest.fixture(scope="module")
def of_eight(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Eight models on 48 items, with long texts and all the warnings that a report can have."""
    tables, long = eight_models(simulated=True), "A long text of a model that explains itself. " * 60
    tables = tables.model_copy(
        update={
            "status": "open",
            "generations": tuple(
                one.model_copy(update={"text": long + one.text}) for one in tables.generations
            ),
            "instances": tuple(
                one.model_copy(
                    update={
                        "question": long + one.question,
                        "records": tuple(
                            record.model_copy(update={"source": "mimic-iv-ed"}) for record in one.records
                        ),
                    }
                )
                for one in tables.instances
            ),
        }
    )
    report = build_report(tables, generated_by="test")
    assert len(report.warnings) == 3
    path: Path = tmp_path_factory.mktemp("eight") / "report.html"
    path.write_text(render_html(report), encoding="utf-8")
    return path.as_uri()


def new_page(browser: Browser, **options: Any) -> Page:
    """A page that may take its time on a busy machine."""
    page = browser.new_page(**options)
    page.set_default_timeout(120_000)
    return page


def printed_pages(page: Page) -> int:
    return len(re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True)))


@pytest.mark.parametrize("width", [1280, 390])
def test_the_page_opens_offline_without_a_request_a_message_or_sideways_scrolling(
    browser: Browser, address: str, of_eight: str, width: int
) -> None:
    page = new_page(browser, viewport={"width": width, "height": 900}, offline=True)
    said: list[str] = []
    asked: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("request", lambda request: asked.append(request.url))
    for one in (address, of_eight):
        page.goto(one)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate("document.documentElement.scrollHeight") < 16_000
    assert not said
    assert {one for one in asked if not one.startswith("data:")} == {address, of_eight}
    page.close()


def test_plots_follow_the_colour_scheme(browser: Browser, address: str) -> None:
    page = new_page(browser, color_scheme="light")
    page.goto(address)
    colour = "getComputedStyle(document.querySelector('figure.plot svg text')).fill"
    light = page.evaluate(colour)
    page.emulate_media(color_scheme="dark")
    assert page.evaluate(colour) != light
    page.close()


def test_what_is_folded_on_the_screen_opens_by_its_links_and_is_on_paper_if_asked_for(
    browser: Browser, address: str
) -> None:
    page = new_page(browser)
    page.goto(address)
    folded = page.locator("#table-accuracy tbody th").first
    assert not folded.is_visible()
    page.locator("nav").get_by_role("link", name="Do the annotators agree?").click()
    assert page.locator("#table-agreement_summary").is_visible()
    page.emulate_media(media="print")
    assert not folded.is_visible()
    page.emulate_media(media="screen")
    page.get_by_label("Print the supplement too").check()
    page.emulate_media(media="print")
    assert folded.is_visible()
    # A4 less its margins, in CSS pixels: no table is wider, so no column is cut off.
    page.set_viewport_size({"width": 695, "height": 1000})
    widest = page.evaluate("Math.max(...[...document.querySelectorAll('table')].map(t => t.scrollWidth))")
    assert widest <= 695
    page.close()


def test_the_main_part_of_eight_models_prints_on_four_pages(browser: Browser, of_eight: str) -> None:
    page = new_page(browser)
    page.goto(of_eight)
    assert printed_pages(page) <= 4
    page.get_by_label("Print the supplement too").check()
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 695, "height": 1000})
    widest = page.evaluate("Math.max(...[...document.querySelectorAll('table')].map(t => t.scrollWidth))")
    assert widest <= 695
    assert printed_pages(page) > 8
    page.close()
