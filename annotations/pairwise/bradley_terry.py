"""Strengths from paired comparisons: the Bradley-Terry model with ties and an effect of the position.

With strengths s on the log scale, position p and ties t, the three outcomes of comparing the model on the
left with that on the right have the log-odds

    left  s_left + p / 2,    right  s_right - p / 2,    tie  t + (s_left + s_right) / 2.

Without p that is Davidson's model (1970, "On extending the Bradley-Terry model to accommodate ties in paired
comparison experiments", JASA 65:317-328); a factor for what is offered first is that of Davidson and Beaver
(1977, "On extending the Bradley-Terry model to incorporate within-pair order effects", Biometrics
33:693-702), here written so that exchanging the sides changes the sign of p alone. Without any tie it is the
model of Bradley and Terry (1952). Strengths are centred: their mean is 0.

Intervals: one subject is left out at a time, by one Newton step from the estimate, which is the
delete-one-subject jackknife to first order in what a subject adds; plus and minus t(effective subjects - 1)
standard errors. All comparisons of a subject (of one item by several annotators, of several items) leave
together; the annotators are those of the study. `docs/pairwise.md` has the coverage.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from clinicnum.stats.clustered_intervals import Floats, Subjects, effective_subjects, t_quantile
from clinicnum.stats.jackknife import Interval, few_subjects, why_no_interval

Outcome = Literal["left", "right", "both_alike", "both_bad"]
SIDES: tuple[Outcome, ...] = ("left", "right")
"""Outcomes with a winner; the others are ties: both answers good, or both bad."""
METHOD = "delete-one-subject jackknife of one Newton step, t(effective subjects - 1)"
_STEPS = 50
_CLOSE = 1e-10
_FAR = 12.0
"""A larger absolute log-odds is taken as diverging to infinity."""


@dataclass(frozen=True)
class Comparison:
    """One annotator's preference between two answers."""

    subject: str
    left: str
    """Name of the model whose answer was on the left."""
    right: str
    outcome: Outcome


@dataclass(frozen=True)
class Estimate:
    """An estimate on the log scale, with its interval."""

    value: float
    interval: Interval


@dataclass(frozen=True)
class BradleyTerry:
    """A fitted model, or the reason why there is none."""

    strengths: dict[str, Estimate]
    """Model -> strength on the log scale, their mean being 0; empty exactly where `undefined` says why."""
    differences: dict[tuple[str, str], Estimate]
    """(one, other) -> strength of one minus that of the other, for every two models in order of names."""
    position: Estimate | None
    """Log-odds gained by the answer on the left; None if not a parameter."""
    tie: Estimate | None
    """Log-odds of a tie against either side between equal models; None where there is no tie."""
    n: int
    undefined: str | None = None


def fit_bradley_terry(comparisons: Sequence[Comparison], *, position: bool = True) -> BradleyTerry:
    """Fit the model by maximum likelihood; with `position` the left-right effect is a parameter.

    Undefined where the likelihood has no finite maximum: models that no chain of comparisons connects, a
    group of models that never lost to the others, one side chosen wherever there was a choice.
    """
    names = tuple(sorted({name for one in comparisons for name in (one.left, one.right)}))
    reason = _why_undefined(comparisons, names, position)
    if reason is not None:
        return BradleyTerry({}, {}, None, None, len(comparisons), undefined=reason)
    ties = any(one.outcome not in SIDES for one in comparisons)
    design = _design(comparisons, names, position=position, ties=ties)
    chosen = np.array([{"left": 0, "right": 1}.get(one.outcome, 2) for one in comparisons])
    found = _maximum(design, chosen)
    if found is None:
        reason = "no finite strengths and position have the greatest likelihood; it takes more comparisons"
        return BradleyTerry({}, {}, None, None, len(comparisons), undefined=reason)
    intervals = _Intervals.of(comparisons, design, chosen, found)
    k = len(names) - 1
    spread = _centred(len(names))
    strengths = {
        name: intervals.estimate(_padded(row, len(found))) for name, row in zip(names, spread, strict=True)
    }
    differences = {
        (one, other): intervals.estimate(_padded(spread[i] - spread[j], len(found)))
        for i, one in enumerate(names)
        for j, other in enumerate(names)
        if i < j
    }
    unit = np.eye(len(found))
    return BradleyTerry(
        strengths,
        differences,
        intervals.estimate(unit[k]) if position else None,
        intervals.estimate(unit[-1]) if ties else None,
        len(comparisons),
    )


def _why_undefined(comparisons: Sequence[Comparison], names: Sequence[str], position: bool) -> str | None:
    """Why the likelihood has no finite maximum (Ford 1957): some models never lost to the rest."""
    if not comparisons:
        return "no comparison yet"
    beats: dict[str, set[str]] = {name: set() for name in names}
    meets: dict[str, set[str]] = {name: set() for name in names}
    for one in comparisons:
        meets[one.left].add(one.right)
        meets[one.right].add(one.left)
        if one.outcome != "right":
            beats[one.left].add(one.right)
        if one.outcome != "left":
            beats[one.right].add(one.left)
    apart = set(names) - _reached(meets, names[0])
    if apart:
        return f"no chain of comparisons connects {', '.join(sorted(apart))} with {names[0]}"
    for name in names:
        below = _reached(beats, name)
        never = sorted(set(names) - below)
        if never:
            return (
                f"{', '.join(never)} never lost to and never tied with {', '.join(sorted(below))}: "
                "no finite strength is the likeliest"
            )
    sides = {one.outcome for one in comparisons}.intersection(SIDES)
    if position and len(sides) == 1:
        return f"the {sides.pop()} answer was chosen wherever one was: its effect has no finite estimate"
    if not sides:
        return "every comparison is a tie"
    return None


def _reached(edges: dict[str, set[str]], start: str) -> set[str]:
    reached, ahead = {start}, [start]
    while ahead:
        new = edges[ahead.pop()] - reached
        reached |= new
        ahead.extend(new)
    return reached


def _centred(models: int) -> Floats:
    """The matrix [models, models - 1] that makes strengths of the free parameters; the last strength is minus
    the sum of the others.
    """
    return np.vstack([np.eye(models - 1), -np.ones((1, models - 1))])


def _padded(row: Floats, length: int) -> Floats:
    return np.concatenate([row, np.zeros(length - len(row))])


def _design(comparisons: Sequence[Comparison], names: Sequence[str], *, position: bool, ties: bool) -> Floats:
    """The factor of each parameter in each outcome's log-odds: [comparisons, outcomes, parameters]."""
    at = {name: place for place, name in enumerate(names)}
    spread = _centred(len(names))
    left = spread[[at[one.left] for one in comparisons]]
    right = spread[[at[one.right] for one in comparisons]]
    n, k = left.shape
    design = np.zeros((n, 2 + ties, k + position + ties))
    design[:, 0, :k], design[:, 1, :k] = left, right
    if position:
        design[:, 0, k], design[:, 1, k] = 0.5, -0.5
    if ties:
        design[:, 2, :k], design[:, 2, -1] = (left + right) / 2, 1.0
    return design


def _parts(design: Floats, chosen: Floats, at: Floats) -> tuple[Floats, Floats, Floats]:
    """Log-likelihood, gradient [n, p] and information [n, p, p] of each comparison."""
    odds = design @ at
    odds -= odds.max(axis=1, keepdims=True)
    chance = np.exp(odds)
    total = chance.sum(axis=1, keepdims=True)
    chance /= total
    rows = np.arange(len(design))
    mean = np.einsum("no,nop->np", chance, design)
    away = design - mean[:, None, :]
    information = np.einsum("no,nop,noq->npq", chance, away, away)
    return odds[rows, chosen] - np.log(total[:, 0]), design[rows, chosen] - mean, information


def _maximum(design: Floats, chosen: Floats) -> Floats | None:
    """The parameters of the greatest likelihood, by Newton's method; None if it has none."""
    at = np.zeros(design.shape[2])
    value, gradient, information = _parts(design, chosen, at)
    for _ in range(_STEPS):
        try:
            step = np.linalg.solve(information.sum(axis=0), gradient.sum(axis=0))
        except np.linalg.LinAlgError:
            return None
        while True:
            new = _parts(design, chosen, at + step)
            if new[0].sum() >= value.sum() - _CLOSE or np.abs(step).max() < _CLOSE:
                break
            step = step / 2
        at, (value, gradient, information) = at + step, new
        if np.abs(at).max() > _FAR:
            return None
        if np.abs(step).max() < _CLOSE:
            return at
    return None


@dataclass(frozen=True)
class _Intervals:
    """The estimates, and how leaving out each subject moves them."""

    at: Floats
    moved: Floats
    """[subjects, parameters]."""
    reason: str | None
    """Why there are no intervals."""
    quantile: float

    @classmethod
    def of(
        cls, comparisons: Sequence[Comparison], design: Floats, chosen: Floats, at: Floats
    ) -> "_Intervals":
        subjects = Subjects.of(one.subject for one in comparisons)
        _, gradient, information = _parts(design, chosen, at)
        g, p = len(subjects.names), len(at)
        pulls = subjects.totals(gradient)
        held = subjects.totals(information.reshape(len(design), p * p)).reshape(g, p, p)
        reason = why_no_interval(g, 0, len(comparisons))
        moved = np.zeros((g, p))
        if reason is None:
            rest = held.sum(axis=0) - held
            if np.linalg.cond(rest).max() > 1 / np.finfo(float).eps:
                reason = "one subject alone holds what some estimate rests on"
            else:
                moved = -np.linalg.solve(rest, pulls[:, :, None])[:, :, 0]
        sizes = subjects.totals(np.ones((len(design), 1)))[:, 0]
        return cls(at, moved, reason, float(t_quantile(effective_subjects(sizes), 0.95)))

    def estimate(self, weights: Floats) -> Estimate:
        """The estimate of a sum of parameters with these weights."""
        value, g = float(weights @ self.at), len(self.moved)
        if self.reason is not None:
            return Estimate(value, Interval(None, None, METHOD, g, undefined=self.reason))
        moved = self.moved @ weights
        error = float(np.sqrt((g - 1) / g * ((moved - moved.mean()) ** 2).sum()))
        half = self.quantile * error
        interval = Interval(value - half, value + half, METHOD, g, se=error, warning=few_subjects(g))
        return Estimate(value, interval)
