"""Statistics of the ratings on one axis: means, low ratings, and differences between models on shared items.

An answer's rating is the mean over its annotators. Where answers were drawn with unequal chances, each is
weighted by the inverse of its own, so that means and shares are about all answers that could be drawn;
differences are over the items that were rated for both models, unweighted. Intervals leave out one subject at
a time with all ratings of its answers, and use the quantile of t(effective subjects - 1); the annotators are
taken as they are. `docs/ratings.md` has the coverage.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np

from clinicnum.stats.clustered_intervals import Floats, Subjects, mean_interval
from clinicnum.stats.interval_estimate import NOT_DRAWN, Figure, share_of, undefined_figure

NOT_RATED = "no answer is rated on this axis"
NOT_REPEATED = "no answer was rated twice by the same annotator"
NOT_SHARED = "no item has an answer of both that is rated on this axis"


@dataclass(frozen=True)
class RatedAnswer:
    """One answer of a model as its annotators rated it on one axis."""

    item: str
    """The item that it answers."""
    subject: str
    ratings: tuple[float, ...]
    """One number an annotator; at least one."""
    weight: float = 1.0
    """The inverse of its probability of being drawn."""


@dataclass(frozen=True)
class AxisFigures:
    """How one model was rated on one axis: the mean, and the share of low ratings."""

    mean: Figure
    low: Figure
    """The share of ratings at or below the middle of the scale."""


def axis_figures(answers: Sequence[RatedAnswer], scale: tuple[float, float]) -> AxisFigures:
    """The figures of a model from its answers; `scale` is the lowest and the highest point."""
    if not answers:
        return AxisFigures(undefined_figure(NOT_RATED), undefined_figure(NOT_RATED))
    middle = sum(scale) / 2
    subjects = Subjects.of(one.subject for one in answers)
    weights = np.array([one.weight for one in answers])
    low = np.array([fmean(rating <= middle for rating in one.ratings) for one in answers])
    return AxisFigures(
        _mean(subjects, np.array([fmean(one.ratings) for one in answers]), weights, scale),
        share_of(subjects, low, weights),
    )


def rating_difference(
    one: Sequence[RatedAnswer], other: Sequence[RatedAnswer], scale: tuple[float, float]
) -> Figure:
    """Mean rating of the first model minus that of the other, over the items rated for both; `scale` is
    (lowest, highest point).
    """
    first, second = _by_item(one), _by_item(other)
    shared = sorted(first.keys() & second.keys())
    if not shared:
        return undefined_figure(NOT_SHARED)
    subject_of = {each.item: each.subject for each in one}
    span = scale[1] - scale[0]
    return _mean(
        Subjects.of(subject_of[item] for item in shared),
        np.array([first[item] - second[item] for item in shared]),
        np.ones(len(shared)),
        (-span, span),
    )


def rating_repeats(
    pairs: Sequence[tuple[str, float, float]], scale: tuple[float, float]
) -> tuple[Figure, Figure]:
    """The share of answers given the same point both times, and the mean distance of both ratings, in points.

    `pairs` are subject, first and second rating by one annotator.
    """
    if not pairs:
        return undefined_figure(NOT_REPEATED), undefined_figure(NOT_REPEATED)
    subjects = Subjects.of(subject for subject, _, _ in pairs)
    apart = np.array([abs(first - second) for _, first, second in pairs])
    return (
        share_of(subjects, (apart == 0).astype(float)),
        _mean(subjects, apart, np.ones(len(pairs)), (0.0, scale[1] - scale[0])),
    )


def _by_item(answers: Sequence[RatedAnswer]) -> Mapping[str, float]:
    """Item -> the mean rating of the model's answers to it."""
    found: dict[str, list[float]] = defaultdict(list)
    for one in answers:
        found[one.item].append(fmean(one.ratings))
    return {item: fmean(values) for item, values in found.items()}


def _mean(subjects: Subjects, values: Floats, weights: Floats, bounds: tuple[float, float]) -> Figure:
    return Figure(
        value=float(weights @ values / weights.sum()),
        n=len(values),
        n_subjects=len(subjects.names),
        interval=mean_interval(subjects, values, weights=weights, bounds=bounds),
        bootstrap=NOT_DRAWN,
    )
