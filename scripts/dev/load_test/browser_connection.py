"""A connection like that of one browser: kept alive, with its cookies, without retries or redirects."""

import http.client
import json
import select
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

TIMEOUT_S = 60.0


@dataclass(frozen=True)
class Answer:
    """A server's response: status, body, and where it redirects to."""

    status: int
    body: bytes
    location: str | None

    def json(self) -> Any:
        """The body parsed as JSON."""
        return json.loads(self.body)


class Connection:
    """A connection to one server on this machine.

    A lost connection raises OSError or HTTPException; the next request connects again.
    """

    def __init__(self, port: int, *, timeout_s: float = TIMEOUT_S) -> None:
        self.port = port
        self.timeout_s = timeout_s
        self.cookies: dict[str, str] = {}
        self._open: http.client.HTTPConnection | None = None

    def get(self, path: str) -> Answer:
        """Request a page."""
        return self._ask("GET", path, b"", {})

    def post_form(self, path: str, fields: dict[str, str]) -> Answer:
        """Send a form as a browser does."""
        return self._ask(
            "POST", path, urlencode(fields).encode(), {"content-type": "application/x-www-form-urlencoded"}
        )

    def post_json(self, path: str, body: Any, headers: dict[str, str] | None = None) -> Answer:
        """POST `body` as JSON, as the script of a page does, with `headers` besides.

        An error of the server raises nothing: its status is in the answer.
        """
        return self._ask(
            "POST", path, json.dumps(body).encode(), {"content-type": "application/json", **(headers or {})}
        )

    def close(self) -> None:
        """Close the connection."""
        if self._open is not None:
            self._open.close()
            self._open = None

    def _ask(self, method: str, path: str, body: bytes, headers: dict[str, str]) -> Answer:
        held = self._open.sock if self._open is not None else None
        if held is not None and select.select([held], [], [], 0)[0]:
            self.close()  # idle for too long: the server closed the connection
        if self._open is None:
            self._open = http.client.HTTPConnection("127.0.0.1", self.port, timeout=self.timeout_s)
        if self.cookies:
            headers["cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        try:
            self._open.request(method, path, body=body, headers=headers)
            reply = self._open.getresponse()
            answer = Answer(reply.status, reply.read(), reply.getheader("location"))
        except (OSError, http.client.HTTPException):
            self.close()
            raise
        for line in reply.headers.get_all("set-cookie") or ():
            name, _, value = line.partition(";")[0].partition("=")
            self.cookies[name] = value
        return answer
