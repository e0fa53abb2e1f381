"""From scored candidates to the few that are worth a test: one after the other, each in its simplest form.

The candidate with the highest score is taken, or a parent of it if it is not clearly worse than the rest of
that parent. What it explains is then subtracted from the errors of its items, so that the same pattern does
not come again in other words, and the next is looked for.
"""

from dataclasses import dataclass

import numpy as np

from clinicnum.slices.conditions import Flags
from clinicnum.slices.scan import Candidate, Floats, Found, Half, Support, scan

THRESHOLD = 2.0
"""Least score of a candidate that goes on to a test."""
CLEARLY_WORSE = 2.5
"""Least score of a candidate against the rest of its parent: the best of many children looks worse by
chance."""
KEPT = 300
"""Candidates that are looked at one by one after each scan."""


@dataclass(frozen=True)
class Discovery:
    """What the searched half suggests."""

    to_test: list[Candidate]
    """The strongest first, then parents of these that may hold where they do not."""
    searched: int
    """Number of candidates with enough support."""


def discover(half: Half, support: Support, *, terms: int, most: int) -> Discovery:
    """At most `most` candidates to test, with the parents that may stand in for them."""
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

    def pick(self, found: Found) -> None:
        """Pick the best candidates until what is left of the others is too little."""
        left = dict(zip(found.candidates, found.scores, strict=True))
        while left and len(self.picked) < self.most:
            best = max(left, key=lambda one: (left[one], -len(one.terms)))
            simple = self._simplest(best)
            if simple not in self.picked:
                self.picked.append(simple)
            self._explain(simple)
            del left[best]
            now = {one: self._score(one, self.residual) for one in left}
            left = {one: score for one, score in now.items() if score >= THRESHOLD}

    def parents(self) -> list[Candidate]:
        """The parents of picked candidates that are themselves worse than the rest."""
        found = dict.fromkeys(parent for one in self.picked for parent in one.parents)
        new = [parent for parent in found if parent not in self.picked]
        return [parent for parent in new if self._score(parent, self.errors) >= THRESHOLD]

    def _simplest(self, one: Candidate) -> Candidate:
        """The candidate, or the parent that explains it best."""
        inside = self._holds(one)
        parents = [(self._holds(parent), parent) for parent in one.parents]
        worse = [
            (_standard_score(self.half, self.errors, inside, within), parent)
            for within, parent in parents
            if not np.array_equal(within, inside)
        ]
        least, parent = min(worse, key=lambda pair: pair[0], default=(np.inf, one))
        return one if least >= CLEARLY_WORSE else self._simplest(parent)

    def _score(self, one: Candidate, errors: Floats) -> float:
        """The score of a candidate; 0 if the difference does not suffice."""
        inside, within = self._holds(one), self._holds(Candidate(one.run, ()))
        rest = within & ~inside
        if not rest.any() or errors[inside].mean() - errors[rest].mean() < self.support.difference:
            return 0.0
        return _standard_score(self.half, errors, inside, within)

    def _explain(self, one: Candidate) -> None:
        inside, within = self._holds(one), self._holds(Candidate(one.run, ()))
        gap = self.residual[inside].mean() - self.residual[within & ~inside].mean()
        self.residual = self.half.centred(self.residual - gap * inside)

    def _holds(self, one: Candidate) -> Flags:
        return one.holds(self.half.facets, self.half.run)


def _standard_score(half: Half, values: Floats, inside: Flags, within: Flags) -> float:
    """How far the mean of values inside lies above that of the others within, in standard errors over
    groups."""
    part = values[within] - values[within].mean()
    shares = inside[within] - inside.sum() / within.sum()
    sums = np.bincount(half.group[within], shares * part)
    variance = max(float(sums @ sums - sums.sum() ** 2 / len(sums)), 1e-12)
    return float(sums.sum() / np.sqrt(variance))
