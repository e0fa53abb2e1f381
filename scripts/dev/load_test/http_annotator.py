"""An annotator over HTTP: logs in with the real form and sends what the annotate page sends."""

from dataclasses import dataclass, field
from typing import Any

from clinicnum.scripts.dev.load_test.browser_connection import Connection

API = "/api/annotate"
COMPLETE: dict[str, Any] = {
    "item_judgement": "valid",
    "response_judgement": "failure",
    "labels": [{"code": "causal_reasoning.arithmetic_slip", "primary": True}],
    "severity": "2",
    "confidence": 2,
    "rationale": "118 - 76 is 42",
}
BLIND = {"response_judgement": "failure"}


class Refused(Exception):
    """The server refused a request, or nothing is left to do."""


class ServerUnavailable(Refused):
    """The server failed or its database is unavailable; the request may be repeated."""


@dataclass
class Annotator:
    """An annotator at a browser, with the current item and every acknowledged label.

    `load`, `judge` and `submit` raise Refused if the server refuses or no item is left, ServerUnavailable for
    a status of 500 or more, and OSError or HTTPException if the connection is lost.
    """

    connection: Connection
    item: dict[str, Any] | None = None
    acknowledged: list[tuple[str, int]] = field(default_factory=list)
    """(assignment, revision) of each acknowledged label."""

    def log_in(self, name: str, password: str) -> None:
        """Log in. Raises Refused if the server does not accept the login."""
        answer = self.connection.post_form("/login", {"name": name, "password": password})
        if answer.status != 303:
            raise Refused(f"login of {name}: {answer.status}")

    def load(self) -> None:
        """Load the item in progress, or the next one."""
        self.item = self._call("load", {})["item"]

    def judge(self) -> None:
        """Lock the judgement without the reference, unless the item already has one."""
        if self.item is not None and self.item["revision"] > 0:
            return
        reply = self._call("judge", self._message(BLIND))
        self.item = reply["item"]
        self.acknowledged.append((reply["item"]["assignment_id"], reply["item"]["revision"]))

    def submit(self) -> None:
        """Submit the complete judgement and load the next item."""
        if self.item is None:
            raise Refused("nothing left to submit")
        saved = self.item["assignment_id"], self.item["revision"] + 1
        reply = self._call("submit", self._message(COMPLETE))
        self.acknowledged.append(saved)
        self.item = reply["item"]

    def _message(self, judgement: dict[str, Any]) -> dict[str, Any]:
        if self.item is None:
            raise Refused("nothing left to judge")
        about = {"assignment_id": self.item["assignment_id"], "revision": self.item["revision"]}
        return {**about, "active_ms": 5000, "judgement": judgement}

    def _call(self, action: str, message: dict[str, Any]) -> dict[str, Any]:
        answer = self.connection.post_json(f"{API}/{action}", message)
        if answer.status >= 500:
            raise ServerUnavailable(f"{action}: {answer.status}")
        if answer.status != 200:
            raise Refused(f"{action}: {answer.status} {answer.body[:200]!r}")
        reply: dict[str, Any] = answer.json()
        if reply["kind"] == "error":
            raise Refused(f"{action}: {reply['message']}")
        return reply
