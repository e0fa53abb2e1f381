"""Payloads typed into the forms that repeat what they refuse, or look for: stop by stop, as `Walk.stops`."""

import re
from collections.abc import Callable, Iterator

from playwright.sync_api import Page

from tests.e2e.conftest import PASSWORD
from tests.e2e.hostile_material import House
from tests.e2e.hostile_walk import Walk
from tests.e2e.visit import Visit
from tests.e2e.walk import name_study

FORMS = {"ann": ("account", "my work"), "cur": ("bank", "release"), "root": ("person", "study", "item")}


class Forms:
    """One role's forms, with the pages around them."""

    def __init__(self, visit: Visit, house: House, name: str) -> None:
        self.visit, self.house, self.name = visit, house, name
        self.page: Page = visit.page
        self.walk = Walk(visit, house, name, thorough=False)

    def stops(self) -> Iterator[str]:
        """Each form, filled in and sent; what it then says is in sight."""
        ways: dict[str, Callable[[], None]] = {
            "account": self._account,
            "my work": self._my_work,
            "bank": self._bank,
            "release": self._release,
            "person": self._person,
            "study": self._study,
            "item": self._item,
        }
        for name in FORMS.get(self.name, ()):
            ways[name]()
            yield f"form: {name}"

    def typed(self, name: str, most: int = 200) -> str:
        return self.house.dealer.some(f"typed: {name}", 5, most=most, joined=" ", line=True)

    def _account(self) -> None:
        self.page.goto(f"{self.visit.server.url}/account")
        for field, text in (("old", PASSWORD), ("new", self.typed("password")), ("again", "another one")):
            self.page.fill(f"#{field}", text)
        self.page.click("main button[type=submit]")
        self.page.wait_for_selector("[role=alert]")

    def _my_work(self) -> None:
        self.walk.open("/my-work/")
        self._look_for("Find in questions", "my work")

    def _item(self) -> None:
        self.walk.open(f"/changes/?study={self.house.opened}")
        self._look_for("Item: its place or id", "item")

    def _look_for(self, label: str, name: str) -> None:
        field = self.page.get_by_label(label)
        field.fill(self.typed(name))
        with self.page.expect_response("**/run/predict*"):
            field.press("Enter")
        self.walk.wait()

    def _bank(self) -> None:
        self.walk.open("/bank/")
        self.page.get_by_label("Search id, tags and wording").fill(self.typed("bank"))
        with self.page.expect_response("**/run/predict*"):
            self.page.get_by_role("button", name="Search").click()
        self.walk.wait()

    def _release(self) -> None:
        self.walk.open("/releases/")
        self.page.get_by_role("button", name="Licence and authors").click()
        for field, most in (("Name", 64), ("Notes", 200), ("Licence", 100), ("Authors", 200)):
            self.page.get_by_role("textbox", name=re.compile(f"^{field}")).fill(
                self.typed(f"release {field.lower()}", most)
            )
        self._press("button:text-is('Preview')", ".cn-bad")

    def _person(self) -> None:
        self.walk.open("/people/")
        self.page.get_by_role("textbox", name=re.compile("^Name")).fill(self.typed("person", 100))
        self.page.get_by_role("radio", name=re.compile("^annotator")).check()
        self._press("button:has-text('Add the account')", ".cn-note.cn-bad")

    def _study(self) -> None:
        self.walk.open("/studies/")
        self.page.get_by_role("tab", name="New study").click()
        self.page.get_by_role("button", name="More settings").click()
        self.page.get_by_role("button", name="Which answers are drawn").click()
        self.page.get_by_label("Template ids").fill(self.typed("templates"))
        name_study(self.page, self.typed("study", 100))
        self._press("button:has-text('Preview')", ".cn-bad")

    def _press(self, button: str, then: str) -> None:
        self.page.locator(button).first.evaluate("one => one.click()")
        self.page.wait_for_selector(then)
        self.walk.wait()


def turned_away(page: Page, url: str, house: House) -> Iterator[str]:
    """The login and the invitation page, for whoever is not known."""
    page.goto(f"{url}/login")
    page.fill("#name", house.dealer.some("typed: login", 5, most=200, joined=" ", line=True))
    page.fill("#password", PASSWORD)
    page.click("main button[type=submit]")
    page.wait_for_selector("[role=alert]")
    yield "form: login"
    token = house.dealer.some("typed: token", 3, most=200, joined=" ", line=True)
    page.evaluate("(text) => location.assign('/invitation/' + encodeURIComponent(text))", token)
    page.wait_for_url("**/invitation/**")
    yield "form: invitation"
