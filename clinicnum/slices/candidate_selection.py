"""Select the few candidate slices that are worth a test: one after the other, each in its simplest form.

Each step takes the candidate with the highest score, or a parent of it if it is not clearly worse than the
rest of that parent. Its effect is then subtracted from the errors of its items, so that the same pattern is
not found again in other words.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from clinicnum.slices.scan_candidate_slices import Candidate, Floats, Found, Half, Support, scan
from clinicnum.slices.slice_conditions import Flags

THRESHOLD = 2.0
"""Minimum score of a candidate to be tested."""
CLEARLY_WORSE = 2.5
"""Minimum score of a candidate against the rest of its parent: the best of many looks worse by chance."""
KEPT = 300
"""Maximum number of candidates kept from each scan."""


@dataclass(frozen=True)
class Discovery:
    """The candidate slices found in the searched half of the subjects."""

    to_test: list[Candidate]
    """Strongest first, then their parents, which may hold where they do not."""
    searched: int
    """Number of candidates with enough support."""


def discover(half: Half, support: Support, *, terms: int, most: int) -> Discovery:
    """At most `most` candidate slices of up to `terms` conditions that are worth a test, then their
    parents.
    """
    picking = _Picking(half, support, most)
    searched = 0
    for _ in range(most):
        found = scan(half, picking.residual, support, terms=terms, threshold=THRESHOLD, most=KEPT)
        searched = searched or found.searched
        before = len(picking.picked)
        picking.pick(found)
        if len(picking.picked) in (before, most) or len(found.candidates) < KEPT:
            break
    return Discovery([*picking.picked, *picking.parents()], searched)


class _Picking:
    """The candidates picked so far, and the errors that they leave unexplained."""

    def __init__(self, half: Half, support: Support, most: int) -> None:
        self.half, self.support, self.most = half, support, most
        self.errors = half.centred(half.wrong)
        self.residual = self.errors
        self.picked: list[Candidate] = []
        self._members: dict[Candidate, _Members] = {}

    def pick(self, found: Found) -> None:
        """Pick the best candidates, one by one, until no other scores enough on the errors left
        unexplained.
        """
        self._members = {one: _Members.of(self.half, one) for one in found.candidates}
        left = dict(zip(found.candidates, found.scores, strict=True))
        while left and len(self.picked) < self.most:
            best = max(left, key=lambda one: (left[one], -len(one.terms)))
            simple = self._simplest(best)
            if simple not in self.picked:
                self.picked.append(simple)
            self._explain(simple)
            del left[best]
            now = self._scores(left, self.residual)
            left = {one: score for one, score in now.items() if score >= THRESHOLD}

    def parents(self) -> list[Candidate]:
        """The parents of picked candidates that are themselves worse than the rest."""
        found = dict.fromkeys(parent for one in self.picked for parent in one.parents)
        scores = self._scores([parent for parent in found if parent not in self.picked], self.errors)
        return [parent for parent, score in scores.items() if score >= THRESHOLD]

    def _simplest(self, one: Candidate) -> Candidate:
        """The candidate, or the parent that explains it best."""
        half = self.half
        inside, *parents = (each.holds(half.facets, half.run) for each in (one, *one.parents))
        worse = [
            (_score_within(half, self.errors, inside, within), parent)
            for within, parent in zip(parents, one.parents, strict=True)
            if not np.array_equal(within, inside)
        ]
        least, parent = min(worse, key=lambda pair: pair[0], default=(np.inf, one))
        return one if least >= CLEARLY_WORSE else self._simplest(parent)

    def _scores(self, candidates: Iterable[Candidate], errors: Floats) -> dict[Candidate, float]:
        """The scores of candidates; 0 where the difference does not suffice."""
        half = self.half
        groups = int(half.group.max()) + 1
        place = half.run * groups + half.group
        by_group = np.bincount(place, errors, half.runs * groups).astype(float).reshape(half.runs, groups)
        return {
            one: self._of(one).score(half, errors, by_group, self.support.difference) for one in candidates
        }

    def _of(self, one: Candidate) -> "_Members":
        return self._members.get(one) or _Members.of(self.half, one)

    def _explain(self, one: Candidate) -> None:
        members = self._of(one)
        left = self.residual.copy()
        left[members.rows] -= members.gap(self.half, self.residual)
        self.residual = self.half.centred(left)


@dataclass(frozen=True, eq=False)
class _Members:
    """The items of a candidate."""

    rows: NDArray[np.intp]
    shares: Floats
    """Share of each run that is in the candidate."""

    @classmethod
    def of(cls, half: Half, one: Candidate) -> "_Members":
        rows = np.flatnonzero(one.holds(half.facets, half.run))
        of_run = np.bincount(half.run[rows], minlength=half.runs)
        return cls(rows, of_run / np.maximum(np.diff(half.starts), 1))

    def gap(self, half: Half, errors: Floats) -> float:
        """Mean over the items of `errors`, whose mean is 0 in each run, less that over the rest of the same
        runs.
        """
        sums = np.bincount(half.run[self.rows], errors[self.rows], half.runs)
        partly = self.shares < 1
        return float((sums[partly] / (1 - self.shares[partly])).sum() / len(self.rows))

    def score(self, half: Half, errors: Floats, by_group: Floats, least: float) -> float:
        if self.gap(half, errors) < least:
            return 0.0
        inside = np.bincount(half.group[self.rows], errors[self.rows], by_group.shape[1])
        return _standardised(inside - self.shares @ by_group)


def _score_within(half: Half, values: Floats, inside: Flags, within: Flags) -> float:
    """How far the mean inside lies above that of the others within, in standard errors over groups."""
    part = values[within] - values[within].mean()
    shares = inside[within] - inside.sum() / within.sum()
    sums = np.bincount(half.group[within], shares * part)
    return _standardised(np.asarray(sums, dtype=float))


def _standardised(sums: Floats) -> float:
    variance = max(float(sums @ sums - sums.sum() ** 2 / len(sums)), 1e-12)
    return float(sums.sum() / np.sqrt(variance))
