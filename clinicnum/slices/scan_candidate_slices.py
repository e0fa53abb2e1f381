"""Every candidate slice of the discovery half, counted and scored at once.

For each pair of facets one pass counts items and sums residual errors by group of subjects and pair of
codes; all conjunctions of a condition on each are sums over ranges of codes. Nothing is done for one
candidate alone.

A candidate is scored within each run: s_g is the sum over the items of group g of (in the slice - share of
the run in the slice) x (wrong - share of the run that is wrong), and the statistic is sum(s_g) over its
standard error between groups, never less than that of independent items. Subjects are put into at most
GROUPS random groups, as sums over groups of subjects vary as sums over subjects do. The score only ranks:
what is claimed is tested on the other half.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from clinicnum.slices.slice_conditions import Codes, Facet, Flags

GROUPS = 100
MOST_SHARE = 2 / 3
"""Maximum share of a run in a slice: beyond it, rather the rest of the run does better."""
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Support:
    """Minimum size and effect of a slice, and minimum size of the rest of its run."""

    items: int
    subjects: int
    difference: float
    """Minimum difference in the share of wrong answers."""


@dataclass(frozen=True, order=True)
class Candidate:
    """A conjunction of one or two conditions, in all runs or in one."""

    run: int
    """Index of the run; -1 for all runs."""
    terms: tuple[tuple[int, int], ...]
    """(facet, condition) indices."""

    @property
    def parents(self) -> "tuple[Candidate, ...]":
        """The candidates with one condition fewer; for a single run, also the same conditions in all runs."""
        fewer = [Candidate(self.run, (one,)) for one in self.terms if len(self.terms) > 1]
        return (*fewer, Candidate(-1, self.terms)) if self.run >= 0 else tuple(fewer)

    def holds(self, facets: Sequence[Facet], run: Codes) -> Flags:
        """Mask of the items that meet all conditions, given their facets and runs."""
        found = np.ones(len(run), dtype=bool) if self.run < 0 else run == self.run
        for facet, condition in self.terms:
            found &= facets[facet].holds(condition)
        return found


@dataclass(frozen=True, eq=False)
class Half:
    """The items of the subjects that are searched, as columns [items], sorted by run."""

    facets: Sequence[Facet]
    wrong: Floats
    run: Codes
    group: Codes
    """Each item's group of subjects, as an index."""
    starts: NDArray[np.int64]
    """Index of the first item of each run, then the number of items."""

    @property
    def runs(self) -> int:
        """Number of runs."""
        return len(self.starts) - 1

    def centred(self, values: Floats) -> Floats:
        """Values [items] less the mean of their run."""
        counts = np.maximum(np.diff(self.starts), 1)
        means: Floats = np.bincount(self.run, values, self.runs) / counts
        return values - means[self.run]


@dataclass(frozen=True)
class Found:
    """The best candidate slices, as `scan` chooses them, by descending score."""

    candidates: list[Candidate]
    scores: list[float]
    searched: int
    """Number of candidates with enough support."""


def scan(half: Half, residual: Floats, support: Support, *, terms: int, threshold: float, most: int) -> Found:
    """The `most` best candidate slices of up to `terms` conditions, with a score of at least `threshold`.

    `residual` [items]: each item's error as far as slices found before leave it unexplained.
    """
    scanner = _Scanner(half, residual, support, threshold)
    pairs = [(f, None) for f in range(len(half.facets))]
    if terms > 1:
        pairs += [(f, g) for f in range(len(half.facets)) for g in range(f)]  # type: ignore[misc]
    found = [one for f, g in pairs for one in scanner.pair(f, g)]
    found.sort(key=lambda one: (-one[0], len(one[1].terms), one[1]))
    kept = found[:most]
    return Found([one for _, one in kept], [score for score, _ in kept], scanner.searched)


class _Scanner:
    def __init__(self, half: Half, residual: Floats, support: Support, threshold: float) -> None:
        self.half, self.residual, self.support, self.threshold = half, residual, support, threshold
        self.groups = int(half.group.max()) + 1
        self.searched = 0
        of_run = np.diff(half.starts)
        place = half.run * self.groups + half.group
        self.by_group = np.bincount(place, residual, half.runs * self.groups).reshape(half.runs, self.groups)
        share = np.bincount(half.run, half.wrong, half.runs) / np.maximum(of_run, 1)
        self.spread = share * (1 - share)
        self.singles: dict[tuple[int, int], Floats] = {}
        """Items of each condition of a facet, by run (-1: all) and facet."""

    def pair(self, f: int, g: int | None) -> Iterator[tuple[float, Candidate]]:
        """Yield score and candidate for every conjunction of a condition on facet `f` and one on `g`; of
        single conditions if `g` is None.
        """
        half, first = self.half, self.half.facets[f]
        second = None if g is None else half.facets[g]
        if not first.conditions or (second is not None and not second.conditions):
            return
        codes, width = first.codes, first.width
        if second is not None:
            codes, width = codes * second.width + second.codes, width * second.width
        total: _Sums | None = None
        for run in range(half.runs):
            mine = slice(half.starts[run], half.starts[run + 1])
            n = half.starts[run + 1] - half.starts[run]
            if n < 2 * self.support.items:
                continue
            place = half.group[mine] * width + codes[mine]
            cells = [np.bincount(place, minlength=self.groups * width)]
            cells += [np.bincount(place, self.residual[mine], self.groups * width)]
            items, errors = (self._conditions(one, first, second) for one in cells)
            sums = _Sums.of(items, errors, n, self.by_group[run], self.spread[run])
            if half.runs > 1:
                yield from self._good(sums, run, f, g)
            total = sums if total is None else total.plus(sums)
        if total is not None:
            yield from self._good(total, -1, f, g)

    def _conditions(self, cells: NDArray[np.generic], first: Facet, second: Facet | None) -> Floats:
        """Sums by condition, [groups, conditions of the first x conditions of the second]."""
        if second is None:
            return first.sums(cells.reshape(self.groups, first.width).astype(float))
        inner = second.sums(cells.reshape(self.groups, first.width, second.width).astype(float))
        return first.sums(inner.swapaxes(1, 2)).swapaxes(1, 2).reshape(self.groups, -1)

    def _good(self, sums: "_Sums", run: int, f: int, g: int | None) -> Iterator[tuple[float, Candidate]]:
        least = self.support.items
        n = sums.items.sum(axis=0)
        enough = (n >= least) & (sums.rest >= least) & (n <= MOST_SHARE * (n + sums.rest))
        enough &= (sums.items > 0).sum(axis=0) >= self.support.subjects
        if g is None:
            self.singles[run, f] = n
        else:
            one, other = self.singles[run, f], self.singles[run, g]
            enough &= (one[:, None] - n.reshape(len(one), -1) >= least).ravel()
            enough &= (other[None, :] - n.reshape(len(one), -1) >= least).ravel()
        self.searched += int(enough.sum())
        score = sums.score(self.groups)
        chosen = enough & (score >= self.threshold) & (sums.difference(n) >= self.support.difference)
        for place in np.flatnonzero(chosen):
            if g is None:
                terms: tuple[tuple[int, int], ...] = ((f, int(place)),)
            else:
                row, column = divmod(int(place), len(self.half.facets[g].conditions))
                terms = (f, row), (g, column)
            yield float(score[place]), Candidate(run, terms)


@dataclass(frozen=True, eq=False)
class _Sums:
    """Sums of many candidates, in one run or in all; the last axis is the candidate."""

    items: Floats
    """Items in the candidate: [groups, candidates]."""
    score_sums: Floats
    """s_g: [groups, candidates]."""
    floor: Floats
    """Variance of the sum of s_g if items were independent."""
    gaps: Floats
    """Items in the candidate times the difference of the share of wrong answers, over runs."""
    rest: Floats
    """Items of the run outside of the candidate."""

    @classmethod
    def of(cls, items: Floats, errors: Floats, n: int, by_group: Floats, spread: float) -> "_Sums":
        inside = items.sum(axis=0)
        outside = n - inside
        scores = errors - np.outer(by_group, inside / n)
        gaps = scores.sum(axis=0) * n / np.maximum(outside, 1)
        return cls(items, scores, spread * inside * outside / n, gaps, outside)

    def plus(self, other: "_Sums") -> "_Sums":
        return _Sums(
            self.items + other.items,
            self.score_sums + other.score_sums,
            self.floor + other.floor,
            self.gaps + other.gaps,
            self.rest + other.rest,
        )

    def score(self, groups: int) -> Floats:
        total = self.score_sums.sum(axis=0)
        squares = np.einsum("gc,gc->c", self.score_sums, self.score_sums) - total**2 / groups
        variance = np.maximum(squares * groups / max(groups - 1, 1), self.floor)
        found: Floats = total / np.sqrt(np.maximum(variance, 1e-12))
        return found

    def difference(self, n: Floats) -> Floats:
        found: Floats = self.gaps / np.maximum(n, 1)
        return found
