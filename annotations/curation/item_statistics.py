"""How well an item separates models: classical item analysis, and the slope of a logistic curve.

An item is whatever is scored as one: a template with its instances, or a single instance. A run's *rest
score* is its share of right answers to all other items, so that no item is compared with itself.

- `item_total`: the corrected item-total correlation, Pearson's r of the item's share right with the rest
  score (the point-biserial correlation where the item is one question); as
  `performance::item_discrimination` and `examly::pbiserial_rest` of R compute it.
- `upper_lower`: the discrimination index D = p(upper) - p(lower) of the upper and lower 27 % of runs by rest
  score (Kelley's 27 %; Lopez 1998, Rasch Measurement Transactions 12:1, 626). Runs that tie at the border
  share the places left, as in Real Statistics' ITEMDISC.
- `slope`: the log odds of a right answer per standard deviation of the rest score, the discrimination `a`
  of the two-parameter logistic model (Lord 1980) with the rest score in the place of the ability. Both
  indices above also fall when an item is very easy or very hard; the slope does not, so it is what items
  are ranked by. Few runs make it noisy: it is drawn towards the mean of all items by a normal prior, whose
  mean and variance are estimated from the first fit by moments (our own choice).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from clinicnum.translatable_text import Translatable

MIN_RUNS = 10
"""With fewer runs there are no statistics: a correlation of nine points is mostly noise (our own choice)."""
ALONE = Translatable("nothing to compare with: no run answered anything else")
FEW = Translatable("not enough runs: {n} of the {least} needed")
RIGHT = Translatable("no variation: all {n} runs are right on all of it")
WRONG = Translatable("no variation: all {n} runs are wrong on all of it")
EQUAL = Translatable("no variation: all {n} runs are equally often right")
LEVEL = Translatable("no variation: all {n} runs have the same score on everything else")
REASONS = (ALONE, FEW, RIGHT, WRONG, EQUAL, LEVEL)
"""Why an item has no statistics; `n` is its number of runs, and `least` is MIN_RUNS."""
KELLEY = 0.27
_WEAK = (0.05, 0.1)
"""Prior precision of intercept and slope in the first fit: keeps both finite if the runs are perfectly
separated.
"""
_SMALLEST_VARIANCE = 0.05
_STEPS = 60

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ItemStatistic:
    """Statistics of one item; what is undefined is None, and `undefined` says why."""

    runs: int
    """Number of runs that answered it and at least one other item."""
    accuracy: float | None
    """Mean over runs of the share right."""
    item_total: float | None = None
    upper_lower: float | None = None
    slope: float | None = None
    undefined: str | None = None


def item_statistics(right: NDArray[np.int64], asked: NDArray[np.int64]) -> tuple[ItemStatistic, ...]:
    """One statistic per item, from counts (runs x items) of right answers and of questions asked.

    A run in which an item was not asked has 0 in both, and does not count for it. Raises ValueError if the
    shapes differ or a count of right answers exceeds that of questions asked.
    """
    if right.shape != asked.shape or right.ndim != 2 or (right > asked).any() or (right < 0).any():
        raise ValueError("expected two tables of runs x items, none with more right than asked")
    share, rest, there = _scores(right, asked)
    runs = there.sum(axis=0)
    accuracy = _mean(share, there)
    why = _undefined(share, rest, there, asked)
    sound = np.array([one is None for one in why], dtype=bool)
    found = {name: np.full(right.shape[1], np.nan) for name in ("item_total", "upper_lower", "slope")}
    if sound.any():
        kept = there[:, sound]
        z = _standardised(rest[:, sound], kept)
        found["item_total"][sound] = _correlation(share[:, sound], rest[:, sound], kept)
        found["upper_lower"][sound] = _upper_lower(share[:, sound], rest[:, sound], kept)
        found["slope"][sound] = _slopes(right[:, sound] * kept, asked[:, sound] * kept, z)
    return tuple(
        ItemStatistic(
            runs=int(runs[at]),
            accuracy=float(accuracy[at]) if runs[at] else None,
            undefined=why[at],
            **({name: float(values[at]) for name, values in found.items()} if sound[at] else {}),
        )
        for at in range(right.shape[1])
    )


def _scores(right: NDArray[np.int64], asked: NDArray[np.int64]) -> tuple[Floats, Floats, NDArray[np.bool_]]:
    """Share right on each item and on all other items, and which runs have both; 0 where a run has not."""
    other_right = right.sum(axis=1, keepdims=True) - right
    other_asked = asked.sum(axis=1, keepdims=True) - asked
    there = (asked > 0) & (other_asked > 0)
    share = np.divide(right, asked, out=np.zeros(right.shape), where=there)
    rest = np.divide(other_right, other_asked, out=np.zeros(right.shape), where=there)
    return share, rest, there


def _undefined(
    share: Floats, rest: Floats, there: NDArray[np.bool_], asked: NDArray[np.int64]
) -> list[str | None]:
    alone = (asked.sum(axis=0) > 0) & (there.sum(axis=0) == 0)
    runs = there.sum(axis=0)
    flat, level = _is_flat(share, there), _is_flat(rest, there)
    top = np.where(there, share, -1).max(axis=0, initial=-1)
    said: list[str | None] = []
    for at, n in enumerate(runs):
        if alone[at]:
            said.append(ALONE)
        elif n < MIN_RUNS:
            said.append(FEW)
        elif flat[at]:
            said.append({1.0: RIGHT, 0.0: WRONG}.get(top[at], EQUAL))
        elif level[at]:
            said.append(LEVEL)
        else:
            said.append(None)
    return [
        None if text is None else Translatable(text, n=int(n), least=MIN_RUNS)
        for text, n in zip(said, runs, strict=True)
    ]


def _is_flat(values: Floats, there: NDArray[np.bool_]) -> NDArray[np.bool_]:
    high = np.where(there, values, -np.inf).max(axis=0, initial=-np.inf)
    low = np.where(there, values, np.inf).min(axis=0, initial=np.inf)
    return np.asarray(high <= low)


def _mean(values: Floats, there: NDArray[np.bool_]) -> Floats:
    return np.asarray((values * there).sum(axis=0) / np.maximum(there.sum(axis=0), 1))


def _centred(values: Floats, there: NDArray[np.bool_]) -> Floats:
    return np.asarray((values - _mean(values, there)) * there)


def _standardised(values: Floats, there: NDArray[np.bool_]) -> Floats:
    centred = _centred(values, there)
    return np.asarray(centred / np.sqrt((centred**2).sum(axis=0) / there.sum(axis=0)))


def _correlation(share: Floats, rest: Floats, there: NDArray[np.bool_]) -> Floats:
    x, y = _centred(share, there), _centred(rest, there)
    return np.asarray((x * y).sum(axis=0) / np.sqrt((x**2).sum(axis=0) * (y**2).sum(axis=0)))


def _upper_lower(share: Floats, rest: Floats, there: NDArray[np.bool_]) -> Floats:
    """Upper-lower discrimination with 27 % of the runs in each group, rounded half up (27 % of 10 runs are
    3).
    """
    size = np.maximum(np.floor(KELLEY * there.sum(axis=0) + 0.5), 1)
    upper = _places(np.where(there, -rest, np.inf), size)
    lower = _places(np.where(there, rest, np.inf), size)
    return np.asarray(((upper - lower) * share).sum(axis=0) / size)


def _places(values: Floats, size: Floats) -> Floats:
    """Weight with which each run belongs to the `size` smallest; ties share the remaining places."""
    from scipy.stats import rankdata

    before = rankdata(values, method="min", axis=0) - 1
    alike = rankdata(values, method="max", axis=0) - before
    return np.asarray(np.clip((size - before) / alike, 0, 1))


def _slopes(right: NDArray[np.int64], asked: NDArray[np.int64], z: Floats) -> Floats:
    first, variance = _fit(right, asked, z, np.zeros(z.shape[1]), _WEAK[1])
    mean = np.average(first, weights=1 / variance)
    spread = float(np.average((first - mean) ** 2 - variance, weights=1 / variance**2))
    precision = 1 / max(spread, _SMALLEST_VARIANCE)
    return _fit(right, asked, z, np.full(z.shape[1], mean), precision)[0]


def _fit(
    right: NDArray[np.int64], asked: NDArray[np.int64], z: Floats, centre: Floats, precision: float
) -> tuple[Floats, Floats]:
    """Slopes and their variances for all items at once, by Newton steps of at most 1."""
    total, weak = asked.sum(axis=0), _WEAK[0]
    rate = (right.sum(axis=0) + 0.5) / (total + 1)
    level, slope = np.log(rate / (1 - rate)), centre.copy()
    for _ in range(_STEPS):
        p = 1 / (1 + np.exp(-(level + slope * z)))
        weight, error = asked * p * (1 - p), right - asked * p
        to_level = error.sum(axis=0) - weak * level
        to_slope = (error * z).sum(axis=0) - precision * (slope - centre)
        aa, ab = weight.sum(axis=0) + weak, (weight * z).sum(axis=0)
        bb = (weight * z * z).sum(axis=0) + precision
        size = aa * bb - ab**2
        step = np.clip((aa * to_slope - ab * to_level) / size, -1, 1)
        level = level + np.clip((bb * to_level - ab * to_slope) / size, -1, 1)
        slope = slope + step
        if np.abs(step).max() < 1e-8:
            break
    return slope, np.asarray(aa / size)
