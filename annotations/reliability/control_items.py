"""Annotators against the reference judgements of control items, whose right answer is known beforehand.

A control item (round `control`) is hidden among the others and has a reference judgement. What counts is the
revision that counts in agreement (`counted_revisions`). Being right
is measured twice: by the response judgement, and by the level-1 primary class, `none` if the response is not
called a failure.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from clinicnum.annotations.agreement.revision_selection import counted_revisions
from clinicnum.annotations.consensus import level1_primary
from clinicnum.annotations.judgement import Judgement
from clinicnum.annotations.reliability.clustered_estimates import Estimate, share_of_items
from clinicnum.annotations.types import Annotation
from clinicnum.stats.clustered_intervals import Subjects
from clinicnum.translatable_text import Translatable

NO_CONTROLS = Translatable("no control item was judged (round `control`)")


@dataclass(frozen=True)
class AgainstReference:
    """How often one annotator agrees with the references of the control items that they judged."""

    annotator: str
    response: Estimate
    """Share of control items whose response judgement is the reference's."""
    primary: Estimate
    """Share whose level-1 primary, or `none`, is the reference's."""
    confusion: Mapping[tuple[str, str], int]
    """(the reference's primary, the annotator's) -> items."""


def against_references(
    annotations: Iterable[Annotation], references: Mapping[str, Judgement], subjects: Mapping[str, str]
) -> tuple[AgainstReference, ...]:
    """How often each annotator agrees with the reference on control items: one entry per annotator who judged
    any, sorted by name.

    `annotations` holds all revisions; `references` and `subjects` map generation id to reference judgement
    and subject. Raises KeyError if a judged control item is missing in one of them.
    """
    by_annotator: dict[str, list[Annotation]] = {}
    for (_, annotator, which), one in sorted(counted_revisions(annotations).last.items()):
        if which == "control":
            by_annotator.setdefault(annotator, []).append(one)
    return tuple(_row(name, given, references, subjects) for name, given in sorted(by_annotator.items()))


def _row(
    annotator: str,
    given: list[Annotation],
    references: Mapping[str, Judgement],
    subjects: Mapping[str, str],
) -> AgainstReference:
    whose = Subjects.of(subjects[one.generation_id] for one in given)

    def right(read: Callable[[Judgement], str]) -> Estimate:
        alike = [read(one) == read(references[one.generation_id]) for one in given]
        return share_of_items(whose, np.array(alike), without=NO_CONTROLS)

    return AgainstReference(
        annotator=annotator,
        response=right(_response),
        primary=right(level1_primary),
        confusion=Counter(
            (level1_primary(references[one.generation_id]), level1_primary(one)) for one in given
        ),
    )


def is_right(judgement: Judgement, reference: Judgement) -> bool:
    """Whether response judgement and level-1 primary class are both the reference's."""
    same = judgement.response_judgement == reference.response_judgement
    return same and level1_primary(judgement) == level1_primary(reference)


def _response(judgement: Judgement) -> str:
    return judgement.response_judgement
