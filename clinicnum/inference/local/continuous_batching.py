"""Decoding of a batch that is refilled as rows finish.

Rows wait in a queue. Whenever there is room, the next ones are read (`prefill`) and take slots of one cache;
each step writes one token for every row; a row that ends leaves at once and its slot is filled again. When
memory runs out all rows go back to the queue with what they have written, and half as many run at a time.
"""

import math
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import torch

from clinicnum.inference.local.batch_planning import Group, Row
from clinicnum.inference.local.forward_pass import Stepper
from clinicnum.inference.local.kv_cache import Segment, SlotCache
from clinicnum.inference.local.out_of_memory import is_out_of_memory, release
from clinicnum.inference.local.prefill import prefill
from clinicnum.inference.local.sampling import choose

CHUNK = 256
"""Tokens that can be generated before a cache must be laid out anew."""


@dataclass(frozen=True)
class Finished:
    """A finished row; `error` is set exactly if the reason is `error`."""

    row: Row
    reason: Literal["stop", "length", "error"]
    seconds: float
    error: str | None = None


@dataclass
class Bounds:
    """Limits on the rows and tokens that run at once."""

    tokens: int
    """Most tokens over all rows: the prompts, and the most that may be generated."""
    rows: int
    """Most rows; halved when memory runs out."""
    prefill_tokens: int
    """Most prompt tokens read in one pass, unless a single prompt is longer."""
    admit_share: float
    """Share of the slots that must be free before waiting rows enter."""
    ran_out: int = 0
    """How often memory ran out."""


class Engine:
    """Runs rows through one model. `ends` are the token ids that end a text."""

    def __init__(
        self, stepper: Stepper, *, ends: Sequence[int], bounds: Bounds, temperature: float = 0.0
    ) -> None:
        self._stepper = stepper
        self._temperature = temperature
        self._ends = frozenset(ends)
        self.bounds = bounds
        self._most_rows = bounds.rows
        self._waiting: deque[Row] = deque()
        self._live: list[Row] = []
        self._starts: list[int] = []
        self._cache: SlotCache | None = None
        self._entering = 0
        self._starts_there: Any = None

    def run(self, rows: Sequence[Row]) -> Iterator[Finished]:
        """Yield each row as soon as it is finished. `rows` are in the order of `plan`."""
        self._waiting = deque(rows)
        while self._waiting or self._live:
            done: list[Finished] = []
            try:
                while self._admit(done):
                    pass
                if self._live:
                    self._step(done)
                out_of_memory = False
            except (RuntimeError, MemoryError) as error:
                if not is_out_of_memory(error):
                    raise
                out_of_memory = True
            if out_of_memory:  # outside the handler, whose traceback holds on to tensors
                self._shrink(done)
            yield from done
        self._cache = None

    def _admit(self, done: list[Finished]) -> bool:
        """Read the next rows and assign slots; returns whether any were taken."""
        taken = self._next_rows()
        if not taken:
            return False
        self._entering = len(taken)
        now = time.perf_counter()
        for row in taken:
            row.entered = row.entered or now
        segments, logits = prefill(self._stepper, taken)
        choices, logprobs = self._choose(logits, taken)
        enter = [i for i, row in enumerate(taken) if not self._ends_with(row, choices[i])]
        self._place([taken[i] for i in enter], [segments[i] for i in enter])
        for row, choice, logprob in zip(taken, choices, logprobs, strict=True):
            self._waiting.popleft()
            row.group.leave()
            self._write(row, choice, logprob, done)
        self._entering = 0
        return True

    def _next_rows(self) -> list[Row]:
        """The waiting rows to read now: as many as fit within one pass."""
        if not self._waiting:
            return []
        most = max(row.most for row in (self._waiting[0], *self._live))
        target = min(self.bounds.rows, max(1, self.bounds.tokens // most))
        slots = self._cache.slots if self._cache and self._live else 0
        if slots and target < slots * 1.25:  # a larger cache must be worth its copy
            target = min(target, slots)
        room = target - len(self._live)
        if room <= 0 or (self._live and room < target * self.bounds.admit_share):
            return []
        taken: list[Row] = []
        width = 0
        for row in self._waiting:
            if self.bounds.rows == 1:
                row.group = Group(waiting=1)
            rest = row.length - (len(row.group.prefix) if row.group.waiting > 1 or row.group.segment else 0)
            width = max(width, rest)
            if taken and (len(taken) == room or width * (len(taken) + 1) > self.bounds.prefill_tokens):
                break
            taken.append(row)
        return taken

    def _place(self, rows: Sequence[Row], segments: Sequence[Segment]) -> None:
        """Assign slots to rows, in a new cache if the present one has no room."""
        cache, used = self._cache, len(self._live)
        if not rows:
            return
        if (
            cache is None
            or not used
            or used + len(rows) > cache.slots
            or max(s.length for s in segments) > cache.edge
        ):
            cache = self._lay_out(segments)
        for slot, segment in enumerate(segments, start=used):
            cache.put(slot, segment)
        self._live.extend(rows)
        self._starts.extend(cache.edge - segment.length for segment in segments)
        self._settle(cache)

    def _lay_out(self, entering: Sequence[Segment] = ()) -> SlotCache:
        """Replace the cache by a new one with the live rows and room for the entering ones; return it."""
        old = self._cache
        kept = (
            [] if old is None else [Segment(old, i, start, old.edge) for i, start in enumerate(self._starts)]
        )
        ahead = [*self._live, *list(self._waiting)[: len(entering) + 1]]
        most = max(row.most for row in ahead)
        slots = min(
            self.bounds.rows, max(1, self.bounds.tokens // most), len(self._live) + len(self._waiting)
        )
        slots = max(slots, len(kept) + len(entering))
        edge = max(segment.length for segment in (*kept, *entering))
        room = CHUNK if self._waiting else min(CHUNK, max(row.most - row.length for row in ahead) + 1)
        cache = self._stepper.cache(slots, edge + room, edge=edge)
        for slot, segment in enumerate(kept):
            cache.put(slot, segment)
        self._starts = [edge - segment.length for segment in kept]
        self._settle(cache)
        return cache

    def _settle(self, cache: SlotCache) -> None:
        """Make this the cache in use and note where its rows begin, after rows came or went."""
        self._cache = cache
        cache.low = min(self._starts, default=cache.edge)
        self._starts_there = torch.tensor(self._starts, device=self._stepper.device)

    def _step(self, done: list[Finished]) -> None:
        """Generate one token for every live row."""
        cache = self._cache
        if cache is None or cache.edge == cache.capacity:
            cache = self._lay_out()
        last = torch.tensor([row.generated[-1] for row in self._live], device=self._stepper.device)
        choices, logprobs = self._choose(self._stepper.step(cache, last, self._starts_there), self._live)
        before = len(done)
        gone = [
            slot
            for slot, row in enumerate(self._live)
            if self._write(row, choices[slot], logprobs[slot], done)
        ]
        if len(done) > before:
            self._leave(cache, gone)

    def _leave(self, cache: SlotCache, gone: Sequence[int]) -> None:
        """Free slots: the last rows move into them."""
        for slot in reversed(gone):
            row, start = self._live.pop(), self._starts.pop()
            if slot < len(self._live):
                cache.move(len(self._live), slot, start)
                self._live[slot], self._starts[slot] = row, start
        self._settle(cache)

    def _choose(self, logits: Any, rows: Sequence[Row]) -> tuple[list[int], list[float]]:
        """The next token of each row, and its log-probability."""
        return choose(logits, [(row.seed, len(row.generated)) for row in rows], self._temperature)

    def _ends_with(self, row: Row, token: int) -> bool:
        return token in self._ends or len(row.generated) + 1 >= row.limit

    def _write(self, row: Row, token: int, logprob: float, done: list[Finished]) -> bool:
        """Append a token; returns whether that finishes the row."""
        over = self._ends_with(row, token)
        row.generated.append(token)
        row.logprobs.append(logprob)
        if over:
            done.append(_finished(row, "stop" if token in self._ends else "length"))
        return over

    def _shrink(self, done: list[Finished]) -> None:
        """After running out of memory: put all rows back into the queue, and run half as many at a
        time from now on.
        """
        slots = self._cache.slots if self._cache else 0
        together = max(len(self._live) + self._entering, slots)  # a cache is laid out for all its slots
        for row in self._live:
            row.group.waiting += 1
        self._waiting.extendleft(reversed(self._live))
        for row in self._waiting:
            row.group.segment = None
        self._live, self._starts, self._cache, self._entering = [], [], None, 0
        release()
        self.bounds.rows = max(1, together // 2)
        self.bounds.ran_out += 1
        if together <= 1:
            row = self._waiting.popleft()
            row.group.leave()
            done.append(_finished(row, "error", _too_large(row)))
            self.bounds.rows = self._most_rows  # the next ones are shorter


def _too_large(row: Row) -> str:
    return (
        f"out of memory with this prompt of {len(row.prompt)} tokens alone in the batch; shorten the "
        "context, take a smaller --dtype or --quantize, or a machine with more memory"
    )


def _finished(row: Row, reason: Literal["stop", "length", "error"], error: str | None = None) -> Finished:
    if error is None and not all(map(math.isfinite, row.logprobs)):
        reason = "error"
        error = "the model's output is not a number in this number type; take --dtype float32 or bfloat16"
    return Finished(row, reason, time.perf_counter() - (row.entered or 0.0), error)
