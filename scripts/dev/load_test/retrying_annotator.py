"""An annotator whose browser retries: an unanswered request is sent to another server until one answers.

It retries as `ui/pages/annotate/request_queue.js` and `page.js` do: the same message is sent again on the
same revision, so that the server accepts it once; if the page is reloaded meanwhile, it is sent after the
reload.
"""

import random
import time
from dataclasses import dataclass, field
from http.client import HTTPException
from itertools import count
from typing import Any

from clinicnum.scripts.dev.load_test.browser_connection import Connection
from clinicnum.scripts.dev.load_test.http_annotator import Annotator, ServerUnavailable

FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.25, 5.0
PATIENCE_S = 300.0
"""Seconds after which an annotator gives up and the soak test has failed."""
STEPS = {"load": "load", "judge": "save", "submit": "submit"}


@dataclass(frozen=True)
class Action:
    """One action of an annotator, from the first attempt to the answer."""

    step: str
    begun: float
    ended: float
    sent: int
    """Number of times it was sent until it was answered."""


@dataclass
class RetryingAnnotator(Annotator):
    """An annotator who repeats failed requests, on another server if there are several."""

    others: list[Connection] = field(default_factory=list)
    """Connections to the other servers; they share the cookies."""
    dice: random.Random = field(default_factory=random.Random)
    asked: list[Action] = field(default_factory=list)

    def _call(self, action: str, message: dict[str, Any]) -> dict[str, Any]:
        begun = time.perf_counter()
        for tries in count():
            try:
                if tries and action != "load" and self.dice.random() < 0.5:
                    super()._call("load", {})  # the page is reloaded, and then resends the pending message
                reply = super()._call(action, message)
            except (OSError, HTTPException, ServerUnavailable):
                if time.perf_counter() - begun > PATIENCE_S:
                    raise
                self._turn_away(tries)
            else:
                self.asked.append(Action(STEPS[action], begun, time.perf_counter(), tries + 1))
                return reply
        raise AssertionError

    def _turn_away(self, tries: int) -> None:
        """Wait as the page does before it retries, and turn to another server for the next attempt."""
        self.others.append(self.connection)
        self.connection = self.others.pop(0)
        pause = min(FIRST_PAUSE_S * 2**tries, LONGEST_PAUSE_S)
        time.sleep(pause * self.dice.uniform(0.75, 1.25))

    def hang_up(self) -> None:
        """Close all connections."""
        for one in (self.connection, *self.others):
            one.close()
