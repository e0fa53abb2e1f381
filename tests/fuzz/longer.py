"""The same tries for as long as one likes, drawn at random from a seed: what `scripts/dev/evidence fuzz`
runs."""

import random
import time
import traceback
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from tests.fuzz.judging import Case
from tests.fuzz.mutations import KINDS, Mutation


@dataclass
class Tally:
    """What came of the tries of one reader or command."""

    name: str
    came_to: Counter[str] = field(default_factory=Counter)
    """How often it was read, and how often refused."""
    failures: dict[str, Case] = field(default_factory=dict)
    """What was raised and where -> the first case that raised it."""

    def line(self) -> str:
        """`name: tries, of which ...`."""
        parts = ", ".join(f"{count:,} {what}" for what, count in sorted(self.came_to.items()))
        return f"{self.name}: {self.came_to.total():,} tried: {parts}"


def case(rng: random.Random) -> Case:
    """Drawn at random: one to four mutations of one file."""
    drawn = [
        Mutation(rng.choice(sorted(KINDS)), rng.randrange(2**24), rng.randrange(2**24), rng.randrange(2**24))
        for _ in range(rng.choice((1, 1, 1, 2, 3, 4)))
    ]
    return Case(rng.randrange(2**24), tuple(drawn))


def for_seconds(name: str, seconds: float, seed: int, attempt: Callable[[Case], str]) -> Tally:
    """Try cases until the time is up; keep one case of each kind of failure."""
    tally, rng, end = Tally(name), random.Random(f"{name} {seed}"), time.monotonic() + seconds
    while time.monotonic() < end:
        one = case(rng)
        try:
            said = attempt(one)
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            tally.came_to["FAILED"] += 1
            tally.failures.setdefault(_where(error), one)
        else:
            tally.came_to["read" if said == "read" else "refused"] += 1
    return tally


def _where(error: BaseException) -> str:
    """The error, and the innermost line of the repository that it passed."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if "/site-packages/" not in f.filename]
    own = [f for f in frames if "/lib/python" not in f.filename]
    inner = own[-1]
    place = f"{'/'.join(Path(inner.filename).parts[-3:])}:{inner.lineno} {inner.name}"
    return f"{type(error).__name__}: {str(error)[:120]!r} at {place}"
