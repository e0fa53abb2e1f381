"""One person's browser, logged in to the server."""

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request

from tests.e2e.conftest import PASSWORD, PATIENCE_MS, Server

IDLE: dict[tuple[Browser, str], list[BrowserContext]] = {}
"""Contexts of visits that ended, by browser and locale: what a further visit loads is in their cache."""


class Visit:
    """One person's browser: logged in, every request noted.

    `by_form`: through the log-in form, which then opens the home page; otherwise no page is opened yet.
    `tour`: as somebody who is new; otherwise an annotator has skipped the tour of the annotate page already.
    `locale`: the language that the browser accepts.
    """

    def __init__(
        self,
        browser: Browser,
        server: Server,
        name: str,
        *,
        by_form: bool = False,
        tour: bool = False,
        locale: str = "en-US",
    ) -> None:
        self.server = server
        self._idle = IDLE.setdefault((browser, locale), [])
        self._changed = False
        self._context = self._idle.pop() if self._idle else _new_context(browser, locale)
        self.page: Page = self._context.new_page()
        self._forget()
        self.requests: list[str] = []
        self.under_way: set[Request] = set()
        """Requests that have no answer yet."""
        self._context.on("request", self._asked)
        self._context.on("requestfinished", self._over)
        self._context.on("requestfailed", self._over)
        own = {"origin": server.url}
        if by_form:
            self._log_in_by_form(name)
        else:
            told = {"name": name, "password": PASSWORD}
            answer = self._context.request.post(
                f"{server.url}/login", form=told, headers=own, max_redirects=0
            )
            assert answer.status == 303, answer.text()
        if not tour:
            skipped = {"end": "skipped"}
            answer = self._context.request.post(f"{server.url}/api/annotate/tour", data=skipped, headers=own)
            assert answer.status in (200, 403), answer.text()

    @property
    def context(self) -> BrowserContext:
        """The browser's context, for a test that does with it what a further visit must not meet."""
        self._changed = True
        return self._context

    def _forget(self) -> None:
        """Nothing but the cache is left of the visit before."""
        self._context.clear_cookies()
        stored = {"origin": self.server.url, "storageTypes": "local_storage,indexeddb,cache_storage"}
        self._context.new_cdp_session(self.page).send("Storage.clearDataForOrigin", stored)

    def _log_in_by_form(self, name: str) -> None:
        self.page.goto(f"{self.server.url}/login")
        self.page.get_by_label("Name").fill(name)
        self.page.get_by_label("Password").fill(PASSWORD)
        self.page.get_by_role("button", name="Log in").click()
        # A page that is opened before the answer to the login is there would be aborted by it.
        self.page.wait_for_url(lambda url: not url.endswith("/login"), wait_until="commit")

    def _asked(self, request: Request) -> None:
        self.requests.append(request.url)
        self.under_way.add(request)

    def _over(self, request: Request) -> None:
        self.under_way.discard(request)

    def open(self, path: str, wait_for: str) -> Page:
        self.page.goto(f"{self.server.url}{path}")
        self.page.wait_for_selector(wait_for)
        return self.page

    def open_tab(self, path: str, wait_for: str) -> Page:
        """A further tab of the same browser, beside `page`."""
        tab = self._context.new_page()
        tab.goto(f"{self.server.url}{path}")
        tab.wait_for_selector(wait_for)
        return tab

    def foreign_requests(self) -> list[str]:
        """Requests to anything but the server and the page itself."""
        local = (self.server.url + "/", "data:", "blob:")
        return [url for url in self.requests if not url.startswith(local)]

    def close(self) -> None:
        if self._changed:
            self._context.close()
            return
        for page in self._context.pages:
            page.close()
        self._context.remove_listener("request", self._asked)
        self._context.remove_listener("requestfinished", self._over)
        self._context.remove_listener("requestfailed", self._over)
        self._idle.append(self._context)


def _new_context(browser: Browser, locale: str) -> BrowserContext:
    context = browser.new_context(viewport={"width": 1280, "height": 900}, locale=locale)
    context.set_default_timeout(PATIENCE_MS)
    return context


def visit_as_root(browser: Browser, server: Server) -> tuple[Visit, list[str]]:
    """The admin's browser, and what its console complains of."""
    visit = Visit(browser, server, "root")
    said: list[str] = []

    def note(message: ConsoleMessage) -> None:
        if message.type == "error":
            said.append(message.text)

    visit.page.on("console", note)
    visit.page.on("pageerror", lambda error: said.append(str(error)))
    return visit, said
