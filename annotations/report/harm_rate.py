"""Harm-weighted failures per 100 answers, by the severity that annotators settled on.

Each answer counts as its harm: no failure 0, a failure of severity 0 to 4 as 0, 0.25, 0.5, 0.75 and 1. The
model is a published scale of the harm of errors (Dean and Barber, Am J Health Syst Pharm 1999;56:57-62: 0 no
effect, 10 death); that death is joined by permanent harm, and that steps are equal, is a convention of this
report.
"Not applicable" counts as 0.

All answers have a score, but only a sample of those scored wrong and of those scored right is judged, so

    rate = q a + (1 - q) b,

with q the share scored wrong of all answers, a and b the mean harm of those scored wrong and right. Limits
are put together from those of q, a and b, each by subject, by MOVER (Zou and Donner, Stat Med
2008;27:1693-1702). `docs/report.md` has the coverage.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import hypot

import numpy as np

from clinicnum.annotations.consensus import Settlement
from clinicnum.annotations.judgement import Severity
from clinicnum.annotations.report.failure_class_shares import NONE_DRAWN
from clinicnum.annotations.report.model_run import ModelRun
from clinicnum.annotations.report.sampled_population import spoken_of
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.stats.clustered_intervals import Floats, Subjects
from clinicnum.stats.interval_estimate import Figure, undefined_figure
from clinicnum.stats.jackknife import Interval, few_subjects, how_many
from clinicnum.stats.partial_verification import JEFFREYS, Limits, share_limits
from clinicnum.stats.rounded_figures import percent

HARM: Mapping[Severity, float] = {
    "0": 0.0,
    "1": 0.25,
    "2": 0.5,
    "3": 0.75,
    "4": 1.0,
    "not_applicable": 0.0,
}
"""Severity -> harm, as a share of the worst."""
WEIGHTS = (
    "Each failure counts by its settled severity, the worst credible harm if a clinician acts on the answer: "
    "in equal steps from 0 (no effect) to 1 (death or permanent harm), after Dean and Barber (1999)."
)
"""What the weights are and where they come from, in one sentence."""
RIGHT_UNJUDGED = "no answer that is scored right is settled, so these count as harmless"
NONE_SETTLED = "no answer is settled"
METHOD = f"{JEFFREYS}; put together by MOVER, with that of the share scored wrong"


@dataclass(frozen=True)
class HarmRate:
    """The harm of one model's answers."""

    rate: Figure
    """Per answer, 0 to 1; n is the number of judged answers behind it."""
    levels: Mapping[Severity | None, int]
    """Severity -> number of failures; None: not settled, hence not in the rate."""
    if_open: tuple[float, float] | None = None
    """The rate if failures whose severity is not settled were all of severity 0, and all of 4; None without
    any.
    """

    @property
    def remark(self) -> str | None:
        """What the rate leaves out, in words; None if it leaves out no failure."""
        if self.if_open is None:
            return None
        least, most = (percent(one) for one in self.if_open)
        open_ = how_many(self.levels[None], "failure")
        return f"{open_} without a settled severity left out: were all of severity 0, {least}; of 4, {most}"


def run_harm(view: StudyView) -> dict[str, HarmRate]:
    """Run name -> harm of its answers, highest accuracy first."""
    return {run.name: harm_rate(view, run, view.settlements) for run in view.ranked}


def harm_rate(view: StudyView, run: ModelRun, settlements: Iterable[Settlement]) -> HarmRate:
    """The harm of a run's answers, by the consensus in `settlements`; its rate is undefined if none was
    judged.
    """
    settled = settled_of(run, settlements)
    levels = Counter(one.severity for one in settled if one.response.label == "failure")

    def rate(judged: Sequence[Settlement], of_open: float = 0.0) -> Figure:
        return judged_rate(view, run, judged, [_harm(one, of_open) for one in judged])

    known = [one for one in settled if severity_known(one)]
    mine = {one.generation.generation_id for one in run.answers}
    if not any(one.generation_id in mine for one in view.tables.inclusions):
        return HarmRate(undefined_figure(NONE_DRAWN), levels)
    found, ends = rate(known), tuple(rate(settled, one).value for one in (0.0, 1.0))
    if found.value is None or not levels[None] or None in ends:
        return HarmRate(found, levels)
    return HarmRate(found, levels, (ends[0] or 0.0, ends[1] or 0.0))


def _harm(one: Settlement, of_open: float) -> float:
    """The harm of a settled answer; `of_open` that of a failure whose severity is not settled."""
    if one.response.label != "failure":
        return 0.0
    return of_open if one.severity is None else HARM[one.severity]


def settled_of(run: ModelRun, settlements: Iterable[Settlement]) -> list[Settlement]:
    """Consensus on those of a run's answers that are settled as right or as a failure."""
    mine = {one.generation.generation_id for one in run.answers if not one.failed}
    return [
        one
        for one in settlements
        if one.generation_id in mine and one.response.label not in (None, "cannot_judge")
    ]


def severity_known(one: Settlement) -> bool:
    """Whether the answer is not a failure, or a failure with a settled severity."""
    return one.response.label != "failure" or one.severity is not None


def judged_rate(
    view: StudyView, run: ModelRun, judged: Sequence[Settlement], values: Sequence[float]
) -> Figure:
    """Mean over all answers of a run, estimated from `values` (0 to 1), one for each judged answer."""
    mine = {one.generation.generation_id: one for one in run.answers if not one.failed}
    keys = [one.generation_id for one in judged]
    of, all_weights = spoken_of(view, run)
    return estimate(
        Subjects.of(one.subject for one in of),
        np.array([not one.right for one in of], dtype=bool),
        Subjects.of(mine[key].subject for key in keys),
        np.array([not mine[key].right for key in keys], dtype=bool),
        np.array(values, dtype=float),
        np.array([view.weight(key) for key in keys], dtype=float),
        all_weights,
    )


def estimate(
    of_all: Subjects,
    all_wrong: np.ndarray,
    judged: Subjects,
    wrong: np.ndarray,
    harm: Floats,
    weights: Floats,
    all_weights: Floats,
) -> Figure:
    """The mean harm of all answers (0 to 1), from the scores of all and the harm of the judged ones.

    `all_weights` are sampling weights of all answers: above 1 where only drawn ones are known.
    """
    if not len(harm):
        return undefined_figure(NONE_SETTLED)
    subjects = len(judged.names)
    part = share_limits(of_all, all_wrong.astype(float), all_weights)
    found = _mean(judged, wrong, harm, weights)
    missed = _mean(judged, ~wrong, harm, weights)
    if found is None and part.value > 0:
        return undefined_figure(
            "no answer that is scored wrong is settled, with its severity if it is a failure"
        )
    zero = Limits(0.0, 0.0, 0.0)
    low, value, high = _combined(part, found or zero, missed or zero)
    unjudged = RIGHT_UNJUDGED if missed is None and part.value < 1 else None
    warning = "; ".join(filter(None, (unjudged, few_subjects(subjects)))) or None
    interval = Interval(low, high, METHOD, subjects, warning=warning)
    return Figure(value, len(harm), subjects, interval, interval)


def _mean(subjects: Subjects, among: np.ndarray, harm: Floats, weights: Floats) -> Limits | None:
    return share_limits(subjects[among], harm[among], weights[among]) if among.any() else None


def _combined(part: Limits, found: Limits, missed: Limits) -> tuple[float, float, float]:
    """Lower limit, value and upper limit of part x found + (1 - part) x missed."""
    q, gap = part.value, found.value - missed.value
    value = q * found.value + (1 - q) * missed.value
    fewer, more = (part.low, part.high) if gap >= 0 else (part.high, part.low)
    below = hypot(q * (found.value - found.low), (1 - q) * (missed.value - missed.low), gap * (q - fewer))
    above = hypot(q * (found.high - found.value), (1 - q) * (missed.high - missed.value), gap * (more - q))
    return max(value - below, 0.0), value, min(value + above, 1.0)


def per_hundred(share: float) -> str:
    """A share from 0 to 1 as a rate per 100, with one decimal."""
    return percent(share)
