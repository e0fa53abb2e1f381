"""Lookup tables for `synthetic`: normal deviates, and the charted value for a score.

Made with additions, multiplications and divisions alone: the same on every machine.
"""

from collections.abc import Callable, Iterator, Sequence
from decimal import ROUND_HALF_UP, Decimal
from itertools import pairwise
from typing import TypeVar

from clinicnum.records.synthetic_parameters import DIGITS, KNOTS
from clinicnum.records.vitals import VITAL_SIGNS
from clinicnum.types import Vital

STEPS = 128
"""Table entries per unit of score."""
MIDDLE = 8 * STEPS
"""Index of score 0; a table covers eight units on either side."""
LAST = 2 * MIDDLE - 1

Knots = Sequence[tuple[float, float]]
T = TypeVar("T")


def normal_deviates(size: int = 4096) -> tuple[float, ...]:
    """The midpoints of `size` equally likely parts of the standard normal distribution, in order.

    Walks out from the middle: the density's ratio from step to step is itself multiplied by a constant.
    """
    step = 1 / 64
    ratio, shrink = 0.99987793698906898, 0.99975588917076874  # exp(-step^2 / 2), exp(-step^2)
    density = 0.39894228040143268  # of 0: 1 / sqrt(2 pi)
    share, at, gained = 0.5, 0.0, 0.0
    half: list[float] = []
    for part in range(size // 2):
        wanted = 0.5 + (part + 0.5) / size
        while True:
            ahead = density * ratio
            gained = step * (density + ahead) / 2
            if share + gained >= wanted:
                break
            share, at, density, ratio = share + gained, at + step, ahead, ratio * shrink
        half.append(at + step * (wanted - share) / gained)
    return (*(-x for x in reversed(half)), *half)


NORMAL = normal_deviates()


def table(knots: Knots, kept: Callable[[float], T]) -> tuple[T, ...]:
    """The charted value for each possible score: `kept` of a value interpolated between `knots`, or
    extrapolated beyond them.
    """
    return tuple(kept(value) for value in _straight(knots))


def _straight(knots: Knots) -> Iterator[float]:
    lines = pairwise(knots)
    (x0, y0), (x1, y1) = next(lines)
    for at in range(LAST + 1):
        score = (at + 0.5 - MIDDLE) / STEPS
        while score >= x1 and (line := next(lines, None)):
            (x0, y0), (x1, y1) = line
        yield y0 + (y1 - y0) * (score - x0) / (x1 - x0)


def whole(low: int, high: int) -> Callable[[float], int]:
    """A function that clips a value to `low` and `high` and rounds it half up."""
    return lambda value: int(min(max(value, low), high) + 0.5)


def charted(vital: Vital) -> tuple[Decimal, ...]:
    """The charted value for each score: plausible, with the digit preference of real charting.

    Temperature is charted to a tenth of a degree Fahrenheit and kept in °C, as loading does with real ones.
    """
    sign, digits = VITAL_SIGNS[vital], DIGITS[vital]
    fahrenheit = vital == "temperature_c"
    made: dict[int, Decimal] = {}

    def kept(value: float) -> Decimal:
        value = min(max(value, -40.0), 400.0) * (10 if fahrenheit else 1)
        below = int(value + 1000) - 1000  # rounded down: int() alone would round towards 0
        weight, next_weight = digits[below % 10], digits[(below + 1) % 10]
        ticks = below + (value - below >= weight / (weight + next_weight))
        if ticks not in made:
            exact = Decimal(ticks)
            if fahrenheit:
                exact = ((exact / 10 - 32) * 5 / 9).quantize(Decimal("0.1"), ROUND_HALF_UP)
            made[ticks] = min(max(exact, sign.low), sign.high)
        return made[ticks]

    return table(KNOTS[vital], kept)
