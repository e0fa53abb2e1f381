"""A panel of ratings: distinct patterns of labels with the items that have each; coefficients are computed
from it.

Items with the same labels by the same annotators contribute the same to every coefficient, so each pattern is
computed once. `values` are the values by which labels are compared: the declared categories, or on the scale
`set` the distinct sets that were given.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clinicnum.annotations.agreement.cluster_tally import Tally, marked_cells
from clinicnum.annotations.agreement.label_table import MISSING, Floats, Ints, ranked
from clinicnum.annotations.agreement.parse_label_text import Value
from clinicnum.annotations.agreement.types import NONE, Scale

Rows = NDArray[np.int32]
Flags = NDArray[np.bool_]
_LARGEST = 2**62
Contributions = Callable[["Panel"], Floats]
Marks = Callable[["Panel"], Ints]


@dataclass(frozen=True, eq=False)
class Panel:
    """The labels of all items: the distinct patterns, and which pattern each item has."""

    scale: Scale
    annotators: tuple[str, ...]
    values: tuple[Value, ...]
    declared: bool
    """Whether `values` are all values that could have been given."""
    rows: Rows
    """patterns x annotators: index into `values`, or `MISSING`."""
    pattern: Ints
    """Index into `rows`, one per item."""
    cluster: Ints | None
    """Cluster of each item; None where items are independent."""
    item_weight: Floats | None = None
    """Weight of each item in sums; None: 1."""
    _memo: dict[object, Any] = field(default_factory=dict, repr=False)

    @property
    def n_items(self) -> int:
        """Number of items with a label."""
        return len(self.pattern)

    @cached_property
    def weight(self) -> Floats:
        """Number of items with each pattern, or their total weight."""
        return np.bincount(self.pattern, weights=self.item_weight, minlength=len(self.rows)).astype(float)

    @cached_property
    def counts(self) -> Floats:
        """How many annotators gave each value: patterns x values."""
        width = len(self.values)
        pattern, annotator = np.nonzero(self.rows >= 0)
        flat = np.bincount(pattern * width + self.rows[pattern, annotator], minlength=len(self.rows) * width)
        return flat.reshape(len(self.rows), width).astype(float)

    @cached_property
    def raters(self) -> Floats:
        """Number of labels in each pattern."""
        labels: Floats = (self.rows >= 0).sum(axis=1).astype(float)
        return labels

    @cached_property
    def off_mode(self) -> tuple[int, int]:
        """The number of labels that differ from the most frequent one, and of all labels.

        Only items with at least two labels count.
        """
        given = (self.weight * (self.raters >= 2)) @ self.counts
        return round(float(given.sum() - given.max(initial=0.0))), round(float(given.sum()))

    @cached_property
    def tally(self) -> Tally:
        """Number of items by cluster and pattern. Raises ValueError for a panel without clusters."""
        if self.cluster is None:
            raise ValueError("items are independent: there are no clusters")
        return Tally(self.cluster, self.pattern, len(self.rows), self.item_weight)

    @property
    def n_clusters(self) -> int | None:
        """Number of clusters; None if items are independent."""
        return None if self.cluster is None else self.tally.clusters

    def parts(self, contributions: Contributions) -> Floats:
        """What one item of each pattern contributes to a coefficient, patterns x contributions; computed once
        and cached.
        """
        found: Floats = self.once(("parts", contributions), lambda: contributions(self))
        return found

    def by_cluster(self, contributions: Contributions) -> Floats:
        """The contributions summed over the items of each cluster: clusters x contributions."""
        found: Floats = self.once(
            ("clusters", contributions), lambda: self.tally.sums(self.parts(contributions))
        )
        return found

    def marked(self, marks: Marks, width: int) -> Floats:
        """How often each of `width` columns is marked over all items: array of shape (width,)."""
        columns, given = marked_cells(self.once(("marks", marks), lambda: marks(self)))
        return np.bincount(columns, weights=self.weight[given], minlength=width).astype(float)

    def marked_by_cluster(self, marks: Marks, width: int) -> Floats:
        """How often each column is marked, per cluster: clusters x width."""
        given = self.once(("marks", marks), lambda: marks(self))
        found: Floats = self.once(("marked", marks), lambda: self.tally.marked(given, width))
        return found

    def once(self, key: object, make: Callable[[], Any]) -> Any:
        """What `make` returns; it is called once for this panel, and the result is cached under `key`."""
        if key not in self._memo:
            self._memo[key] = make()
        return self._memo[key]

    def against_the_rest(self, category: str) -> "Panel":
        """The same labels reduced to `category` or not (for sets: contains it or not)."""
        hit = np.array([_has(value, category) for value in self.values], dtype=np.int32)
        seen = np.where(self.rows >= 0, hit[self.rows], MISSING).astype(np.int32)
        return _panel("nominal", self.annotators, (f"not {category}", category), True, seen, self)

    def of_pair(self, one: int, other: int) -> "Panel":
        """The labels of two annotators, on the items that both labelled."""
        pair = self.rows[:, [one, other]]
        both: Flags = np.all(pair >= 0, axis=1)
        rows, place = distinct_rows(pair[both])
        new = np.full(len(pair), MISSING, dtype=np.int64)
        new[both] = place
        kept = both[self.pattern]
        return Panel(
            scale=self.scale,
            annotators=(self.annotators[one], self.annotators[other]),
            values=self.values,
            declared=self.declared,
            rows=rows,
            pattern=new[self.pattern[kept]],
            cluster=None if self.cluster is None else self.cluster[kept],
        )

    def weighted_by(self, weight: Floats) -> "Panel":
        """The same labels with a weight for each item; in a panel without clusters each item becomes a
        cluster.
        """
        cluster = np.arange(self.n_items) if self.cluster is None else self.cluster
        return Panel(
            self.scale, self.annotators, self.values, self.declared, self.rows, self.pattern, cluster, weight
        )

    def clustered_by(self, cluster: Ints | None) -> "Panel":
        """The same labels with the items grouped by `cluster` for intervals: a code per item; None: not
        grouped.
        """
        return Panel(
            self.scale, self.annotators, self.values, self.declared, self.rows, self.pattern, cluster
        )


def _panel(
    scale: Scale,
    annotators: tuple[str, ...],
    values: tuple[Value, ...],
    declared: bool,
    rows: Rows,
    old: Panel,
) -> Panel:
    fewer, place = distinct_rows(rows)
    return Panel(scale, annotators, values, declared, fewer, place[old.pattern], old.cluster)


def _has(value: Value, category: str) -> bool:
    if isinstance(value, frozenset):
        return category in value if category != NONE else not value
    return value == category


def distinct_rows(grid: Rows) -> tuple[Rows, Ints]:
    """The distinct rows of `grid` in lexicographic order, and for each of its rows the index of the distinct
    one.

    `grid` is [rows, columns] of whole numbers from -1 up. Each row is encoded as one number; ranks replace
    numbers before they overflow.
    """
    base = int(grid.max(initial=0)) + 2
    code, size = np.zeros(len(grid), dtype=np.int64), 1
    for column in grid.T:
        if size > _LARGEST // base:
            distinct, code = ranked(code, size)
            size = len(distinct)
        code = code * base + (column + 1)
        size *= base
    distinct, place = ranked(code, size)
    first = np.zeros(len(distinct), dtype=np.int64)
    first[place] = np.arange(len(grid))
    return grid[first], place
