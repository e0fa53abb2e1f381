"""A study of wrong answers, a real server on it, and a real Chromium."""

import os
import shutil
import socket
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from multiprocessing.context import ForkServerProcess
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Request, expect, sync_playwright

from clinicnum.db.engine import make_engine, writing
from clinicnum.db.migrate import migrate
from clinicnum.db.work.accounts import users
from clinicnum.db.work.bank.template_versions import add_packaged_templates
from clinicnum.io.jsonl import read_jsonl, write_jsonl
from clinicnum.scripts.cli import run_command
from clinicnum.types import Generation, Instance
from tests.processes import start_command

PASSWORD = "a long enough password"
ANNOTATORS = ("ann", "ben", "eve")
HOSTILE = '<script>document.title = "owned"</script><img src=x onerror="document.title = \'owned\'">'
ITEMS = 6
CHROMIUM = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
PATIENCE_MS = 60_000
"""How long a page may take on a busy machine; a test that passes waits no longer than its condition."""
expect.set_options(timeout=PATIENCE_MS)


def clinicnum(*arguments: str, stdin: str = "") -> str:
    """Run the command as a user would, which must succeed; what it printed."""
    with tempfile.TemporaryDirectory() as scratch:
        asked, printed, said = (Path(scratch, name) for name in ("stdin", "stdout", "stderr"))
        asked.write_text(stdin)
        process = start_command(*arguments, stdin=asked, out=printed, error=said)
        process.join(300)
        assert process.exitcode == 0, said.read_text()
        return printed.read_text()


@dataclass
class Server:
    """`clinicnum serve` as a process of its own, on a port that survives restarts."""

    database: str
    port: int
    log: Path
    process: ForkServerProcess | None = field(default=None)
    options: tuple[str, ...] = ()
    before: Callable[[], None] | None = None
    """Called in the server's process first."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        serve = ("serve", "--no-worker", "--db", self.database, "--port", str(self.port), *self.options)
        first = {} if self.before is None else {"before": self.before}
        self.process = start_command(*serve, out=self.log, error=self.log, **first)
        deadline = time.monotonic() + 180
        while time.monotonic() < deadline:
            assert self.process.is_alive(), self.log.read_text()
            try:
                with urllib.request.urlopen(f"{self.url}/health", timeout=5):
                    return
            except (urllib.error.URLError, ConnectionError, TimeoutError):
                time.sleep(0.05)
        self.kill()
        raise AssertionError(f"the server did not answer: {self.log.read_text()}")

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.join()
            self.process = None


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="session")
def study_files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A generated benchmark, six wrong and hostile answers to it made elsewhere, and their scores."""
    folder = tmp_path_factory.mktemp("study")
    bench, generations, scores = (folder / f"{name}.jsonl" for name in ("bench", "generations", "scores"))
    generate = ["generate", "--source", "synthetic", "--preset", "small", "--seed", "3", "--out", str(bench)]
    assert run_command(generate) == 0
    chosen = [one for one in read_jsonl(bench, Instance) if one.answer_type in ("number", "count")][:ITEMS]
    texts = [f"I think it is this. {HOSTILE}\n" + '{"answer": 4711}' for _ in chosen]
    write_jsonl(
        generations,
        [
            Generation(
                generation_id=f"g{place}",
                run_id="elsewhere",
                instance_id=instance.instance_id,
                text=text,
                finish_reason="stop",
            )
            for place, (instance, text) in enumerate(zip(chosen, texts, strict=True))
        ],
    )
    score = ["score", "--benchmark", str(bench), "--generations", str(generations), "--out", str(scores)]
    assert run_command(score) == 0
    return {"bench": bench, "generations": generations, "scores": scores}


@pytest.fixture(scope="session")
def study_database(tmp_path_factory: pytest.TempPathFactory, study_files: dict[str, Path]) -> Path:
    """Accounts and one study of six failures for three annotators; each test works on a copy."""
    path = tmp_path_factory.mktemp("database") / "study.db"
    database = f"sqlite:///{path}"
    engine = make_engine(database)
    migrate(engine)
    with writing(engine) as session:
        for name in ANNOTATORS:
            users.add_user(session, name=name, role="annotator", password=PASSWORD)
        users.add_user(session, name="ada", role="adjudicator", password=PASSWORD)
        users.add_user(session, name="rex", role="researcher", password=PASSWORD)
        users.add_user(session, name="root", role="admin", password=PASSWORD)
        add_packaged_templates(session)  # so that no server on a copy has to
    engine.dispose()
    study = [
        *("study", "create", "--name", "six", "--benchmark", str(study_files["bench"])),
        *("--generations", str(study_files["generations"]), "--scores", str(study_files["scores"])),
        *("--annotators", ",".join(ANNOTATORS), "--overlap", "3", "--db", database),
    ]
    assert run_command(study) == 0
    return path


def serve_copy(study_database: Path, folder: Path, port: int | None = None) -> Iterator[Server]:
    """A server on a copy of the study, on any free port if none is given."""
    shutil.copy(study_database, folder / "study.db")
    address = f"sqlite:///{folder / 'study.db'}"
    one = Server(database=address, port=port or free_port(), log=folder / "server.log")
    one.start()
    yield one
    one.kill()


@pytest.fixture(scope="session")
def own_port() -> int:
    """The port of servers of one test, always the same: the browser has their files in its cache."""
    return free_port()


@pytest.fixture
def server(tmp_path: Path, study_database: Path, own_port: int) -> Iterator[Server]:
    """A server of the test's own, which it may fill and kill."""
    yield from serve_copy(study_database, tmp_path, own_port)


@pytest.fixture(scope="session")
def standing_server(tmp_path_factory: pytest.TempPathFactory, study_database: Path) -> Iterator[Server]:
    """One server for all tests that leave nothing behind."""
    yield from serve_copy(study_database, tmp_path_factory.mktemp("standing"))


@pytest.fixture(scope="session")
def ward(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server of the ward; each test there is another person, so that none sees what another did."""
    from tests.e2e.ward import ward_server  # it needs the server above

    with ward_server(tmp_path_factory.mktemp("ward")) as server:
        yield server


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Debian's Chromium; absent is a named skip, but a failure in CI."""
    chromium = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if chromium is None:
        if os.environ.get("CI") == "true":
            pytest.fail("Chromium is missing; CI must install it")
        pytest.skip("Chromium is not installed")
    flags = [
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        # No other host is found, and that at once.
        "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    ]
    if os.geteuid() == 0:
        flags.append("--no-sandbox")
    with (
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=chromium, args=flags) as launched,
    ):
        yield launched


@pytest.fixture(autouse=True)
def _left_open(request: pytest.FixtureRequest) -> Iterator[None]:
    """Pages that a test leaves open are closed: each draws 60 times a second, as long as it is there."""
    if "browser" not in request.fixturenames:
        yield
        return
    opened: Browser = request.getfixturevalue("browser")
    before = {page for context in opened.contexts for page in context.pages}
    yield
    for context in opened.contexts:
        for page in context.pages:
            if page not in before:
                page.close()


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
