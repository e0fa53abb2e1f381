"""Calibration of a model's confidence in its answers, by operation.

Confidence is `Generation.answer_confidence`, the probability of the tokens that spell the answer; right is
`Score.lenient`. Variants and instances flagged as not discriminating (V7) are left out, as in accuracy;
generations without a confidence (no answer was read, or it came from a server that tells none) are counted.
The Brier score is the mean of (right - confidence)^2, 0 at best, and 0.25 for one that always says a half.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from clinicnum.calibration.ece import CalibrationError, calibration_error
from clinicnum.calibration.logistic import METHOD, Fit, intercept, logit_of, one_sided, separated, slope
from clinicnum.clusters import Floats
from clinicnum.figure import Figure, nothing, share
from clinicnum.statistics import Interval, few_subjects, why_no_interval
from clinicnum.types import OPERATIONS, Generation, Instance, Score

ALL = "all"
Item = tuple[str, float, bool]
"""Subject, confidence, right."""


@dataclass(frozen=True)
class Coefficient:
    """Slope or intercept; `value` is None exactly when `undefined` holds a reason."""

    value: float | None
    interval: Interval
    undefined: str | None = None


@dataclass(frozen=True)
class CalibrationRow:
    """Calibration on one operation; `all` is over every operation."""

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
    """One row an operation that has generations, and `all`; the order of the input does not matter.

    Without `bootstrap` shares have no second interval.
    """
    items: dict[str, list[Item]] = {}
    without: dict[str, int] = {}
    for instance, generation, score in answered:
        if instance.variant is not None or instance.flags:
            continue
        for operation in (instance.operation, ALL):
            found = items.setdefault(operation, [])
            if generation.answer_confidence is None:
                without[operation] = without.get(operation, 0) + 1
            else:
                found.append((instance.subject_id, generation.answer_confidence, score.lenient))
    order = (*OPERATIONS, "external", ALL)
    return tuple(
        calibration_row(
            operation, sorted(items[operation]), without.get(operation, 0), seed=seed, bootstrap=bootstrap
        )
        for operation in order
        if operation in items
    )


def calibration_row(
    operation: str, items: Sequence[Item], without: int, *, seed: int = 0, bootstrap: bool = True
) -> CalibrationRow:
    """Calibration over (subject, confidence, right)."""
    reason = "no generation has a confidence"
    return CalibrationRow(
        operation=operation,
        n=len(items),
        n_without=without,
        accuracy=share([(s, float(right)) for s, _, right in items], without=reason, bootstrap=bootstrap),
        mean_confidence=share([(s, sure) for s, sure, _ in items], without=reason, bootstrap=bootstrap),
        brier=share(
            [(s, (float(right) - sure) ** 2) for s, sure, right in items], without=reason, bootstrap=bootstrap
        ),
        slope=_slope(items),
        intercept=_intercept(items),
        error=calibration_error(
            [sure for _, sure, _ in items],
            [right for *_, right in items],
            [s for s, *_ in items],
            seed=seed,
        ),
    )


def _slope(items: Sequence[Item]) -> Coefficient:
    if not items:
        return _undefined("no generation has a confidence")
    x, right, weight = _padded(items)
    if one_sided(right, weight):
        return _undefined(_one_sided(items))
    if len(set(x[weight > 0])) == 1:
        return _undefined("all confidences are equal: nothing to regress on")
    if separated(x, right, weight):
        return _undefined("confidence separates right from wrong: the slope is infinite")
    return _coefficient(slope(x, right, weight), items)


def _intercept(items: Sequence[Item]) -> Coefficient:
    if not items:
        return _undefined("no generation has a confidence")
    x, right, weight = _padded(items)
    if one_sided(right, weight):
        return _undefined(_one_sided(items))
    return _coefficient(intercept(x, right, weight), items)


def _one_sided(items: Sequence[Item]) -> str:
    return f"all {len(items)} answers are {'right' if items[0][2] else 'wrong'}: no finite fit"


def _coefficient(fit: Fit, items: Sequence[Item]) -> Coefficient:
    if not np.isfinite(fit.value):
        return _undefined("the fit does not converge: confidences are almost equal, or almost separate")
    subjects = len({subject for subject, _, _ in items})
    reason = why_no_interval(subjects, 0, len(items))
    if reason is None and not np.isfinite(fit.se):
        reason = "without some subject there is no finite fit"
    if reason is not None:
        return Coefficient(float(fit.value), Interval(None, None, METHOD, subjects, undefined=reason))
    interval = Interval(
        float(fit.low), float(fit.high), METHOD, subjects, se=float(fit.se), warning=few_subjects(subjects)
    )
    return Coefficient(float(fit.value), interval)


def _undefined(reason: str) -> Coefficient:
    return Coefficient(None, nothing(reason).interval, undefined=reason)


def _padded(items: Sequence[Item]) -> tuple[Floats, Floats, Floats]:
    """Log odds, right and weight, each [subjects, most items of one subject]."""
    by_subject: dict[str, list[tuple[float, bool]]] = {}
    for subject, sure, right in items:
        by_subject.setdefault(subject, []).append((sure, right))
    shape = (len(by_subject), max(len(one) for one in by_subject.values()))
    held, was, weight = np.full(shape, 0.5), np.zeros(shape), np.zeros(shape)
    for row, subject in enumerate(sorted(by_subject)):
        for column, (value, was_right) in enumerate(by_subject[subject]):
            held[row, column], was[row, column], weight[row, column] = value, was_right, 1.0
    return logit_of(held), was, weight
