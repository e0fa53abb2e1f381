"""Accuracy of slices: of one, of each value of a facet, and of each pair of values of two facets.

Only scored answers count, without failed samples. Intervals are those of `clinicnum.stats.two_way_clusters`,
those of differences of `clinicnum.stats.share_difference`; neither is corrected for the number of slices that
are compared.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from clinicnum.annotations.explore.facet import Facet
from clinicnum.annotations.explore.generation_frame import Frame
from clinicnum.stats.clustered_intervals import Floats
from clinicnum.stats.jackknife import Interval
from clinicnum.stats.share_difference import difference_interval
from clinicnum.stats.two_way_clusters import Crossing, crossed_interval

Mask = NDArray[np.bool_]
MOST_SLICES = 100
"""Most slices in a table: those with the most answers."""


@dataclass(frozen=True)
class SliceAccuracy:
    """One slice compared with the rest."""

    value: str
    """The facet's value; "" if unknown, and for a slice not made by a facet."""
    n: int
    """Answers that count."""
    subjects: int
    correct: int
    accuracy: float | None
    """None without answers."""
    interval: Interval
    rest: float | None
    """Accuracy of the other answers; None if there are none."""
    difference: float | None
    """Accuracy minus that of the rest; None if one is missing."""
    difference_interval: Interval | None
    """None where there is no difference."""


@dataclass(frozen=True)
class SliceTable:
    """Accuracy of each value of one facet, as one slice a row."""

    facet: str
    rows: tuple[SliceAccuracy, ...]
    """In the facet's order; only values that occur."""
    left_out: int
    """Values beyond MOST_SLICES."""


@dataclass(frozen=True)
class FailureMap:
    """Answers and failures for each pair of values of two facets."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    n: NDArray[np.int64]
    """Answers, [rows, columns]."""
    failures: NDArray[np.int64]
    left_out: int
    """Rows and columns beyond MOST_ON_MAP."""


MOST_ON_MAP = 40


class _Totals:
    """Numbers of right and of all answers by subject and template, for a set of rows and for parts of it."""

    def __init__(self, frame: Frame, within: Mask) -> None:
        self.counted = within & frame.answered
        self.right = frame.correct.astype(float)
        self.crossing = Crossing.of(frame.subjects, frame.templates)
        self.all = self.of(self.counted)

    def of(self, chosen: Mask) -> Floats:
        return self.crossing.totals(self.right, chosen)

    def slice(self, value: str, chosen: Mask) -> SliceAccuracy:
        """The chosen rows against the others that count."""
        totals = self.of(chosen & self.counted)
        rest = self.all - totals
        (correct, n), (rest_correct, rest_n) = (one.sum(axis=0).tolist() for one in (totals, rest))
        accuracy = correct / n if n else None
        other = rest_correct / rest_n if rest_n else None
        both = accuracy is not None and other is not None
        return SliceAccuracy(
            value=value,
            n=round(n),
            subjects=len(np.unique(self.crossing.subject[totals[:, 1] > 0])),
            correct=round(correct),
            accuracy=accuracy,
            interval=crossed_interval(self.crossing, totals),
            rest=other,
            difference=None if accuracy is None or other is None else accuracy - other,
            difference_interval=difference_interval(self.crossing, totals, rest) if both else None,
        )


def slice_accuracy(frame: Frame, chosen: Mask, *, among: Mask | None = None) -> SliceAccuracy:
    """Accuracy on the chosen rows compared with the rest of `among` (by default, of all rows)."""
    base = np.ones(len(frame), dtype=bool) if among is None else among
    return _Totals(frame, base).slice("", chosen)


def accuracy_by(frame: Frame, name: str, *, within: Mask | None = None) -> SliceTable:
    """Accuracy on each value of a facet, compared with the other rows of `within` (by default, all). A row
    with several values is in the slice of each. Raises InputError for an unknown facet.
    """
    facet = frame.facet(name)
    totals = _Totals(frame, np.ones(len(frame), dtype=bool) if within is None else within)
    kept, left_out = _most(facet, totals.counted, MOST_SLICES)
    rows = tuple(totals.slice(facet.values[at], facet.members([at])[:, 0][facet.codes]) for at in kept)
    return SliceTable(name, rows, left_out)


def failure_map(frame: Frame, row: str, column: str, *, within: Mask | None = None) -> FailureMap:
    """Answers and failures by two facets, of the rows of `within` (by default, all). Raises InputError for an
    unknown facet.
    """
    down, across = frame.facet(row), frame.facet(column)
    counted = frame.answered if within is None else frame.answered & within
    (rows, out), (columns, more_out) = (_most(one, counted, MOST_ON_MAP) for one in (down, across))

    def cells(chosen: Mask) -> NDArray[np.int64]:
        width = len(across.sets)
        pairs = down.codes[chosen].astype(np.int64) * width + across.codes[chosen]
        counts = np.bincount(pairs, minlength=len(down.sets) * width).reshape(-1, width)
        return np.asarray(down.members(rows).T.astype(int) @ counts @ across.members(columns))

    return FailureMap(
        rows=tuple(down.values[at] for at in rows),
        columns=tuple(across.values[at] for at in columns),
        n=cells(counted),
        failures=cells(counted & ~frame.correct),
        left_out=out + more_out,
    )


def _most(facet: Facet, within: Mask, most: int) -> tuple[list[int], int]:
    """Indices of the `most` values with most rows, in the facet's order; and how many more values occur."""
    counts = facet.counts(within)
    occurring = np.flatnonzero(counts)
    kept = occurring[np.argsort(-counts[occurring], kind="stable")[:most]]
    return sorted(kept.tolist()), len(occurring) - len(kept)
