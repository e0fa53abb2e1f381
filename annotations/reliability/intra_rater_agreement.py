"""Annotators against themselves: blind repeats (round `repeat`) compared with the main round.

A pair is an annotator's judgement of a generation in either round, in the revisions that count in agreement
(`counted_revisions`). The two passes are compared as two annotators would be, by the one function that
computes agreement. For all annotators together, an item is one annotator's pair on a generation, and subjects
remain the clusters.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from clinicnum.annotations.agreement import AgreementResult, Rating, Scale, agreement
from clinicnum.annotations.agreement.revision_selection import counted_revisions
from clinicnum.annotations.types import Annotation

ALL = "all"
NO_REPEATS = "no generation was judged again by the same annotator (round `repeat`)"
RULE = "pairs of one annotator's last complete judgements of a generation, main round and blind repeat"


@dataclass(frozen=True)
class Question:
    """What is compared between an annotator's first and repeated judgement of an item."""

    name: str
    scale: Scale
    categories: tuple[str, ...]
    label: Callable[[Annotation], str | None]


@dataclass(frozen=True)
class IntraRater:
    """Agreement of one annotator's first and repeated judgements, or of all annotators' together."""

    annotator: str
    """The annotator, or `all` for all together."""
    pairs: int
    days: float | None
    """Median days between the passes; None without a pair."""
    result: AgreementResult | None
    undefined: str | None = None
    """Why there is no result."""


Pair = tuple[Annotation, Annotation]


def repeat_pairs(annotations: Iterable[Annotation]) -> tuple[Pair, ...]:
    """Pairs (first pass, second pass), ordered by annotator and generation."""
    several = tuple(annotations)
    again = {one.generation_id for one in several if one.round == "repeat"}
    last = counted_revisions(one for one in several if one.generation_id in again).last
    return tuple(
        (last[generation, annotator, "main"], last[generation, annotator, "repeat"])
        for annotator, generation in sorted((who, which) for which, who, round_ in last if round_ == "repeat")
        if (generation, annotator, "main") in last
    )


def repeated(annotations: Iterable[Annotation]) -> frozenset[tuple[str, str]]:
    """(generation, annotator) of every repeat, whether or not it is in a pair."""
    return frozenset((one.generation_id, one.annotator_id) for one in annotations if one.round == "repeat")


def intra_rater(
    pairs: Sequence[Pair], question: Question, subjects: Mapping[str, str]
) -> tuple[IntraRater, ...]:
    """Agreement of every annotator who has a pair, then of all together; `subjects` maps generation_id to
    subject_id.
    """
    annotators = sorted({first.annotator_id for first, _ in pairs})
    rows = [
        _compare(name, [pair for pair in pairs if pair[0].annotator_id == name], question, subjects)
        for name in annotators
    ]
    return (*rows, _compare(ALL, pairs, question, subjects))


def _compare(name: str, pairs: Sequence[Pair], question: Question, subjects: Mapping[str, str]) -> IntraRater:
    if not pairs:
        return IntraRater(name, 0, None, None, NO_REPEATS)
    table = [
        Rating(
            item=f"{one.annotator_id} {one.generation_id}",
            annotator=which,
            label=question.label(one),
            cluster=subjects[one.generation_id],
        )
        for pair in pairs
        for which, one in zip(("first", "second"), pair, strict=True)
    ]
    days = median((again.created_at - first.created_at).total_seconds() / 86_400 for first, again in pairs)
    result = agreement(table, scale=question.scale, categories=question.categories, rule=RULE)
    return IntraRater(name, len(pairs), days, result)
