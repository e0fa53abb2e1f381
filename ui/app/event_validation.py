"""Validate calls to Gradio events before Gradio processes them.

Gradio preprocesses a request before the handler runs: it opens values that look like files, fetches URLs, and
trusts the session id that the browser sends. So each call is parsed strictly here and rebuilt from only the
event number, its input values, its event data and a session id derived from the user.
"""

import hashlib
import inspect
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import gradio as gr
from fastapi import Request
from fastapi.responses import JSONResponse
from gradio.block_function import BlockFunction
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from clinicnum.io.strict_json import plain_json

PREDICT = "/gradio_api/run/predict"
FILE_KEYS = frozenset({"_type", "__type__", "path", "url", "meta", "is_stream"})
"""An object with any of these keys is treated by Gradio as a file, a URL or a component update."""
SESSION = re.compile(r"[0-9a-zA-Z-]{1,64}")
LONGEST_DETAIL = 200


@dataclass(frozen=True)
class Event:
    """An event that a browser may call: its number of inputs, and whether it needs selection data."""

    inputs: int
    takes_selection: bool


Events = Mapping[int, Event]


class InvalidCall(Exception):
    """Raised for a request that is not a valid call of one of the page's events."""

    def __init__(self, status: int, detail: str) -> None:
        super().__init__(detail)
        self.status = status


def page_events(blocks: gr.Blocks) -> dict[int, Event]:
    """The server-side events of a page, by Gradio's event number.

    Raises TypeError for an event that is queued, batched or streaming, or that takes a file, as the routes
    for those are blocked.
    """
    return {number: _event(blocks.title, fn) for number, fn in blocks.fns.items() if fn.fn is not None}


def _event(page: str, fn: BlockFunction) -> Event:
    about = f"{page}: event {fn.name!r} cannot be offered"
    takes_files = (gr.File, gr.UploadButton, gr.Image, gr.Audio, gr.Video, gr.Gallery, gr.MultimodalTextbox)
    files = sorted({type(part).__name__ for part in fn.inputs if isinstance(part, takes_files)})
    if files:
        raise TypeError(f"{about}: it takes {', '.join(files)}; nothing can be uploaded here")
    if fn.queue or fn.batch or inspect.isgeneratorfunction(fn.fn) or inspect.isasyncgenfunction(fn.fn):
        raise TypeError(f"{about}: expected queue=False, and neither batches nor a generator")
    return Event(len(fn.inputs), fn.collects_event_data)


class EventValidationMiddleware:
    """ASGI middleware that validates event calls, after authorization. `events` maps page paths to events."""

    def __init__(self, app: ASGIApp, *, events: Mapping[str, Events]) -> None:
        self.app = app
        self.events = {path + PREDICT: found for path, found in events.items()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        events = self.events.get(scope["path"]) if scope["type"] == "http" else None
        if events is None:
            await self.app(scope, receive, send)
            return
        try:
            call = read_call(await Request(scope, receive).body(), events)
        except InvalidCall as refused:
            answer = JSONResponse({"detail": str(refused), "error": str(refused)}, refused.status)
            await answer(scope, receive, send)
            return
        call["session_hash"] = _own_session(scope["clinicnum_user"].user_id, call["session_hash"])
        body = json.dumps(call).encode()
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
        replaced = {name for name, _ in headers}
        kept = [pair for pair in scope["headers"] if pair[0] not in replaced]
        await self.app({**scope, "headers": [*kept, *headers]}, _replay(body, receive), send)


def _own_session(user_id: str, session: str) -> str:
    """A session id bound to the user, so that no user can address another's session."""
    return hashlib.sha256(f"{user_id} {session}".encode()).hexdigest()


def _replay(body: bytes, receive: Receive) -> Receive:
    """An ASGI `receive` function that returns `body` first, then the client's further messages."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replayed() -> Message:
        return waiting.pop() if waiting else await receive()

    return replayed


def read_call(body: bytes, events: Events) -> dict[str, Any]:
    """The validated call to forward to Gradio; unknown keys of the body are dropped.

    Raises InvalidCall with status 404 for an unknown event, and with 422 for a malformed body, the wrong
    number of inputs, or a value that Gradio would treat as a file.
    """
    try:
        sent = plain_json(body)
    except ValueError as error:
        raise InvalidCall(422, f"the body cannot be read as JSON: {str(error)[:LONGEST_DETAIL]}") from error
    number, values = (sent.get("fn_index"), sent.get("data")) if isinstance(sent, dict) else (None, None)
    event = events.get(number) if type(number) is int else None  # bool is a subclass of int
    if event is None:
        raise InvalidCall(404, "not an event of this page")
    if not isinstance(values, list) or len(values) != event.inputs:
        got = len(values) if isinstance(values, list) else type(values).__name__
        raise InvalidCall(422, f"this event takes a list of {event.inputs} values; got {got}")
    session = sent.get("session_hash")
    if not isinstance(session, str) or not SESSION.fullmatch(session):
        raise InvalidCall(422, "expected a session_hash of 1 to 64 letters and digits")
    selection = sent.get("event_data") if event.takes_selection else None
    if event.takes_selection and not (isinstance(selection, dict) and {"index", "value"} <= selection.keys()):
        raise InvalidCall(422, "expected event_data with index and value, what was selected")
    reject_files([values, selection])
    return {"fn_index": number, "data": values, "session_hash": session, "event_data": selection}


def reject_files(value: Any) -> None:
    """Raise InvalidCall if any nested object has one of FILE_KEYS."""
    waiting = [value]
    while waiting:
        inner = waiting.pop()
        if isinstance(inner, dict):
            named = sorted(FILE_KEYS.intersection(inner))
            if named:
                raise InvalidCall(
                    422, f"a value names {named[0]!r}, as Gradio's files do; no page sends files"
                )
            waiting.extend(inner.values())
        elif isinstance(inner, list):
            waiting.extend(inner)
