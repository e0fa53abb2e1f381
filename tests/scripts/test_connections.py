"""The server over real sockets: no request is read in two ways, idle connections keep nobody waiting."""

import asyncio
import contextlib
import json
import resource
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from clinicnum.scripts.commands.common.web_app import MOST_FILES, allow_connections
from clinicnum.ui.app.security_middleware import SecurityMiddleware
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
            SecurityMiddleware(_tell), log_level="critical", proxy_headers=False, http="h11", lifespan="off"
        )
        config.load()
        state = ServerState()
        made = await asyncio.get_running_loop().create_server(
            lambda: H11Protocol(config, state, {}), "127.0.0.1", 0
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


def test_a_head_beyond_any_browsers_is_refused() -> None:
    head = b"GET / HTTP/1.1\r\nHost: x\r\n" + b"".join(
        b"X-%d: %s\r\n" % (n, b"x" * 1000) for n in range(1000)
    )
    (said,) = connect(raw(head + b"\r\n"))
    assert said.startswith(b"HTTP/1.1 400")


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
        assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] in (hard, MOST_FILES)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
