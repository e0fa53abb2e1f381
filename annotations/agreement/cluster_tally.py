"""Count items by cluster and rating pattern, so that sums over patterns can be turned into sums per cluster.

If there are few clusters and patterns the counts are a dense table, and a sum is a matrix product; else only
the pairs that occur are kept. Both use clusters and patterns in order, so a sum is the same to the last digit
whatever the order of the rows.
"""

import numpy as np

from clinicnum.annotations.agreement.label_table import Floats, Ints, ranked

_AS_TABLE = 2_000_000
"""Largest size of the table of counts, in cells: 16 MB."""


class Tally:
    """How many items each cluster has of each rating pattern."""

    def __init__(self, cluster: Ints, pattern: Ints, patterns: int, weight: Floats | None = None) -> None:
        """`cluster`, `pattern` and `weight` (None: 1 each) have one element per item; clusters without items
        are dropped.
        """
        distinct, place = ranked(cluster, int(cluster.max(initial=-1)) + 1)
        self.clusters, self.patterns = len(distinct), patterns
        codes = place * patterns + pattern
        cells = self.clusters * patterns
        self._table: Floats | None = None
        if cells <= _AS_TABLE:
            counted = np.bincount(codes, weights=weight, minlength=cells).reshape(self.clusters, patterns)
            self._table = counted.astype(float)
            return
        kept, cell = ranked(codes, cells)
        self._cluster, self._pattern = np.divmod(kept, patterns)
        self._items = np.bincount(cell, weights=weight).astype(float)
        self._starts = np.flatnonzero(np.diff(self._cluster, prepend=-1))

    def sums(self, parts: Floats) -> Floats:
        """Sum the items' contributions per cluster: `parts` is patterns x m, the result clusters x m."""
        total: Floats
        if self._table is not None:
            total = self._table @ parts
        else:
            total = np.add.reduceat(parts[self._pattern] * self._items[:, None], self._starts, axis=0)
        return total

    def marked(self, marks: Ints, width: int) -> Floats:
        """Count for each cluster how often each of `width` columns is marked: clusters x width.

        `marks` holds the columns marked by each pattern: patterns x any number of column indices.
        """
        if self._table is not None:
            columns, pattern = marked_cells(marks)
            flat = np.bincount(pattern * width + columns, minlength=self.patterns * width)
            total: Floats = self._table @ flat.reshape(self.patterns, width).astype(float)
            return total
        columns, cell = marked_cells(marks[self._pattern])
        codes = self._cluster[cell] * width + columns
        flat = np.bincount(codes, weights=self._items[cell], minlength=self.clusters * width)
        return flat.reshape(self.clusters, width).astype(float)


def marked_cells(marks: Ints) -> tuple[Ints, Ints]:
    """The marked column indices, and the row of each; negative entries mark nothing."""
    given = marks >= 0
    return marks[given], np.nonzero(given)[0]
