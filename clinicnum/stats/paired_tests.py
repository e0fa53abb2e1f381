"""Paired comparisons of right and wrong on the same items: tests, and corrections for multiple testing.

Levels: an item is right or wrong under two conditions (two models, two representations, a variant and its
base); items of a subject are not independent, so the subject is the unit.

- Sign flips by subject: if the conditions are the same, each subject's difference (items right under the
  first less items right under the second) is as likely to have the other sign. The p-value is the share of
  all sign patterns whose sum is at least as far from 0. Fisher's randomisation of pairs (The Design of
  Experiments, 1935, section 21); all patterns are counted, none are drawn, as differences are integers.
- McNemar exact, where each subject has one item: binomial on the discordant items. The same p-value.
- Interval: all differences that the same test does not reject (`clinicnum.stats.sign_flip_interval`).
- Correction: the comparison over all operations is the gatekeeper of its pair of conditions. Its p-value is
  multiplied by the number of pairs (Bonferroni); within a pair the operations are corrected by Holm (1979),
  times the number of pairs, and never below the gatekeeper's. That controls the family-wise error rate.
  Benjamini and Hochberg (1995) control the false discovery rate, over all that are tested.

Degenerate: without any difference every pattern sums to 0, and p is 1. With k subjects that differ, p cannot
be under 2^(1 - k), which is `least_p`; where that is over 0.05 the comparison can never be significant and
takes no part in the correction (Tarone 1990).
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from math import gcd

import numpy as np
from numpy.typing import NDArray

from clinicnum.stats.clustered_intervals import Subjects
from clinicnum.stats.jackknife import Interval
from clinicnum.stats.sign_flip_interval import flip_interval

Flags = NDArray[np.bool_]
SIGN_FLIPS = "sign flips by subject, exact"
MCNEMAR = "McNemar, exact"
ALL = "all"
LEVEL = 0.05


@dataclass(frozen=True)
class Comparison:
    """Two conditions compared on the same items."""

    first: str
    second: str
    on: str
    """The operation on which the conditions are compared, or `all`."""
    n: int
    """Number of items under both conditions."""
    n_subjects: int
    only_first: int
    """Items right under the first condition only."""
    only_second: int
    difference: float | None
    """Share right under the first less share right under the second; None without items."""
    interval: Interval
    """Interval of `difference`: all values that the sign-flip test does not reject."""
    test: str
    p: float | None
    least_p: float | None
    """The smallest p-value possible with this number of differing subjects."""
    p_corrected: float | None = None
    """p-value corrected for all comparisons of the table; None if it could never be significant."""
    p_bh: float | None = None
    """`p` after Benjamini and Hochberg, over all that are tested; None if it could never be significant."""
    undefined: str | None = None
    """Why there is no difference and no p-value."""


def compare(
    first: str, second: str, items: Sequence[tuple[str, bool, bool]], *, on: str = "all"
) -> Comparison:
    """Compare two conditions on `items`: (subject, right under the first, right under the second)."""
    subjects = Subjects.of(subject for subject, *_ in items)
    one, other = (np.array([item[at] for item in items], dtype=bool) for at in (1, 2))
    return compare_columns(first, second, subjects, one, other, on=on)


def compare_columns(
    first: str, second: str, subjects: Subjects, one: Flags, other: Flags, *, on: str = "all"
) -> Comparison:
    """As `compare`, from columns [items]: `one` and `other` say which items are right in each."""
    n = len(one)
    if not n:
        reason = f"no item was answered under both {first} and {second}"
        none = flip_interval(np.zeros(0), np.zeros(0))
        return Comparison(first, second, on, 0, 0, 0, 0, None, none, SIGN_FLIPS, None, None, undefined=reason)
    difference = one.astype(float) - other
    sums = [int(total) for total in subjects.totals(difference[:, None])[:, 0].tolist()]
    only_first, only_second = int((one & ~other).sum()), int((other & ~one).sum())
    single = len(sums) == n
    return Comparison(
        first=first,
        second=second,
        on=on,
        n=n,
        n_subjects=len(sums),
        only_first=only_first,
        only_second=only_second,
        difference=(only_first - only_second) / n,
        interval=flip_interval(np.array(sums), np.bincount(subjects.place).astype(float)),
        test=MCNEMAR if single else SIGN_FLIPS,
        p=mcnemar(only_first, only_second) if single else sign_flips(sums),
        least_p=min(1.0, 2.0 ** (1 - sum(value != 0 for value in sums))),
    )


def sign_flips(differences: Sequence[int]) -> float:
    """Exact two-sided p-value of the sum of integer differences (one per subject) under all sign patterns."""
    sizes = [abs(difference) for difference in differences if difference]
    unit = gcd(*sizes) if sizes else 1
    observed = abs(sum(differences)) // unit
    # shares[s + reach] is the share of sign patterns with sum s; every step is a mean of two shifts.
    shares, reach = np.ones(1), 0
    for size in sorted(size // unit for size in sizes):
        half = shares / 2
        wider = np.zeros(len(shares) + 2 * size)
        wider[2 * size :] = half
        wider[: len(shares)] += half
        shares, reach = wider, reach + size
    sums = np.abs(np.arange(-reach, reach + 1))
    return min(1.0, float(shares[sums >= observed].sum()))


def mcnemar(only_first: int, only_second: int) -> float:
    """Exact two-sided McNemar p-value from the discordant counts; 1 if there are none."""
    if only_first + only_second == 0:
        return 1.0
    from scipy.stats import binomtest

    return float(binomtest(only_first, only_first + only_second, 0.5).pvalue)


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's adjusted p-values, in the order given."""
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    adjusted, highest = [0.0] * len(p_values), 0.0
    for rank, place in enumerate(order):
        highest = max(highest, min(1.0, (len(order) - rank) * p_values[place]))
        adjusted[place] = highest
    return adjusted


def benjamini_hochberg(p_values: Sequence[float]) -> list[float]:
    """Benjamini and Hochberg's adjusted p-values, in the order given.

    Those of `scipy.stats.false_discovery_control` to the last digit; importing that costs over a second.
    """
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    adjusted, lowest = [0.0] * len(p_values), 1.0
    for rank in range(len(order), 0, -1):
        place = order[rank - 1]
        lowest = min(lowest, p_values[place] * (len(order) / rank))
        adjusted[place] = lowest
    return adjusted


def corrected(
    comparisons: Sequence[Comparison], families: Sequence[Hashable] | None = None
) -> tuple[Comparison, ...]:
    """The comparisons with corrected p-values; `families` names the family of each, by default its pair of
    conditions.

    A family without a testable comparison over `all` has no gatekeeper: each of its comparisons counts as a
    family.
    """
    of = [(one.first, one.second) for one in comparisons] if families is None else list(families)
    tested = [
        (place, family, p)
        for place, (one, family) in enumerate(zip(comparisons, of, strict=True))
        if (p := one.p) is not None and untestable(one) is None
    ]
    gates = {family: p for place, family, p in tested if comparisons[place].on == ALL}
    families_tested = len(gates) + sum(family not in gates for _, family, _ in tested)
    found = {
        place: min(1.0, families_tested * p)
        for place, family, p in tested
        if comparisons[place].on == ALL or family not in gates
    }
    for family, gate in gates.items():
        inner = [(place, p) for place, of_one, p in tested if of_one == family and place not in found]
        steps = holm([p for _, p in inner])
        for (place, _), p in zip(inner, steps, strict=True):
            found[place] = min(1.0, families_tested * max(gate, p))
    shares = dict(zip((t[0] for t in tested), benjamini_hochberg([t[2] for t in tested]), strict=True))
    return tuple(
        replace(one, p_corrected=found.get(place), p_bh=shares.get(place))
        for place, one in enumerate(comparisons)
    )


def untestable(one: Comparison) -> str | None:
    """Why a comparison can never be significant and is left out of the correction; None if it can, or has no
    p-value.
    """
    if one.p is None or one.least_p is None or one.least_p <= LEVEL:
        return None
    return f"so few subjects differ that p cannot be under {one.least_p:.3g}: no test"
