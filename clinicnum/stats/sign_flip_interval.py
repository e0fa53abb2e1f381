"""The interval that belongs to the sign-flip test of a paired difference: all shifts that the test does not
reject.

Under a shift d, each subject's difference less d times its items is as likely to have the other sign. The
p-value of d is the share of sign patterns whose sum is at least as far from 0. Subjects with equal
differences and items are exchangeable, so patterns are counted by how many of each kind keep their sign, each
count with its binomial chance. Where these are more than `MOST_COUNTS`, 9,999 random patterns and the
observed stand for all, and `method` is `DRAWN`.

The interval holds every d whose p-value is over 1 - level; where all patterns are counted it excludes 0
exactly where the test rejects at that level. Where so few subjects differ that the test could never reject,
none is given: its limits would come from the subjects without a difference, all of which a shift gives the
same sign, and with one difference in a hundred they would end at 0.
"""

from collections.abc import Iterator
from math import comb, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clinicnum.stats.clustered_intervals import Floats
from clinicnum.stats.jackknife import Interval, few_subjects, why_no_interval

METHOD = "sign flips by subject, inverted"
PATTERNS = 9_999
AT_ONCE = 500
"""Random patterns drawn at a time; all those of thousands of subjects would take hundreds of megabytes."""
EXACT = 2**24
"""Sums of whole numbers below this are exact in single precision, which is twice as fast."""
DRAWN = f"{METHOD}, of {PATTERNS:,} drawn sign patterns"
MOST_COUNTS = 2**14
"""Maximum number of count combinations up to which all sign patterns are counted."""
_BISECTIONS = 40
_SAME = 1e-9


def flip_interval(differences: Floats, items: Floats, *, level: float = 0.95) -> Interval:
    """Interval, within -1 and 1, of sum(differences) / sum(items); both have one entry per subject."""
    kept = items > 0
    differences, items = differences[kept].astype(float), items[kept].astype(float)
    subjects, n = len(items), int(items.sum())
    reason = why_no_interval(subjects, 0, n)
    if reason is None and 2.0 ** (1 - subjects) > 1 - level:
        reason = f"{subjects} subjects: no sign pattern is as rare as {1 - level:.2g}"
    differing = int(np.count_nonzero(differences))
    if reason is None and 2.0 ** (1 - differing) > 1 - level:
        few = "1 subject differs" if differing == 1 else f"{differing} subjects differ"
        reason = f"{few}, of {subjects}: too few for an interval by sign flips"
    if reason is not None:
        return Interval(None, None, METHOD, subjects, undefined=reason)
    counted = _counted(differences, items)
    of_differences, of_items, chances = counted or _drawn(differences, items)
    middle = float(differences.sum() / items.sum())

    def kept_at(shift: float) -> bool:
        own = abs(differences.sum() - shift * items.sum())
        far = np.abs(of_differences - shift * of_items) >= own - _SAME
        return bool(chances[far].sum() > 1 - level + _SAME)

    def end(bound: float) -> float:
        if kept_at(bound):
            return bound
        inside, outside = middle, bound
        for _ in range(_BISECTIONS):
            between = (inside + outside) / 2
            inside, outside = (between, outside) if kept_at(between) else (inside, between)
        return (inside + outside) / 2

    method, low, high = METHOD if counted else DRAWN, end(-1.0), end(1.0)
    if high - low < _SAME:
        reason = "all subjects differ by as much: the interval has no width"
        return Interval(None, None, method, subjects, undefined=reason)
    return Interval(low, high, method, subjects, warning=few_subjects(subjects))


def _counted(differences: Floats, items: Floats) -> tuple[Floats, Floats, Floats] | None:
    """Sums of differences and of items under the sign patterns, and the chance of each; None if too many."""
    kinds, counts = np.unique(np.stack([differences, items]), axis=1, return_counts=True)
    if prod(int(count) + 1 for count in counts) > MOST_COUNTS:
        return None
    of_differences, of_items, chances = np.zeros(1), np.zeros(1), np.ones(1)
    for difference, of, count in zip(*kinds, counts.tolist(), strict=True):
        kept = np.arange(count + 1)
        net = 2.0 * kept - count
        chance = np.array([comb(count, one) / 2**count for one in kept.tolist()])
        of_differences = np.add.outer(of_differences, net * difference).ravel()
        of_items = np.add.outer(of_items, net * of).ravel()
        chances = np.multiply.outer(chances, chance).ravel()
    return of_differences, of_items, chances


def _drawn(differences: Floats, items: Floats) -> tuple[Floats, Floats, Floats]:
    """As `_counted`, of random sign patterns, each with the same chance."""
    columns = np.column_stack([differences, items])
    whole = bool((columns == np.rint(columns)).all() and np.abs(columns).sum() < EXACT)
    kind = np.float32 if whole else np.float64
    flipped = (flips.astype(kind) @ columns.astype(kind) for flips in _patterns(len(columns)))
    parts = [columns.sum(axis=0) - 2.0 * one.astype(float) for one in flipped]
    of_differences, of_items = np.concatenate(parts).T
    return of_differences, of_items, np.full(PATTERNS + 1, 1 / (PATTERNS + 1))


def _patterns(subjects: int) -> Iterator[NDArray[np.integer[Any]]]:
    """Yield, a batch at a time, random patterns of flipped signs [patterns, subjects]: 1 where a sign is
    flipped. The very first pattern flips none.
    """
    rng = np.random.default_rng(0)
    for done in range(0, PATTERNS + 1, AT_ONCE):
        drawn = rng.integers(0, 2, size=(min(AT_ONCE, PATTERNS + 1 - done), subjects), dtype=np.int8)
        if not done:
            drawn[0] = 0
        yield drawn
