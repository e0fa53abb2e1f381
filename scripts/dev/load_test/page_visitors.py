"""Visitors who open pages as a browser does, do an item and leave; and the resources the server keeps
afterwards.
"""

import os
import secrets
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from clinicnum.scripts.dev.load_test.browser_connection import Connection
from clinicnum.scripts.dev.load_test.http_annotator import Annotator, Refused
from clinicnum.scripts.dev.load_test.server_process import ServerProcess
from clinicnum.scripts.dev.load_test.synthetic_study import PASSWORD

SETTLE_S = 20.0
"""Seconds that the server is given to notice closed connections."""


@dataclass(frozen=True)
class ProcessResources:
    """Memory, open files and threads of a process."""

    mb: float
    """Resident memory in MiB."""
    handles: int
    """Number of open files and sockets."""
    threads: int


def process_resources(server: ServerProcess) -> ProcessResources:
    """The resources of a server after it has released closed connections."""
    assert server.process is not None
    proc, deadline = Path(f"/proc/{server.process.pid}"), time.monotonic() + SETTLE_S
    while _open_connections(server.port) and time.monotonic() < deadline:
        time.sleep(0.1)
    status = dict(line.split(":", 1) for line in (proc / "status").read_text().splitlines())
    handles = len(os.listdir(proc / "fd"))
    return ProcessResources(int(status["VmRSS"].split()[0]) / 1024, handles, int(status["Threads"]))


def _open_connections(port: int) -> int:
    """Number of connections to a port that its server has not closed."""
    end = f":{port:04X}"
    rows = (line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:])
    return sum(row[1].endswith(end) and row[3] in ("01", "08") for row in rows)  # established, close-wait


@dataclass
class Visitor:
    """An annotator who visits repeatedly, each time with a new page and a new Gradio session."""

    port: int
    name: str
    cookies: dict[str, str] = field(default_factory=dict)
    loads: dict[str, list[int]] = field(default_factory=dict)
    """Ids of the events that run when a page opens, by page."""

    def come(self, *, log_in: bool) -> None:
        """Log in or use the last cookie, do an item, look at My work, leave.

        Raises Refused if the server refuses a page, an event or the login, or if no item is left.
        """
        with closing(Connection(self.port)) as connection:
            connection.cookies = {} if log_in else dict(self.cookies)
            if (
                log_in
                and connection.post_form("/login", {"name": self.name, "password": PASSWORD}).status != 303
            ):
                raise Refused(f"login of {self.name}")
            annotator = Annotator(connection)
            self._open(annotator, "/annotate")
            for step in (annotator.load, annotator.judge, annotator.submit):
                step()
            self._open(annotator, "/my-work")
            self.cookies = connection.cookies

    def _open(self, annotator: Annotator, page: str) -> None:
        """Open the page and its configuration, and send the events that run when it opens."""
        answer = annotator.connection.get(f"{page}/")
        if answer.status != 200:
            raise Refused(f"{page}: {answer.status}")
        session = secrets.token_hex(8)
        if page not in self.loads:
            self.loads[page] = loads_of(annotator.connection.get(f"{page}/config").json())
        for number in self.loads[page]:
            body = {"data": [], "fn_index": number, "session_hash": session}
            answer = annotator.connection.post_json(f"{page}/gradio_api/run/predict", body)
            if answer.status != 200:
                raise Refused(f"{page}: event {number}: {answer.status} {answer.body[:200]!r}")


def loads_of(config: dict[str, Any]) -> list[int]:
    """Ids of the events that run when a page opens."""
    return [
        handler["id"]
        for handler in config["dependencies"]
        if any(event == "load" for _, event in handler["targets"])
    ]


def visits(visitors: Sequence[Visitor], many: int, *, login_every: int) -> None:
    """Run `many` visits by all visitors in parallel; one in `login_every` begins with a login."""
    shares = [many // len(visitors) + (number < many % len(visitors)) for number in range(len(visitors))]

    def come(visitor: Visitor, times: int) -> None:
        for number in range(times):
            visitor.come(log_in=number % login_every == 0)

    with ThreadPoolExecutor(len(visitors)) as pool:
        list(pool.map(come, visitors, shares))
