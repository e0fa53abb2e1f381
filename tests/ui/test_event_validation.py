"""What a call of a page's event may hold, and what of it Gradio gets to read."""

import json
from typing import Any

import gradio as gr
import pytest

from clinicnum.annotations.types import User
from clinicnum.ui.app.event_validation import (
    PREDICT,
    Event,
    EventValidationMiddleware,
    InvalidCall,
    page_events,
    read_call,
)
from tests.apart import run_apart

EVENTS = {3: Event(inputs=2, takes_selection=False), 4: Event(inputs=0, takes_selection=True)}
FILE = {"path": "/dev/zero", "meta": {"_type": "gradio.FileData"}}
GOOD: dict[str, Any] = {"fn_index": 3, "data": ["x", None], "session_hash": "abc"}
SELECTED: dict[str, Any] = {"fn_index": 4, "data": [], "session_hash": "abc"}


KEYS = ("_type", "__type__", "path", "url", "meta", "is_stream")
BODIES: tuple[Any, ...] = (None, [], 7, {}, {"data": []})
NUMBERS: tuple[Any, ...] = (0, "3", 3.0, True, None, 2**70)
DATA: tuple[Any, ...] = (None, {}, [], ["x"], ["x"] * 3)
SESSIONS: tuple[Any, ...] = (None, 7, "", "a b", "../x", "x" * 65, {})
FILES: tuple[Any, ...] = (FILE, [FILE], {"a": [{"b": FILE}]}, *({key: "x"} for key in KEYS))
SELECTIONS: tuple[Any, ...] = (None, [], {}, {"index": 0}, {"value": 0}, {"index": 0, "value": FILE})
REFUSED: list[tuple[Any, int]] = [
    *((body, 404) for body in BODIES),
    *(({**GOOD, "fn_index": number}, 404) for number in NUMBERS),
    *(({**GOOD, "data": data}, 422) for data in DATA),
    *(({**GOOD, "session_hash": name}, 422) for name in SESSIONS),
    *(({**GOOD, "data": ["x", value]}, 422) for value in FILES),
    *(({**SELECTED, "event_data": value}, 422) for value in SELECTIONS),
]


@pytest.mark.parametrize(("sent", "status"), REFUSED, ids=str)
def test_what_no_page_sends_is_refused(sent: Any, status: int) -> None:
    with pytest.raises(InvalidCall) as caught:
        read_call(json.dumps(sent).encode(), EVENTS)
    assert caught.value.status == status


@pytest.mark.parametrize("body", [b"", b"{", b"\xff", b"NaN", b"[" * 100_000, b'{"data": ["\\ud800"]}'])
def test_what_is_no_json_is_refused(body: bytes) -> None:
    with pytest.raises(InvalidCall) as caught:
        read_call(body, EVENTS)
    assert caught.value.status in (404, 422)


def test_gradio_reads_nothing_but_the_event_its_values_and_a_session_of_the_users_own() -> None:
    odd = {"event_id": "x", "batched": True, "trigger_id": 3, "oauth_token": "x", "request": FILE}
    seen = [asked(name, {**GOOD, **odd, "event_data": FILE}) for name in ("1", "2", "1")]
    for one in seen:
        assert one.keys() == {"fn_index", "data", "session_hash", "event_data"}
        assert (one["fn_index"], one["data"], one["event_data"]) == (3, ["x", None], None)
    first, other, again = (one["session_hash"] for one in seen)
    assert "abc" not in (first, other)
    assert first == again != other
    chosen = {"index": [1, 0], "value": "x", "row_value": ["x"]}
    assert asked("1", {**SELECTED, "event_data": chosen})["event_data"] == chosen


def asked(user_id: str, sent: dict[str, Any]) -> dict[str, Any]:
    """What the application behind the guard reads of a call of a user."""
    user = User(user_id=user_id, name="ann", role="admin", kind="human", active=True, session_version=1)
    read: list[dict[str, Any]] = []

    async def application(scope: Any, receive: Any, send: Any) -> None:
        message = await receive()
        assert dict(scope["headers"])[b"content-length"] == str(len(message["body"])).encode()
        assert not message["more_body"]
        read.append(json.loads(message["body"]))

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": json.dumps(sent).encode(), "more_body": False}

    async def send(message: Any) -> None:
        raise AssertionError(f"the guard answered {message}")

    scope = {"type": "http", "method": "POST", "path": "/people" + PREDICT, "query_string": b""}
    headers = [(b"content-length", b"1"), (b"content-type", b"text/plain")]
    guard = EventValidationMiddleware(application, events={"/people": EVENTS})
    run_apart(guard({**scope, "headers": headers, "clinicnum_user": user}, receive, send))
    return read[0]


@pytest.mark.parametrize(
    ("title", "said"), [("With a file", "takes File; nothing can be uploaded"), ("Queued", "queue=False")]
)
def test_a_page_whose_event_takes_files_or_a_queue_is_not_served(title: str, said: str) -> None:
    with pytest.raises(TypeError, match=said):
        run_apart(_made(title))


async def _made(title: str) -> object:
    """Made where there is an event loop, as Gradio makes its own else."""
    with gr.Blocks(title=title, analytics_enabled=False) as page:
        shown = gr.Textbox()
        if title == "With a file":
            file = gr.File()
            file.upload(str, file, shown, queue=False)
        else:
            shown.submit(str, shown, shown)
    return page_events(page)
