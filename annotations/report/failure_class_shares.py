"""The share of a class among a model's failures, with uncertainty about failures that nobody judged.

Few of the answers scored right are judged, so each failure among them represents many. A share is therefore
combined from the classes of failures scored wrong, the classes of failures scored right, and the estimated
number of each, that is, the sensitivity of the score (`clinicnum.stats.partial_verification`).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from clinicnum.annotations.consensus import Settlement
from clinicnum.annotations.judgement import Severity
from clinicnum.annotations.report.model_run import ModelRun
from clinicnum.annotations.report.sampled_population import spoken_of
from clinicnum.annotations.report.scorer_check import Flags, scored_wrong
from clinicnum.annotations.report.sections.consensus_wording import NO_CLASS
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.stats.clustered_intervals import Floats, Subjects
from clinicnum.stats.interval_estimate import Figure, undefined_figure
from clinicnum.stats.jackknife import Interval, few_subjects
from clinicnum.stats.partial_verification import (
    METHOD,
    Limits,
    found_share,
    share_limits,
    share_of_both,
)
from clinicnum.taxonomy_codes import UNDETERMINED

UNSEEN = (
    "where only a part of the answers is settled, some scored right and some scored wrong, it allows for "
    "failures that nobody saw among those scored right"
)
"""What the interval of a share allows for, after a semicolon."""
NO_WRONG_JUDGED = "no failure is settled, and no answer that is scored wrong"
NONE_DRAWN = "none of its answers was drawn"
VALUES_ONLY = "only the value that MedCalc-Bench's script kept was judged, which need not show this class"
ONLY = "of the failures that are scored {0}: no answer that is scored {1} is settled"


def failure_classes(settlements: Iterable[Settlement]) -> dict[str, str]:
    """Failed generation -> level-1 class; `NO_CLASS` if there is no agreement on it."""
    return {
        one.generation_id: one.primary.label if one.primary.label not in (None, "none") else NO_CLASS
        for one in settlements
        if one.response.label == "failure"
    }


@dataclass(frozen=True, eq=False)
class JudgedGenerations:
    """The generations of a model that have a consensus on the response; arrays [generations]."""

    subjects: Subjects
    weights: Floats
    wrong: Flags
    """Whether each is scored wrong."""
    classes: tuple[str | None, ...]
    """The class of each failure; None for other generations."""
    scored_wrong: float
    """Share scored wrong among all generations of the model, judged or not."""
    drawn: bool = True
    """Whether any of the model's answers was drawn for annotation."""
    scored_alike: bool = False
    """Whether all of the model's answers are scored right, or all wrong."""
    values_only: bool = False
    """Whether only values that a script parsed from the model's texts were kept and judged."""
    severities: tuple[Severity | None, ...] = ()
    """The severity of each failure; None for other generations and where it is not settled."""
    of_all: Subjects = field(default_factory=lambda: Subjects.of(()))
    """Subject of each answer in the population that labels describe, judged or not."""
    all_wrong: Flags = field(default_factory=lambda: np.zeros(0, dtype=bool))
    """Whether each of these answers is scored wrong."""
    all_weights: Floats = field(default_factory=lambda: np.zeros(0))
    """Sampling weight of each of these answers."""

    def count(self, code: str) -> int:
        """Number of failures of a class."""
        return self.classes.count(code)

    def share(self, code: str) -> Figure:
        """The class's share of all failures of the model; undefined for a class that none of them shows if
        only stored values were judged.
        """
        failed = np.array([one is not None for one in self.classes], dtype=bool)
        hits = np.array([one == code for one in self.classes], dtype=bool)
        if not self.drawn:
            return undefined_figure(NONE_DRAWN)
        if not failed.any():
            none_wrong = self.scored_wrong > 0 and not self.wrong.any()
            return undefined_figure(NO_WRONG_JUDGED if none_wrong else "no failure is settled")
        if self.values_only and code not in (NO_CLASS, UNDETERMINED) and not hits.any():
            return replace(undefined_figure(VALUES_ONLY), n=int(failed.sum()))
        if len(self.wrong) == len(self.all_wrong):  # all are judged: no failure is unseen
            limits = self._limits(failed, hits)
            return self._figure(limits, failed, None) if limits else undefined_figure("no failure is settled")
        found, missed = self._limits(failed & self.wrong, hits), self._limits(failed & ~self.wrong, hits)
        positive, misses = self._verdicts
        said = None
        if positive is None or misses is None:
            sides = ("right", "wrong") if positive is None else ("wrong", "right")
            said = None if self.scored_alike else ONLY.format(*sides)
            limits = found or missed
        else:
            sensitivity = found_share(positive, misses, self.scored_wrong)
            unseen = found or (missed and Limits(missed.value, 0.0, 1.0))
            limits = share_of_both(sensitivity, unseen, missed) if sensitivity and unseen else None
        if limits is None:
            return undefined_figure("no failure is settled")
        return self._figure(limits, failed, said)

    @cached_property
    def _verdicts(self) -> tuple[Limits | None, Limits | None]:
        """The share of failures among answers scored wrong, and among those scored right."""
        failed = np.array([one is not None for one in self.classes], dtype=bool)
        return self._limits(self.wrong, failed), self._limits(~self.wrong, failed)

    def _limits(self, among: Flags, hits: Flags) -> Limits | None:
        if not among.any():
            return None
        return share_limits(self.subjects[among], hits[among].astype(float), self.weights[among])

    def _figure(self, limits: Limits, among: Flags, said: str | None) -> Figure:
        subjects = len(self.subjects[among].names)
        warning = "; ".join(filter(None, (said, few_subjects(subjects)))) or None
        interval = Interval(limits.low, limits.high, METHOD, subjects, warning=warning)
        return Figure(limits.value, int(among.sum()), subjects, interval, interval)


def failures_of(view: StudyView, run: ModelRun, settlements: Iterable[Settlement]) -> JudgedGenerations:
    """The failures of one run, by the consensus in `settlements`."""
    settled = tuple(settlements)
    severities = {one.generation_id: one.severity for one in settled}
    classes = failure_classes(settled)
    mine = {one.generation.generation_id for one in run.answers}
    keys = [
        one.generation_id
        for one in settled
        if one.generation_id in mine and one.response.label not in (None, "cannot_judge")
    ]
    drawn = [one for one in view.tables.inclusions if one.generation_id in mine]
    answers, all_weights = spoken_of(view, run)
    return JudgedGenerations(
        subjects=Subjects.of(view.instance(key).subject_id for key in keys),
        weights=np.array([view.weight(key) for key in keys], dtype=float),
        wrong=np.array([not view.score(key).lenient for key in keys], dtype=bool),
        classes=tuple(classes.get(key) for key in keys),
        scored_wrong=scored_wrong(view, drawn)["lenient"] if drawn else 0.0,
        drawn=bool(drawn),
        scored_alike=len({one.score.lenient for one in answers}) == 1,
        values_only=run.keeps_readings,
        severities=tuple(severities[key] for key in keys),
        of_all=Subjects.of(one.subject for one in answers),
        all_wrong=np.array([not one.right for one in answers], dtype=bool),
        all_weights=all_weights,
    )


def run_failures(view: StudyView) -> dict[str, JudgedGenerations]:
    """Run name -> its failures, by the consensus of the study's protocol."""
    return {run.name: failures_of(view, run, view.settlements) for run in view.runs}


def pooled(parts: Sequence[tuple[str, JudgedGenerations]]) -> JudgedGenerations:
    """The failures of one model in several studies together; `parts` are (benchmark name, failures).

    Equal subject names are one subject only within a benchmark. Studies are weighted by number of answers.
    """
    sizes = [float(part.all_weights.sum()) for _, part in parts]
    shares = sum(part.scored_wrong * size for (_, part), size in zip(parts, sizes, strict=True))
    return JudgedGenerations(
        subjects=_apart([(benchmark, part.subjects) for benchmark, part in parts]),
        weights=np.concatenate([part.weights for _, part in parts]),
        wrong=np.concatenate([part.wrong for _, part in parts]),
        classes=tuple(one for _, part in parts for one in part.classes),
        scored_wrong=shares / max(sum(sizes), 1),
        drawn=any(part.drawn for _, part in parts),
        scored_alike=all(part.scored_alike for _, part in parts)
        and len({bool(part.all_wrong.any()) for _, part in parts}) == 1,
        values_only=all(part.values_only for _, part in parts),
        severities=tuple(one for _, part in parts for one in part.severities),
        of_all=_apart([(benchmark, part.of_all) for benchmark, part in parts]),
        all_wrong=np.concatenate([part.all_wrong for _, part in parts]),
        all_weights=np.concatenate([part.all_weights for _, part in parts]),
    )


def _apart(parts: Sequence[tuple[str, Subjects]]) -> Subjects:
    return Subjects.of(f"{benchmark} {of.names[at]}" for benchmark, of in parts for at in of.place)
