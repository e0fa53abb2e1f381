"""How far the severe errors of several models concentrate on few items.

The figure is the smallest share of items that together hold a given part (80 %) of all severe errors, as read
from the Lorenz curve; the last item counts in part. It depends only on how many items have 0, 1, 2, ...
severe errors, and these numbers add up over subjects: the interval is the delete-one-subject jackknife's.

Even where severe errors fall at random, few items hold most of them when they are rare: with one severe error
in a hundred items, one item holds all. `by_chance` is the share that would hold that part if as many severe
errors fell on the answers at random.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from clinicnum.stats.clustered_intervals import Floats, Subjects, effective_subjects
from clinicnum.stats.interval_estimate import NOT_DRAWN, Figure, share, undefined_figure
from clinicnum.stats.jackknife import cluster_jackknife_interval

PART = 0.8
NONE_SEVERE = "no error is severe"


@dataclass(frozen=True)
class Concentration:
    """How severe errors are spread over items: on how many, and on how few most of them."""

    any: Figure
    """Share of items with at least one severe error."""
    smallest: Figure
    """Smallest share of items that hold `PART` of the severe errors."""
    by_chance: float | None
    """`smallest` if severe errors fell at random; None without a severe error, and where each item has one
    answer, so that no item can have two."""


def concentration(items: Sequence[tuple[str, int, int]], *, part: float = PART) -> Concentration:
    """How severe errors concentrate on `items`, given as (subject, severe errors, answers judged)."""
    severe = np.array([count for _, count, _ in items], dtype=np.int64)
    some = share([(subject, float(count > 0)) for subject, count, _ in items], bootstrap=False)
    if not severe.sum():
        return Concentration(some, undefined_figure(NONE_SEVERE), None)
    subjects = Subjects.of(subject for subject, *_ in items)
    of_count = np.equal.outer(severe, np.arange(severe.max() + 1)).astype(float)
    totals = subjects.totals(of_count)
    value = float(smallest_share(totals.sum(axis=0), part))
    without = smallest_share(totals.sum(axis=0) - totals, part)
    interval = cluster_jackknife_interval(
        [float(one) if np.isfinite(one) else None for one in without],
        value,
        n_items=len(items),
        bounds=(0.0, 1.0),
        effective=float(effective_subjects(totals.sum(axis=1))),
    )
    answers = np.array([judged for *_, judged in items], dtype=np.int64)
    smallest = Figure(value, len(items), len(subjects.names), interval, NOT_DRAWN)
    if answers.max() == 1:
        return Concentration(some, smallest, None)
    return Concentration(some, smallest, _at_random(answers, severe.sum() / answers.sum(), part))


def smallest_share(items: Floats, part: float = PART) -> Floats:
    """Smallest share of items with `part` of the severe errors; nan if there are none.

    `items` [..., k]: number of items with 0, 1, ... k - 1 of them.
    """
    counts = np.arange(items.shape[-1])
    wanted = part * (items * counts).sum(axis=-1)
    taken, held = np.zeros(items.shape[:-1]), np.zeros(items.shape[:-1])
    for count in counts[:0:-1]:
        more = np.clip((wanted - held) / count, 0.0, items[..., count])
        taken, held = taken + more, held + count * more
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(wanted > 0, taken / items.sum(axis=-1), np.nan)


def _at_random(answers: NDArray[np.int64], rate: float, part: float) -> float:
    """The smallest share of items with `part` of the severe errors, if each answer were severe with the
    chance `rate`, whatever its item.
    """
    from scipy.stats import binom

    counts = np.arange(answers.max() + 1)
    return float(smallest_share(binom.pmf(counts, answers[:, None], rate).sum(axis=0), part))
