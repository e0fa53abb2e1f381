"""Progress of a run: a bar on a terminal, occasional lines elsewhere, and totals at the end."""

import sys
import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn
from rich.text import Text

from clinicnum.inference.client_interface import Completion
from clinicnum.inference.run_time_estimate import duration, tokens_a_minute
from clinicnum.scripts.commands.inference.prices import Prices
from clinicnum.types import Generation

LINE_EVERY_S = 30.0


def say(line: str) -> None:
    """Print a line for the user on standard error."""
    print(line, file=sys.stderr, flush=True)


class Reporter:
    """Counts generations, and reports their rate and the remaining time.

    The remaining time is estimated from the cost of each prompt, not from their number: long prompts come
    first, and all prompts of a batch end together.
    """

    def __init__(
        self,
        cost_of: Callable[[str], float],
        *,
        left: int,
        cost: float,
        already: int,
        prefix: str,
        alone: bool = True,
        prices: Prices | None = None,
    ) -> None:
        """`cost_of` gives the cost of an instance by its id, `left` and `cost` are the number of remaining
        instances and what they cost together; `already` is the number done before; `prefix` begins each
        line. A process that is not `alone` draws no bar: several would overwrite each other's. With
        `prices` the totals say what the tokens cost.
        """
        self._cost_of, self._left, self._all = cost_of, left, cost
        self._already = already
        self._prefix, self._prices = prefix, prices
        self._reasons = {"stop": 0, "length": 0, "error": 0}
        self._cut_in_thought = self._uncounted = 0
        self._errors: list[str] = []
        self._postponed: list[str] = []
        self._started = self._last = time.monotonic()
        self.cost = 0.0
        """Of what was written since the start."""
        self.prompt_tokens = self.new_tokens = 0
        """Of what was written since the start, as far as they are known."""
        self._ended = threading.Event()
        self._lines = threading.Thread(target=self._say_lines, name="progress", daemon=True)
        self._bar = self._new_bar() if sys.stderr.isatty() and alone else None
        self._task = (
            None if self._bar is None else self._bar.add_task("", total=self.total, completed=already)
        )

    def __enter__(self) -> Self:
        if self._bar is not None:
            self._bar.start()
        else:
            self._lines.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        if self._bar is not None:
            self._bar.stop()
        else:  # no line comes after the totals
            self._lines.join()

    @property
    def written(self) -> int:
        """Number of generations since the start."""
        return sum(self._reasons.values())

    @property
    def seconds(self) -> float:
        """Seconds from the start to the last generation."""
        return self._last - self._started

    @property
    def done(self) -> int:
        """Number of generations, including earlier sessions."""
        return self._already + self.written

    @property
    def total(self) -> int:
        """Number of generations that the run will have."""
        return self._already + self._left

    @property
    def seconds_left(self) -> float | None:
        """Estimate of the remaining time; None before the first generation."""
        if not self.written or self.seconds <= 0:
            return None
        left = (self._all - self.cost) * self.seconds / self.cost
        return max(0.0, left - (time.monotonic() - self._last))

    @property
    def postponed(self) -> int:
        """Number of requests that failed temporarily."""
        return len(self._postponed)

    def add(self, generation: Generation) -> None:
        """Count a generation that is on disk."""
        self._reasons[generation.finish_reason] += 1
        if generation.finish_reason == "length" and generation.thinking and not generation.text.strip():
            self._cut_in_thought += 1
        if generation.error:
            self._errors.append(generation.error)
        self.cost += self._cost_of(generation.instance_id)
        self.prompt_tokens += generation.prompt_tokens or 0
        self.new_tokens += generation.completion_tokens or 0
        self._uncounted += None in (generation.prompt_tokens, generation.completion_tokens)
        self._last = time.monotonic()
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, completed=self.done)

    def postpone(self, completion: Completion) -> None:
        """Count a request that failed temporarily."""
        self._postponed.append(completion.error or "no reason given")

    def pace(self) -> str:
        """The rate and the remaining time: `1.25 a second, 3:20 left`."""
        left = self.seconds_left
        return "" if left is None else f"{self.written / self.seconds:.2f} a second, {duration(left)} left"

    def waiting(self) -> str:
        """What is said before the first generation: how long the run has waited for it."""
        waited = duration(time.monotonic() - self._started)
        return f"none new after {waited}; the first can take minutes on a busy machine"

    def sums(self) -> list[str]:
        """The totals, one per line."""
        found = self._reasons
        lines = [
            f"{self._prefix}{self.written} generated: {found['stop']} ended, {found['length']} cut off, "
            f"{found['error']} could not be run",
            *self._token_sums(),
        ]
        if self._cut_in_thought:
            lines.append(
                f"{self._prefix}{self._cut_in_thought} of those cut off were still thinking and gave no "
                "answer; give --max-new-tokens thousands, or --thinking off"
            )
        if self._errors:
            lines.append(f"{self._prefix}the last that could not be run: {self._errors[-1]}")
        if self._postponed:
            lines.append(
                f"{self._prefix}{len(self._postponed)} failed for now (last: {self._postponed[-1]}); "
                "run the same command again to ask for them again"
            )
        return lines

    def _token_sums(self) -> list[str]:
        """Tokens, their rate and, if there are prices, their cost; nothing where none were counted."""
        prompt, new = self.prompt_tokens, self.new_tokens
        if not prompt + new or self.seconds <= 0:
            return []
        without = f"; {self._uncounted} generations without a count" if self._uncounted else ""
        pace = tokens_a_minute(prompt + new, self.seconds)
        lines = [f"{self._prefix}tokens: {prompt:,} of prompts and {new:,} generated, {pace}{without}"]
        if self._prices:
            lines.append(f"{self._prefix}costs: {self._prices.cost(prompt, new)}, at {self._prices}")
        return lines

    def _say_lines(self) -> None:
        while not self._ended.wait(LINE_EVERY_S):
            say(f"{self._prefix}{self.done} of {self.total}, {self.pace() or self.waiting()}")

    def _new_bar(self) -> Progress:
        columns = (TextColumn(f"{self._prefix}generating"), BarColumn(), MofNCompleteColumn(), _Pace(self))
        return Progress(*columns, console=Console(stderr=True))


class _Pace(ProgressColumn):
    """Column of the progress bar with the reporter's rate and the remaining time."""

    def __init__(self, reporter: Reporter) -> None:
        super().__init__()
        self._reporter = reporter

    def render(self, task: Task) -> Text:
        return Text(self._reporter.pace() or self._reporter.waiting())
