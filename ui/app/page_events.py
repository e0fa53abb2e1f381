"""Answer the events of pages by calling their handlers, without Gradio's own way of doing it.

Gradio converts what a browser sends before a handler sees it: a value that looks like a file is opened, one
with a URL is fetched. Our events have HTML components alone, which need none of that, so no request for an
event is passed on to Gradio, whatever it holds. This also saves several times our own work
(see `clinicnum.scripts.dev.bench_annotate`).
"""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import gradio as gr
from anyio import CapacityLimiter
from anyio.to_thread import run_sync
from fastapi import Request
from fastapi.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from clinicnum.io.strict_json import plain_json

PREDICT = "/gradio_api/run/predict"
THREADS = 16
"""Handlers that are not coroutines and run at once: as many as the database keeps connections."""
LONGEST_DETAIL = 200


@dataclass(frozen=True)
class Event:
    """A handler that takes `inputs` values, and then the request if it asks for it."""

    handler: Callable[..., Any]
    inputs: int
    outputs: int
    takes_request: bool
    is_async: bool


class Refused(Exception):
    """What was sent is no call of an event of the page."""

    def __init__(self, status: int, detail: str) -> None:
        super().__init__(detail)
        self.status = status


def events_of(blocks: gr.Blocks) -> dict[int, Event]:
    """The events of a page by number.

    Raises TypeError for an event that cannot be answered here: one with other components than HTML, in the
    queue, in batches, streaming, or with a handler whose parameters are not its inputs and then the request.
    """
    return {number: _event(blocks.title, fn) for number, fn in blocks.fns.items()}


def _event(page: str, fn: Any) -> Event:
    handler = fn.fn
    about = f"{page}: event {fn.name!r} cannot be answered without Gradio"
    strange = sorted({type(part).__name__ for part in (*fn.inputs, *fn.outputs) if type(part) is not gr.HTML})
    if strange:
        raise TypeError(f"{about}: it has {', '.join(strange)}; expected HTML components alone")
    if not fn.outputs or fn.queue or fn.batch or _streams(handler):
        raise TypeError(f"{about}: expected an output, queue=False, and neither batches nor a generator")
    parameters = list(inspect.signature(handler).parameters.values())
    takes_request = bool(parameters) and parameters[-1].annotation is gr.Request
    if len(parameters) != len(fn.inputs) + takes_request:
        raise TypeError(f"{about}: it has {len(fn.inputs)} inputs and {len(parameters)} parameters")
    return Event(
        handler, len(fn.inputs), len(fn.outputs), takes_request, inspect.iscoroutinefunction(handler)
    )


def _streams(handler: Callable[..., Any]) -> bool:
    return inspect.isgeneratorfunction(handler) or inspect.isasyncgenfunction(handler)


class Events:
    """The ASGI middleware, behind the gate. `events` are by the path of their page."""

    def __init__(self, app: ASGIApp, *, events: Mapping[str, Mapping[int, Event]]) -> None:
        self.app = app
        self.events = {path + PREDICT: found for path, found in events.items()}
        self.threads = CapacityLimiter(THREADS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        events = self.events.get(scope["path"]) if scope["type"] == "http" else None
        if events is None:
            await self.app(scope, receive, send)
            return
        request = Request(scope, receive)
        answer = await self._answer(events, request)
        await answer(scope, receive, send)

    async def _answer(self, events: Mapping[int, Event], request: Request) -> Response:
        try:
            event, values = read_call(await request.body(), events)
        except Refused as refused:
            return JSONResponse({"detail": str(refused)}, status_code=refused.status)
        if event.takes_request:
            values = [*values, gr.Request(request, username=request.scope["clinicnum_user"].user_id)]
        if event.is_async:
            result = await event.handler(*values)
        else:
            result = await run_sync(event.handler, *values, limiter=self.threads)
        data = [result] if event.outputs == 1 else list(result)
        return JSONResponse({"data": data, "is_generating": False, "changed_state_ids": []})


def read_call(body: bytes, events: Mapping[int, Event]) -> tuple[Event, list[Any]]:
    """The event that a body calls, and the values for it; all else that Gradio would read in it is ignored.

    Raises Refused with 404 for what is no event of the page, with 422 for a call with more or fewer values
    than the event takes, or with a value that no page sends.
    """
    try:
        sent = plain_json(body)
    except ValueError as error:
        raise Refused(422, f"the body cannot be read as JSON: {str(error)[:LONGEST_DETAIL]}") from error
    number, values = (sent.get("fn_index"), sent.get("data")) if isinstance(sent, dict) else (None, None)
    event = events.get(number) if type(number) is int else None  # True is an int, too
    if event is None:
        raise Refused(404, "not an event of this page")
    if not isinstance(values, list) or len(values) != event.inputs:
        got = len(values) if isinstance(values, list) else type(values).__name__
        raise Refused(422, f"this event takes a list of {event.inputs} values; got {got}")
    for value in values:
        _check_value(value)
    return event, values


def _check_value(value: Any) -> None:
    """Raise Refused for what is no value of an HTML component of ours: an object, a text or null."""
    if not (value is None or isinstance(value, dict | str)):
        raise Refused(422, f"expected an object, a text or null as value; got {type(value).__name__}")
    waiting = [value]
    while waiting:
        inner = waiting.pop()
        if isinstance(inner, dict):
            if "_type" in inner:
                raise Refused(422, "a value names a `_type`, as Gradio's files do; no page sends files")
            waiting.extend(inner.values())
        elif isinstance(inner, list):
            waiting.extend(inner)
