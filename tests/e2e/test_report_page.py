"""The report's page in a real Chromium: no network, both widths and colour schemes, and on paper."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from clinicnum.annotations.report.build import build_report
from clinicnum.annotations.report.render import render_html
from tests.annotations.report_example_whole import whole_study

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    path: Path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(render_html(build_report(whole_study(), generated_by="test")), encoding="utf-8")
    return path.as_uri()


def new_page(browser: Browser, **options: Any) -> Page:
    """A page that may take its time on a busy machine."""
    page = browser.new_page(**options)
    page.set_default_timeout(120_000)
    return page


@pytest.mark.parametrize("width", [1280, 390])
def test_the_page_opens_offline_without_a_request_a_message_or_sideways_scrolling(
    browser: Browser, address: str, width: int
) -> None:
    page = new_page(browser, viewport={"width": width, "height": 900}, offline=True)
    said: list[str] = []
    asked: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(address)
    assert not said
    assert {one for one in asked if not one.startswith("data:")} == {address}
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.close()


def test_plots_follow_the_colour_scheme(browser: Browser, address: str) -> None:
    page = new_page(browser, color_scheme="light")
    page.goto(address)
    colour = "getComputedStyle(document.querySelector('figure.plot svg text')).fill"
    light = page.evaluate(colour)
    page.emulate_media(color_scheme="dark")
    assert page.evaluate(colour) != light
    page.close()


def test_what_is_folded_on_the_screen_is_there_on_paper(browser: Browser, address: str) -> None:
    page = new_page(browser)
    page.goto(address)
    folded = page.locator("#table-accuracy tbody th").first
    assert not folded.is_visible()
    page.emulate_media(media="print")
    assert folded.is_visible()
    # A4 less its margins, in CSS pixels: no table is wider, so no column is cut off.
    page.set_viewport_size({"width": 695, "height": 1000})
    widest = page.evaluate("Math.max(...[...document.querySelectorAll('table')].map(t => t.scrollWidth))")
    assert widest <= 695
    page.close()
