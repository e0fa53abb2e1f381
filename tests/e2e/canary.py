"""What a page must not do with a text: run it, ask another host for something, or make an element of it."""

import re
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import BrowserContext, Dialog, Page, Request

from tests.e2e.payloads import HOST, Dealer

_WATCH = """
window.__broken = [];
document.addEventListener("securitypolicyviolation", (event) =>
  window.__broken.push(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`));
"""
# Attributes that hold text and lead nowhere. All else of a payload is an element that it made.
_MADE = """() => {
  const HOLDS = /__ran|canary\\.invalid/, found = [];
  const TEXT = /^(aria-[a-z]+|title|value|placeholder|alt|data-[a-z-]+|content)$/;
  const RAW = "script, style, iframe, noscript, noembed, noframes, xmp, template, plaintext";
  const FRAME = "iframe.rp-frame[sandbox='allow-same-origin allow-downloads'][src^='/api/reports/read/']";
  const ODD = "iframe, object, embed, applet, frameset, portal, marquee, math, xmp, audio, video";
  const look = (root) => {
    for (const one of root.querySelectorAll("*")) {
      for (const { name, value } of one.attributes) {
        const own = name === "href" && /^[/?#](?![/\\\\])/.test(value);
        const named = one.matches(".ab-prose a[target=_blank]") && name === "href" && /^https?:/.test(value);
        const choice = one.matches("input[type=checkbox]") && name === "name";
        if (HOLDS.test(name) || (HOLDS.test(value) && !TEXT.test(name) && !own && !named && !choice))
          found.push(one.outerHTML.slice(0, 300));
        if (/^\\s*(javascript|data|vbscript):/i.test(value) && name === "href" && one.localName === "a")
          found.push(one.outerHTML.slice(0, 300));
      }
      if (one.matches(RAW) && HOLDS.test(one.innerHTML))
        found.push(`${one.localName}: ${one.innerHTML.slice(0, 300)}`);
      if (one.matches(ODD) && !one.matches(FRAME)) found.push(one.outerHTML.slice(0, 300));
      if (one.shadowRoot) look(one.shadowRoot);
    }
  };
  look(document);
  return [...found, ...(window.__broken || []).splice(0)];
}"""

_TEXT = """() => [document.body.textContent,
  ...[...document.querySelectorAll("input, textarea")].map((one) => one.value)].join("\\n")"""

LOOK_MS, LOOKS = 150, 100
"""Payloads that have not run within so many looks do not run."""


@dataclass
class Canary:
    """Notes what payloads do in the pages of a browser."""

    context: BrowserContext
    own: str
    """The address to which requests may go."""
    ran: list[int] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.context.expose_function("__ran", self._run)
        self.context.add_init_script(_WATCH)
        self.context.on("request", self._note)
        self.context.on("dialog", self._dismiss)
        self.context.on("page", self._listen)
        for page in self.context.pages:
            self._listen(page)

    def _run(self, number: object = -1, *_: object) -> None:
        self.ran.append(int(str(number)) if str(number).isdigit() else -1)

    def _note(self, request: Request) -> None:
        if not request.url.startswith((self.own, "data:", "blob:")):
            self.asked.append(request.url)

    def _dismiss(self, dialog: Dialog) -> None:
        self.said.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def _listen(self, page: Page) -> None:
        page.on("console", lambda one: self.said.append(one.text) if one.type == "error" else None)
        page.on("pageerror", lambda error: self.said.append(str(error)))

    def numbers(self) -> set[int]:
        """Of the payloads that ran or made a request."""
        asked = (re.search(rf"{re.escape(HOST)}/(\d+)", url) for url in self.asked)
        return {*self.ran, *(int(found[1]) for found in asked if found)}

    def still(self, page: Page, known: set[int], *, enough: int) -> set[int]:
        """Which `known` payloads ran, once `enough` did or no more come: some go on for ever."""
        seen = [0]
        while seen[-1] < enough and (not seen[-1] or seen[-LOOKS:] != seen[-1:] * LOOKS):
            page.wait_for_timeout(LOOK_MS)
            seen.append(len(self.numbers() & known))
        return self.numbers() & known

    def shown(self, page: Page, dealer: Dealer) -> set[int]:
        """Numbers of the payloads that can be read on a page from their first character to their last."""
        text = "".join(page.evaluate(_TEXT).split())
        found = set()
        for match in re.finditer("[0-9]+", text):
            number = int(match[0])
            if number in dealer.given and number not in found:
                whole = "".join(dealer.given[number][1].numbered(number).split())
                start = match.start() - whole.find(match[0])
                if match[0] in whole and start >= 0 and text.startswith(whole, start):
                    found.add(number)
        return found

    def faults(self, page: Page, where: str, dealer: Dealer) -> list[str]:
        """All that went wrong since the last call."""
        made = page.evaluate(_MADE)
        found = [f"{where}: ran: {dealer.told(number)}" for number in self.ran]
        found += [f"{where}: asked for {url}" for url in self.asked]
        found += [f"{where}: said {text[:300]}" for text in self.said]
        found += [f"{where}: is an element: {text}" for text in made]
        noted: list[list[Any]] = [self.ran, self.asked, self.said]
        for one in noted:
            one.clear()
        return found
