"""The server's connections, over real sockets: slow ones end, and no request is read in two ways."""

import asyncio
import contextlib
import json
import resource
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
import uvicorn
from uvicorn.server import ServerState

from clinicnum.scripts.commands.common import connections
from clinicnum.scripts.commands.common.connections import Hurried, allow_connections
from clinicnum.ui.app.security_middleware import HEADERS, Doorway
from tests.apart import run_apart

Talk = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[Any]]


async def _tell(scope: Any, receive: Any, send: Any) -> None:
    """What it was asked: path and length of the body."""
    body = b""
    while True:
        message = await receive()
        body += message.get("body", b"")
        if not message.get("more_body"):
            break
    said = json.dumps([scope["path"], len(body)]).encode()
    await send(
        {"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % len(said))]}
    )
    await send({"type": "http.response.body", "body": said})


def connect(*talks: Talk) -> list[Any]:
    """Each on a connection of its own to one server, all at once."""

    async def run() -> list[Any]:
        config = uvicorn.Config(
            Doorway(_tell), log_level="critical", proxy_headers=False, http=Hurried, lifespan="off"
        )
        config.load()
        state = ServerState()
        made = await asyncio.get_running_loop().create_server(
            lambda: Hurried(config, state, {}), "127.0.0.1", 0
        )
        port = made.sockets[0].getsockname()[1]

        async def one(talk: Talk) -> Any:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            try:
                return await asyncio.wait_for(talk(reader, writer), 60)
            finally:
                writer.close()

        async with made:
            return await asyncio.gather(*(one(talk) for talk in talks))

    return run_apart(run())


def raw(request: bytes) -> Talk:
    """Send it whole, close this side, and read all that comes back."""

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        writer.write(request)
        said = b""
        with contextlib.suppress(ConnectionError):  # closed before all of it was read
            while piece := await reader.read(65_536):
                said += piece
        return said

    return talk


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "HEAD_S", 0.2)


def test_a_connection_that_says_nothing_or_never_ends_its_head_is_closed(quick: None) -> None:
    async def drip(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n")
        while not reader.at_eof():
            writer.write(b"X-More: 1\r\n")
            try:
                return await asyncio.wait_for(reader.read(), 0.05)
            except TimeoutError:
                continue
            except ConnectionError:
                break
        return b""

    async def second(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        writer.write(b"GET /one HTTP/1.1\r\nHost: x\r\n\r\n")
        assert b"/one" in await reader.readuntil(b"]")
        writer.write(b"GET /two HTTP/1.1\r\n")
        return await reader.read()

    assert connect(raw(b""), drip, second) == [b"", b"", b""]


def test_a_connection_with_a_request_under_way_or_between_two_is_left_open(quick: None) -> None:
    async def thinks(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        writer.write(b"POST /slow HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nab")
        await asyncio.sleep(0.5)
        writer.write(b"cd")
        assert b'["/slow", 4]' in await reader.readuntil(b"]")
        await asyncio.sleep(0.5)
        writer.write(b"GET /next HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        return await reader.read()

    (said,) = connect(thinks)
    assert b'["/next", 0]' in said


BOTH = (
    b"POST /a HTTP/1.1\r\nHost: x\r\n%s\r\n0\r\n\r\n"
    b"GET /smuggled HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
)


@pytest.mark.parametrize(
    "lines",
    [
        b"Content-Length: 4\r\nContent-Length: 5\r\n",
        b"Transfer-Encoding: chunked, identity\r\n",
        b"Transfer-Encoding: xchunked\r\n",
        b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
        b"Transfer-Encoding : chunked\r\n",
        b"Content-Length: +5\r\n",
        b"Content-Length: 0x5\r\n",
        b"X: 1\rContent-Length: 5\r\n",
    ],
)
def test_a_length_that_can_be_read_in_two_ways_is_refused(lines: bytes) -> None:
    (said,) = connect(raw(BOTH % lines))
    assert said.startswith((b"HTTP/1.1 400", b"HTTP/1.1 501")), said
    assert b"/smuggled" not in said
    assert said.count(b"HTTP/1.1") == 1


@pytest.mark.parametrize("length", [b"40", b"0", b"5"])
def test_a_request_with_a_length_and_chunks_is_refused_and_nothing_is_read_after_it(length: bytes) -> None:
    (said,) = connect(raw(BOTH % (b"Content-Length: " + length + b"\r\nTransfer-Encoding: chunked\r\n")))
    assert said.startswith(b"HTTP/1.1 400")
    assert b"smuggled" not in said
    assert said.count(b"HTTP/1.1") == 1


def test_a_head_beyond_any_browsers_is_refused_with_the_headers_of_every_answer() -> None:
    head = b"GET / HTTP/1.1\r\nHost: x\r\n" + b"".join(
        b"X-%d: %s\r\n" % (n, b"x" * 1000) for n in range(1000)
    )
    (said,) = connect(raw(head + b"\r\n"))
    assert said.startswith(b"HTTP/1.1 400")
    told = said.decode().lower()
    assert all(f"{name}: {value}".lower() in told for name, value in HEADERS.items())


def test_hundreds_of_idle_connections_keep_nobody_from_an_answer() -> None:
    waiting = asyncio.Event()

    async def idle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        writer.write(b"GET / HTTP/1.1\r\n")
        await waiting.wait()
        return b"idle"

    async def honest(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        writer.write(b"GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        try:
            return await reader.read()
        finally:
            waiting.set()

    said = connect(*[idle] * 300, honest)
    assert b"/health" in said[-1]


def test_the_limit_of_open_files_is_raised_to_what_the_account_may_have() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    lowered = min(256, soft)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (lowered, hard))
        allow_connections()
        assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] in (hard, connections.MOST_FILES)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
