"""A curator's browser at the editor of drafts, and their hands at its form."""

import re
from dataclasses import dataclass

from playwright.sync_api import Browser, Locator, Page, expect

from tests.e2e.conftest import Server
from tests.e2e.visit import Visit


class Curator(Visit):
    """A curator's browser; what its console complains of is noted."""

    def __init__(self, browser: Browser, server: Server, name: str) -> None:
        super().__init__(browser, server, name)
        self.said: list[str] = []
        self.page.on("console", lambda one: self.said.append(one.text) if one.type == "error" else None)
        self.page.on("pageerror", lambda error: self.said.append(str(error)))

    def new_draft(self) -> Page:
        page = self.open("/draft/", ".df-root button")
        page.get_by_role("button", name="New draft").click()
        page.wait_for_selector(".df-form")
        return page


@dataclass
class Hands:
    """A person at the form. An input is a field filled, an option chosen or a button pressed."""

    page: Page
    inputs: int = 0

    def fill(self, name: str, text: str, nth: int = 0) -> None:
        self.page.get_by_label(name, exact=True).nth(nth).fill(text)
        self.inputs += 1

    def choose(self, name: str, option: str, nth: int = 0) -> None:
        self.page.get_by_label(name, exact=True).nth(nth).select_option(label=option)
        self.inputs += 1

    def check(self, option: str, nth: int = 0) -> None:
        self.page.get_by_role("radio", name=option, exact=True).nth(nth).check()
        self.inputs += 1

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()
        self.inputs += 1


def told(field: Locator, fault: str) -> None:
    """A field is described by the fault that stands beside it."""
    expect(field).to_have_accessible_description(re.compile(fault))


def idle(page: Page) -> None:
    """Wait until all is saved and looked at."""
    expect(page.locator(".df-saved")).to_have_text("Saved")
