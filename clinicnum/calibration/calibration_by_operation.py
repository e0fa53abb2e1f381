"""Calibration of a model's confidence in its answers, by operation.

Confidence is `Generation.answer_confidence`, the probability of the tokens that spell the answer; right is
`Score.lenient`. Variants and instances flagged as not discriminating (V7) are left out, as in accuracy;
generations without a confidence (no answer was read, or it came from a server that gives none) are counted.
The Brier score is the mean of (right - confidence)^2, 0 at best, and 0.25 for one that always says a half.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from clinicnum.calibration.ece import CalibrationError, calibration_error
from clinicnum.calibration.slope_and_intercept import (
    METHOD,
    Fit,
    intercept,
    logit_of,
    one_sided,
    separated,
    slope,
)
from clinicnum.stats.clustered_intervals import Floats, Subjects
from clinicnum.stats.interval_estimate import Figure, share_of, undefined_figure
from clinicnum.stats.jackknife import Interval, few_subjects, why_no_interval
from clinicnum.types import OPERATIONS, Generation, Instance, Score

ALL = "all"


@dataclass(frozen=True, eq=False)
class Items:
    """Generations with a confidence; arrays [items]."""

    subjects: Subjects
    sure: Floats
    """Confidence of each item, from 0 to 1."""
    right: Floats
    """1 if the item is right, else 0."""

    def in_order(self) -> "Items":
        """The items sorted by subject, confidence and right, so that floating-point sums do not depend on the
        input order.
        """
        order = np.lexsort((self.right, self.sure, self.subjects.place))
        return Items(self.subjects[order], self.sure[order], self.right[order])

    @cached_property
    def padded(self) -> tuple[Floats, Floats, Floats]:
        """Log odds, right (1 or 0) and weight (0 for padding), each [subjects, most items of a subject];
        needs items sorted by subject.
        """
        place = self.subjects.place
        many = np.bincount(place)
        cell = place, np.arange(len(place)) - (np.cumsum(many) - many)[place]
        shape = (len(many), int(many.max()))
        held, was, weight = np.full(shape, 0.5), np.zeros(shape), np.zeros(shape)
        held[cell], was[cell], weight[cell] = self.sure, self.right, 1.0
        return logit_of(held), was, weight


@dataclass(frozen=True)
class Coefficient:
    """Calibration slope or intercept; `value` is None exactly if `undefined` says why."""

    value: float | None
    interval: Interval
    undefined: str | None = None


@dataclass(frozen=True)
class CalibrationRow:
    """Calibration on one operation; `all` stands for every operation."""

    operation: str
    n: int
    n_without: int
    """Generations without a confidence, left out."""
    accuracy: Figure
    mean_confidence: Figure
    brier: Figure
    slope: Coefficient
    intercept: Coefficient
    error: CalibrationError


def calibration_table(
    answered: Iterable[tuple[Instance, Generation, Score]], *, seed: int = 0, bootstrap: bool = True
) -> tuple[CalibrationRow, ...]:
    """Calibration by operation: one row for each that has generations, and one for `all`.

    The order of the input does not matter. `bootstrap` gives accuracy, mean confidence and Brier score a
    second interval.
    """
    kept = [
        one for one in answered if one[0].variant is None and not one[0].flags and one[2].status != "error"
    ]
    operations = np.array([instance.operation for instance, *_ in kept], dtype=str)
    sure = np.array([generation.answer_confidence for _, generation, _ in kept], dtype=float)  # None is nan
    right = np.array([score.lenient for *_, score in kept], dtype=float)
    whose = Subjects.of(instance.subject_id for instance, *_ in kept)
    told = ~np.isnan(sure)
    rows = []
    for operation in (*OPERATIONS, "external", ALL):
        here = (operations == operation) | (operation == ALL)
        if here.any():
            used = here & told
            items = Items(whose[used], sure[used], right[used])
            without = int(np.count_nonzero(here & ~told))
            rows.append(calibration_row(operation, items, without, seed=seed, bootstrap=bootstrap))
    return tuple(rows)


def calibration_row(
    operation: str, items: Items, without: int, *, seed: int = 0, bootstrap: bool = True
) -> CalibrationRow:
    """Calibration over items in any order; `without` counts generations without confidence."""
    reason = "no generation has a confidence"
    items = items.in_order()
    subjects, sure, right = items.subjects, items.sure, items.right

    def mean(values: Floats) -> Figure:
        return share_of(subjects, values, without=reason, bootstrap=bootstrap)

    return CalibrationRow(
        operation=operation,
        n=len(subjects),
        n_without=without,
        accuracy=mean(right),
        mean_confidence=mean(sure),
        brier=mean((right - sure) ** 2),
        slope=_slope(items),
        intercept=_intercept(items),
        error=calibration_error(sure, right, subjects, seed=seed),
    )


def _slope(items: Items) -> Coefficient:
    if not len(items.subjects):
        return _undefined("no generation has a confidence")
    x, right, weight = items.padded
    if one_sided(right, weight):
        return _undefined(_one_sided(items))
    if len(np.unique(x[weight > 0])) == 1:
        return _undefined("all confidences are equal: nothing to regress on")
    if separated(x, right, weight):
        return _undefined("confidence separates right from wrong: the slope is infinite")
    return _coefficient(slope(x, right, weight), items)


def _intercept(items: Items) -> Coefficient:
    if not len(items.subjects):
        return _undefined("no generation has a confidence")
    x, right, weight = items.padded
    if one_sided(right, weight):
        return _undefined(_one_sided(items))
    return _coefficient(intercept(x, right, weight), items)


def _one_sided(items: Items) -> str:
    return f"all {len(items.subjects)} answers are {'right' if items.right[0] else 'wrong'}: no finite fit"


def _coefficient(fit: Fit, items: Items) -> Coefficient:
    if not np.isfinite(fit.value):
        return _undefined("the fit does not converge: confidences are almost equal, or almost separate")
    subjects = len(items.subjects.names)
    reason = why_no_interval(subjects, 0, len(items.subjects))
    if reason is None and not np.isfinite(fit.se):
        reason = "without some subject there is no finite fit"
    if reason is not None:
        return Coefficient(float(fit.value), Interval(None, None, METHOD, subjects, undefined=reason))
    interval = Interval(
        float(fit.low), float(fit.high), METHOD, subjects, se=float(fit.se), warning=few_subjects(subjects)
    )
    return Coefficient(float(fit.value), interval)


def _undefined(reason: str) -> Coefficient:
    return Coefficient(None, undefined_figure(reason).interval, undefined=reason)
