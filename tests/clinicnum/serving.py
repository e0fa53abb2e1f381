"""A real model server, and a proxy before it that goes wrong on purpose."""

import asyncio
import os
import socket
import subprocess
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import httpx2
import pytest
from anyio.from_thread import start_blocking_portal

STARTS_WITHIN_S = 180


@dataclass(frozen=True)
class Served:
    """Where a server is, and what it calls its model."""

    url: str
    model: str


@dataclass(frozen=True)
class Reply:
    """An answer that the proxy gives instead of the server's."""

    status: int
    body: str = ""
    headers: tuple[tuple[str, str], ...] = ()


Fault = Reply | Literal["reset", "stall", "down"] | None
"""`reset` closes the connection; `stall` keeps it open and silent; `down` closes the whole proxy for good."""
Plan = Callable[[int, str, str], Fault]
"""Number of the chat request (from 1), its headers, its body -> what goes wrong."""


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


@contextmanager
def running(command: list[str], *, health: str, folder: Path, env: dict[str, str]) -> Iterator[None]:
    """A server's process, from the moment it is healthy; its log goes into `folder`."""
    log = folder / "server.log"
    with log.open("wb") as out:
        process = subprocess.Popen(command, stdout=out, stderr=out, env=os.environ | env)
        try:
            deadline = time.monotonic() + STARTS_WITHIN_S
            while not _healthy(health):
                if process.poll() is not None or time.monotonic() > deadline:
                    raise RuntimeError(f"the server did not start:\n{log.read_text()[-2000:]}")
                time.sleep(0.2)
            yield
        finally:
            process.terminate()
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _healthy(url: str) -> bool:
    try:
        return httpx2.get(url, trust_env=False, timeout=2).status_code == 200
    except httpx2.TransportError:
        return False


@contextmanager
def transformers_server(model: Path, folder: Path, programs: Path) -> Iterator[Served]:
    """`transformers serve` of this folder of programs with this model in float32 on the CPU."""
    port = free_port()
    (folder / "home" / "hub").mkdir(parents=True)  # it lists what this holds: nothing
    command = [str(programs / "transformers"), "serve", str(model)]
    command += ["--device", "cpu", "--dtype", "float32", "--host", "127.0.0.1", "--port", str(port)]
    env = {"HF_HOME": str(folder / "home"), "HF_HUB_OFFLINE": "1", "OMP_WAIT_POLICY": "PASSIVE"}
    with running(command, health=f"http://127.0.0.1:{port}/health", folder=folder, env=env):
        yield Served(f"http://127.0.0.1:{port}/v1", str(model))


@contextmanager
def llama_cpp_server(model: Path, folder: Path, key: str) -> Iterator[Served]:
    """llama.cpp's server with this model in float32, in four slots; skips the test where it is not built."""
    binary = next(iter(sorted(model.parent.glob("llama-server-*/llama-server"))), None)
    gguf = model.parent / f"{model.name}-f32.gguf"
    if binary is None or not gguf.is_file():
        pytest.skip(
            "llama.cpp's server is not built: scripts/dev/llama_server, then --gguf for the small model"
        )
    port = free_port()
    command = [str(binary), "-m", str(gguf), "--alias", "smollm2", "-np", "4", "-c", "4096", "-t", "2"]
    command += ["--host", "127.0.0.1", "--port", str(port), "--api-key", key]
    with running(command, health=f"http://127.0.0.1:{port}/health", folder=folder, env={}):
        yield Served(f"http://127.0.0.1:{port}/v1", "smollm2")


@dataclass
class Proxy:
    """Passes requests on to its servers in turn, except where its plan says otherwise."""

    upstreams: Sequence[str]
    plan: Plan
    url: str = ""
    faults: list[Fault] = field(default_factory=list)
    """What was planned for each chat request, in the order of arrival."""
    bodies: list[str] = field(default_factory=list)
    _passed: int = 0

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[None]:
        async with httpx2.AsyncClient(trust_env=False, timeout=None) as self._http:
            self._tasks: set[asyncio.Task[None]] = set()
            self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
            self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/v1"
            try:
                yield
            finally:
                self._server.close()
                for task in list(self._tasks):
                    task.cancel()
                await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            await self._answer(reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass  # the client went away
        except asyncio.CancelledError:
            writer.transport.abort()
        finally:
            writer.close()
            with suppress(ConnectionError, asyncio.CancelledError):
                await writer.wait_closed()
            self._tasks.discard(task)

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        length = next(
            (int(line[15:]) for line in head.lower().split("\r\n") if line[:15] == "content-length:"), 0
        )
        body = (await reader.readexactly(length)).decode()
        method, path, _ = head.split(" ", 2)
        if path.endswith("/chat/completions"):
            self.bodies.append(body)
            self.faults.append(self.plan(len(self.bodies), head, body))
            if await self._goes_wrong(self.faults[-1], reader, writer):
                return
        self._passed += 1
        url = self.upstreams[self._passed % len(self.upstreams)].removesuffix("/v1") + path
        try:
            answer = await self._http.request(
                method, url, content=body, headers={"content-type": "application/json"}
            )
        except httpx2.TransportError:
            await _write(writer, Reply(502, "Bad Gateway"))  # as nginx does where a server is gone
            return
        await _write(writer, Reply(answer.status_code, answer.text, (("content-type", "application/json"),)))

    async def _goes_wrong(
        self, fault: Fault, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> bool:
        if fault == "stall":
            await reader.read()  # until the client hangs up
        elif fault == "reset":
            writer.transport.abort()
        elif fault == "down":
            self._server.close()
            for task in self._tasks - {asyncio.current_task()}:
                task.cancel()
            writer.transport.abort()
        elif isinstance(fault, Reply):
            await _write(writer, fault)
        return fault is not None


async def _write(writer: asyncio.StreamWriter, reply: Reply) -> None:
    body = reply.body.encode()
    headers = dict(reply.headers) | {"content-length": str(len(body)), "connection": "close"}
    lines = [f"HTTP/1.1 {reply.status} X", *(f"{name}: {value}" for name, value in headers.items()), "", ""]
    writer.write("\r\n".join(lines).encode() + body)
    await writer.drain()


@contextmanager
def faulty_proxy(upstream: str, plan: Plan, *more: str) -> Iterator[Proxy]:
    """The proxy before one server or more, running in a thread of its own."""
    proxy = Proxy((upstream, *more), plan)
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(proxy.serving()):
        yield proxy
