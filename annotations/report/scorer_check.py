"""The automatic score compared with people: sensitivity, specificity and predictive values of "scored wrong".

The reference is the annotators' consensus on the response, from judgements made before they saw gold and
score: `failure`, or right (`acceptable`, or right with unsound reasoning). Left out, and counted: generations
without consensus, `cannot_judge`, and items that are called ambiguous or wrong in their gold, have no
consensus, or were taken out by an upheld contest: there the score follows a gold that is itself in doubt.
Each judged generation weighs 1 / its inclusion probability: scored-wrong generations are more likely to be
drawn than scored-right ones, so unweighted shares would be those of the sample. If only one kind was judged,
sensitivity and specificity would be 0 or 1 by construction, and are undefined. They are derived from the
predictive values and the share that is scored wrong among all generations
(`clinicnum.stats.partial_verification`).
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from clinicnum.annotations.consensus import Settlement
from clinicnum.annotations.report.study_tables import Inclusion
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.stats.clustered_intervals import Floats, Subjects
from clinicnum.stats.interval_estimate import Figure, undefined_figure
from clinicnum.stats.jackknife import Interval, few_subjects
from clinicnum.stats.partial_verification import METHOD, Limits, found_share, share_limits

Flags = NDArray[np.bool_]
Scorer = Literal["lenient", "strict"]
LEFT_OUT = (
    "without a consensus on the response",
    "that cannot be judged",
    "on items whose validity is not settled",
    "on items that are ambiguous or have a wrong gold",
    "on other items that an upheld contest took out",
)
"""Reasons for leaving out a generation; the first that applies counts."""
NOT_BLIND = (
    "without a first judgement that counts, as each annotator had seen the reference of its question beside "
    "another answer"
)
RIGHT = ("acceptable", "right_answer_unsound_reasoning")


@dataclass(frozen=True, eq=False)
class Checked:
    """The generations with a human consensus; arrays [generations]."""

    keys: frozenset[str]
    """Their ids."""
    subjects: Subjects
    weight: Floats
    failed: Flags
    """Whether each is a failure by the consensus."""
    passed: Mapping[Scorer, Flags]
    """Scorer -> whether it calls each right; strict only if an answer format was requested."""
    wrong: Mapping[Scorer, float]
    """Scorer -> share of all generations, judged or not, that it calls wrong."""


def scored_wrong(view: StudyView, drawn: Sequence[Inclusion]) -> dict[Scorer, float]:
    """Scorer -> weighted share scored wrong of the drawn generations, an estimate for all from which they
    were drawn.
    """
    scores = [view.score(one.generation_id) for one in drawn]
    weights = np.array([1 / one.probability for one in drawn], dtype=float)
    return {
        "lenient": float(
            weights @ np.array([not one.lenient for one in scores], dtype=float) / weights.sum()
        ),
        "strict": float(weights @ np.array([not one.strict for one in scores], dtype=float) / weights.sum()),
    }


@dataclass(frozen=True)
class Rate:
    """One of the four rates, such as sensitivity, of one scorer."""

    name: str
    of: str
    """Numerator and denominator of the rate, in words."""
    figure: Figure
    hits: int
    """Unweighted number of hits among the n of `figure`."""


def checked(
    view: StudyView, settlements: Iterable[Settlement], responses: Mapping[str, str | None] | None = None
) -> tuple[Checked, dict[str, int]]:
    """The generations on which scorers can be checked, and for each reason in `LEFT_OUT` how many were left
    out.

    `responses` maps generation to the consensus on the response, in place of that in `settlements`. Whether
    the item is valid always comes from `settlements`, which rest on last judgements: nobody can judge it
    before the gold is shown.
    """
    kept: dict[str, str] = {}
    out = Counter[str]()
    for one in settlements:
        response = one.response.label if responses is None else responses.get(one.generation_id)
        if response is None:
            out[LEFT_OUT[0]] += 1
        elif response == "cannot_judge":
            out[LEFT_OUT[1]] += 1
        elif one.item.label is None:
            out[LEFT_OUT[2]] += 1
        elif one.item.label != "valid":
            out[LEFT_OUT[3]] += 1
        elif view.question(one.generation_id) in view.invalidated:
            out[LEFT_OUT[4]] += 1
        else:
            kept[one.generation_id] = response
    scores = [view.score(key) for key in kept]
    passed: dict[Scorer, Flags] = {"lenient": np.array([one.lenient for one in scores], dtype=bool)}
    if _form_asked_of_all(view):
        passed["strict"] = np.array([one.strict for one in scores], dtype=bool)
    found = Checked(
        keys=frozenset(kept),
        subjects=Subjects.of(view.instance(key).subject_id for key in kept),
        weight=np.array([view.weight(key) for key in kept], dtype=float),
        failed=np.array([response not in RIGHT for response in kept.values()], dtype=bool),
        passed=passed,
        wrong=scored_wrong(view, view.tables.inclusions),
    )
    return found, {why: out[why] for why in LEFT_OUT if out[why]}


def blind_check(view: StudyView) -> tuple[Checked, dict[str, int]]:
    """As `checked`, by the consensus of first judgements made blind; generations without any, as no annotator
    was blind, are counted first among those left out.
    """
    found, out = checked(view, view.settlements, view.blind_responses)
    blind = {generation for generation, _ in view.chosen.first}
    known = {generation for generation, _ in view.chosen.known}
    n = len((known & view.chosen.by_generation.keys()) - blind)
    others = {LEFT_OUT[0]: out.get(LEFT_OUT[0], 0) - n}
    found_out = {NOT_BLIND: n} | others | {why: out[why] for why in LEFT_OUT[1:] if why in out}
    return found, {why: n for why, n in found_out.items() if n}


def _form_asked_of_all(view: StudyView) -> bool:
    """Whether the strict score is judged on every generation that was drawn."""
    formed = any(run.formed for run in view.runs)
    return formed and all(view.asks_form(one.generation_id) for one in view.tables.inclusions)


def rates(found: Checked, scorer: Scorer) -> tuple[Rate, ...]:
    """Sensitivity, specificity and both predictive values of a scorer."""
    passed, failed, wrong = found.passed[scorer], found.failed, found.wrong[scorer]
    positive, negative = _limits(found, ~passed, failed), _limits(found, passed, ~failed)
    sensitivity = specificity = None
    reason = "nothing was settled"
    if positive is not None and negative is not None:
        sensitivity = found_share(positive, negative.rest, wrong)
        specificity = found_share(negative, positive.rest, 1 - wrong)
        reason = f"nothing that is settled is {'a failure' if sensitivity is None else 'right'}"
    elif len(passed) and wrong in (0.0, 1.0):
        reason = f"every generation is scored {'wrong' if wrong else 'right'}, whatever it is"
    elif len(passed):
        reason = f"no generation that is scored {'wrong' if positive is None else 'right'} is settled"
    return (
        _rate(found, "sensitivity", "scored wrong, of failures", (failed, ~passed), sensitivity, reason),
        _rate(found, "specificity", "scored right, of right answers", (~failed, passed), specificity, reason),
        _predictive(
            found, "positive predictive value", "failures, of scored wrong", (~passed, failed), positive
        ),
        _predictive(
            found, "negative predictive value", "right answers, of scored right", (passed, ~failed), negative
        ),
    )


def _predictive(
    found: Checked, name: str, of: str, flags: tuple[Flags, Flags], limits: Limits | None
) -> Rate:
    return _rate(found, name, of, flags, limits, f"nothing that is settled is {of.partition(' of ')[2]}")


def _limits(found: Checked, among: Flags, hit: Flags) -> Limits | None:
    if not among.any():
        return None
    return share_limits(found.subjects[among], hit[among].astype(float), found.weight[among])


def _rate(
    found: Checked, name: str, of: str, flags: tuple[Flags, Flags], limits: Limits | None, reason: str
) -> Rate:
    """One rate: `flags` marks the generations of the denominator, and among them the hits."""
    among, hit = flags
    hits, n = int((among & hit).sum()), int(among.sum())
    if limits is None:
        return Rate(name, of, undefined_figure(reason), hits)
    subjects = len(found.subjects[among].names)
    warning = few_subjects(subjects)
    if hits == n:
        said = f"all {n} that count"
        warning = f"{said}; {warning}" if warning else said
    interval = Interval(limits.low, limits.high, METHOD, subjects, warning=warning)
    return Rate(name, of, Figure(limits.value, n, subjects, interval, interval), hits)
