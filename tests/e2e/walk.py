"""How tests go through the pages of a role: wait until one is still, find the others, unfold all."""

from playwright.sync_api import Page, expect

from tests.e2e.visit import Visit

_STILL = """(still) => {
    const now = document.body.innerHTML.length;
    const times = window.cnSeen === now ? (window.cnStill || 0) + 1 : 0;
    window.cnSeen = now; window.cnStill = times;
    return times >= still;
}"""
LOOK_MS = 50


def settle(visit: Visit, still: int = 5) -> None:
    """Wait until nothing is asked for any more and the page has been still for `still` looks."""
    page = visit.page
    page.wait_for_load_state()
    page.wait_for_selector(".cn-nav")
    while True:
        page.evaluate("window.cnStill = 0")
        page.wait_for_function(_STILL, arg=still, polling=LOOK_MS)
        if not visit.under_way:
            return


def pages_of(visit: Visit) -> list[str]:
    """The pages that the navigation shows; none for a role that has no page."""
    page = visit.page
    page.goto(f"{visit.server.url}/")
    page.wait_for_selector(".cn-pages, main.cn-login")
    paths: list[str] = page.eval_on_selector_all(
        ".cn-nav strong a, .cn-pages a", "links => [...new Set(links.map(link => link.getAttribute('href')))]"
    )
    return paths


def unfold(page: Page) -> None:
    """Open all that is folded."""
    page.evaluate(
        """() => {
          document.querySelectorAll("details").forEach(fold => { fold.open = true; });
          document.querySelectorAll("button.label-wrap:not(.open)").forEach(one => one.click());
        }"""
    )


def open_up(visit: Visit) -> None:
    """Judge the item in work, if the page has one, open the chart of its vital signs, and unfold the rest."""
    page = visit.page
    if page.locator(".ab-question").count():
        page.keyboard.press("c")
        page.keyboard.press("Enter")
        page.wait_for_selector(".ab-reveal")
        if page.locator(".ab-plot-button").count():
            page.keyboard.press("/")
            page.wait_for_selector(".ab-chart")
    unfold(page)
    settle(visit)


def name_study(page: Page, name: str) -> None:
    """Name the new study once the form has proposed a name, which would take the place of an earlier one."""
    field = page.get_by_label("Name of the study")
    expect(field).not_to_have_value("")
    field.fill(name)
