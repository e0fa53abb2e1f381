"""Accuracy of each value of each dimension of imported items (`clinicnum.item_dimensions`).

The items that count, the verdict and the interval are those of the headline figures
(`clinicnum.stats.accuracy`).
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from clinicnum.item_dimensions import values_by_dimension
from clinicnum.stats.accuracy import Pair
from clinicnum.stats.clustered_intervals import Subjects
from clinicnum.stats.jackknife import Interval
from clinicnum.stats.two_way_clusters import accuracy_interval


@dataclass(frozen=True)
class DimensionRow:
    """Accuracy on the items with one value of one dimension."""

    dimension: str
    value: str
    """The value; "" for items without this dimension."""
    n: int
    n_subjects: int
    n_templates: int
    correct: int
    accuracy: float | None
    """correct / n; None if n is 0."""
    interval: Interval
    n_errors: int
    """Samples that failed before the model could answer; not among the n items."""

    @property
    def errors_wrong(self) -> float | None:
        """Accuracy with failed samples counted as wrong; None without any item."""
        return self.correct / (self.n + self.n_errors) if self.n + self.n_errors else None


def accuracy_by_dimension(pairs: Iterable[Pair], *, level: float = 0.95) -> tuple[DimensionRow, ...]:
    """A row per value of each dimension in which the items differ; empty if they differ in none.

    Variants and flagged items are left out.
    """
    kept = [pair for pair in pairs if pair[0].variant is None and not pair[0].flags]
    found = values_by_dimension([instance for instance, _ in kept])
    return tuple(
        _row(name, value, [pair for pair in kept if pair[0].dimensions.get(name, "") == value], level)
        for name, values in found.items()
        for value in values
    )


def _row(dimension: str, value: str, pairs: list[Pair], level: float) -> DimensionRow:
    counted = [(one, score.lenient) for one, score in pairs if score.status != "error"]
    subjects = Subjects.of(one.subject_id for one, _ in counted)
    templates = Subjects.of(one.template_id for one, _ in counted)
    right = np.array([lenient for _, lenient in counted], dtype=float)
    correct, n = int(right.sum()), len(counted)
    return DimensionRow(
        dimension=dimension,
        value=value,
        n=n,
        n_subjects=len(subjects.names),
        n_templates=len(templates.names),
        correct=correct,
        accuracy=correct / n if n else None,
        interval=accuracy_interval(right, subjects, templates, level=level),
        n_errors=len(pairs) - n,
    )
