"""Completions from an OpenAI-compatible server, many at once.

The requests run on an event loop in a thread of its own, so that a slow consumer stalls none of them.
"""

import math
from collections.abc import Iterable, Iterator
from contextlib import AsyncExitStack, suppress
from typing import Any

import anyio
import httpx2
from anyio.from_thread import start_blocking_portal
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

from clinicnum.errors import InputError
from clinicnum.inference.client_interface import Completion, Decoding, Request
from clinicnum.inference.openai.request_body import Dialect, RequestFormat
from clinicnum.inference.openai.request_loop import RequestLoop, Server, error_text
from clinicnum.inference.openai.response_body import BodyTooLong, BodyTruncated, fetch, json_of
from clinicnum.inference.openai.served_weights import weights_facts
from clinicnum.inference.openai.server_address import api_url
from clinicnum.prompt import Message

_PROBE = Request("probe", (Message(role="system", content="Be brief."), Message(role="user", content="Hi.")))

_POOL = 32
"""Connections of one pool: a pool looks through all of its connections for each request."""


async def _received(stream: MemoryObjectReceiveStream[Completion]) -> list[Completion]:
    """All completions that have finished, at least one; together, as each hand-over between threads is
    costly.
    """
    found = [await stream.receive()]
    with suppress(anyio.WouldBlock, anyio.EndOfStream):
        while True:
            found.append(stream.receive_nowait())
    return found


class OpenAIClient:
    """A client of one server's chat completions. Nothing is sent before `check` or `complete`."""

    def __init__(
        self,
        base_url: str,
        model: str,
        *,
        api_key: str | None = None,
        concurrency: int = 32,
        timeout_s: float = 600.0,
        retries: int = 6,
        backoff_s: float = 0.5,
        dialect: RequestFormat | None = None,
    ) -> None:
        """`base_url` with or without its `/v1`; `timeout_s` is for one attempt, the server's queue included.

        At most `concurrency` requests are open at once; each is repeated up to `retries` times. `dialect`
        writes the requests: chat messages, which the server puts into its own template, if None. Between
        attempts up to `backoff_s` seconds, doubled each time, are waited. Raises InputError for what is no
        address.
        """
        key = api_key or ""
        if not key.isascii() or not key.isprintable():
            raise InputError("the API key holds a character that no header can carry; give the key alone")
        self._server = Server(
            url=api_url(base_url),
            model=model,
            key=key,
            concurrency=concurrency,
            timeout_s=timeout_s,
            retries=retries,
            backoff_s=backoff_s,
        )
        self._asker = RequestLoop(self._server, dialect or Dialect())
        self._says: dict[str, Any] = {}

    @property
    def counts(self) -> dict[str, int]:
        """Numbers of requests `completed`, `refused` for good and `failed` after all retries, of `retries`,
        and of errors by kind: `timeout`, `connection`, `garbled`, `broken_off`, `too_long`, `other_model`,
        `http_429` and so on.
        """
        return dict(self._asker.counts)

    def describe(self) -> dict[str, Any]:
        """Where and how the completions were made, without the key; for the meta of a run."""
        return {
            "engine": "openai",
            "base_url": self._server.url,
            "model": self._server.model,
            "served_model": self._asker.served,
            "concurrency": self._server.concurrency,
            "timeout_s": self._server.timeout_s,
            "retries": self._server.retries,
            "not_taken": sorted(self._asker.dialect.without),
            "system_folded": self._asker.dialect.folds_system,
            "gateway": self.gateway,
            "counts": self.counts,
        }

    @property
    def says(self) -> dict[str, Any]:
        """What the server's list of models says about the model's weights; empty before `check`, and if the
        list says nothing about them.
        """
        return dict(self._says)

    @property
    def gateway(self) -> str | None:
        """Description of the gateway behind the address; None before `check`, and if none is recognised."""
        return self._asker.gateway

    def check(self) -> str:
        """Ask for one token; return the id under which the server has the model.

        Raises InputError if the server cannot be reached, refuses the key or has no such model.
        """
        with start_blocking_portal() as portal:
            return portal.call(self._check)

    def complete(self, requests: Iterable[Request], *, decoding: Decoding) -> Iterator[Completion]:
        """Yield completions as they finish. Closing the iterator early stops the requests under way.

        Raises InputError, after all that finished was yielded, for what no request would survive: a server
        that is gone or out of order, a refused key, an unknown model.
        """
        with start_blocking_portal() as portal:
            # Unbounded: a completion is small, and waiting for the consumer would leave the server idle.
            send, receive = anyio.create_memory_object_stream[Completion](math.inf)
            run = portal.start_task_soon(self._run, requests, decoding, send)
            try:
                while True:
                    try:
                        finished = portal.call(_received, receive)
                    except anyio.EndOfStream:
                        break
                    yield from finished
                run.result()
            finally:
                run.cancel()
                portal.call(receive.aclose)

    async def _run(
        self, requests: Iterable[Request], decoding: Decoding, send: MemoryObjectSendStream[Completion]
    ) -> None:
        """Send every request, `concurrency` at a time, in their order: neighbours share their prefix."""
        waiting = iter(requests)
        ends: list[InputError] = []

        async def work(http: httpx2.AsyncClient) -> None:
            try:
                for request in waiting:
                    send.send_nowait(await self._asker.ask(http, request, decoding))
            except InputError as error:  # kept, as a task group would wrap it
                ends.append(error)
                tasks.cancel_scope.cancel()

        async with send, AsyncExitStack() as pools, anyio.create_task_group() as tasks:
            for first in range(0, self._server.concurrency, _POOL):
                http = await pools.enter_async_context(self._server.http())
                for _ in range(min(_POOL, self._server.concurrency - first)):
                    tasks.start_soon(work, http)
        if ends:
            raise ends[0]

    async def _check(self) -> str:
        model = self._server.model
        async with self._server.http() as http:
            entries = await self._listed(http)
            listed = list(entries)
            unlisted = InputError(
                f"{self._server.url} has no model {model!r}, it has {', '.join(listed[:5])}; "
                "name the model as the server does"
            )
            try:
                completion = await self._asker.ask(http, _PROBE, Decoding(max_new_tokens=1))
            except InputError as error:
                raise unlisted if listed and model not in listed else error from None
        self._asker.counts.clear()
        if completion.error is not None:
            raise InputError(f"{self._server.url} cannot run {model!r}: {completion.error}")
        served = self._asker.served or model
        # transformers lists what its cache holds, not what it serves, but answers with the revision.
        if listed and model not in listed and not served.startswith(f"{model}@"):
            raise unlisted
        self._says = weights_facts(entries.get(model, {}))
        return served

    async def _listed(self, http: httpx2.AsyncClient) -> dict[str, dict[str, Any]]:
        """The models that the server lists, by id; empty if it offers no list."""
        try:
            with anyio.fail_after(self._server.timeout_s):
                answer = await fetch(http, "GET", f"{self._server.url}/models")
        except (httpx2.RequestError, TimeoutError) as error:
            raise self._server.unreachable_error(error_text(error)) from None
        except (BodyTooLong, BodyTruncated):
            return {}
        try:
            entries = json_of(answer.body)["data"] if answer.status == httpx2.codes.OK else []
            return {str(entry["id"]): dict(entry) for entry in entries}
        except (ValueError, KeyError, TypeError):
            return {}
