"""Coverage of the intervals of reliability, on studies with a known truth: `scripts/dev/evidence
simulations`.

A subject's items share how hard they are, so that they depend on one another; every interval is the
delete-one-subject jackknife with t(subjects - 1).
"""

import os
from collections.abc import Callable

import numpy as np
import pytest

from clinicnum.annotations.agreement.krippendorff import alpha_columns, alpha_of, nominal_distances
from clinicnum.annotations.reliability.clustered_estimates import Estimate, from_totals
from clinicnum.annotations.reliability.drift import slope
from clinicnum.annotations.reliability.suggestion_effect import difference_of_means
from clinicnum.stats.clustered_intervals import Floats

STUDIES = int(os.environ.get("CLINICNUM_SIMULATIONS", "200"))
SIZES = ((6, 20), (20, 5), (80, 5))
"""Subjects, items of each."""
Draw = Callable[[np.random.Generator, int, int], Estimate]


def names(subjects: int, items: int) -> list[str]:
    return [f"s{n:03}" for n in range(subjects) for _ in range(items)]


def effect(rng: np.random.Generator, subjects: int, items: int) -> Estimate:
    """A suggestion adds 0.2 to a subject's own chance of a failure, which is anywhere from 0 to 0.8."""
    own = np.repeat(rng.uniform(0, 0.8, subjects), items)
    shown = rng.random(len(own)) < 0.5
    failed = rng.random(len(own)) < own + 0.2 * shown
    columns = np.column_stack([failed & shown, shown, failed & ~shown, ~shown]).astype(float)
    return from_totals(names(subjects, items), columns, difference_of_means, without="empty")


def trend(rng: np.random.Generator, subjects: int, items: int) -> Estimate:
    """Items in random order; the chance of agreeing falls by 0.3 from the first to the last."""
    own = np.repeat(rng.uniform(0.4, 1.0, subjects), items)
    x = rng.permutation(len(own)) / (len(own) - 1)
    y = (rng.random(len(own)) < own - 0.3 * x).astype(float)
    columns = np.column_stack([np.ones(len(x)), x, y, x * x, x * y])
    return from_totals(names(subjects, items), columns, slope, without="empty")


DISTANCES = nominal_distances(2)


def alpha_difference(rng: np.random.Generator, subjects: int, items: int) -> Estimate:
    """Three annotators, two labels; right with 0.9 where shown, else 0.75, times a subject's own ease."""
    ease = np.repeat(rng.uniform(0.85, 1.1, subjects), items)
    shown = rng.random(len(ease)) < 0.5
    right = rng.random((len(ease), 3)) < (np.where(shown, 0.9, 0.75) * ease)[:, None]
    ones = np.where(rng.random(len(ease)) < 0.5, right.sum(axis=1), 3 - right.sum(axis=1))
    counts = np.column_stack([ones, 3 - ones]).astype(float)
    arms = [alpha_columns(counts, DISTANCES) * arm[:, None] for arm in (shown, ~shown)]
    return from_totals(names(subjects, items), np.hstack(arms), _alphas, without="empty")


def _alphas(totals: Floats) -> Floats:
    return alpha_of(totals[..., :3], DISTANCES) - alpha_of(totals[..., 3:], DISTANCES)


def truth_of_alphas() -> float:
    """The difference in studies so large that chance has no part in it."""
    found = [alpha_difference(np.random.default_rng(seed), 4_000, 20).value for seed in range(10)]
    return float(np.mean([one for one in found if one is not None]))


@pytest.mark.parametrize(
    ("draw", "truth"),
    [
        pytest.param(effect, lambda: 0.2, id="effect of a suggestion on a share"),
        pytest.param(trend, lambda: -0.3, id="drift"),
        pytest.param(alpha_difference, truth_of_alphas, id="effect of a suggestion on alpha"),
    ],
)
def test_intervals_hold_the_truth_as_often_as_they_say(draw: Draw, truth: Callable[[], float]) -> None:
    """95 % give or take 2 points and three binomial standard errors."""
    true = truth()
    room = 0.02 + 3 * np.sqrt(0.95 * 0.05 / STUDIES)
    for subjects, items in SIZES:
        rng = np.random.default_rng([subjects, items])
        held = given = 0
        for _ in range(STUDIES):
            interval = draw(rng, subjects, items).interval
            if interval.low is None or interval.high is None:
                continue
            given += 1
            held += interval.low <= true <= interval.high
        print(f"{draw.__name__}: {subjects} subjects of {items}: {held / given:.3f} of {given}")
        assert given > 0.9 * STUDIES
        assert abs(held / given - 0.95) < room, (subjects, items)
