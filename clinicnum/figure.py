"""A figure over items that share subjects: its value, how many stand behind it, and how sure it is."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from clinicnum.clusters import BOOTSTRAP, Floats, bootstrap_interval, quotient, share_interval, subject_totals
from clinicnum.statistics import Interval


@dataclass(frozen=True)
class Figure:
    """One figure with two intervals; both name their method or the reason why there is none."""

    value: float | None
    """None exactly when `undefined` holds a reason."""
    n: int
    """Items behind it: those that meet its condition."""
    n_subjects: int
    interval: Interval
    """The one whose coverage was measured (docs/robustness.md)."""
    bootstrap: Interval
    """Beside it, for comparison: short of its level under about 20 subjects, and near 0 and 1."""
    undefined: str | None = None


_NOT_DRAWN = Interval(None, None, BOOTSTRAP, 0, undefined="not drawn")


def share(
    values: Sequence[tuple[str, float]], *, without: str = "no items", bootstrap: bool = True
) -> Figure:
    """Mean of values between 0 and 1 over (subject, value) pairs; `without` says why there may be none.

    Without `bootstrap` there is no second interval: its draws cost more than everything else.
    """
    subjects, columns = [subject for subject, _ in values], [(value, 1.0) for _, value in values]
    return _figure(subjects, columns, without, bootstrap=bootstrap)


def weighted_share(values: Sequence[tuple[str, float, float]], *, without: str = "no items") -> Figure:
    """Weighted mean of values between 0 and 1 over (subject, weight, value) triples, weights above 0.

    With 1 / inclusion probability as weights this estimates the share among all that a sample was drawn from:
    sum of weights times values over sum of weights. Where the result of a test decides how often one looks
    more closely, that is Begg and Greenes's correction of sensitivity and specificity (Biometrics
    1983;39:207-215).
    """
    columns = [(weight * value, weight) for _, weight, value in values]
    return _figure([subject for subject, _, _ in values], columns, without, bootstrap=False)


def _figure(
    subjects: Sequence[str], columns: Sequence[tuple[float, float]], without: str, *, bootstrap: bool
) -> Figure:
    """The quotient of two sums over items, parts and wholes, and its intervals over subjects."""
    if not columns:
        return nothing(without)
    totals = subject_totals(subjects, np.array(columns))
    n = len(columns)
    return Figure(
        value=float(totals[:, 0].sum() / totals[:, 1].sum()),
        n=n,
        n_subjects=len(totals),
        interval=share_interval(totals[:, 0], totals[:, 1], n),
        bootstrap=bootstrap_interval(totals, _mean, n) if bootstrap else _NOT_DRAWN,
    )


def nothing(reason: str) -> Figure:
    """A figure that cannot be computed, and why."""
    none = Interval(None, None, "none", 0, undefined=reason)
    return Figure(None, 0, 0, none, none, undefined=reason)


def _mean(totals: Floats) -> Floats:
    return quotient(totals[:, 0], totals[:, 1])
