"""An estimate over items clustered by subject: value, number of items, and confidence intervals."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from clinicnum.stats.clustered_intervals import (
    BOOTSTRAP,
    Floats,
    Subjects,
    bootstrap_interval,
    mean_interval,
    quotient,
    share_interval,
)
from clinicnum.stats.jackknife import Interval


@dataclass(frozen=True)
class Figure:
    """One estimate with two intervals; each names its method or the reason why it does not exist."""

    value: float | None
    """None exactly when `undefined` holds a reason."""
    n: int
    """Number of items that the value is computed from."""
    n_subjects: int
    interval: Interval
    """The main interval, whose coverage was measured (docs/robustness.md)."""
    bootstrap: Interval
    """A bootstrap interval for comparison; it covers too little under about 20 subjects and near 0 and 1."""
    undefined: str | None = None


NOT_DRAWN = Interval(None, None, BOOTSTRAP, 0, undefined="not drawn")
"""Placeholder for a bootstrap interval that was not requested."""


def share(
    values: Sequence[tuple[str, float]], *, without: str = "no items", bootstrap: bool = True
) -> Figure:
    """Mean of the values, between 0 and 1, of pairs (subject, value); `without` is the reason given if there
    are none.

    `bootstrap=False` omits the second interval: its draws cost more than everything else.
    """
    subjects, found = (
        [subject for subject, _ in values],
        np.array([value for _, value in values], dtype=float),
    )
    return share_of(Subjects.of(subjects), found, without=without, bootstrap=bootstrap)


def share_of(
    subjects: Subjects,
    values: Floats,
    weights: Floats | None = None,
    *,
    without: str = "no items",
    bootstrap: bool = False,
) -> Figure:
    """Mean of values [items] between 0 and 1, optionally weighted by positive weights [items].

    With 1 / inclusion probability as weights this estimates the share among all that a sample was drawn from:
    sum of weights times values over sum of weights. Where the inclusion probability depends on a test's
    result, that is Begg and Greenes's correction of sensitivity and specificity (Biometrics 1983;39:207-215).
    `without` and `bootstrap` are as for `share`.
    """
    if not len(values):
        return undefined_figure(without)
    wholes = np.ones(len(values)) if weights is None else weights
    totals = subjects.totals(np.column_stack([wholes * values, wholes]))
    n = len(values)
    return Figure(
        value=float(totals[:, 0].sum() / totals[:, 1].sum()),
        n=n,
        n_subjects=len(totals),
        interval=share_interval(totals[:, 0], totals[:, 1], n),
        bootstrap=bootstrap_interval(totals, _mean, n) if bootstrap else NOT_DRAWN,
    )


def mean_difference(values: Sequence[tuple[str, float]], *, without: str) -> Figure:
    """Mean of paired differences between -1 and 1, from pairs (subject, difference), with a jackknife
    interval over subjects.
    """
    if not values:
        return undefined_figure(without)
    subjects = Subjects.of(subject for subject, _ in values)
    found = np.array([value for _, value in values], dtype=float)
    return Figure(
        value=float(found.mean()),
        n=len(found),
        n_subjects=len(subjects.names),
        interval=mean_interval(subjects, found, bounds=(-1.0, 1.0)),
        bootstrap=NOT_DRAWN,
    )


def undefined_figure(reason: str) -> Figure:
    """An estimate that cannot be computed, with the reason."""
    none = Interval(None, None, "none", 0, undefined=reason)
    return Figure(None, 0, 0, none, none, undefined=reason)


def _mean(totals: Floats) -> Floats:
    return quotient(totals[:, 0], totals[:, 1])
