"""The form of a table, and the figures that several tables share.

A table has rows of texts and figures; each figure has an interval, or says why there is none. Intervals are
those that the rest of clinicnum uses: of an accuracy over subjects and templates
(`clinicnum.stats.two_way_clusters`), of a paired difference by inverted sign flips
(`clinicnum.stats.paired_tests`), of other shares and means over subjects
(`clinicnum.stats.clustered_intervals`).
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from clinicnum.robustness.run_answers_and_pairs import Answer, Run
from clinicnum.stats.clustered_intervals import Subjects
from clinicnum.stats.interval_estimate import NOT_DRAWN, Figure, undefined_figure
from clinicnum.stats.paired_tests import compare
from clinicnum.stats.two_way_clusters import accuracy_interval
from clinicnum.types import OPERATIONS

ALL = "all"
OPERATION_ORDER = (*OPERATIONS, "external", ALL)
NO_ANSWER = "no answer counts here"
Unit = Literal["share", "points", "number", "count"]


@dataclass(frozen=True)
class Measure:
    """One column of figures."""

    key: str
    label: str
    unit: Unit = "share"
    """`share` is 0 to 1, `points` a difference of two such, `count` a mean of counts or seconds."""


@dataclass(frozen=True)
class Row:
    """One line: its texts and its figures, in the order of the table's columns."""

    texts: tuple[str, ...]
    figures: tuple[Figure, ...]


@dataclass(frozen=True)
class PaperTable:
    """One table; without rows exactly if `undefined` holds the reason."""

    name: str
    """Base name of its files: lower case, no spaces."""
    caption: str
    note: str
    """What is counted and of what, and how the intervals are made."""
    texts: tuple[tuple[str, str], ...]
    """Key and heading of each column of texts."""
    measures: tuple[Measure, ...]
    rows: tuple[Row, ...]
    undefined: str | None = None


def table(
    name: str,
    caption: str,
    note: str,
    texts: Sequence[tuple[str, str]],
    measures: Sequence[Measure],
    rows: Iterable[Row],
    without: str,
) -> PaperTable:
    """Make a table; `without` says why it has no rows, if it has none."""
    made = tuple(rows)
    return PaperTable(name, caption, note, tuple(texts), tuple(measures), made, None if made else without)


def accuracy(answers: Sequence[Answer]) -> Figure:
    """Share of right answers; interval over subjects and, from five templates on, over templates too."""
    return crossed_share(answers, lambda one: one.right)


def crossed_share(answers: Sequence[Answer], holds: Callable[[Answer], bool]) -> Figure:
    """Share of answers for which `holds` is true, with the interval of an accuracy."""
    if not answers:
        return undefined_figure(NO_ANSWER)
    values = np.array([holds(one) for one in answers], dtype=float)
    subjects = Subjects.of(one.subject for one in answers)
    interval = accuracy_interval(values, subjects, Subjects.of(one.instance.template_id for one in answers))
    return Figure(float(values.mean()), len(values), len(subjects.names), interval, NOT_DRAWN)


def paired_difference(pairs: Sequence[tuple[Answer, Answer]]) -> Figure:
    """Accuracy of the first answers less that of the second, each pair about the same question."""
    if not pairs:
        return undefined_figure("no question was answered under both")
    found = compare("first", "second", [(one.subject, one.right, two.right) for one, two in pairs])
    return Figure(found.difference, found.n, found.n_subjects, found.interval, NOT_DRAWN, found.undefined)


def by_operation(answers: Sequence[Answer]) -> Iterable[tuple[str, list[Answer]]]:
    """Yield each operation that occurs, with its answers; `all` last, and only if there are several
    operations.
    """
    seen = {one.instance.operation for one in answers}
    for operation in OPERATION_ORDER:
        if operation in seen or (operation == ALL and len(seen) > 1):
            yield operation, [one for one in answers if operation in (ALL, one.instance.operation)]


def each_run(runs: Sequence[Run], rows: Callable[[Run], Iterable[Row]]) -> Iterable[Row]:
    """The rows of every run, each begun with the run's name."""
    return (Row((run.name, *row.texts), row.figures) for run in runs for row in rows(run))


MODEL = ("model", "Model")
TWO_WAY_NOTE = (
    "Intervals of shares: of other subjects and, from five templates on, of other templates; of these "
    "templates otherwise."
)
PAIRED_NOTE = "Interval of a difference: all that exact sign flips of whole subjects do not reject."
