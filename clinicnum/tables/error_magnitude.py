"""How far numeric answers are from the gold.

Absolute errors are reported by unit, as mmHg and bpm cannot be pooled; relative ones also over all, and where
the source names no unit. Within 5 % of the gold, ends included, is the rule by which MedCalc-Bench judges
numbers (`clinicnum.scoring.medcalc`). The clinically relevant margin is by unit: 5 mmHg, the mean difference
that ANSI/AAMI/ISO 81060-2:2013 allows a blood pressure monitor. Other units have none unless the caller gives
it.

An answer without a readable number is outside every margin and has no error size.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

import numpy as np

from clinicnum.robustness.run_answers_and_pairs import Answer, Run
from clinicnum.stats.clustered_intervals import Subjects
from clinicnum.stats.interval_estimate import Figure, undefined_figure
from clinicnum.tables.mean_median_intervals import median
from clinicnum.tables.paper_table import (
    ALL,
    MODEL,
    TWO_WAY_NOTE,
    Measure,
    PaperTable,
    Row,
    accuracy,
    crossed_share,
    each_run,
    table,
)

RELATIVE = Decimal("0.05")
MARGINS: Mapping[str, Decimal] = {"mmHg": Decimal(5)}
"""Unit -> the largest error that is of no clinical consequence."""
NO_UNIT, COUNT = "no unit", "count"


@dataclass(frozen=True)
class _Error:
    """One answer to a question whose gold is a number."""

    answer: Answer
    gold: Decimal
    absolute: Decimal | None
    """None if no number was read."""

    @property
    def unit(self) -> str:
        return self.answer.instance.unit or (
            COUNT if self.answer.instance.answer_type == "count" else NO_UNIT
        )

    def within(self, margin: Decimal) -> bool:
        return self.absolute is not None and self.absolute <= margin


def by_size_of_error(runs: Sequence[Run], margins: Mapping[str, Decimal] | None = None) -> PaperTable:
    """Table of the share of answers near the gold, and of the size of wrong answers' errors, by unit."""
    limits = {**MARGINS, **(margins or {})}
    said = ", ".join(f"{limit} {unit}" for unit, limit in sorted(limits.items()))
    return table(
        "error_magnitude",
        "How far off numbers are",
        "Unit: answers to questions whose gold is a number, neither variants nor flagged (V7). Within 5 %: "
        f"of the gold, ends included; within the margin: {said}, ends included. An answer without a number "
        "is outside both. Errors: median over the wrong answers of which a number was read; relative ones in "
        f"shares of the gold, where that is not 0. {TWO_WAY_NOTE} Of medians: Woodruff's, by subject.",
        (MODEL, ("unit", "Unit")),
        (
            Measure("accuracy", "Right"),
            Measure("within_5_percent", "Within 5 %"),
            Measure("within_margin", "Within the margin"),
            Measure("absolute_error", "Error of wrong ones", "number"),
            Measure("relative_error", "Relative"),
        ),
        each_run(runs, lambda run: _rows(run, limits)),
        "the gold of no question that counts is a number",
    )


def _rows(run: Run, margins: Mapping[str, Decimal]) -> Iterable[Row]:
    errors = [one for answer in run.bases if (one := _error(answer)) is not None]
    units = sorted({one.unit for one in errors})
    for unit in units:
        yield _row(unit, [one for one in errors if one.unit == unit], margins)
    if len(units) > 1:
        yield _row(ALL, errors, margins)


def _row(unit: str, errors: Sequence[_Error], margins: Mapping[str, Decimal]) -> Row:
    of = {id(one.answer): one for one in errors}
    answers = [one.answer for one in errors]
    near = crossed_share(answers, lambda one: of[id(one)].within(RELATIVE * abs(of[id(one)].gold)))
    if unit in (ALL, NO_UNIT):
        mixed = "errors of different units cannot be put together"
        absolute = undefined_figure(mixed if unit == ALL else f"no field names a unit, and {mixed}")
        clinical = absolute
    else:
        margin = margins.get(unit)
        clinical = (
            undefined_figure(f"no clinically relevant margin is known for {unit}; name one by --margin")
            if margin is None
            else crossed_share(answers, lambda one: of[id(one)].within(margin))
        )
        absolute = _median([(one, one.absolute) for one in errors])
    relative = [
        (one, one.absolute / abs(one.gold)) for one in errors if one.absolute is not None and one.gold
    ]
    return Row((unit,), (accuracy(answers), near, clinical, absolute, _median(relative)))


def _median(sizes: Sequence[tuple[_Error, Decimal | None]]) -> Figure:
    wrong = [(one, size) for one, size in sizes if size is not None and not one.answer.right]
    return median(
        Subjects.of(one.answer.subject for one, _ in wrong),
        np.array([float(size) for _, size in wrong]),
        without="no wrong answer of which a number was read",
    )


def _error(answer: Answer) -> _Error | None:
    """The error of an answer; None if the gold is no number."""
    if answer.instance.answer_type not in ("number", "count"):
        return None
    gold, read = _number(answer.instance.answer), _number(answer.score.parsed)
    if gold is None:
        return None
    return _Error(answer, gold, None if read is None else abs(read - gold))


def _number(text: str | None) -> Decimal | None:
    try:
        found = Decimal(text or "")
    except InvalidOperation:
        return None
    return found if found.is_finite() and abs(found.adjusted()) < 300 else None
