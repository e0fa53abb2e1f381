"""Expectation and maximisation for Dawid and Skene's model, run to the fixed point and checked."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from clinicnum.annotations.consensus.label_patterns import Patterns

Floats = NDArray[np.float64]
STEPS = 3_000
CHANGE = 1e-10
NOBODY = 1e-6
"""With fewer expected labels than this, an annotator counts as having no items of a class."""
_ROUNDING = 1e-14
_STILL = 1e-14
"""Relative gain of likelihood that rounding hides; after `_PATIENCE` such rounds, iteration ends."""
_PATIENCE = 100
_FALL = 1e-9
"""Relative loss of likelihood that rounding explains."""


class Fit(NamedTuple):
    """A fixed point of the estimation, or where the iteration ended."""

    posterior: Floats
    """Probability of each class: patterns x classes."""
    prior: Floats
    """Share of each class."""
    rates: Floats
    """P(label | class): annotators x classes x labels."""
    expected: Floats
    """Expected label counts, in the shape of `rates`."""
    log_likelihood: float
    steps: int
    distance: float
    """Estimated distance of the posteriors from the fixed point."""


class Em:
    """The E and M steps on unique patterns, each weighted by the number of items that have it."""

    def __init__(self, patterns: Patterns) -> None:
        self._p = patterns
        self._m = len(patterns.annotators)
        self._k = patterns.n_categories
        self._said = patterns.annotator * self._k + patterns.label

    def weight(self, chosen: NDArray[np.bool_]) -> float:
        """Number of items that have one of the chosen patterns."""
        return float(self._p.weight[chosen].sum())

    def total(self, of_pattern: Floats) -> float:
        """Sum over items of a value given per pattern."""
        return float(self._p.weight @ of_pattern)

    def votes(self) -> Floats:
        """Shares of the votes: patterns x categories."""
        flat = np.bincount(self._p.row * self._k + self._p.label, minlength=len(self._p.weight) * self._k)
        counts = flat.reshape(-1, self._k).astype(float)
        shares: Floats = counts / counts.sum(axis=1, keepdims=True)
        return shares

    def votes_for(self, posterior: Floats) -> Floats:
        """Votes for each category on the items of each class: categories x classes; on ties the classes keep
        their order.
        """
        votes = (self.votes() * self._p.weight[:, None]).T @ posterior
        return np.asarray(votes + _ROUNDING * np.eye(self._k))

    def run(self, start: Floats, most: int = STEPS, close: float = CHANGE) -> Fit:
        """Iterate from a start to the fixed point, until a step changes no posterior by more than `close`, or
        for `most` steps.

        Convergence towards a rate of 0 can become so slow that rounding hides the gains; iteration ends then,
        too.
        """
        at, reached, steps, stalled = start, -np.inf, 0, 0
        while True:
            first, likelihood = self.step(at)
            _check(reached, likelihood)
            stalled = stalled + 1 if likelihood - reached < -_STILL * likelihood else 0
            second, reached = self.step(first)
            _check(likelihood, reached)
            steps += 2
            change = _largest(second - first)
            distance = _remaining(change, _largest(first - at))
            if (change <= close and distance <= 100 * close) or steps >= most or stalled == _PATIENCE:
                prior, expected, rates = self._maximise(second)
                return Fit(second, prior, rates, expected, reached, steps, distance)
            leap = _extrapolated(at, first, second)
            at = second
            if leap is not None:
                landed, likelihood = self.step(leap)
                steps += 1
                if likelihood >= reached:
                    at, reached = landed, likelihood

    def step(self, posterior: Floats) -> tuple[Floats, float]:
        """One M and one E step: the next posteriors, and the log-likelihood of the parameters between the
        steps.
        """
        prior, _, rates = self._maximise(posterior)
        return self._expect(prior, rates)

    def likelihood(self, prior: Floats, rates: Floats) -> float:
        """Log-likelihood of the labels, summed over the possible true classes."""
        return self._expect(prior, rates)[1]

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

    def boundary_pull(self, fit: Fit) -> float:
        """Largest relative excess of the likelihood's slope at a rate of 0 over the multiplier of its row.

        Above 0 the rate should be larger, by the Karush-Kuhn-Tucker condition; at a proper maximum it is 0.
        """
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
        known = multiplier > NOBODY
        return float(max((by_rate[known] / multiplier[known] - 1.0).max(initial=0.0), 0.0))


def _check(before: float, after: float) -> None:
    if after < before - _FALL * abs(before):
        raise ArithmeticError(f"the likelihood fell from {before} to {after}: a defect of this program")


def _largest(change: Floats) -> float:
    return float(np.abs(change).max())


def _remaining(change: float, last: float) -> float:
    """Estimated distance to the limit of steps that shrink by a constant rate: change x rate / (1 - rate)."""
    if change <= _ROUNDING:
        return 0.0
    rate = change / last if last > 0 else 1.0
    return change * rate / (1.0 - rate) if rate < 1.0 else np.inf


def _extrapolated(start: Floats, first: Floats, second: Floats) -> Floats | None:
    """Posteriors extrapolated along two EM steps (SQUAREM, steplength 3); None if there is nothing to
    extrapolate.

    The scheme of Varadhan and Roland (2008), as in the R package SQUAREM. Values below a tenth of those of
    the second step are raised to it, and each row is scaled to add up to 1 again.
    """
    once = first - start
    bend = (second - first) - once
    size = float(np.linalg.norm(bend))
    if size <= _ROUNDING:
        return None
    length = float(np.linalg.norm(once)) / size
    if length <= 1.0:
        return None
    leap = np.where(second > 0, np.maximum(start + 2 * length * once + length**2 * bend, second / 10), 0.0)
    landed: Floats = leap / leap.sum(axis=1, keepdims=True)
    return landed
