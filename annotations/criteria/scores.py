"""Scores of an answer by its criteria, and of a model over its answers.

The weighted score of an answer is the sum of the weights of the criteria that it meets over the sum of the
weights above 0; a model's is the mean over its answers, clipped to 0 to 1. So HealthBench defines it (Arora
et al. 2025, "HealthBench: Evaluating Large Language Models Towards Improved Human Health", arXiv:2505.08775;
`calculate_score` and `_compute_clipped_stats` of its published code), and LiveMedBench as well
(arXiv:2602.10367). An answer's score itself is not clipped: it is below 0 where faults outweigh what is met.
A criterion that does not apply is left out of both sums, which is our own choice.

Recall is the share of the criteria with a weight above 0 that an answer meets; macro-recall is its mean over
answers, so that each counts once however many criteria it has. The omission rate is the share of all these
criteria, over all answers, that are not met. Where answers were drawn with unequal chances, each is weighted
by the inverse of its own, so that figures are about all answers that could be drawn.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import NamedTuple

import numpy as np

from clinicnum.annotations.criteria.criterion import Criterion
from clinicnum.annotations.judgement import CriterionVerdict
from clinicnum.stats.clustered_intervals import Subjects, mean_interval
from clinicnum.stats.interval_estimate import NOT_DRAWN, Figure, share_of, undefined_figure

Verdicts = Mapping[str, CriterionVerdict]
"""Criterion id -> verdict of one annotator on one answer."""
NO_POSITIVE = "no criterion with a weight above 0 applies"
NO_ANSWER = "no answer has a criterion with a weight above 0 that applies"
NO_MUST = "no must-have criterion applies to any answer"


@dataclass(frozen=True)
class AnswerScore:
    """Scores of one answer from one annotator's verdicts."""

    weighted: float | None
    """At most 1, and below 0 where faults outweigh; None exactly where `undefined` says why."""
    wanted: int
    """Criteria with a weight above 0 that apply."""
    omitted: int
    """How many of these are not met."""
    failed_must_haves: tuple[str, ...]
    """Ids of must-have criteria not met, or met if weighted below 0."""
    must_haves: int
    """Must-have criteria that apply."""
    undefined: str | None = None

    @property
    def recall(self) -> float | None:
        """The share of criteria with a weight above 0 that are met; None without any."""
        return (self.wanted - self.omitted) / self.wanted if self.wanted else None


def score_answer(criteria: Sequence[Criterion], verdicts: Verdicts) -> AnswerScore:
    """Scores of one answer by its criteria; criteria without a verdict are left out, like inapplicable
    ones.
    """
    judged = [(one, verdicts.get(one.id, "not_applicable")) for one in criteria]
    applying = [(one, verdict == "met") for one, verdict in judged if verdict != "not_applicable"]
    possible = sum(one.weight for one, _ in applying if one.weight > 0)
    achieved = sum(one.weight for one, met in applying if met)
    wanted = [met for one, met in applying if one.weight > 0]
    must = [(one.id, met == (one.weight > 0)) for one, met in applying if one.must_have]
    return AnswerScore(
        weighted=achieved / possible if possible else None,
        wanted=len(wanted),
        omitted=len(wanted) - sum(wanted),
        failed_must_haves=tuple(name for name, passed in must if not passed),
        must_haves=len(must),
        undefined=None if possible else NO_POSITIVE,
    )


@dataclass(frozen=True)
class ModelScore:
    """The figures of one model over its answers."""

    weighted: Figure
    macro_recall: Figure
    omission: Figure
    must_have_failure: Figure
    """The share of answers that fail a must-have criterion."""


class Answer(NamedTuple):
    """One answer, as each of its annotators judged it."""

    subject: str
    scores: Sequence[AnswerScore]
    weight: float = 1.0
    """1 / its inclusion probability."""


class _Row(NamedTuple):
    """A figure of one answer, with its weight in the mean."""

    subject: str
    value: float
    weight: float


def score_model(answers: Sequence[Answer]) -> ModelScore:
    """Scores of a model over its answers; an answer's score is the mean over its annotators."""
    return ModelScore(
        weighted=_weighted(_means(answers, lambda one: one.weighted)),
        macro_recall=_share(_means(answers, lambda one: one.recall), NO_ANSWER),
        omission=_omission(answers),
        must_have_failure=_share(_means(answers, _fails), NO_MUST),
    )


def _fails(one: AnswerScore) -> float | None:
    return float(bool(one.failed_must_haves)) if one.must_haves else None


def _means(answers: Sequence[Answer], figure: Callable[[AnswerScore], float | None]) -> list[_Row]:
    """For each answer on which the figure is defined: subject, mean over the annotators, and weight."""
    found = ((one, [figure(score) for score in one.scores]) for one in answers)
    defined = ((one, [value for value in values if value is not None]) for one, values in found)
    return [_Row(one.subject, fmean(values), one.weight) for one, values in defined if values]


def _omission(answers: Sequence[Answer]) -> Figure:
    """The omission rate; an answer with several annotators counts with the mean of their numbers."""
    counted = (
        (one, fmean(score.omitted for score in one.scores), fmean(score.wanted for score in one.scores))
        for one in answers
    )
    rows = [_Row(one.subject, left / of, of * one.weight) for one, left, of in counted if of]
    return _share(rows, NO_ANSWER)


def _share(rows: Sequence[_Row], without: str) -> Figure:
    subjects = Subjects.of(one.subject for one in rows)
    return share_of(
        subjects,
        np.array([one.value for one in rows]),
        np.array([one.weight for one in rows]),
        without=without,
    )


def _weighted(rows: Sequence[_Row]) -> Figure:
    """The mean of weighted scores, which may be below 0, clipped only at the end."""
    if not rows:
        return undefined_figure(NO_ANSWER)
    subjects = Subjects.of(one.subject for one in rows)
    values, weights = np.array([(one.value, one.weight) for one in rows]).T
    found = mean_interval(subjects, values, weights=weights)
    if found.low is not None and found.high is not None:
        found = replace(found, low=_clipped(found.low), high=_clipped(found.high))
    mean = float(weights @ values / weights.sum())
    return Figure(_clipped(mean), len(rows), len(subjects.names), found, NOT_DRAWN)


def _clipped(value: float) -> float:
    return min(1.0, max(0.0, value))
