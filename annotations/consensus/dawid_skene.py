"""The consensus of Dawid and Skene: classes and each annotator's errors, estimated together.

Dawid and Skene (1979), "Maximum likelihood estimation of observer error-rates using the EM algorithm",
Applied Statistics 28:20-28. Item i has one true class, k with probability p_k; annotator a then says l with
probability e_akl, independently of the others. EM starts, as theirs, from the shares of the votes: the M
step takes p as the mean of the posteriors and e as the expected counts, row by row; the E step has
posterior_ik proportional to p_k times the product of e_akl over the labels of i. Several labels by one
annotator on an item count each.

It runs to the fixed point, not for a number of steps, and what it found is checked: the likelihood never
fell, the remaining distance is estimated from the rate of the last steps, `boundary_pull` says whether a
probability that is 0 would rather not be (EM cannot leave 0), `rival` whether starts near the votes end
higher, and `ambiguity` whether they end as high with other posteriors (then the labels do not settle it).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from annotations.consensus.patterns import Patterns, unique_patterns

Floats = NDArray[np.float64]
MIN_LABELS = 3
STEPS = 10_000
CHANGE = 1e-10
DISTANCE = 100 * CHANGE
STARTS = 8
ROUGH = (300, 1e-6)
"""Steps and change at which another start is near enough to be compared."""
_SAME = 1e-4
"""Log likelihoods that are this close count as equally high."""
_FALL = 1e-9
"""Relative loss of likelihood that rounding explains."""


class Rival(NamedTuple):
    """A higher maximum of the likelihood than the one that the votes lead to."""

    log_likelihood: float
    items: int
    """How many items it gives another class."""


@dataclass(frozen=True)
class DawidSkene:
    """The fixed point that the votes lead to."""

    items: tuple[str, ...]
    annotators: tuple[str, ...]
    categories: tuple[str, ...]
    posterior: Floats
    """items x categories; each row adds up to 1."""
    prior: Floats
    """Estimated share of each category."""
    expected: Floats
    """annotators x true x said: expected numbers of labels."""
    log_likelihood: float
    steps: int
    distance: float
    """How far the posteriors still are from the fixed point, estimated."""
    boundary_pull: float
    """Largest relative excess of the likelihood's slope at a probability of 0; 0 at a proper maximum."""
    rival: Rival | None
    ambiguity: float
    """Largest difference in a posterior to a start that ended just as high; 0 where none did or none ran."""

    def error_rate(self, annotator: int, true: int, said: int) -> float | None:
        """P(says | true) of an annotator; None where none of their items is thought to be of that class."""
        row = float(self.expected[annotator, true].sum())
        return float(self.expected[annotator, true, said]) / row if row > DISTANCE else None

    def accuracy(self, annotator: int) -> float:
        """Share of an annotator's labels expected to name the true class."""
        mine = self.expected[annotator]
        return float(np.trace(mine) / mine.sum())


@dataclass(frozen=True)
class DawidSkeneResult:
    """The model, or the reason why there is none."""

    model: DawidSkene | None
    undefined: str | None = None


def dawid_skene(
    labels: Iterable[tuple[str, str, str]], *, categories: Sequence[str], seed: int = 0, starts: int = STARTS
) -> DawidSkeneResult:
    """Fit (item, annotator, label) triples; every label is one of `categories`.

    `starts` further fits begin near the votes, by `seed`, to look for a rival. Raises KeyError for a label
    that is not a category.
    """
    rows = sorted(labels)
    patterns = unique_patterns(rows, categories)
    reason = _why_not(patterns)
    if reason is not None:
        return DawidSkeneResult(None, reason)
    em = _Em(patterns)
    votes = em.votes()
    fit = em.run(votes)
    if fit.distance > DISTANCE:
        return DawidSkeneResult(None, f"not converged after {fit.steps} steps: {fit.distance:.1g} away")
    rival, ambiguity = _other_starts(em, fit, votes, seed, starts)
    return DawidSkeneResult(
        DawidSkene(
            items=patterns.items,
            annotators=patterns.annotators,
            categories=tuple(categories),
            posterior=fit.posterior[patterns.pattern_of_item],
            prior=fit.prior,
            expected=fit.expected,
            log_likelihood=fit.log_likelihood,
            steps=fit.steps,
            distance=fit.distance,
            boundary_pull=em.boundary_pull(fit),
            rival=rival,
            ambiguity=ambiguity,
        )
    )


def _why_not(patterns: Patterns) -> str | None:
    if len(patterns.annotators) < 2:
        return f"{len(patterns.annotators)} annotator(s): nothing tells errors from classes"
    if patterns.longest < MIN_LABELS:
        return (
            f"at most {patterns.longest} labels on an item; {MIN_LABELS} are needed: with two annotators and "
            "two classes five probabilities would rest on three free counts"
        )
    return None


class _Fit(NamedTuple):
    posterior: Floats
    prior: Floats
    rates: Floats
    expected: Floats
    log_likelihood: float
    steps: int
    distance: float


class _Em:
    """The two steps on unique patterns, each weighted by how many items have it."""

    def __init__(self, patterns: Patterns) -> None:
        self._p = patterns
        self._m = len(patterns.annotators)
        self._k = patterns.n_categories
        self._said = patterns.annotator * self._k + patterns.label

    def weight(self, chosen: NDArray[np.bool_]) -> float:
        """Items that have one of the chosen patterns."""
        return float(self._p.weight[chosen].sum())

    def votes(self) -> Floats:
        """Shares of the votes: patterns x categories."""
        flat = np.bincount(self._p.row * self._k + self._p.label, minlength=len(self._p.weight) * self._k)
        counts = flat.reshape(-1, self._k).astype(float)
        shares: Floats = counts / counts.sum(axis=1, keepdims=True)
        return shares

    def run(self, start: Floats, most: int = STEPS, close: float = CHANGE) -> _Fit:
        """From a start to the fixed point: until a step changes no posterior by more than `close`."""
        posterior, before, change = start, -np.inf, np.inf
        for step in range(1, most + 1):
            prior, expected, rates = self._maximise(posterior)
            new, likelihood = self._expect(prior, rates)
            if likelihood < before - _FALL * abs(before):
                raise ArithmeticError(f"the likelihood fell from {before} to {likelihood} at step {step}")
            last, change = change, float(np.abs(new - posterior).max())
            posterior, before = new, likelihood
            distance = _remaining(change, last)
            if change <= close and distance <= 100 * close:
                break
        prior, expected, rates = self._maximise(posterior)
        return _Fit(posterior, prior, rates, expected, before, step, distance)

    def _maximise(self, posterior: Floats) -> tuple[Floats, Floats, Floats]:
        weighted = posterior * self._p.weight[:, None]
        prior: Floats = weighted.sum(axis=0) / self._p.weight.sum()
        size = self._m * self._k
        counts = [np.bincount(self._said, weighted[self._p.row, k], size) for k in range(self._k)]
        expected: Floats = np.stack(counts, axis=1, dtype=float).reshape(self._m, self._k, self._k)
        expected = expected.transpose(0, 2, 1)
        total = expected.sum(axis=2, keepdims=True)
        rates = np.where(total > 0, expected / np.where(total > 0, total, 1.0), 1.0 / self._k)
        return prior, expected, rates

    def _logs(self, prior: Floats, rates: Floats) -> tuple[Floats, Floats]:
        with np.errstate(divide="ignore"):  # a rate of 0 is a probability, not a mistake
            return np.log(prior), np.log(rates)[self._p.annotator, :, self._p.label]

    def _expect(self, prior: Floats, rates: Floats) -> tuple[Floats, float]:
        log_prior, of_row = self._logs(prior, rates)
        joint = np.add.reduceat(of_row, self._p.start, axis=0) + log_prior
        top = joint.max(axis=1, keepdims=True)
        scaled = np.exp(joint - top)
        total = scaled.sum(axis=1, keepdims=True)
        likelihood = float(self._p.weight @ (top + np.log(total))[:, 0])
        return scaled / total, likelihood

    def boundary_pull(self, fit: _Fit) -> float:
        """How far the slope at a rate of 0 exceeds the multiplier of its row (Karush-Kuhn-Tucker)."""
        log_prior, of_row = self._logs(fit.prior, fit.rates)
        zero = np.isneginf(of_row)
        finite = np.add.reduceat(np.where(zero, 0.0, of_row), self._p.start, axis=0)
        zeros = np.add.reduceat(zero.astype(int), self._p.start, axis=0) + np.isneginf(log_prior)
        finite = finite + np.where(np.isneginf(log_prior), 0.0, log_prior)
        joint = np.where(zeros == 0, finite, -np.inf)
        top = joint.max(axis=1, keepdims=True)
        of_item = top + np.log(np.exp(joint - top).sum(axis=1, keepdims=True))
        without = np.exp(finite - of_item) * self._p.weight[:, None]
        slope = np.where(zero & (zeros == 1)[self._p.row], without[self._p.row], 0.0)
        size = self._m * self._k
        sums = np.stack([np.bincount(self._said, slope[:, k], size) for k in range(self._k)], axis=1)
        by_rate = sums.reshape(self._m, self._k, self._k).transpose(0, 2, 1)
        multiplier = np.broadcast_to(fit.expected.sum(axis=2, keepdims=True), by_rate.shape)
        known = multiplier > DISTANCE
        return float(max((by_rate[known] / multiplier[known] - 1.0).max(initial=0.0), 0.0))


def _remaining(change: float, last: float) -> float:
    """Distance to the limit of steps that shrink by a constant factor: change times rate / (1 - rate)."""
    if change == 0.0:
        return 0.0
    rate = change / last
    return change * rate / (1.0 - rate) if rate < 1.0 else np.inf


def _other_starts(em: _Em, fit: _Fit, votes: Floats, seed: int, starts: int) -> tuple[Rival | None, float]:
    rng = np.random.default_rng(seed)
    best, ambiguity = fit, 0.0
    for _ in range(starts):
        noise = rng.dirichlet(np.ones(votes.shape[1]), size=len(votes))
        other = em.run((votes + noise) / 2, *ROUGH)
        gain = other.log_likelihood - fit.log_likelihood
        if abs(gain) < _SAME:
            ambiguity = max(ambiguity, float(np.abs(other.posterior - fit.posterior).max()))
        if other.log_likelihood > best.log_likelihood + _SAME:
            best = other
    if best is fit:
        return None, ambiguity
    differs = best.posterior.argmax(axis=1) != fit.posterior.argmax(axis=1)
    return Rival(best.log_likelihood, int(em.weight(differs))), ambiguity
