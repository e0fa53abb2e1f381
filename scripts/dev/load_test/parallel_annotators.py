"""Run annotators in parallel threads, and measure their waits, actions and errors."""

import random
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from http.client import HTTPException
from math import ceil
from typing import Protocol

from clinicnum.scripts.dev.load_test.http_annotator import Refused


class AnyAnnotator(Protocol):
    """An annotator of any tool, who needs three requests per item: load, judge, submit."""

    def load(self) -> None:
        """Get the item."""

    def judge(self) -> None:
        """Save a first judgement."""

    def submit(self) -> None:
        """Submit, and continue with the next item."""


@dataclass
class Measurements:
    """Errors, and waits in seconds by request: `load`, `save` (the first judgement), `submit`."""

    seconds: float
    waits: dict[str, list[float]] = field(default_factory=lambda: {"load": [], "save": [], "submit": []})
    errors: list[str] = field(default_factory=list)

    @property
    def items_per_second(self) -> float:
        """Items submitted in the measured time."""
        return len(self.waits["submit"]) / self.seconds

    def timed(
        self, step: str, request: Callable[[], None], start: float = 0.0, end: float = float("inf")
    ) -> None:
        """Send a request; record its wait if it falls between two times of `time.perf_counter`."""
        begun = time.perf_counter()
        request()
        ended = time.perf_counter()
        if begun >= start and ended <= end:
            self.waits[step].append(ended - begun)


def percentile(values: Sequence[float], share: float) -> float | None:
    """The nearest-rank percentile, for `share` from 0 to 1; None without values."""
    return sorted(values)[max(0, ceil(len(values) * share) - 1)] if values else None


def milliseconds(waits: Sequence[float], share: float) -> str:
    """A percentile of waits in seconds, as text such as `1,250 ms`; `-` without waits."""
    value = percentile(waits, share)
    return "-" if value is None else f"{1000 * value:,.0f} ms"


def work(
    annotators: Sequence[AnyAnnotator],
    *,
    seconds: float,
    thought_s: float = 0.0,
    warm_s: float = 0.0,
    seed: int = 0,
    stop: threading.Event | None = None,
) -> Measurements:
    """Let all annotators work for `warm_s` seconds, and then for `seconds` while measuring.

    `thought_s` is the mean thinking time per item, half before each of its two saves, each drawn uniformly
    from half to one and a half of its mean. Annotators who meet an error load the item again and continue.
    `stop` ends the work early.
    """
    measured, started = Measurements(seconds), time.perf_counter()
    counts_from, until = started + warm_s, started + warm_s + seconds

    def one(annotator: AnyAnnotator, number: int) -> None:
        dice = random.Random(f"{seed} {number}")  # noqa: S311  thinking times need no secure randomness
        time.sleep(dice.uniform(0, thought_s))
        while time.perf_counter() < until and not (stop and stop.is_set()):
            try:
                for step, request, thought in (
                    ("load", annotator.load, 0.0),
                    ("save", annotator.judge, thought_s / 2),
                    ("submit", annotator.submit, thought_s / 2),
                ):
                    time.sleep(thought * dice.uniform(0.5, 1.5))
                    measured.timed(step, request, counts_from, until)
            except (Refused, OSError, HTTPException) as error:
                measured.errors.append(f"{type(error).__name__}: {error}")
                time.sleep(0.05)

    threads = [
        threading.Thread(target=one, args=(annotator, number)) for number, annotator in enumerate(annotators)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return measured
