"""Scores of an answer by its criteria, and of a model over its answers.

The weighted score of an answer is the sum of the weights of the criteria that it meets over the sum of the
weights above 0; a model's is the mean over its answers, clipped to 0 to 1. So HealthBench defines it (Arora
et al. 2025, "HealthBench: Evaluating Large Language Models Towards Improved Human Health", arXiv:2505.08775;
`calculate_score` and `_compute_clipped_stats` of its published code), and LiveMedBench as well
(arXiv:2602.10367). An answer's score itself is not clipped: it is below 0 where faults outweigh what is met.
A criterion that does not apply is left out of both sums, which is ours.

Recall is the share of the criteria with a weight above 0 that an answer meets; macro-recall is its mean over
answers, so that each counts once however many criteria it has. The omission rate is the share of all these
criteria, over all answers, that are not met.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

import numpy as np

from clinicnum.annotations.criteria.criterion import Criterion
from clinicnum.annotations.judgement import CriterionVerdict
from clinicnum.stats.clusters import Subjects, mean_interval, share_interval
from clinicnum.stats.interval_estimate import share
from clinicnum.stats.jackknife import Interval

Verdicts = Mapping[str, CriterionVerdict]
"""Criterion id -> verdict of one annotator on one answer."""
NO_POSITIVE = "no criterion with a weight above 0 applies"
NO_ANSWER = "no answer has a criterion with a weight above 0 that applies"
NO_MUST = "no must-have criterion applies to any answer"


@dataclass(frozen=True)
class AnswerScore:
    """One annotator's verdicts on one answer, as figures."""

    weighted: float | None
    """At most 1, and below 0 where faults outweigh; None exactly where `undefined` says why."""
    wanted: int
    """Criteria with a weight above 0 that apply."""
    omitted: int
    """How many of these are not met."""
    failed_must_haves: tuple[str, ...]
    """Ids of must-have criteria that are not met; of a fault, that are met."""
    must_haves: int
    """Must-have criteria that apply."""
    undefined: str | None = None

    @property
    def recall(self) -> float | None:
        """The share of the wanted criteria that are met."""
        return (self.wanted - self.omitted) / self.wanted if self.wanted else None


def score_answer(criteria: Sequence[Criterion], verdicts: Verdicts) -> AnswerScore:
    """The figures of one answer; criteria without a verdict do not count, as one that does not apply."""
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
class MeanFigure:
    """A figure over answers, with its interval over subjects, or why there is none."""

    value: float | None
    n: int
    """Answers that it rests on."""
    interval: Interval | None
    undefined: str | None = None


@dataclass(frozen=True)
class ModelScore:
    """The figures of one model over its answers."""

    weighted: MeanFigure
    macro_recall: MeanFigure
    omission: MeanFigure
    must_have_failure: MeanFigure
    """The share of answers that fail a must-have criterion."""


Answer = tuple[str, Sequence[AnswerScore]]
"""The subject of an answer, and the figures of each annotator who judged it."""


def score_model(answers: Sequence[Answer]) -> ModelScore:
    """The figures over answers; an answer's figure is the mean of those of its annotators."""
    return ModelScore(
        weighted=_weighted(_means(answers, lambda one: one.weighted)),
        macro_recall=_share(_means(answers, lambda one: one.recall), NO_ANSWER),
        omission=_omission(answers),
        must_have_failure=_share(_means(answers, _fails), NO_MUST),
    )


def _fails(one: AnswerScore) -> float | None:
    return float(bool(one.failed_must_haves)) if one.must_haves else None


def _means(
    answers: Sequence[Answer], figure: Callable[[AnswerScore], float | None]
) -> list[tuple[str, float]]:
    """Subject and mean over the annotators of each answer of which the figure is defined."""
    found = ((subject, [figure(one) for one in scores]) for subject, scores in answers)
    defined = ((subject, [one for one in values if one is not None]) for subject, values in found)
    return [(subject, fmean(values)) for subject, values in defined if values]


def _weighted(rows: Sequence[tuple[str, float]]) -> MeanFigure:
    if not rows:
        return MeanFigure(None, 0, None, NO_ANSWER)
    values = np.array([value for _, value in rows])
    found = mean_interval([subject for subject, _ in rows], values)
    if found.low is not None and found.high is not None:
        found = replace(found, low=_clipped(found.low), high=_clipped(found.high))
    return MeanFigure(_clipped(fmean(values.tolist())), len(rows), found)


def _clipped(value: float) -> float:
    return min(1.0, max(0.0, value))


def _share(rows: Sequence[tuple[str, float]], without: str) -> MeanFigure:
    found = share(rows, without=without, bootstrap=False)
    return MeanFigure(found.value, found.n, found.interval if rows else None, found.undefined)


def _omission(answers: Sequence[Answer]) -> MeanFigure:
    """The omission rate; an answer with several annotators counts with the mean of their numbers."""
    rows = [
        (subject, fmean(one.omitted for one in scores), fmean(one.wanted for one in scores))
        for subject, scores in answers
        if any(one.wanted for one in scores)
    ]
    if not rows:
        return MeanFigure(None, 0, None, NO_ANSWER)
    subjects = Subjects.of(subject for subject, _, _ in rows)
    omitted, wanted = subjects.totals(np.array([row[1:] for row in rows])).T
    interval = share_interval(omitted, wanted, len(rows))
    return MeanFigure(float(omitted.sum() / wanted.sum()), len(rows), interval)
