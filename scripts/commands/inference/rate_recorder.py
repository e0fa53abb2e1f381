"""Count the generations that are on disk, and regularly write the run's rate into its meta data."""

import time
from collections.abc import Callable
from typing import Any

from clinicnum.inference.generations_journal import Journal
from clinicnum.scripts.commands.inference.progress import Reporter
from clinicnum.types import Generation

Watch = Callable[[Reporter], None]
Keep = Callable[[Generation], None]
_NOTE_EVERY_S = 30.0


class Acknowledge:
    """Called for each generation on disk: counts it, and regularly records the rate in the meta data."""

    def __init__(self, reporter: Reporter, journal: Journal, watch: Watch, keep: Keep) -> None:
        self._reporter = reporter
        self._keep = keep
        self._watch = watch
        self._journal = journal
        self._noted = time.monotonic()

    def __call__(self, generation: Generation) -> None:
        self._reporter.add(generation)
        self._keep(generation)
        self._watch(self._reporter)
        if time.monotonic() - self._noted >= _NOTE_EVERY_S:
            self.note()

    def note(self, **facts: Any) -> None:
        """Record the rate, and other facts, in the meta data."""
        self._noted = time.monotonic()
        done = self._reporter
        self._journal.note(
            written=done.written,
            seconds=round(done.seconds, 3),
            cost=round(done.cost),
            prompt_tokens=done.prompt_tokens,
            new_tokens=done.new_tokens,
            **facts,
        )
