"""Five orders of an imported item's options, with the gold at each place equally often.

An order is a rotation of one random circle of the options: over as many orders as there are options, each
option stands at every place once; further orders go round the other way. Where the gold begins is dealt out
item by item, each place once before any comes twice, so that in each of the five orders, too, the gold stands
at every place equally often, as far as the number of items with so many options allows. None of the five is
the item's own order, unless it has three options or fewer, which have too few orders for that.
"""

import random
from collections.abc import Sequence

ORDERS = 5
FEW = 3
"""Up to so many options five orders nearly always hold the item's own."""
TRIES = 1_000
"""Most circles tried for an item; of four options one in three or so holds the item's own order."""


class GoldPlaces:
    """Assigns the gold of each item a place in the first order; made once for a benchmark."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(f"{seed}:places")  # noqa: S311  reproducible, not secret
        self._left: dict[int, list[int]] = {}

    def next(self, options: int) -> int:
        """The gold's place for the next item with `options` options."""
        left = self._left.setdefault(options, [])
        if not left:
            left.extend(self._rng.sample(range(options), options))
        return left.pop()


def order(
    options: Sequence[str], *, gold: int, number: int, first: int, rng: random.Random
) -> tuple[str, ...]:
    """The options in order `number`, from 1; the gold stands at `first + number - 1`, modulo the number of
    options.

    `rng` has to be in the same state for each order of an item.
    """
    n = len(options)
    for _ in range(TRIES if n > FEW else 1):
        circle = rng.sample(range(n), n)
        found = [_places(circle, gold, one, first) for one in range(1, ORDERS + 1)]
        if list(range(n)) not in found:
            break
    return tuple(options[place] for place in _places(circle, gold, number, first))


def _places(circle: Sequence[int], gold: int, number: int, first: int) -> list[int]:
    """Which option stands at each place of order `number` of a circle."""
    n, turn = len(circle), number - 1
    around = list(reversed(circle)) if turn // n % 2 else list(circle)
    begin = around.index(gold) - first - turn
    return [around[(begin + place) % n] for place in range(n)]
