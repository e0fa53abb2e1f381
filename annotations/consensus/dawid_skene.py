"""Dawid and Skene's consensus: true classes and each annotator's error rates, estimated together.

Dawid and Skene (1979), "Maximum likelihood estimation of observer error-rates using the EM algorithm",
Applied Statistics 28:20-28. Item i has one true class, k with probability p_k; annotator a then says l with
probability e_akl, independently of the others. EM starts, as theirs, from the shares of the votes: the M step
takes p as the mean of the posteriors and e as the expected counts, normalised by row; the E step has
posterior_ik proportional to p_k times the product of e_akl over the labels of i. Several labels by one
annotator on an item count each.

EM runs to its fixed point rather than for a set number of steps, and the result is checked. The likelihood
must never fall, and the remaining distance is estimated from the rate of the last steps. `boundary_pull`
tells whether a probability estimated as 0 should be above 0 (EM cannot leave 0), `rival` whether starts
near the votes reach a higher likelihood, and `ambiguity` whether they reach the same likelihood with other
posteriors: then the labels do not determine the posteriors, and beyond `UNSETTLED` there is no result.
Classes that such a start exchanges and that the votes cannot name (`latent_class_matching`) are
`exchangeable`: estimates for one of them alone are withheld.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from clinicnum.annotations.consensus.dawid_skene_em import NOBODY, Em, Fit, Floats
from clinicnum.annotations.consensus.label_patterns import Patterns, Triple, unique_patterns
from clinicnum.annotations.consensus.latent_class_matching import (
    Order,
    close_names,
    exchangeable,
    named_as_voted,
)
from clinicnum.annotations.labels_by_item import Ballots

MIN_LABELS = 3
LABELS_A_PROBABILITY = 5
"""Minimum number of labels per estimated probability: with fewer, only 85 % of posteriors of 0.99 are right
(`docs/consensus.md`).
"""
STARTS = 8
NEAR = 1e-3
"""Largest distance of a posterior to its fixed point with which there is still a result."""
ROUGH = (300, 1e-6)
"""Steps and largest change with which the fit from another start is precise enough to be compared."""
UNSETTLED = 0.05
"""Largest difference between posteriors of equally good starts with which there is still a result."""
AT_ZERO = 1e-6
"""Probabilities below this count as estimated to be 0."""
_SAME = 1e-4
"""Log likelihoods that are this close count as equally high."""


class OtherMaximum(NamedTuple):
    """A higher maximum of the likelihood than the one reached from the votes."""

    log_likelihood: float
    items: int
    """Number of items to which it gives another class."""


@dataclass(frozen=True)
class DawidSkene:
    """The fixed point of the estimation when it starts from the votes."""

    items: tuple[str, ...]
    annotators: tuple[str, ...]
    categories: tuple[str, ...]
    posterior: Floats
    """items x categories; each row adds up to 1, but for exchangeable categories, which are NaN."""
    prior: Floats
    """Estimated share of each category; NaN for exchangeable ones."""
    expected: Floats
    """Expected label counts, [annotators, true, given]; rows of exchangeable classes in either order."""
    log_likelihood: float
    steps: int
    distance: float
    """Estimated distance of the posteriors from the fixed point; at most `NEAR`."""
    boundary_pull: float
    """Largest relative excess of the likelihood's slope at a probability of 0; 0 at a proper maximum."""
    rival: OtherMaximum | None
    ambiguity: float
    """Largest difference in a posterior to a start that reached the same likelihood, its classes named by the
    votes; 0 if there is no such start.
    """
    exchangeable: tuple[str, ...] = ()
    """Categories that the labels cannot tell apart: with their names exchanged the model fits equally well.
    """

    @property
    def merged(self) -> tuple[tuple[tuple[str, ...], ...], Floats]:
        """The categories, with the exchangeable ones merged into one that is placed last, and the posteriors.

        Posteriors are [items, merged categories].
        """
        if not self.exchangeable:
            return tuple((one,) for one in self.categories), self.posterior
        alone = [place for place, one in enumerate(self.categories) if one not in self.exchangeable]
        together = np.clip(1 - self.posterior[:, alone].sum(axis=1, keepdims=True), 0, 1)
        names = (*((self.categories[place],) for place in alone), self.exchangeable)
        return names, np.hstack([self.posterior[:, alone], together])

    def error_rate(self, annotator: int, true: int, said: int) -> float | None:
        """P(label `said` | class `true`) of an annotator; all three are indices.

        None if none of their items is estimated to be of that class, or if the class is exchangeable.
        """
        if self.categories[true] in self.exchangeable:
            return None
        row = float(self.expected[annotator, true].sum())
        return float(self.expected[annotator, true, said]) / row if row > NOBODY else None

    @property
    def at_zero(self) -> int:
        """Number of error probabilities estimated as 0, among classes and labels that occur."""
        used = self.expected.sum(axis=(0, 2)) > NOBODY
        rows = self.expected[:, used][:, :, self.expected.sum(axis=(0, 1)) > NOBODY]
        whole = rows.sum(axis=2, keepdims=True)
        return int(((rows <= AT_ZERO * whole) & (whole > NOBODY)).sum())

    @cached_property
    def unnamed(self) -> tuple[str, ...]:
        """Categories that the model gives to items although no annotator is expected to name them there: a
        class of split votes, under a name that was free.
        """
        whole = self.expected.sum(axis=(0, 2))
        named = np.einsum("akk->k", self.expected)
        return tuple(
            one
            for place, one in enumerate(self.categories)
            if one not in self.exchangeable
            and whole[place] > NOBODY
            and named[place] <= AT_ZERO * whole[place]
        )

    def accuracy(self, annotator: int) -> float | None:
        """Expected share of an annotator's labels that name the true class; None if any classes are
        exchangeable, or have a name that nobody is expected to give them.
        """
        if self.exchangeable or self.unnamed:
            return None
        mine = self.expected[annotator]
        return float(np.trace(mine) / mine.sum())


@dataclass(frozen=True)
class DawidSkeneResult:
    """The fitted model, or the reason why it was not fitted."""

    model: DawidSkene | None
    undefined: str | None = None


def dawid_skene(
    labels: Iterable[Triple] | Ballots[str],
    *,
    categories: Sequence[str],
    seed: int = 0,
    starts: int = STARTS,
    labels_a_probability: float = LABELS_A_PROBABILITY,
) -> DawidSkeneResult:
    """Fit the model to (item, annotator, label) triples or to ballots; every label is one of `categories`.

    `starts` further fits begin near the votes, seeded by `seed`, to look for a higher maximum. With fewer
    than `labels_a_probability` labels per estimated probability no fit is made. Raises KeyError for a label
    that is not a category.
    """
    patterns = unique_patterns(labels, categories)
    reason = _why_not(patterns, labels_a_probability)
    if reason is not None:
        return DawidSkeneResult(None, reason)
    em = Em(patterns)
    votes = em.votes()
    fit, order = named_as_voted(em.run(votes), em)
    if fit.distance > NEAR:
        away = (
            f"a posterior may still be {fit.distance:.1g} away"
            if np.isfinite(fit.distance)
            else "still moving"
        )
        return DawidSkeneResult(None, f"not converged after {fit.steps} steps ({away})")
    close = close_names(fit, em)
    others = _other_starts(em, votes, seed, max(starts, STARTS if close else 0))
    rival, ambiguity = _compared(em, fit, others[:starts])
    as_high = [one for other, one in others if abs(other.log_likelihood - fit.log_likelihood) < _SAME]
    unsettled = exchangeable(close, [order, *as_high])
    if ambiguity > UNSETTLED:
        return DawidSkeneResult(
            None,
            "the labels do not settle it: starts that fit them equally well differ by up to "
            f"{ambiguity:.2f} in an item's probability",
        )
    names = tuple(categories[place] for place in unsettled)
    if len(names) == len(np.unique(patterns.label)):
        return DawidSkeneResult(
            None,
            "the labels do not tell which class of the model bears which name: with "
            f"{' and '.join(name.replace('_', ' ') for name in names)} exchanged it fits them as well",
        )
    posterior, prior = fit.posterior.copy(), fit.prior.copy()
    posterior[:, unsettled], prior[unsettled] = np.nan, np.nan
    return DawidSkeneResult(
        DawidSkene(
            items=patterns.items,
            annotators=patterns.annotators,
            categories=tuple(categories),
            posterior=posterior[patterns.pattern_of_item],
            prior=prior,
            expected=fit.expected,
            log_likelihood=fit.log_likelihood,
            steps=fit.steps,
            distance=fit.distance,
            boundary_pull=em.boundary_pull(fit),
            rival=rival,
            ambiguity=ambiguity,
            exchangeable=names,
        )
    )


def _why_not(patterns: Patterns, least: float) -> str | None:
    if len(patterns.annotators) < 2:
        return f"{len(patterns.annotators)} annotator(s): nothing tells errors from classes"
    if patterns.longest < MIN_LABELS:
        return (
            f"at most {patterns.longest} labels on an item; {MIN_LABELS} are needed: with two annotators and "
            "two classes five probabilities would rest on three free counts"
        )
    classes = len(np.unique(patterns.label))
    labels = round(float(patterns.weight @ np.bincount(patterns.row, minlength=len(patterns.weight))))
    free = probabilities(len(patterns.annotators), classes)
    if free * least > labels:
        return (
            f"{free} probabilities from {labels} labels: there must be at least {least:g} labels for "
            f"each, here "
            f"{least * free:g}, or posteriors are far too sure; label more, or use another protocol"
        )
    return None


def probabilities(annotators: int, classes: int) -> int:
    """Number of estimated probabilities: the class shares and each annotator's error rates."""
    return classes - 1 + annotators * classes * (classes - 1)


def _other_starts(em: Em, votes: Floats, seed: int, starts: int) -> list[tuple[Fit, Order]]:
    """Fits from starts near the votes, each with the permutation that named its classes by the votes."""
    rng = np.random.default_rng(seed)
    given = votes.any(axis=0)  # without classes nobody voted for: they could stand for any
    found = []
    for _ in range(starts):
        noise = np.zeros_like(votes)
        noise[:, given] = rng.dirichlet(np.ones(given.sum()), size=len(votes))
        found.append(named_as_voted(em.run((votes + noise) / 2, *ROUGH), em))
    return found


def _compared(em: Em, fit: Fit, others: Sequence[tuple[Fit, Order]]) -> tuple[OtherMaximum | None, float]:
    best, ambiguity = fit, 0.0
    for other, _ in others:
        if abs(other.log_likelihood - fit.log_likelihood) < _SAME:
            ambiguity = max(ambiguity, float(np.abs(other.posterior - fit.posterior).max()))
        if other.log_likelihood > best.log_likelihood + _SAME:
            best = other
    if best is fit:
        return None, ambiguity
    differs = best.posterior.argmax(axis=1) != fit.posterior.argmax(axis=1)
    return OtherMaximum(best.log_likelihood, int(em.weight(differs))), ambiguity
