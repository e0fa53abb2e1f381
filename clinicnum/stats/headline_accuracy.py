"""The headline accuracy of a run, from three facts per answer: for lists of many runs.

It equals the grand total of `clinicnum.stats.accuracy`, whose table needs every instance and score.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from clinicnum.stats.clustered_intervals import Subjects
from clinicnum.stats.jackknife import Interval
from clinicnum.stats.two_way_clusters import accuracy_interval


@dataclass(frozen=True)
class Headline:
    """A run's accuracy over the answers that count."""

    n: int
    correct: int
    accuracy: float | None
    """correct / n; None if n is 0."""
    interval: Interval


def headline(answers: Iterable[tuple[str, str, bool]], *, level: float = 0.95) -> Headline:
    """The accuracy of answers (subject, template, right), all of which count.

    Leave out variants, failed samples and items that do not discriminate.
    """
    given = list(answers)
    right = np.array([one for *_, one in given], dtype=float)
    correct = int(right.sum())
    return Headline(
        n=len(given),
        correct=correct,
        accuracy=correct / len(given) if given else None,
        interval=accuracy_interval(
            right,
            Subjects.of(subject for subject, *_ in given),
            Subjects.of(template for _, template, _ in given),
            level=level,
        ),
    )
