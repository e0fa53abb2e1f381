"""The short way of an event: to its handler and back, past what Gradio does for events that need it.

An event of HTML components only, without a queue and with an async handler, has no files or state and nothing
to convert; Gradio's way through it still costs several times our own work (see `scripts.bench_annotate`). The
page in the browser does not see the difference. All else goes Gradio's way.
"""

import inspect
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

import gradio as gr
from fastapi import Request
from fastapi.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

PREDICT = "/gradio_api/run/predict"


@dataclass(frozen=True)
class Event:
    """A handler that takes `inputs` values and then the request."""

    handler: Callable[..., Awaitable[Any]]
    inputs: int
    outputs: int


def short_events(blocks: gr.Blocks) -> dict[int, Event]:
    """Those events of a page that may go the short way, by number."""
    found: dict[int, Event] = {}
    for number, fn in blocks.fns.items():
        plain = all(type(part) is gr.HTML for part in (*fn.inputs, *fn.outputs))
        if plain and fn.outputs and not fn.queue and not fn.batch and inspect.iscoroutinefunction(fn.fn):
            takes = [one.annotation for one in inspect.signature(fn.fn).parameters.values()]
            if len(takes) == len(fn.inputs) + 1 and takes[-1] is gr.Request:
                found[number] = Event(fn.fn, len(fn.inputs), len(fn.outputs))
    return found


class ShortWay:
    """The ASGI middleware, behind the gate. `events` are by the path of their page."""

    def __init__(self, app: ASGIApp, *, events: Mapping[str, Mapping[int, Event]]) -> None:
        self.app = app
        self.events = {path + PREDICT: found for path, found in events.items()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        events = self.events.get(scope["path"]) if scope["type"] == "http" else None
        if events is None or scope["method"] != "POST":
            await self.app(scope, receive, send)
            return
        request = Request(scope, receive)
        body = await request.body()
        event, data = _read(events, body)
        if event is None:
            await self.app(scope, _again(body, receive), send)
            return
        user = gr.Request(request, username=scope["clinicnum_user"].user_id)
        result = await event.handler(*data, user)
        values = [result] if event.outputs == 1 else list(result)
        await JSONResponse({"data": values, "is_generating": False, "changed_state_ids": []})(
            scope, receive, send
        )


def _read(events: Mapping[int, Event], body: bytes) -> tuple[Event | None, list[Any]]:
    try:
        sent = json.loads(body)
    except ValueError:
        return None, []
    number, data = (sent.get("fn_index"), sent.get("data")) if isinstance(sent, dict) else (None, None)
    event = events.get(number) if isinstance(number, int) else None
    if event is None or not isinstance(data, list) or len(data) != event.inputs:
        return None, []
    return event, data


def _again(body: bytes, receive: Receive) -> Receive:
    """The body that was read already, for whoever reads it next."""
    first: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Message:
        return first.pop() if first else await receive()

    return replay
