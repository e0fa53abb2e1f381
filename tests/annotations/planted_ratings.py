"""Ratings with known true means: subjects, items and answers differ, and annotators are strict or kind."""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from clinicnum.annotations.ratings.rating_statistics import RatedAnswer

SCALE = (1.0, 5.0)
LEVEL = {"alpha": 3.9, "beta": 3.3}
"""Where the answers of each model lie on the average, before rounding to points."""
ANNOTATORS = (-0.4, 0.0, 0.5)
"""How strict or kind each annotator is; they stay the same in every draw."""
SUBJECT, ITEM, ANSWER, NOISE = 0.4, 0.3, 0.6, 0.5
"""Standard deviations; subject and item are shared by both models, the answer by its annotators."""
Rated = dict[str, list[RatedAnswer]]


class Truth(NamedTuple):
    """What ratings by these annotators come to over all subjects."""

    mean: dict[str, float]
    low: dict[str, float]
    """Share at or below the middle of the scale."""


def _points(level: float, apart: "NDArray[np.float64]", rng: np.random.Generator) -> "NDArray[np.float64]":
    """Points [answers, annotators] of answers of one model whose subject and item lie `apart`."""
    own = apart + rng.normal(0, ANSWER, len(apart))
    each = own[:, None] + np.array(ANNOTATORS) + rng.normal(0, NOISE, (len(apart), len(ANNOTATORS)))
    return np.clip(np.rint(level + each), *SCALE)


@cache
def truth() -> Truth:
    """From two million answers of each model."""
    rng = np.random.default_rng(1)
    mean, low = {}, {}
    for model, level in LEVEL.items():
        apart = rng.normal(0, np.hypot(SUBJECT, ITEM), 2_000_000)
        points = _points(level, apart, rng)
        mean[model], low[model] = float(points.mean()), float((points <= sum(SCALE) / 2).mean())
    return Truth(mean, low)


def drawn(
    seed: int, *, subjects: int, items: Sequence[int] = (1, 2, 3), annotators: int = 3, unequal: bool = False
) -> Rated:
    """Both models' answers to the items of so many subjects, each rated by this many of the annotators, drawn
    by lot. `unequal`: answers with a low point are drawn twice as often, and weighted for it.
    """
    rng = np.random.default_rng(seed)
    of = np.repeat(np.arange(subjects), rng.choice(items, subjects))
    apart = rng.normal(0, SUBJECT, subjects)[of] + rng.normal(0, ITEM, len(of))
    found: Rated = {}
    for model, level in LEVEL.items():
        points = _points(level, apart, rng)
        chance = np.where(points.min(axis=1) <= 2, 1.0, 0.5) if unequal else np.ones(len(of))
        kept = rng.random(len(of)) < chance
        found[model] = [
            RatedAnswer(
                item=f"i{at}",
                subject=f"s{of[at]}",
                ratings=tuple(points[at, rng.permutation(len(ANNOTATORS))[:annotators]].tolist()),
                weight=1 / chance[at],
            )
            for at in np.flatnonzero(kept).tolist()
        ]
    return found
