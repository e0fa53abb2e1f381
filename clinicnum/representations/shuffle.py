"""Reorder a short list by a single random draw."""

from collections.abc import Sequence
from functools import cache
from itertools import permutations
from typing import TypeVar

T = TypeVar("T")


def reordered(items: Sequence[T], draw: float) -> list[T]:
    """The items in any order; `draw` is in [0, 1), and 0 keeps their order."""
    orders = _orders(len(items))
    return [items[place] for place in orders[int(draw * len(orders))]]


def otherwise(items: Sequence[T], draw: float) -> list[T]:
    """The items in any order but their own; `draw` is in [0, 1). At least two items."""
    orders = _orders(len(items))
    return [items[place] for place in orders[1 + int(draw * (len(orders) - 1))]]


@cache
def _orders(size: int) -> tuple[tuple[int, ...], ...]:
    # The first permutation is the original order.
    return tuple(permutations(range(size)))
