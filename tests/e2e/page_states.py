"""The states of a page that show more of its texts: panels, practice, chart, what a decision would change."""

from collections.abc import Callable, Iterator

from tests.e2e.visit import Visit
from tests.e2e.walk import settle

Step = Callable[[Visit], None]


def _pressing(*keys: str) -> Step:
    def press(visit: Visit) -> None:
        for key in keys:
            visit.page.keyboard.press(key)
        settle(visit, 3)

    return press


def _practise(visit: Visit) -> None:
    visit.page.keyboard.press("?")
    visit.page.locator("[data-k='practice']").click()
    visit.page.wait_for_selector(".ab-root[data-assignment='practice-0']")


def lock(visit: Visit) -> None:
    visit.page.keyboard.press("c")
    visit.page.keyboard.press("Enter")
    visit.page.wait_for_selector(".ab-reveal")


def _submit(visit: Visit) -> None:
    for key in ("2", "v", "Enter"):
        visit.page.keyboard.press(key)
    visit.page.wait_for_selector(".ab-feedback")


ANNOTATING: tuple[Step, ...] = (
    _pressing("?"),
    _pressing("Shift+I"),
    _pressing("Shift+C"),
    _pressing("Escape", "i"),
    _pressing("Escape", "s"),
    _pressing("Escape", "q"),
    _pressing("Escape", "/"),
    _pressing("Escape", "z", "+"),
    _pressing("Enter"),
    _practise,
    lock,
    _submit,
)
"""What is opened on the annotate page besides what `open_up` opens."""


def further_states(visit: Visit, path: str) -> Iterator[None]:
    """Go through the states of a page that has been opened up."""
    if path.startswith("/annotate"):
        for step in ANNOTATING:
            step(visit)
            yield
    if path.startswith("/adjudicate") and visit.page.locator("[data-k^='see-']").count():
        visit.page.locator("[data-k^='see-']").first.click()
        visit.page.wait_for_selector(".aj-uphold-preview")
        yield
