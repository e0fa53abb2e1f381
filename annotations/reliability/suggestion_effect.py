"""The effect of visible suggestions on labels, agreement and time, if the study randomises their visibility.

Judgements are each annotator's last complete ones of the main round, in two arms: a suggestion was visible at
some revision, or at none. That is the randomised arm even if the suggestion became visible only after the
first revision: leaving such judgements out would undo the randomisation. A difference is shown minus hidden.
Arms share subjects, so an interval leaves both arms of a subject out together: the delete-one-subject
jackknife. The study must ensure that arms were randomised; no figure can show it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import log

import numpy as np

from clinicnum.annotations.agreement.krippendorff import alpha_columns, alpha_of, nominal_distances
from clinicnum.annotations.consensus import level1_primary
from clinicnum.annotations.reliability.clustered_estimates import (
    Estimate,
    Statistic,
    from_totals,
    undefined_estimate,
)
from clinicnum.annotations.types import Annotation
from clinicnum.stats.clustered_intervals import Floats, quotient

Judged = tuple[Annotation, bool]
"""A judgement, and whether a suggestion was visible at any of its revisions."""
Value = tuple[str, bool, float]
"""Subject, whether a suggestion was visible, and the value."""


@dataclass(frozen=True)
class ArmDifference:
    """One figure with suggestions shown and with suggestions hidden, and the difference."""

    name: str
    shown: Estimate
    hidden: Estimate
    difference: Estimate


@dataclass(frozen=True)
class SuggestionEffect:
    """All effects, or the reason why there are none."""

    n_shown: int
    n_hidden: int
    later: int
    """Number of the shown that were begun without a suggestion, which became visible after revision 1."""
    labels: tuple[ArmDifference, ...] = ()
    """Shares of judgements: called a failure, then of each primary class."""
    agreement: ArmDifference | None = None
    """Share of agreeing pairs among pairs of annotators in the same arm, by primary class or none."""
    alpha: ArmDifference | None = None
    """Krippendorff's alpha among the annotators in the same arm, by primary class or none."""
    log_time: ArmDifference | None = None
    """Mean natural logarithm of the active milliseconds: exp of the difference is a factor."""
    undefined: str | None = None


def split_arms(annotations: Iterable[Annotation]) -> tuple[tuple[Judged, ...], int]:
    """Each annotator's last complete judgement with its arm, and how many began without a visible suggestion.

    Revisions made after an adjudicator's answer was read are left out. The judgements that are counted are
    those in the arm `shown` whose suggestion became visible after the first revision.
    """
    last: dict[tuple[str, str], Annotation] = {}
    shown, hidden = set[tuple[str, str]](), set[tuple[str, str]]()
    for one in annotations:
        if one.round == "main":
            key = one.generation_id, one.annotator_id
            (shown if one.suggestion_shown else hidden).add(key)
            if (
                one.missing() is None
                and not one.answer_read
                and one.revision > last.setdefault(key, one).revision
            ):
                last[key] = one
    kept = tuple((last[key], key in shown) for key in sorted(last))
    return kept, len(last.keys() & shown & hidden)


def suggestion_effect(
    kept: Sequence[Judged], later: int, *, classes: Sequence[str], subjects: Mapping[str, str]
) -> SuggestionEffect:
    """The effect in a study, from what `split_arms` gives: the judgements `kept`, and the number of `later`
    ones.

    `classes` are level-1 codes, `subjects` maps a generation's id to its subject.
    """
    n_shown = sum(shown for _, shown in kept)
    counts = (n_shown, len(kept) - n_shown, later)
    if not kept:
        return SuggestionEffect(*counts, undefined="no complete judgement")
    if not n_shown or n_shown == len(kept):
        way = "without" if not n_shown else "with"
        return SuggestionEffect(
            *counts,
            undefined=f"all {len(kept)} judgements were made {way} a suggestion in sight: nothing to compare",
        )

    def values(of: Callable[[Annotation], float]) -> list[Value]:
        return [(subjects[one.generation_id], shown, of(one)) for one, shown in kept]

    def of_class(code: str) -> Callable[[Annotation], float]:
        return lambda one: float(level1_primary(one) == code)

    timed = [(one, shown) for one, shown in kept if one.active_ms > 0]
    return SuggestionEffect(
        *counts,
        labels=(
            _effect("failure", values(lambda one: float(one.response_judgement == "failure")), share=True),
            *(_effect(code, values(of_class(code)), share=True) for code in classes),
        ),
        agreement=_effect("agreement", _pairs(kept, subjects), share=True),
        alpha=_alpha(kept, subjects),
        log_time=_effect(
            "log_time",
            [(subjects[one.generation_id], shown, log(one.active_ms)) for one, shown in timed],
            share=False,
        ),
    )


def _pairs(kept: Sequence[Judged], subjects: Mapping[str, str]) -> list[Value]:
    """Pairs of annotators on a generation in the same arm: whether they give the same primary label."""
    by_arm: dict[tuple[str, bool], list[Annotation]] = {}
    for one, shown in kept:
        by_arm.setdefault((one.generation_id, shown), []).append(one)
    return [
        (subjects[generation], shown, float(level1_primary(one) == level1_primary(other)))
        for (generation, shown), group in sorted(by_arm.items())
        for one, other in combinations(group, 2)
    ]


def _alpha(kept: Sequence[Judged], subjects: Mapping[str, str]) -> ArmDifference:
    """Krippendorff's alpha of the primary label in both arms, and the difference."""
    labels = sorted({level1_primary(one) for one, _ in kept})
    items = sorted({one.generation_id for one, _ in kept})
    row, column = ({name: place for place, name in enumerate(names)} for names in (items, labels))
    counts = np.zeros((2, len(items), len(labels)))
    for one, shown in kept:
        counts[int(not shown), row[one.generation_id], column[level1_primary(one)]] += 1
    distances = nominal_distances(len(labels))
    seen, unseen = (alpha_columns(arm, distances) for arm in counts)
    both = np.hstack([seen, unseen])
    width = seen.shape[1]
    alone = "no variation, or no two annotators on an item,"

    def alpha(totals: Floats) -> Floats:
        return alpha_of(totals, distances)

    def figure(columns: Floats, statistic: Statistic, without: str, least: float) -> Estimate:
        used = np.flatnonzero(columns.any(axis=1))
        mine = [subjects[items[place]] for place in used]
        return from_totals(mine, columns[used], statistic, without=without, bounds=(least, -least))

    return ArmDifference(
        "alpha",
        figure(seen, alpha, f"{alone} with a suggestion in sight", -1.0),
        figure(unseen, alpha, f"{alone} without a suggestion in sight", -1.0),
        figure(
            both,
            lambda totals: alpha(totals[..., :width]) - alpha(totals[..., width:]),
            "alpha is undefined in one arm",
            -2.0,
        ),
    )


def _effect(name: str, values: Sequence[Value], *, share: bool) -> ArmDifference:
    """The means with and without a visible suggestion, and their difference, from all values of both arms."""
    if not values:
        none = undefined_estimate("nothing to compare")
        return ArmDifference(name, none, none, none)
    subjects = [subject for subject, _, _ in values]
    rows = np.array([(value * s, s, value * (1 - s), 1 - s) for _, s, value in values], dtype=float)
    span = (0.0, 1.0) if share else None

    def arm(first: int, which: str) -> Estimate:
        mine = rows[:, first + 1] > 0
        return from_totals(
            [subject for subject, kept in zip(subjects, mine, strict=True) if kept],
            rows[mine][:, first : first + 2],
            lambda totals: quotient(totals[..., 0], totals[..., 1]),
            without=f"nothing {which} a suggestion in sight",
            bounds=span,
        )

    difference = from_totals(
        subjects, rows, difference_of_means, without="one arm is empty", bounds=(-1.0, 1.0) if share else None
    )
    return ArmDifference(name, arm(0, "with"), arm(2, "without"), difference)


def difference_of_means(totals: Floats) -> Floats:
    """Mean with suggestions shown minus mean with them hidden.

    `totals` is (..., 4): sum and count with suggestions shown, sum and count with them hidden.
    """
    shown = quotient(totals[..., 0], totals[..., 1])
    return shown - quotient(totals[..., 2], totals[..., 3])
