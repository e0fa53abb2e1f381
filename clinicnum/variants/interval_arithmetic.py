"""Exact interval arithmetic; None means no limit."""

from collections.abc import Sequence
from fractions import Fraction

Bound = Fraction | None
Interval = tuple[Bound, Bound]
"""Lowest and highest value."""

ANY: Interval = (None, None)


def intersection(one: Interval, other: Interval) -> Interval:
    """The intersection of two overlapping intervals."""
    lows = [low for low in (one[0], other[0]) if low is not None]
    highs = [high for high in (one[1], other[1]) if high is not None]
    return max(lows, default=None), min(highs, default=None)


def total(parts: Sequence[Interval]) -> Interval:
    """The interval of the sum of one value from each of the intervals `parts`."""
    low: Bound = Fraction(0)
    high: Bound = Fraction(0)
    for lowest, highest in parts:
        low = None if low is None or lowest is None else low + lowest
        high = None if high is None or highest is None else high + highest
    return low, high


def difference(one: Interval, other: Interval) -> Interval:
    """The interval of a value in `one` minus a value in `other`."""
    low, high = other
    return total([one, (None if high is None else -high, None if low is None else -low)])


def product(one: Interval, other: Interval) -> Interval:
    """The interval of a value in `one` times a value in `other`."""
    (a, b), (c, d) = one, other
    if a is None or b is None or c is None or d is None:
        if a is None or c is None or a < 0 or c < 0:
            return ANY
        return a * c, None
    ends = (a * c, a * d, b * c, b * d)
    return min(ends), max(ends)


def quotient(one: Interval, other: Interval) -> Interval:
    """The interval of a value in `one` divided by one in `other`; unlimited if `other` is not positive
    throughout.
    """
    low, high = other
    if low is None or low <= 0:
        return ANY
    return product(one, (Fraction(0) if high is None else 1 / high, 1 / low))
