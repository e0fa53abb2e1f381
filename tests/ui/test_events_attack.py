"""Whoever may open a page sends its events what looks like files and addresses: nothing of it is touched."""

import contextlib
import json
import os
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from http.client import HTTPException
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from clinicnum.db.engine import writing
from clinicnum.db.work.accounts import users
from clinicnum.scripts.commands.common.open_database import open_database
from clinicnum.scripts.dev.load_test.browser_connection import Connection
from tests.db.examples import open_study
from tests.processes import ForkedServer
from tests.ui.attacked_house import PASSWORD, PEOPLE, House
from tests.ui.audited_server import watch

PATIENCE_S = 10.0
"""How long one answer may take before the server counts as stopped: the test must end."""
MORE = 3
"""Values beyond those that an event takes."""
DEPTHS = (0, 1, 2, 5)
FORMS = 5
"""Of a bait: see `files`."""


@dataclass
class Health:
    """Asks `/health` all the time, and keeps how long the slowest answer took."""

    port: int
    worst_s: float = 0.0
    asked: int = 0
    ended: threading.Event = field(default_factory=threading.Event)

    def watch(self) -> None:
        """Until it is ended, or an answer does not come."""
        while not self.ended.wait(0.25):
            visitor, began = Connection(self.port, timeout_s=PATIENCE_S), time.perf_counter()
            try:
                assert visitor.get("/health").status == 200
            except (OSError, HTTPException):
                self.worst_s = float("inf")
                return
            finally:
                visitor.close()
            self.worst_s = max(self.worst_s, time.perf_counter() - began)
            self.asked += 1


@dataclass
class Bait:
    """What an attacker names: files that must stay shut, and an address that nobody may ask."""

    folder: Path
    listener: socket.socket
    audit: Path

    @property
    def url(self) -> str:
        """Of the listener."""
        return f"http://127.0.0.1:{self.listener.getsockname()[1]}/bait"

    def names(self) -> list[str]:
        """Paths and addresses."""
        fifo, database = self.folder / "fifo", self.folder / "study.db"
        return ["/dev/zero", str(fifo), str(database), "/proc/self/environ", self.url]

    def touched(self, offset: int) -> list[str]:
        """What the server has opened or asked for since, as far as it is bait or no part of a program."""
        lines = self.audit.read_bytes()[offset:].decode().splitlines()
        told = [(event, arguments) for event, arguments in map(json.loads, lines)]
        found = [
            f"{event}{arguments}"
            for event, arguments in told
            if event.startswith(("socket.", "subprocess")) or any(one in arguments for one in self.names())
        ]
        self.listener.settimeout(0)
        with contextlib.suppress(BlockingIOError):
            found.append(f"connected from {self.listener.accept()[1]}")
        return found


@pytest.fixture(scope="module")
def bait(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bait]:
    folder = tmp_path_factory.mktemp("bait")
    os.mkfifo(folder / "fifo")
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield Bait(folder, listener, folder / "audit.jsonl")


@pytest.fixture(scope="module")
def house(bait: Bait) -> Iterator[House]:
    url = f"sqlite:///{bait.folder / 'study.db'}"
    engine = open_database(url)
    with writing(engine) as session:
        for name, role in PEOPLE.items():
            users.add_user(session, name=name, role=role, password=PASSWORD)
    open_study(engine, annotators=("ann", "ben", "eve"))
    server = ForkedServer.clinicnum_serve(url, bait.folder / "log", before=partial(watch, str(bait.audit)))
    server.start()
    made = House(engine, server.port, {None: Connection(server.port)})
    try:
        for name in PEOPLE:
            made.enter(name)
        for visitor in made.visitors.values():
            visitor.timeout_s = PATIENCE_S
            visitor.close()
        yield made
    finally:
        server.kill()
        for visitor in made.visitors.values():
            visitor.close()
        engine.dispose()


def files(name: str) -> Iterator[Any]:
    """The forms in which Gradio takes a value for a file, an address or an update."""
    meta = {"_type": "gradio.FileData"}
    yield {"path": name, "meta": meta}
    yield {"path": name, "url": name, "orig_name": "x", "size": 1, "is_stream": True, "meta": meta}
    yield {"url": name, "meta": {"_type": "gradio._FileData"}, "__type__": "update"}
    yield {"path": name, "meta": {}, "__type__": "update", "value": name}
    yield name


def nested(value: Any, depth: int) -> Any:
    """The value inside of objects and lists in turn."""
    for level in range(depth):
        value = [value] if level % 2 else {"out": value}
    return value


def test_no_event_of_any_page_opens_a_file_or_asks_an_address(house: House, bait: Bait) -> None:
    health = Health(house.port)
    watcher = threading.Thread(target=health.watch)
    offset = bait.audit.stat().st_size
    watcher.start()
    sent = 0
    try:
        for page, insiders in house.pages.items():
            for event in house.events(page):
                sent += _attack(house, bait, page, min(insiders), event)
    finally:
        health.ended.set()
        watcher.join()
    assert bait.touched(offset) == []
    assert sent > 1_000
    assert health.asked > 20
    assert health.worst_s < PATIENCE_S


def _attack(house: House, bait: Bait, page: str, name: str, event: dict[str, Any]) -> int:
    """Too few values, too many, and as many as the event takes, then with every bait in every form; how many
    were sent. Not each count below those of an event that takes many: it is refused as its neighbours are.
    """
    takes, sent = len(event["inputs"]), 0
    for count in sorted({*range(min(takes, MORE)), *range(max(takes - 1, 0), takes + MORE + 1)}):
        for one in _baits(bait, count, whole=count == takes):
            status, text = house.post(page, name, event["id"], [one] * count)
            case = (page, event["id"], count, one)
            sent += 1
            assert "Traceback" not in text, case
            if count != takes or (count and '"_type"' in json.dumps(one)):
                assert status == 422, case
            assert status in (200, 422), case
    return sent


def _baits(bait: Bait, count: int, *, whole: bool) -> Iterator[Any]:
    """Every name in every form, deep inside of others too; else each form with one of the names in turn."""
    names = bait.names()
    if count == 0:
        yield names[0]  # nothing of it is sent
        return
    for number, (name, form) in enumerate(product(names, range(FORMS))):
        value = list(files(name))[form]
        if whole:
            yield value
            if depth := DEPTHS[number % len(DEPTHS)]:
                yield nested(value, depth)
        elif names.index(name) == (form + count) % len(names):
            yield value


def takes_one(house: House) -> tuple[str, str, int]:
    """A page, somebody who may open it, and an event of it that takes one value."""
    return next(
        (page, min(insiders), event["id"])
        for page, insiders in house.pages.items()
        for event in house.events(page)
        if len(event["inputs"]) == 1
    )


@pytest.mark.parametrize("depth", range(6))
def test_a_file_is_refused_at_any_depth(house: House, depth: int) -> None:
    value = nested({"path": "/dev/zero", "meta": {"_type": "gradio.FileData"}}, depth)
    inside = {"out": value} if depth % 2 == 0 else value
    page, name, number = takes_one(house)
    status, text = house.post(page, name, number, [inside])
    assert (status, "as Gradio's files do" in text) == (422, True)


@pytest.mark.parametrize(
    "path",
    [
        *(
            "/gradio_api/run/predict/",
            "/gradio_api/run/submit",
            "/gradio_api/run/",
            "/gradio_api/api/predict",
        ),
        *(
            "/gradio_api/call/submit",
            "/gradio_api/call/v2/submit",
            "/gradio_api/queue/join",
            "/gradio_api/upload",
        ),
        *("/gradio_api/cancel", "/gradio_api/reset", "/gradio_api/stream/x", "/gradio_api/component_server"),
        *("/gradio_api/process_recording", "/gradio_api/run-history/connect", "/gradio_api/vibe-code"),
        *(
            "//gradio_api/run/predict",
            "/gradio_api//run/predict",
            "/gradio_api/run%2Fpredict",
            "/GRADIO_API/run/predict",
        ),
        *(
            "/gradio_api/run/predict%00",
            "/gradio_api/run/predict;x",
            "/gradio_api/./run/predict",
            "/run/predict",
        ),
        *(
            "/gradio_api/run%5cpredict",
            "/static/../gradio_api/run/predict",
            "/assets/%2e%2e/gradio_api/run/predict",
        ),
    ],
)
def test_no_other_route_takes_a_call(house: House, bait: Bait, path: str) -> None:
    offset = bait.audit.stat().st_size
    value = {"path": bait.names()[1], "meta": {"_type": "gradio.FileData"}}
    for page, insiders in house.pages.items():
        answer = house.visitors[min(insiders)].post_json(
            page + path, {"fn_index": 1, "data": [value, value], "session_hash": "x"}
        )
        assert answer.status in (404, 405, 422), (page, answer.status)
    assert bait.touched(offset) == []


def test_open_paths_are_read_only(house: House) -> None:
    for path in ("", "/", "/config", "/theme.css", "/gradio_api/app_id", "/gradio_api/startup-events"):
        assert house.visitors["ann"].post_json(f"/annotate{path}", {}).status == 405, path
    assert house.visitors["ann"].get("/annotate/gradio_api/run/predict").status == 405
