"""Figures from the verdicts on sentences, for each model and as differences between models.

A share of claims is the number of claims with a verdict, summed over answers, divided by the number of all
claims: a ratio of totals. Omissions are a share of the references' sentences, major harm is a share of
answers, and `claims` is the number of claims per answer. If several annotators judged an answer, the mean of
their counts is used. Each answer is weighted by the inverse of its probability of being drawn.

Neither claims in one answer nor answers about one subject are independent, so subjects are the clusters of
all intervals (`clinicnum.stats.clustered_intervals`).

Models are compared on the items that both answered. The interval of a difference between two shares combines
the intervals of the shares by square-and-add (Newcombe, Stat Med 1998;17:2635-2650; Zou and Donner, Stat Med
2008;27:1693-1702); their correlation is estimated by a jackknife that leaves each subject out of both shares
at once. For claims per answer, the interval of the difference is that of the jackknife itself.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean
from typing import Literal, NamedTuple

import numpy as np

from clinicnum.annotations.claim_verdict import parts_of
from clinicnum.stats.clustered_intervals import Floats, Subjects, effective_subjects, share_interval
from clinicnum.stats.interval_estimate import NOT_DRAWN, Figure, share_of, undefined_figure
from clinicnum.stats.jackknife import Interval, cluster_jackknife_interval
from clinicnum.stats.share_difference import square_and_add

Measure = Literal["supported", "contradicted", "not_addressed", "omitted", "major_harm", "claims"]
OF_CLAIMS: tuple[Measure, ...] = ("supported", "contradicted", "not_addressed")
NO_CLAIM = "no answer has a sentence"
NO_REFERENCE = "no item has a reference"
NO_ANSWER = "no answer is judged"
METHOD = "square-and-add of Wilson intervals, correlation by the delete-one-subject jackknife"


class CheckedAnswer(NamedTuple):
    """One answer with the verdicts of each of its annotators, by sentence."""

    item: str
    subject: str
    verdicts: Sequence[Mapping[str, str]]
    weight: float = 1.0
    """The inverse of its probability of being drawn."""

    def keys(self, part: Literal["a", "r"]) -> set[str]:
        """The judged sentences of the answer (a) or of its reference (r), each once."""
        return {key for one in self.verdicts for key in one if key[0] == part}


class _Part(NamedTuple):
    """What one answer adds to the numerator (`part`) and denominator (`whole`) of a ratio of totals."""

    item: str
    subject: str
    part: float
    whole: float
    weight: float


@dataclass(frozen=True)
class Difference:
    """One model's figure minus another's, on the items that both answered."""

    one: str
    other: str
    measure: Measure
    figure: Figure


def model_figure(answers: Sequence[CheckedAnswer], measure: Measure) -> Figure:
    """One measure of a model, such as a share of its claims; for the measure `claims`, their number per
    answer.
    """
    parts = _parts(answers, measure)
    if not parts:
        return undefined_figure(_without(measure))
    subjects = Subjects.of(one.subject for one in parts)
    part, whole, weight = (np.array(one) for one in zip(*(one[2:] for one in parts), strict=True))
    if measure != "claims":
        return share_of(subjects, part / whole, whole * weight)
    totals = subjects.totals(np.column_stack([part * weight, whole * weight]))
    value = float(totals[:, 0].sum() / totals[:, 1].sum())
    interval = _jackknife(_replicates(totals), value, len(parts), totals[:, 1])
    return Figure(value, len(parts), len(totals), interval, NOT_DRAWN)


def differences(models: Mapping[str, Sequence[CheckedAnswer]], measure: Measure) -> tuple[Difference, ...]:
    """One model's measure minus another's, with its interval, for each pair of models in the order given."""
    parts = {name: _parts(answers, measure) for name, answers in models.items()}
    return tuple(
        Difference(one, other, measure, _difference(parts[one], parts[other], measure))
        for one, other in combinations(models, 2)
    )


def _without(measure: Measure) -> str:
    return NO_CLAIM if measure in OF_CLAIMS else NO_REFERENCE if measure == "omitted" else NO_ANSWER


def _parts(answers: Iterable[CheckedAnswer], measure: Measure) -> list[_Part]:
    """Numerator and denominator of each answer, averaged over its annotators; answers with a denominator of 0
    are left out.
    """
    counted = (
        (one, [_counts(verdicts, measure) for verdicts in one.verdicts]) for one in answers if one.verdicts
    )
    found = (
        _Part(one.item, one.subject, fmean(part for part, _ in each), fmean(of for _, of in each), one.weight)
        for one, each in counted
    )
    return [one for one in found if one.whole > 0]


def _counts(verdicts: Mapping[str, str], measure: Measure) -> tuple[float, float]:
    """Numerator and denominator of one annotator's verdicts on one answer."""
    said = [parts_of(verdict) for verdict in verdicts.values()]
    claims = sum(name in OF_CLAIMS for name, _ in said)
    if measure == "claims":
        return claims, 1
    if measure == "major_harm":
        return any(harm == "major" for _, harm in said), 1
    named = sum(name == measure for name, _ in said)
    return named, len(said) - claims if measure == "omitted" else claims


def _difference(first: Sequence[_Part], second: Sequence[_Part], measure: Measure) -> Figure:
    """The first model's figure minus the second's, on shared items."""
    shared = {one.item for one in first} & {one.item for one in second}
    if not shared:
        return undefined_figure("no item on which an answer of both is judged")
    totals = _by_subject([one for one in first if one.item in shared], second, shared)
    values = totals.sum(axis=0)
    one, other = float(values[0] / values[1]), float(values[2] / values[3])
    without = _replicates(totals[:, :2]), _replicates(totals[:, 2:])
    if measure == "claims":
        both = without[0] - without[1]
        interval = _jackknife(both, one - other, len(shared), totals[:, 1])
    else:
        interval = _square_and_add(totals, (one, other), without, len(shared))
    return Figure(one - other, len(shared), len(totals), interval, NOT_DRAWN)


def _by_subject(first: Sequence[_Part], second: Sequence[_Part], shared: set[str]) -> Floats:
    """Weighted numerator and denominator of the first model, then of the second [subjects, 4]."""
    other = [one for one in second if one.item in shared]
    subjects = Subjects.of(one.subject for one in (*first, *other))
    rows = [(one.part * one.weight, one.whole * one.weight, 0.0, 0.0) for one in first]
    rows += [(0.0, 0.0, one.part * one.weight, one.whole * one.weight) for one in other]
    return subjects.totals(np.array(rows))


def _replicates(totals: Floats) -> Floats:
    """The ratio with each subject left out in turn [subjects]; nan if nothing is left."""
    part, whole = (totals.sum(axis=0) - totals).T
    return np.where(whole > 0, part / np.where(whole > 0, whole, 1.0), np.nan)


def _jackknife(replicates: Floats, value: float, n: int, wholes: Floats) -> Interval:
    return cluster_jackknife_interval(
        [None if np.isnan(one) else float(one) for one in replicates],
        value,
        n_items=n,
        effective=float(effective_subjects(wholes)),
    )


def _square_and_add(
    totals: Floats, values: tuple[float, float], without: tuple[Floats, Floats], n: int
) -> Interval:
    """The interval of a difference between two shares from the interval of each."""
    one, other = (share_interval(totals[:, at], totals[:, at + 1], n) for at in (0, 2))
    lacks = one.undefined or other.undefined
    if one.low is None or one.high is None or other.low is None or other.high is None:
        return Interval(None, None, METHOD, len(totals), undefined=lacks)
    around = [replicates - replicates.mean() for replicates in without]
    spread = float(np.sqrt((around[0] ** 2).sum() * (around[1] ** 2).sum()))
    correlation = float((around[0] * around[1]).sum()) / spread if spread > 0 else 0.0
    low, high = square_and_add(
        values[0], (one.low, one.high), values[1], (other.low, other.high), correlation
    )
    g = len(totals)
    error = float(np.sqrt((g - 1) / g * ((around[0] - around[1]) ** 2).sum()))
    return Interval(low, high, METHOD, g, se=error, warning=one.warning or other.warning)
