"""A model server on a real socket whose answers depend on the question and take their time."""

import hashlib
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

MODEL = "slow-abe"


@dataclass
class Slow:
    """Where it is, and what it was asked."""

    seconds: float
    """What each answer takes; may change meanwhile."""
    url: str = ""
    asked: list[str] = field(default_factory=list)


def _by_hash(asked: str) -> str:
    return f"The answer is {int(hashlib.sha256(asked.encode()).hexdigest(), 16) % 200}"


@contextmanager
def slow_server(seconds: float, answer: Callable[[str], str] = _by_hash) -> Iterator[Slow]:
    """The server, on a free port; it answers one question after the other, each in that time.

    `answer` takes the messages as JSON.
    """
    state, turn = Slow(seconds), threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self._answer({"data": [{"id": MODEL}]})

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"])).decode()
            asked = json.dumps(json.loads(body)["messages"])
            with turn:
                time.sleep(state.seconds)
                state.asked.append(asked)
            message = {"role": "assistant", "content": answer(asked)}
            choice = {"index": 0, "message": message, "finish_reason": "stop"}
            usage = {"prompt_tokens": 9, "completion_tokens": 2}
            self._answer({"id": "x", "model": MODEL, "choices": [choice], "usage": usage})

        def _answer(self, told: object) -> None:
            raw = json.dumps(told).encode()
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(raw)))
            self.end_headers()
            self.wfile.write(raw)

        def log_message(self, *_: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *_: object) -> None:
            """Whoever asked was killed."""

    with Server(("127.0.0.1", 0), Handler) as server:
        state.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield state
        finally:
            server.shutdown()
            thread.join()
