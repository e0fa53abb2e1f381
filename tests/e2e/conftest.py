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
from playwright.sync_api import Browser, expect, sync_playwright

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
        # Pages are gone before optimized code and marking beside the script pay: a sixth of their time.
        "--js-flags=--no-opt --no-maglev --no-concurrent-marking",
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
