"""Payloads typed into the forms that repeat what they refuse, or look for: stop by stop, as `Walk.stops`."""

from collections.abc import Callable, Iterator

from playwright.sync_api import Page

from tests.e2e.conftest import PASSWORD, Visit
from tests.e2e.hostile_material import House
from tests.e2e.hostile_walk import Walk

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
        self._look_for("#mw-q", "my work")

    def _item(self) -> None:
        self.walk.open(f"/changes/?study={self.house.opened}")
        self._look_for("#ch-item", "item")

    def _look_for(self, field: str, name: str) -> None:
        """A form whose answer is a page of its own."""
        self.page.fill(field, self.typed(name))
        with self.page.expect_navigation():
            self.page.press(field, "Enter")
        self.page.wait_for_selector(field)
        self.walk.wait()

    def _bank(self) -> None:
        self.walk.open("/bank/")
        with self.page.expect_response("**/run/predict*"):
            self.page.fill("[data-key=text]", self.typed("bank"))
        self.walk.wait()

    def _release(self) -> None:
        self.walk.open("/releases/")
        self.page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        for field, most in (("name", 64), ("notes", 200), ("licence", 100), ("authors", 200)):
            self.page.fill(f".st-root [name={field}]", self.typed(f"release {field}", most))
        self._press("[data-key=preview]", ".cn-bad")

    def _person(self) -> None:
        self.walk.open("/people/")
        self.page.fill("[data-keep=name]", self.typed("person"))
        self.page.fill("[data-keep=password]", PASSWORD)
        self.page.check("[data-key=role-annotator]")
        self._press("form[aria-label='Add an account'] [type=submit]", ".cn-note.cn-bad")

    def _study(self) -> None:
        self.walk.open("/studies/")
        self.page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        self.page.fill("[name=templates]", self.typed("templates"))
        self.page.fill("form [name=name]", self.typed("study", 100))
        self._press("form:has([name=templates]) [type=submit]", ".cn-bad")

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
