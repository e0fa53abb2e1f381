"""The way through every page of a hostile house, with all that can be opened open, stop by stop."""

from collections.abc import Generator, Iterator
from itertools import chain
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import Page, TimeoutError

from tests.e2e.hostile_material import House
from tests.e2e.page_data import Answer, PageData
from tests.e2e.visit import Visit
from tests.e2e.walk import pages_of, settle, unfold

PATIENCE_MS = 120_000
"""For which a busy machine may keep a page waiting."""
QUICK = 2
"""Looks at a page that stays as it is before it counts as still."""
TABS = "[role=tab]"
PRESSED = {
    "/annotate/": {".ab-answers": 1},
    "/adjudicate/": {".aj-entry": 9, ".aj-claim button": 1},
    "/studies/": {"#studies [role=gridcell][aria-colindex='1']": 2},
    "/items/": {"#items [role=gridcell][aria-colindex='1']": 2},
    "/benchmarks/": {"#benchmarks [role=gridcell][aria-colindex='1']": 1, "#instances [role=gridcell]": 1},
    "/jobs/": {"#jobs [role=gridcell][aria-colindex='1']": 3},
    "/runs/": {"#runs [role=gridcell][aria-colindex='1']": 2},
    "/explore/": {"#answers [role=gridcell][aria-colindex='1']": 1, "#panel input": 4},
    "/reports/": {TABS: 0, "button:text-is('Compare models'):not([role=tab])": 1},
    "/agreement/": {TABS: 0, "#analysis input": 7},
    "/bank/": {"#versions [role=gridcell]": 1},
    "/failures/": {"#failures [role=gridcell]": 1, "#kind input": 3},
    "/item-draft/": {"#drafts [role=gridcell]": 1},
    "/review/": {"#invitations [role=gridcell]": 1},
    "/releases/": {TABS: 0, "button:text-is('Evaluate the bank')": 1},
}
"""Buttons that show more and change nothing, by the page, and how many of a kind the suite presses. All tabs
are pressed everywhere, last unless TABS says when.
"""
_NEXT_TAB = """(pressed) => {
  const left = [...document.querySelectorAll("[role=tab]")]
    .filter((one) => one.checkVisibility() && !pressed.includes(one.innerText));
  const next = left.at(-1);  // those inside a tab come after it, and are left with it
  next?.click();
  return next?.innerText;
}"""
READY = {
    "/adjudicate/": ".aj-top",
    "/agreement/": "#verdict p, .cn-note",
    "/annotate/": ".ab-question",
    "/bank/": "#versions [role=gridcell]",
    "/bank/?template=": "#version, .cn-bad",
    "/changes/": "#changes [role=gridcell], .cn-content .cn-note",
    "/draft/": ".df-root .df-card",
    "/draft/?draft=": ".df-count:not(:empty), .df-message:not(:empty)",
    "/explore/": ".cn-figures, .cn-content .cn-note",
    "/failures/": "#failures [role=gridcell], .cn-note",
    "/help": "article",
    "/home/": "#waiting :is(p, li)",
    "/item-draft/": "#drafts [role=gridcell], .cn-content p",
    "/item-draft/?draft=": "#item-form, .cn-bad",
    "/items/": "#items [role=gridcell], .cn-content .cn-note",
    "/jobs/": "#jobs [role=gridcell]",
    "/my-work/": ".mw-page, .cn-content .cn-note",
    "/releases/": "#ready p",
    "/reports/": "#report, .cn-content .cn-note",
    "/review/": "#invitations [role=gridcell], .cn-content p",
    "/review/?round=": "#sheet, .cn-bad",
    "/rounds/": "#rounds [role=gridcell], #rounds",
    "/rounds/?round=": "#seats",
    "/rounds/?template=": "#plan, .cn-bad",
    "/people/": "#accounts [role=gridcell]",
    "/benchmarks/": "#benchmarks [role=gridcell]",
    "/runs/": "#accuracy [role=gridcell]",
    "/studies/": "#studies [role=gridcell]",
}
"""What is on a page as soon as its data are there, by how its address begins."""
_QUIET = """() => !document.querySelector("[aria-busy=true], [data-busy], .df-result.df-stale, .df-stale"
  + ", [data-testid=status-tracker].translucent:not(.hide)")
  && !/(Counting…|Computing…|Reading and grouping|Loading…)/.test(document.body.textContent)"""
Walked = dict[str, list[tuple[Answer, ...]]]
LOOKERS = ("ada", "rex", "root")
PANELS = (("i", "guide"), ("?", "keys"), ("Shift+C", "codebook"), ("q", "flag"))


class Walk:
    """One role's way through a house."""

    def __init__(
        self, visit: Visit, house: House, name: str, *, thorough: bool, walked: Walked | None = None
    ) -> None:
        self.visit, self.house, self.name, self.thorough = visit, house, name, thorough
        self.page: Page = visit.page
        self.data = PageData(visit)
        self.walked: Walked = {} if walked is None or thorough else walked
        """By page, what roles that went through it were answered: who is answered the same sees the same."""

    def stops(self) -> Iterator[str]:
        """The pages of the navigation, what their buttons open, and what addresses lead to."""
        for path in pages_of(self.visit):
            if not self._as_before(path):
                self.walked.setdefault(path, []).append((yield from self._at(path)))
                for selector, most in self._to_press(path).items():
                    yield from self._pressed(path, selector, 4 * most if self.thorough else most)
        further = {"ann": self._of_annotator, "cur": self._of_curator}.get(self.name, self._of_looker)
        if not self._as_before(further.__name__):
            found: list[tuple[Answer, ...]] = []
            for path in further():
                found.append((yield from self._at(path)))
            if all(found):  # else one of them cannot be compared
                self.walked.setdefault(further.__name__, []).append(tuple(chain.from_iterable(found)))

    def _as_before(self, what: str) -> bool:
        return any(self.data.same(answers) for answers in self.walked.get(what, ()))

    @staticmethod
    def _to_press(path: str) -> dict[str, int]:
        pressed = PRESSED.get(path, {})
        return pressed if TABS in pressed else {**pressed, TABS: 0}

    def _at(self, path: str) -> Generator[str, None, tuple[Answer, ...]]:
        """Open a page and all that is folded on it; what it was answered."""
        self.data.forget()
        self.open(path)
        answers = self.data.answers()
        if path.startswith("/annotate/"):
            self._judge()
            for key, panel in PANELS if path == "/annotate/" or self.thorough else ():
                yield from self._panel(path, key, panel)
        unfold(self.page)
        yield path
        return answers

    def open(self, path: str) -> None:
        """Wait for the page's data."""
        ready = READY[max((one for one in READY if path.startswith(one)), key=len)]
        self.page.goto(f"{self.visit.server.url}{path}")
        try:
            self.page.wait_for_selector(ready)
        except TimeoutError:
            raise AssertionError(f"{self.name} at {path}: no {ready}: {self._held()}") from None
        self.wait()

    def _held(self) -> str:
        """What a page holds that stays without its data: a fault to look into."""
        text = self.page.locator("body").inner_text()[:600]
        return f"after {PATIENCE_MS} ms it holds {text!r}"

    def wait(self) -> None:
        """Until what was asked for is there."""
        try:
            self.page.wait_for_function(_QUIET)
        except TimeoutError:
            raise AssertionError(f"{self.name}: {self.page.url} still waits: {self._held()}") from None
        settle(self.visit, QUICK)

    def _judge(self) -> None:
        """An item that is judged in two steps and has no judgement yet is judged, and shows its gold."""
        if self.page.locator("[data-k=submit]", has_text="Lock").count():
            self.page.keyboard.press("c")
            self.page.keyboard.press("Enter")
            self.page.wait_for_selector(".ab-reveal")

    def _panel(self, path: str, key: str, panel: str) -> Iterator[str]:
        self.page.keyboard.press(key)
        self.page.wait_for_selector(f"[data-panel={panel}]")
        unfold(self.page)
        yield f"{path} {panel}"
        self.page.keyboard.press("Escape")

    def _tabs(self, path: str) -> Iterator[str]:
        """Each tab, and those inside it."""
        pressed: list[str] = []
        while (tab := self.page.evaluate(_NEXT_TAB, pressed)) is not None:
            pressed.append(tab)
            self.wait()
            unfold(self.page)
            yield f"{path} tab {tab}"

    def _pressed(self, path: str, selector: str, most: int) -> Iterator[str]:
        if selector == TABS:
            yield from self._tabs(path)
            return
        for place in range(min(self.page.locator(selector).count(), most)):
            button = self.page.locator(selector).nth(place)
            if not button.count():
                return
            if button.get_attribute("role") == "gridcell":
                button.click()
            else:
                button.evaluate("one => one.click()")  # also what is folded
            self.wait()
            unfold(self.page)
            yield f"{path} {selector} {place + 1}"

    def _asked(self, path: str, *, most: int = 200, **known: str) -> str:
        """An address in which one parameter is a payload: the page says that it knows no such thing."""
        (name,) = (key for key, value in known.items() if value == "")
        text = self.house.dealer.some(f"asked: {name}", 3, most=most, joined=" ", line=True)
        return f"{path}?{urlencode({**known, name: text})}"

    def _of_annotator(self) -> list[str]:
        closed = urlencode({"study": self.house.closed})
        own = [f"/my-work/?{closed}&show=differ", f"/my-work/?{closed}", "/my-work/?show=skipped"]
        own += [f"/my-work/?item={one}" for one in (self.house.items[0], self.house.items[-1])]
        own += [
            self._asked("/my-work/", q=""),
            self._asked("/my-work/", study=""),
            self._asked("/annotate/", item=""),
        ]
        shown = self.house.items if self.thorough else [*self.house.items[::5], *self.house.items[-3:]]
        items = [f"/annotate/?item={one}" for one in shown]
        return [*own, *items, *(f"/review/?round={one}" for one in self.house.rounds)]

    def _of_looker(self) -> list[str]:
        """Agreement and changes of the study in which all is hostile, and filters of it that are."""
        known: dict[str, Any] = {"study": self.house.opened}
        told = [
            f"/changes/?{urlencode({**known, **more})}" for more in ({}, {"kind": "flag"}, {"check": "1"})
        ]
        asked = [self._asked("/agreement/", study=""), self._asked("/changes/", study="")]
        asked += [self._asked("/changes/", **known, **{name: ""}) for name in ("item", "kind")]
        asked += [self._asked("/changes/", most=100, **known, person="")]
        # What is asked for and unknown is said alike to all: the suite has each said to one of them.
        turn = slice(None) if self.thorough else slice(LOOKERS.index(self.name), None, len(LOOKERS))
        return [*told, f"/agreement/?{urlencode(known)}", *asked[turn]]

    def _of_curator(self) -> list[str]:
        versions = [
            urlencode({"template": name, "version": version}) for name, version in self.house.templates
        ]
        found = [f"/bank/?{one}" for one in versions]
        found += [f"/failures/?failure={one}" for one in self.house.items[:3]]
        odd = [self._asked(path, template="", version="1") for path in ("/bank/", "/rounds/", "/failures/")]
        odd += [self._asked("/failures/", failure=""), self._asked("/draft/", draft="")]
        odd += [self._asked("/item-draft/", draft="")]
        drafts = [f"/draft/?draft={one}" for one in self.house.drafts]
        drafts += [f"/item-draft/?draft={one}" for one in self.house.item_drafts]
        return [*found, *odd, *drafts, *(f"/rounds/?round={one}" for one in self.house.rounds)]
