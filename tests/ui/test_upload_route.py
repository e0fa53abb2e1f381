"""Uploads at the front door: to disk as they arrive for whoever may open the page, or refused clearly."""

import http.client
import json
import socket
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from clinicnum.db.engine import writing
from clinicnum.db.upload_storage import Uploads
from clinicnum.db.work.accounts import users
from clinicnum.scripts.commands.common.open_database import open_database
from clinicnum.scripts.commands.common.uploads_folder import files_folder, uploads_folder
from clinicnum.scripts.dev.load_test.browser_connection import Answer, Connection
from clinicnum.ui.app.server import LONGEST_BODY
from tests.processes import ForkedServer

PASSWORD = "a long enough password"
ROUTE = "/api/benchmarks/upload?name=items.csv"
OCTETS = {"content-type": "application/octet-stream"}
LARGE = bytes(range(256)) * (20 * 4096)
"""Twenty megabytes."""


@dataclass
class House:
    """A server, where its uploads lie, and who has come in."""

    port: int
    uploads: Uploads
    visitors: dict[str, Connection]
    ids: dict[str, str]
    process: int

    def files(self) -> list[str]:
        return sorted(path.name for path in self.uploads.folder.glob("*"))


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    folder = tmp_path_factory.mktemp("uploads")
    url = f"sqlite:///{folder / 'study.db'}"
    engine = open_database(url)
    ids = {}
    with writing(engine) as session:
        for name, role in (
            ("res", "researcher"),
            ("root", "admin"),
            ("ada", "adjudicator"),
            ("ann", "annotator"),
        ):
            ids[name] = users.add_user(session, name=name, role=role, password=PASSWORD).user_id  # type: ignore[arg-type]
    server = ForkedServer.clinicnum_serve(url, folder / "log").start()
    visitors = {name: Connection(server.port) for name in (*ids, "stranger")}
    for name in ids:
        assert visitors[name].post_form("/login", {"name": name, "password": PASSWORD}).status == 303
    try:
        yield House(
            server.port, Uploads(uploads_folder(files_folder(engine))), visitors, ids, server.process.pid
        )
    finally:
        server.kill()
        for one in visitors.values():
            one.close()
        engine.dispose()


def send(house: House, name: str, body: bytes, path: str = ROUTE, **headers: str) -> Answer:
    return house.visitors[name]._ask("POST", path, body, {**OCTETS, **headers})


def test_a_file_far_over_the_limit_of_other_bodies_arrives_whole(house: House) -> None:
    assert len(LARGE) > LONGEST_BODY
    answer = send(house, "res", LARGE)
    assert answer.status == 200
    reply: dict[str, Any] = answer.json()
    assert (reply["name"], reply["size"]) == ("items.csv", len(LARGE))
    found = house.uploads.find(reply["upload"], owner=house.ids["res"])
    assert house.uploads.path(found).read_bytes() == LARGE
    house.uploads.delete(found.upload_id)


def test_only_who_may_evaluate_uploads_and_only_from_our_own_pages(house: House) -> None:
    for name, status in (("stranger", 401), ("ann", 403), ("ada", 403), ("root", 200)):
        assert send(house, name, b"a,b\n1,2\n").status == status, name
    assert send(house, "res", b"x", origin="https://elsewhere.example").status == 403
    assert send(house, "res", b"x", path="/api/jobs/upload?name=x").status == 404
    assert house.visitors["res"].get(ROUTE).status == 405
    (kept,) = [name for name in house.files() if not name.endswith(".json")]
    house.uploads.delete(kept)


def test_what_cannot_be_kept_is_refused_in_words_and_leaves_nothing(house: House) -> None:
    empty = send(house, "res", b"")
    assert (empty.status, "is empty" in empty.json()["detail"]) == (422, True)
    too_large = _headers_only(house, f"content-length: {house.uploads.largest + 1}")
    assert b" 422 " in too_large.splitlines()[0]
    assert b"at most 512 MB can be uploaded" in too_large
    unannounced = _headers_only(house, "transfer-encoding: chunked")
    assert b"was not announced" in unannounced
    assert house.files() == []
    assert send(house, "res", b"x" * (LONGEST_BODY + 1), path="/api/annotate/load").status == 413


def _headers_only(house: House, length: str) -> bytes:
    """The answer to a request of which only the headers are sent."""
    cookie = "; ".join(f"{name}={value}" for name, value in house.visitors["res"].cookies.items())
    with socket.create_connection(("127.0.0.1", house.port), timeout=30) as raw:
        raw.sendall(f"POST {ROUTE} HTTP/1.1\r\nhost: x\r\ncookie: {cookie}\r\n{length}\r\n\r\n".encode())
        answer = b""
        while part := raw.recv(65_536):
            answer += part
    return answer


def test_an_upload_that_is_cut_off_leaves_nothing_and_others_go_on(house: House) -> None:
    cookie = "; ".join(f"{name}={value}" for name, value in house.visitors["res"].cookies.items())
    with socket.create_connection(("127.0.0.1", house.port), timeout=30) as raw:
        head = f"POST {ROUTE} HTTP/1.1\r\nhost: x\r\ncookie: {cookie}\r\ncontent-length: 50000000\r\n\r\n"
        raw.sendall(head.encode() + b"x" * 3_000_000)
        _wait(lambda: any(name.endswith(".part") for name in house.files()))
        assert house.visitors["root"].get("/health").status == 200
    _wait(lambda: house.files() == [])


def test_a_large_upload_is_not_held_in_memory(house: House) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", house.port, timeout=60)
    before = _memory(house.process)
    size = 150 * 2**20
    cookie = "; ".join(f"{name}={value}" for name, value in house.visitors["res"].cookies.items())
    body = (LARGE[: 2**20] for _ in range(150))
    connection.request("POST", ROUTE, body, {**OCTETS, "cookie": cookie, "content-length": str(size)})
    reply = json.loads(connection.getresponse().read())
    connection.close()
    house.uploads.delete(reply["upload"])
    assert reply["size"] == size
    assert _memory(house.process) - before < 30 * 2**20


def _memory(process: int) -> int:
    """The most memory that the process has held so far."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return 1024 * int(next(line for line in lines if line.startswith("VmHWM")).split()[1])


def _wait(condition: Any) -> None:
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)
