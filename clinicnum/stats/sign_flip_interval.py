"""The interval that belongs to the sign-flip test of a paired difference: all shifts that the test does not
reject.

Under a shift d, each subject's difference less d times its items is as likely to have the other sign. The
p-value of d is the share of sign patterns whose sum is at least as far from 0; all patterns of up to 13
subjects, 9,999 random ones and the observed of more. The
interval holds every d whose p-value is over 1 - level, so it excludes 0 exactly where the test rejects at
that level.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clinicnum.stats.clusters import Floats
from clinicnum.stats.jackknife import Interval, few_subjects, why_no_interval

METHOD = "sign flips by subject, inverted"
ALL_PATTERNS = 13
"""Most subjects for which every sign pattern is counted."""
PATTERNS = 9_999
AT_ONCE = 500
"""Random patterns drawn at a time; all those of thousands of subjects would take hundreds of megabytes."""
EXACT = 2**24
"""Sums of whole numbers below this are exact in single precision, which is twice as fast."""
_BISECTIONS = 40
_SAME = 1e-9


def flip_interval(differences: Floats, items: Floats, *, level: float = 0.95) -> Interval:
    """The interval of sum(differences) / sum(items), both one per subject, between -1 and 1."""
    kept = items > 0
    differences, items = differences[kept].astype(float), items[kept].astype(float)
    subjects, n = len(items), int(items.sum())
    reason = why_no_interval(subjects, 0, n)
    if reason is None and 2.0 ** (1 - subjects) > 1 - level:
        reason = f"{subjects} subjects: no sign pattern is as rare as {1 - level:.2g}"
    if reason is not None:
        return Interval(None, None, METHOD, subjects, undefined=reason)
    of_differences, of_items = _flipped_sums(np.column_stack([differences, items])).T
    middle = float(differences.sum() / items.sum())

    def kept_at(shift: float) -> bool:
        own = abs(differences.sum() - shift * items.sum())
        share = float((np.abs(of_differences - shift * of_items) >= own - _SAME).mean())
        return bool(share > 1 - level)

    def end(bound: float) -> float:
        if kept_at(bound):
            return bound
        inside, outside = middle, bound
        for _ in range(_BISECTIONS):
            between = (inside + outside) / 2
            inside, outside = (between, outside) if kept_at(between) else (inside, between)
        return (inside + outside) / 2

    return Interval(end(-1.0), end(1.0), METHOD, subjects, warning=few_subjects(subjects))


def _flipped_sums(columns: Floats) -> Floats:
    """Sums of columns [subjects, k] under each sign pattern [patterns, k], the observed one first; a pattern
    and its reverse are equivalent.
    """
    whole = bool((columns == np.rint(columns)).all() and np.abs(columns).sum() < EXACT)
    kind = np.float32 if whole else np.float64
    flipped = [flips.astype(kind) @ columns.astype(kind) for flips in _patterns(len(columns))]
    return np.asarray(columns.sum(axis=0) - 2.0 * np.concatenate(flipped).astype(float))


def _patterns(subjects: int) -> Iterator[NDArray[np.integer[Any]]]:
    """Where the sign is flipped [patterns, subjects], a part of the patterns at a time."""
    if subjects <= ALL_PATTERNS:
        yield (np.arange(2 ** (subjects - 1))[:, None] >> np.arange(subjects) & 1)
        return
    rng = np.random.default_rng(0)
    for done in range(0, PATTERNS + 1, AT_ONCE):
        drawn = rng.integers(0, 2, size=(min(AT_ONCE, PATTERNS + 1 - done), subjects), dtype=np.int8)
        if not done:
            drawn[0] = 0
        yield drawn
