"""What a page asked the server for when it was opened, to see without a browser whether another account is
answered the same.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from playwright.sync_api import Error, Response

from tests.e2e.visit import Visit

_EVENT = "/gradio_api/run/"
_OWN_TO_EACH = 'class=\\"cn-nav\\"'


@dataclass(frozen=True)
class Answer:
    """A page's event and what it was answered."""

    url: str
    referer: str
    body: str
    data: Any


class PageData:
    """Notes the events of the page that a visit opens."""

    def __init__(self, visit: Visit) -> None:
        self._visit = visit
        self._responses: list[Response] = []
        visit.page.on("response", lambda one: self._responses.append(one))

    def forget(self) -> None:
        """A page is opened now."""
        self._responses.clear()

    def answers(self) -> tuple[Answer, ...]:
        """The events since then, without the navigation bar's, which names the account. None, so that nothing
        counts as the same, where the page's own script asked, too, or an answer to the page before came late.
        """
        if any(
            "/api/" in one.url and one.request.resource_type in ("fetch", "xhr") for one in self._responses
        ):
            return ()
        events = [one for one in self._responses if _EVENT in one.url and one.ok]
        try:
            return tuple(_answer(one) for one in events if _OWN_TO_EACH not in one.text())
        except Error:
            return ()

    def same(self, answers: Sequence[Answer]) -> bool:
        """Whether this visit's account is answered the same to all of them; there must be any."""
        return bool(answers) and all(self._again(one) == one.data for one in answers)

    def _again(self, one: Answer) -> Any:
        # To one session, Gradio sends no more of a plot than what changed.
        body = {**json.loads(one.body), "session_hash": uuid4().hex}
        headers = {"referer": one.referer, "origin": self._visit.server.url}
        answer = self._visit.context.request.post(one.url, data=body, headers=headers)
        return answer.json().get("data") if answer.ok else None


def _answer(one: Response) -> Answer:
    asked = one.request
    return Answer(one.url, asked.headers.get("referer", ""), asked.post_data or "", one.json()["data"])
