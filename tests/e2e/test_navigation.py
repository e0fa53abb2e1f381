"""The navigation bar: menus by keyboard and on a narrow screen; plain links for who has few pages."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.axe import axe_script, grave_violations
from tests.e2e.conftest import PASSWORD, Server
from tests.e2e.test_overlaps import SMALL
from tests.e2e.visit import Visit
from tests.e2e.walk import settle

pytestmark = pytest.mark.browser

NOTE_TOPS = """window.tops = new Set(); setInterval(() => {
  let part = document.querySelector(".cn-content");
  const styles = [...document.querySelectorAll("link[href^='/static/'][href*='/components/']")];
  // Gradio adds our styles by a script, and moves for a moment what it had shown without them.
  if (!part?.offsetHeight || styles.length < 3 || styles.some((one) => !one.sheet)) return;
  if (document.getAnimations().length) return;
  let top = 0;
  for (; part; part = part.offsetParent) top += part.offsetTop;
  tops.add(top);
}, 5)"""
"""Where the content begins, as long as the page lives: in the layout, which scrolling does not move."""

LOADED = """Object.fromEntries(performance.getEntriesByType("resource")
  .filter((one) => one.name.includes("/static/gradio/")).map((one) => [one.name, one.transferSize]))"""
"""Gradio's files that were loaded, and the bytes that the server sent: none where the browser kept a file."""


def _menu(page: Page, name: str) -> tuple[bool, list[str]]:
    """Whether assistive technology is told that the menu is open, and the links that can be seen."""
    tree = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    (button,) = (
        node
        for node in tree
        if node.get("role", {}).get("value") == "button" and node["name"]["value"].startswith(name)
    )
    (expanded,) = (one["value"]["value"] for one in button["properties"] if one["name"] == "expanded")
    return expanded, page.locator(".cn-menu:popover-open a").all_inner_texts()


def test_menus_open_and_close_by_keyboard_and_mark_the_page(browser: Browser, server: Server) -> None:
    visit = Visit(browser, server, "root")
    page = visit.open("/people/", ".cn-pages button")
    assert _menu(page, "Label") == (False, [])
    label = page.get_by_role("button", name="Label")
    label.focus()
    page.keyboard.press("Enter")
    assert _menu(page, "Label") == (True, ["Studies", "Items"])
    assert grave_violations(page, axe_script()) == []
    assert page.evaluate(SMALL, ".cn-nav") == []
    page.keyboard.press("Escape")
    assert _menu(page, "Label") == (False, [])
    expect(label).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**/studies/")
    expect(page.locator(".cn-pages [data-here]")).to_have_text("Label")
    page.get_by_role("button", name="Analyse").click()
    page.get_by_role("button", name="Label").click()
    assert _menu(page, "Analyse") == (False, ["Studies", "Items"])
    expect(page.locator(".cn-menu:popover-open [aria-current=page]")).to_have_text("Studies")
    box = page.locator(".cn-menu:popover-open").bounding_box()
    under = label.bounding_box()
    assert box
    assert under
    assert 0 <= box["y"] - under["y"] - under["height"] < 12
    page.mouse.click(600, 600)
    assert _menu(page, "Label") == (False, [])
    visit.close()


def test_gradios_files_are_loaded_once_for_all_pages(browser: Browser, server: Server) -> None:
    visit = Visit(browser, server, "root")
    before: set[str] = set()
    for path in ("/people/", "/studies/"):
        page = visit.open(path, ".cn-pages button")
        settle(visit)
        styles = page.eval_on_selector_all("link[rel=stylesheet]", "all => all.map(one => one.href)")
        names = [one.rpartition("/")[2] for one in styles if "/static/gradio/" in one or "/assets/" in one]
        assert len(set(names)) == len(names) > 5
        loaded: dict[str, int] = page.evaluate(LOADED)
        assert len(loaded) > 40
        assert {name for name, size in loaded.items() if size} & before == set()
        before |= loaded.keys()
    assert [one for one in visit.requests if "/assets/" in one] == []
    visit.close()


def test_a_narrow_bar_takes_two_lines_and_nothing_jumps_when_it_comes(
    browser: Browser, server: Server
) -> None:
    for name, locale in (("root", "en-US"), ("root", "de-DE"), ("ann", "en-US")):
        visit = Visit(browser, server, name, locale=locale)
        page = visit.page
        page.add_init_script(NOTE_TOPS)
        for width, most in ((390, 92), (1280, 56)):
            page.set_viewport_size({"width": width, "height": 844})
            page.goto(f"{server.url}/{'people' if name == 'root' else 'my-work'}/")
            page.wait_for_selector(".cn-pages")
            settle(visit)
            assert len(page.evaluate("[...tops]")) == 1
            assert page.locator(".cn-bar").evaluate("bar => bar.offsetHeight") <= most
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            assert page.evaluate(SMALL, ".cn-nav") == []
        visit.close()


def test_who_has_few_pages_sees_links_and_who_manages_no_accounts_no_people(
    browser: Browser, server: Server
) -> None:
    visit = Visit(browser, server, "ann")
    page = visit.open("/annotate/", ".cn-pages a")
    links = page.locator(".cn-pages > *")
    assert links.all_inner_texts() == ["Annotate", "My work", "Review templates", "Help"]
    links.last.click()
    expect(page.get_by_role("heading", name="Find your way")).to_be_visible()
    visit.close()
    visit = Visit(browser, server, "rex")
    page = visit.open("/studies/", ".cn-pages")
    assert page.locator(".cn-pages a[href='/studies/']").count() == 1
    assert page.locator(".cn-pages a[href='/people/']").count() == 0
    visit.close()


def test_a_link_opened_logged_out_comes_back_to_itself_and_back_shows_no_form(
    browser: Browser, standing_server: Server
) -> None:
    context = browser.new_context()
    page, link = context.new_page(), f"{standing_server.url}/my-work/?study=six"
    page.goto(link)
    for password in ("a wrong password", PASSWORD):
        page.get_by_label("Name").fill("ann")
        page.get_by_label("Password").fill(password)
        page.get_by_role("button", name="Log in").click()
        if password != PASSWORD:
            expect(page.get_by_role("alert")).to_contain_text("do not match")
    page.wait_for_url(link)
    page.go_back()
    page.wait_for_url(link)
    expect(page.locator("#password")).to_have_count(0)
    context.close()
