"""Time the log-in of an annotator in Chromium: from pressing *Log in* to an item that can be judged.

    python -m clinicnum.scripts.dev.bench_log_in [--visits 7] [--typing 6] [--write]

Runs its own server and a synthetic study, with a fresh browser for each visit. The first visit after the
start is reported separately, as the server then also does work for the first time. `--write` stores the names
of the files that the page requested in the list from which the log-in page prefetches.
"""

import argparse
import shutil
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, sync_playwright

from clinicnum.db.engine import make_engine
from clinicnum.db.migrate import migrate
from clinicnum.errors import InputError
from clinicnum.scripts.dev.load_test.server_process import ServerProcess
from clinicnum.scripts.dev.load_test.synthetic_study import PASSWORD, made_up, open_made_up
from clinicnum.ui.app.prefetch import LISTED, served_names

CHROMIUM = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
USABLE = "() => document.querySelectorAll('main button').length > 6"
"""The buttons of an item to judge are there."""


@dataclass
class Traffic:
    """Requests of a page to the server, without cached ones."""

    requests: int = 0
    bytes: int = 0
    own: set[str] = field(default_factory=set)
    addresses: list[str] = field(default_factory=list)
    """All paths requested, in order of the responses."""

    def asked(self, event: dict[str, Any]) -> None:
        """Count a response."""
        response = event["response"]
        self.addresses.append(urlsplit(response["url"]).path)
        if not (response.get("fromDiskCache") or response.get("fromPrefetchCache")):
            self.own.add(event["requestId"])
            self.requests += 1

    def finished(self, event: dict[str, Any]) -> None:
        """Count the bytes of a response that has arrived."""
        if event["requestId"] in self.own:
            self.bytes += int(event["encodedDataLength"])


def visit(browser: Browser, address: str, name: str, typing: float) -> tuple[float, Traffic]:
    """Log in with an empty cache; returns the seconds until an item can be judged, and the page's traffic."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    network = context.new_cdp_session(page)
    network.send("Network.enable")
    page.goto(f"{address}/login?next=/annotate/")
    page.fill("#name", name)
    page.fill("#password", PASSWORD)
    page.wait_for_timeout(1_000 * typing)
    traffic = Traffic()
    network.on("Network.responseReceived", traffic.asked)
    network.on("Network.loadingFinished", traffic.finished)
    begin = time.perf_counter()
    page.click("button[type=submit]")
    page.wait_for_url("**/annotate/**", wait_until="commit")
    page.wait_for_function(USABLE)
    seconds = time.perf_counter() - begin
    page.wait_for_load_state("networkidle")
    context.close()
    return seconds, traffic


def write_list(traffic: Traffic) -> None:
    """Store the names of the scripts and styles requested."""
    served = served_names()
    names = sorted({served[path] for path in traffic.addresses if path in served})
    LISTED.write_text("\n".join(names) + "\n", encoding="utf-8")


def measure(folder: Path, visits: int, typing: float, write: bool) -> Iterator[str]:
    """Start a server on a made-up study, visit it, and yield a line for each visit. Raises InputError without
    a Chromium.
    """
    chromium = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if chromium is None:
        raise InputError(f"no Chromium found; install one of {', '.join(CHROMIUM)}")
    database = f"sqlite:///{folder / 'log-in.db'}"
    engine = make_engine(database)
    migrate(engine)
    (name,) = open_made_up(engine, made_up(20), annotators=1, overlap=1)
    engine.dispose()
    server = ServerProcess.clinicnum_serve(database, folder / "server.log").start()
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium)
            for number in range(visits):
                who = "first visitor" if number == 0 else f"visitor {number + 1}"
                seconds, traffic = visit(browser, f"http://127.0.0.1:{server.port}", name, typing)
                if write and number == visits - 1:
                    write_list(traffic)
                yield f"{who}: {seconds:.2f} s, {traffic.requests} requests, {traffic.bytes / 1000:.0f} KB"
            browser.close()
    finally:
        server.kill()


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--visits", type=int, default=7)
    parser.add_argument("--typing", type=float, default=6, help="seconds from the open form to *Log in*")
    parser.add_argument("--write", action="store_true", help="keep the list of files")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for line in measure(Path(folder), given.visits, given.typing, given.write):
            print(line, flush=True)


if __name__ == "__main__":
    main()
