"""The interval that belongs to the sign-flip test of a paired difference: all shifts that the test does not
reject.

Under a shift d, each subject's difference less d times its items is as likely to have the other sign. The
p-value of d is the share of sign patterns whose sum is at least as far from 0; all patterns of up to 13
subjects, 9,999 random ones and the observed of more. The
interval holds every d whose p-value is over 1 - level, so it excludes 0 exactly where the test rejects at
that level.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from clinicnum.stats.clusters import Floats
from clinicnum.stats.jackknife import Interval, few_subjects, why_no_interval

METHOD = "sign flips by subject, inverted"
ALL_PATTERNS = 13
"""Most subjects for which every sign pattern is counted."""
PATTERNS = 9_999
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
    flips = _patterns(subjects)
    of_differences, of_items = flips @ differences, flips @ items
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


@lru_cache(maxsize=32)
def _patterns(subjects: int) -> NDArray[np.float32]:
    """Sign patterns [patterns, subjects], the observed one first; a pattern and its reverse are
    equivalent.
    """
    if subjects <= ALL_PATTERNS:
        bits = np.arange(2 ** (subjects - 1))[:, None] >> np.arange(subjects) & 1
        return (1 - 2 * bits).astype(np.float32)
    drawn = np.random.default_rng(0).integers(0, 2, size=(PATTERNS + 1, subjects), dtype=np.int8)
    drawn[0] = 0
    return (1 - 2 * drawn).astype(np.float32)
