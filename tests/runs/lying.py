"""A model server on a real socket that answers what it likes: the lie is named in the question."""

import json
import re
import socketserver
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

MODEL = "honest-abe"
GIGABYTE = 1 << 30
_NAMED = re.compile(r"lie: (\w+)")


def body(text: Any = "72", **more: Any) -> dict[str, Any]:
    """A good answer, with other fields where they are given."""
    return {
        "id": "always-the-same",
        "model": MODEL,
        "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 9, "completion_tokens": 2},
    } | more


def choice(**more: Any) -> dict[str, Any]:
    """A good answer whose one choice has other fields."""
    made = body()
    made["choices"][0] |= more
    return made


def logprobs(*entries: dict[str, Any]) -> dict[str, Any]:
    return choice(logprobs={"content": list(entries)})


TRUE = logprobs({"token": "72", "logprob": -0.1, "bytes": None})
GOOD: dict[str, Any] = {
    "none": TRUE,
    "wrong_id": body(id="chatcmpl-of-somebody-else", instance_id="i0", index=99),
    "two_choices": body(choices=[*body()["choices"], *body("110")["choices"]]),
    "null_content": body(None),
    "negative_usage": body(usage={"prompt_tokens": -5, "completion_tokens": -1}),
    "huge_usage": body(usage={"prompt_tokens": 10**400, "completion_tokens": 1e308}),
    "usage_is_text": body(usage="plenty"),
    "too_many_logprobs": logprobs(*[{"token": "7", "logprob": -0.1}] * 500),
    "too_few_logprobs": logprobs({"token": "7", "logprob": -0.1}),
    "logprobs_above_one": logprobs({"token": "72", "logprob": 7.5}),
    "logprobs_huge": logprobs({"token": "72", "logprob": -0.1, "bytes": 10**12}),
    "reason_is_a_list": choice(finish_reason=["stop"]),
    "nul": body("7\0002"),
    "surrogate": body("72 \ud800 bpm", id="\udfff"),
}
"""Each becomes a good generation."""
BAD: dict[str, Any] = {
    "no_choices": body(choices=[]),
    "content_is_a_list": body(["72"]),
    "other_model": body(model="somebody-else"),
    "html": b"<html><body>Welcome</body></html>",
    "cut_json": json.dumps(body()).encode()[:-20],
    "nested": b'{"choices": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "no_utf8": b'{"choices": "\xff\xfe\xfa"}',
}
"""Each is no answer, and is asked for again."""


@dataclass
class Lying:
    """What the server was asked, and how much of its gigabyte it got rid of."""

    url: str = ""
    asked: list[str] = field(default_factory=list)
    sent: int = 0
    last: str = ""
    """The body of the last request."""
    honest: bool = False
    entry: dict[str, Any] = field(default_factory=lambda: {"id": MODEL})
    """What its list says of the model."""


Send = Callable[[bytes], object]


def _headers(status: str, **fields: object) -> bytes:
    lines = [f"HTTP/1.1 {status}", *(f"{name.replace('_', '-')}: {value}" for name, value in fields.items())]
    return "\r\n".join([*lines, "connection: close", "", ""]).encode()


def _whole(said: object) -> bytes:
    raw = said if isinstance(said, bytes) else json.dumps(said).encode()
    return _headers("200 OK", content_length=len(raw)) + raw


def _answer(lie: str, state: Lying, send: Send, wait: Callable[[], None]) -> None:
    if lie in GOOD or lie in BAD:
        send(_whole(GOOD.get(lie, BAD.get(lie))))
    elif lie == "longer_than_it_is":
        raw = json.dumps(TRUE).encode()
        send(_headers("200 OK", content_length=len(raw) + 1000) + raw)
    elif lie == "shorter_than_it_is":
        raw = json.dumps(TRUE).encode()
        send(_headers("200 OK", content_length=10) + raw)
    elif lie == "gigabyte":
        send(_headers("200 OK", content_length=GIGABYTE) + b'{"choices": "')
        while state.sent < GIGABYTE:
            send(b"x" * 65536)
            state.sent += 65536
    elif lie == "drip":
        send(_headers("200 OK", content_length=GIGABYTE))
        while True:
            send(b" ")
            wait()
    else:
        raise AssertionError(f"no such lie: {lie}")


@contextmanager
def lying_server() -> Iterator[Lying]:
    """The server, on a free port; each connection in a thread, all ended with the block."""
    state, over = Lying(), threading.Event()

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            head = b""
            while not head.endswith(b"\r\n\r\n"):
                line = self.rfile.readline()
                if not line:
                    return
                head += line
            length = re.search(rb"content-length: (\d+)", head, re.I)
            sent = self.rfile.read(int(length[1])).decode() if length else ""
            if head.startswith(b"GET"):
                self.wfile.write(_whole({"data": [state.entry]}))
                return
            state.last = sent
            named = _NAMED.search(sent)
            lie = "none" if named is None or state.honest else named[1]
            state.asked.append(lie)
            with suppress(ConnectionError):  # the client hung up, as it should
                _answer(lie, state, self.wfile.write, lambda: _stop_if(over.wait(0.1)))

    class Server(socketserver.ThreadingTCPServer):
        daemon_threads = True

    with Server(("127.0.0.1", 0), Handler) as server:
        state.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield state
        finally:
            over.set()
            server.shutdown()
            thread.join()


def _stop_if(ended: bool) -> None:
    if ended:
        raise ConnectionAbortedError
