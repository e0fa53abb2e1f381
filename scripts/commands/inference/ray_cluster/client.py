"""The client of many workers: divides requests among them, and repeats those of a lost one."""

import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import Any

from clinicnum.errors import InputError
from clinicnum.inference.client_interface import Completion, Decoding, Request
from clinicnum.scripts.commands.inference.progress import say
from clinicnum.scripts.commands.inference.ray_cluster.cluster import Cluster, WorkerLost

MOST_AT_A_TIME = 2_048
"""Most requests sent to a worker at once: with their instances, about 30 MB here."""
_PARTS = 4
"""Batches per worker: small ones let all workers end at about the same time."""
_ATTEMPTS = 3
"""Starts of a worker, or lost workers per request, without an answer in between."""
_WAIT_S = 5.0


@dataclass
class _Slot:
    """One of the places for workers: the worker that has it now, which is replaced if it is lost, and its
    open requests.
    """

    number: int
    worker: Any = None
    loading: Any = None
    """The answer to `load` until it is there."""
    open: dict[Any, dict[str, Request]] = field(default_factory=dict)
    """By answer, in the order asked, the requests that it has not brought; a worker does them in order."""
    losses: int = 0
    """How often in a row its worker was lost before it had answered anything."""

    @property
    def answers(self) -> list[Any]:
        """The answers of this worker that are still to come."""
        return [*self.open, *([] if self.loading is None else [self.loading])]

    @property
    def waiting(self) -> int:
        """Requests that the worker has not answered yet."""
        return sum(map(len, self.open.values()))


class RayClient:
    """Workers of a cluster; the first is loaded when `start` returns."""

    def __init__(
        self, cluster: Cluster, start_worker: Callable[[int], tuple[Any, Any]], *, patience_s: float
    ) -> None:
        """`start_worker` starts a worker by its number; returns it and the answer to its `load`.

        `patience_s` is how long, in seconds, to wait while workers are being loaded and none is ready.
        """
        self._cluster, self._start_worker, self._patience_s = cluster, start_worker, patience_s
        self._slots: list[_Slot] = []
        self._again: deque[Request] = deque()
        self._lost: Counter[str] = Counter()
        """By instance, how often the worker that was asked for it was lost."""
        self._last_words = "none started"
        self.facts: dict[str, Any] = {}
        """How the first worker that was loaded describes itself."""
        self._at_a_time = 1
        self.counts: Counter[str] = Counter()
        """How many `workers_lost`."""

    def start(self, workers: int, *, total: int) -> None:
        """Start the workers, for about `total` requests, and wait for the first.

        Raises InputError if none can be loaded.
        """
        self._at_a_time = min(MOST_AT_A_TIME, max(1, total // (workers * _PARTS)))
        self._slots = [_Slot(number) for number in range(workers)]
        for slot in self._slots:
            slot.worker, slot.loading = self._start_worker(slot.number)
        while not self.facts:
            self._take_ready()

    def describe(self) -> dict[str, Any]:
        """How the first worker describes its model and device, for the run's meta data."""
        return self.facts

    def complete(self, requests: Iterable[Request], *, decoding: Decoding) -> Iterator[Completion]:
        """Yield one completion per request, soon after a worker has finished it.

        Raises InputError when no worker is left, after yielding all that was finished.
        """
        coming = iter(requests)
        self._lost.clear()
        while True:
            for slot in self._slots:
                free = slot.loading is None and slot.waiting <= self._at_a_time // _PARTS
                if free and (some := self._next(coming)):
                    answer = slot.worker.complete.options(num_returns="streaming").remote(some, decoding)
                    slot.open[answer] = {request.instance_id: request for request in some}
            if not self._again and not any(slot.open for slot in self._slots):
                if (left := next(coming, None)) is None:
                    return
                self._again.append(left)
            yield from self._take_ready()

    def _next(self, coming: Iterator[Request]) -> list[Request]:
        """The next requests for a worker. Those of lost workers come first; one that was lost with its worker
        almost too often is sent alone, as it may be the cause.
        """
        some: list[Request] = []
        while self._again and len(some) < self._at_a_time:
            alone = self._lost[self._again[0].instance_id] == _ATTEMPTS - 1
            if alone and some:
                return some
            some.append(self._again.popleft())
            if alone:
                return some
        return [*some, *islice(coming, self._at_a_time - len(some))]

    def _take_ready(self) -> list[Completion]:
        """Wait until a worker has answered something; returns the completions that are ready then. Raises
        InputError if no worker was ready in time, or all were lost.
        """
        answers = {one: slot for slot in self._slots for one in slot.answers}
        deadline = time.monotonic() + self._patience_s
        while self._slots and not (ready := self._cluster.ready([*answers], _WAIT_S)):
            if time.monotonic() > deadline and all(one.loading is not None for one in self._slots):
                raise InputError(
                    f"--engine ray: no worker was ready within {self._patience_s:g} s; see `ray status` for "
                    "what the cluster has, ask for fewer or smaller workers (--ray-workers, --ray-gpus), or "
                    "give more time with --engine-start-timeout"
                )
        if not self._slots:
            raise InputError(
                f"--engine ray: all workers were lost (the last: {self._last_words}); what was generated is "
                "kept: run the same command again once the cause is mended"
            )
        return [one for answer in ready for one in self._take(answers[answer], answer)]

    def _take(self, slot: _Slot, answer: Any) -> list[Completion]:
        if answer is not slot.loading and answer not in slot.open:
            return []  # of a worker that was lost with another answer
        try:
            value = self._cluster.take(answer)
        except StopIteration:
            self._again.extend(slot.open.pop(answer).values())
            return []
        except WorkerLost as lost:
            return self._lose(slot, str(lost))
        if isinstance(value, str):
            # A model that cannot be loaded cannot be loaded a second time.
            return self._lose(slot, value, for_good=answer is slot.loading)
        if answer is slot.loading:
            slot.loading = None
            self.facts = self.facts or value
            return []
        slot.losses = 0
        for completion in value:
            del slot.open[answer][completion.instance_id]
        return list(value)

    def _lose(self, slot: _Slot, why: str, *, for_good: bool = False) -> list[Completion]:
        """Start another worker in the place of a lost one; returns completions of requests that were lost
        too often.
        """
        self._cluster.end(slot.worker)
        self._last_words = why
        self.counts["workers_lost"] += 1
        slot.losses += 1
        asked, *queued = [[*requests.values()] for requests in slot.open.values() if requests] or [[]]
        slot.open = {}
        self._lost.update(request.instance_id for request in asked)
        left = [one for one in asked if self._lost[one.instance_id] < _ATTEMPTS]
        self._again.extend(chain(left, *queued))
        if for_good or slot.losses >= _ATTEMPTS:
            self._slots.remove(slot)
            say(f"Ray worker {slot.number} was lost and is left out: {why}")
        else:
            slot.worker, slot.loading = self._start_worker(slot.number)
            say(f"Ray worker {slot.number} was lost and is started again: {why}")
        line = f"the worker that was asked for it was lost {_ATTEMPTS} times (the last: {why})"
        return [
            Completion(one.instance_id, "", "error", None, None, None, error=line, transient=True)
            for one in asked
            if one not in left
        ]
