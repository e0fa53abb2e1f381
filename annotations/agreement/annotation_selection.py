"""Which annotations agreement is computed on: one for each annotator and generation of the main round.

The response is taken from the judgement locked before gold and score were shown (`first`), everything else
from the revision that `counted_revisions` selects. Left out, and counted by reason: training and repeat
rounds, incomplete revisions, revisions made with a suggestion in sight, and revisions made after an
adjudicator's answer on the question was read. Earlier revisions of what remains are superseded, and not
counted as left out.

A first judgement is blind unless the annotator had seen the reference of another item with the same question
and records. A first judgement that is not blind is left out of the layers of blind judgements and counted
there; the last judgement is used, since everyone sees the gold before it. This is decided for each judgement,
not each item: what others judged blind on that item stays.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

import numpy as np

from clinicnum.annotations.agreement.label_table import MISSING, Column
from clinicnum.annotations.agreement.rating_panel import Rows, distinct_rows
from clinicnum.annotations.agreement.revision_selection import OPEN, counted_revisions
from clinicnum.annotations.agreement.types import Exclusion
from clinicnum.annotations.labels_by_item import Ballots
from clinicnum.annotations.study_kind import StudyKind
from clinicnum.annotations.types import Annotation

L = TypeVar("L")
Read = Callable[[Annotation], str | None]
Key = tuple[str, str]
"""Generation and annotator."""

BLIND_RULE = (
    "each annotator's first saved judgement, made before gold and score were shown and without a suggestion "
    "in sight, where they went on to submit the item in the main round"
)
RULE = (
    "each annotator's last complete revision of the main round, made without a suggestion in sight; gold and "
    "score were in sight after the annotator's first saved judgement"
)
ONE_STEP_RULES: Mapping[StudyKind, str] = {
    "pairwise": "each annotator's last preference between two answers in the main round; neither gold nor "
    "score is shown to people in such a study",
    "ratings": "each annotator's last ratings of an answer in the main round; no score is shown to people in "
    "such a study",
    "claims": "each annotator's last complete verdicts on the sentences of an answer in the main round; no "
    "score is shown to people in such a study, and the reference after the verdicts on the answer are "
    "locked",
}
"""How annotations are chosen in each kind of study that judges no failures, as a clause."""
SCRIPTED_BLIND_RULE = (
    "each annotator's first saved judgement, made without a suggestion in sight, where they went on to "
    "submit the item in the main round; scripted annotators had gold and score before it"
)
LOCKED_RULE = (
    "; where suggestions came into sight after the first judgement, response, labels and severity as it has "
    "them, and the item as judged after"
)
ANSWERED_RULE = "; revisions after an adjudicator's answer on the question was read do not count"
SCRIPTED_RULE = (
    "each annotator's last complete revision of the main round, made without a suggestion in sight; scripted "
    "annotators had gold and score from the start"
)


KNOWN = "the annotator had seen the reference of the same question (group_id) beside another answer"
"""Reason for leaving out a first judgement: it was not blind."""


@dataclass(frozen=True)
class ChosenAnnotations:
    """The annotations that count, by generation, and what was left out."""

    by_generation: dict[str, tuple[Annotation, ...]]
    """Generation ids sorted; annotators sorted within each."""
    left_out: tuple[Exclusion, ...]
    first: Mapping[Key, Annotation] = field(default_factory=dict)
    """(generation, annotator) -> the annotator's first revision, if they later submitted the item; people
    make it before gold and score are shown. Excludes those in `known`.
    """
    known: frozenset[Key] = frozenset()
    """(generation, annotator) whose first revision is not blind: the same question's reference had been seen.
    """
    locked: frozenset[Key] = frozenset()
    """(generation, annotator) whose judgement locked before the reference is used: suggestions appeared with
    it.
    """
    answered: frozenset[Key] = frozenset()
    """(generation, annotator) with revisions left out, as they followed an adjudicator's answer."""

    _read: dict[Read, Column] = field(default_factory=dict, repr=False)

    @cached_property
    def annotations(self) -> tuple[Annotation, ...]:
        """All chosen annotations, ordered by generation and annotator."""
        return tuple(one for group in self.by_generation.values() for one in group)

    @cached_property
    def item(self) -> Column:
        """The generation of each annotation."""
        lengths = [len(group) for group in self.by_generation.values()]
        return Column(np.repeat(np.arange(len(lengths)), lengths), tuple(self.by_generation))

    @cached_property
    def scripted(self) -> bool:
        """Whether a script made any of the annotations; gold and score were never hidden from a script."""
        return any(one.annotator_kind == "simulated" for one in self.annotations)

    @cached_property
    def kind(self) -> StudyKind:
        """The kind of study that the annotations were made in; `failures` if there are none."""
        return next((one.kind for one in self.annotations), "failures")

    @property
    def n_suggestions_open(self) -> int:
        """Number of judgements reported separately because suggestions were visible to the annotator."""
        return sum(one.n for one in self.left_out if one.why == OPEN)

    @property
    def rule(self) -> str:
        """How the annotations were chosen, and what annotators could see; as a sentence."""
        answered = ANSWERED_RULE if self.answered else ""
        if self.kind in ONE_STEP_RULES:
            return ONE_STEP_RULES[self.kind] + answered
        return (SCRIPTED_RULE if self.scripted else RULE) + (LOCKED_RULE if self.locked else "") + answered

    @property
    def blind_rule(self) -> str:
        """How first judgements were chosen and what annotators could see, as a sentence."""
        return SCRIPTED_BLIND_RULE if self.scripted else BLIND_RULE

    @cached_property
    def annotator(self) -> Column:
        """The annotator of each annotation."""
        return Column.of(one.annotator_id for one in self.annotations)

    def first_of(self, annotation: Annotation) -> Annotation | None:
        """The annotator's first judgement of that generation; None if it was not stored."""
        return self.first.get((annotation.generation_id, annotation.annotator_id))

    def is_locked(self, annotation: Annotation) -> bool:
        """Whether the judgement locked before the reference was shown counts in place of the annotator's
        later one.
        """
        return (annotation.generation_id, annotation.annotator_id) in self.locked

    def column(self, read: Read) -> Column:
        """The values that `read` gives for the annotations, in their order; computed once and cached."""
        if read not in self._read:
            self._read[read] = Column.of(map(read, self.annotations))
        return self._read[read]

    def ballots(self, label: Callable[[Annotation], L], reads: Sequence[Read]) -> Ballots[L]:
        """Generation -> annotator -> label, for a label that depends only on the values named in `reads`."""
        codes = np.zeros(len(self.annotations), dtype=np.int64)
        for column in map(self.column, reads):
            codes = codes * (len(column.names) + 1) + column.codes - MISSING
        _, first, code = np.unique(codes, return_index=True, return_inverse=True)
        labels = [label(self.annotations[row]) for row in first.tolist()]
        who = sorted(range(len(self.annotator.names)), key=self.annotator.names.__getitem__)
        grid: Rows = np.full((len(self.by_generation), len(who)), MISSING, dtype=np.int32)
        grid[self.item.codes, np.argsort(who)[self.annotator.codes]] = code
        rows, place = distinct_rows(grid)
        distinct = tuple(
            {self.annotator.names[one]: labels[at] for one, at in zip(who, row, strict=True) if at != MISSING}
            for row in rows.tolist()
        )
        return Ballots(distinct, self.item.names, place)


def choose_annotations(annotations: Iterable[Annotation]) -> ChosenAnnotations:
    """Choose those revisions of a study's annotations on which agreement is computed."""
    revisions = counted_revisions(annotations)
    first = {key[:2]: one for key, one in revisions.first.items() if key[2] == "main"}
    chosen = {key[:2]: one for key, one in revisions.last.items() if key[2] == "main"}
    left_out = Counter(revisions.left_out[key] for key in revisions.left_out if key[2] == "main")
    left_out += Counter(
        f"{key[2]} round" for key in {*revisions.last, *revisions.left_out} if key[2] != "main"
    )
    groups: dict[str, list[Annotation]] = {}
    for key in sorted(chosen):
        groups.setdefault(key[0], []).append(chosen[key])
    return ChosenAnnotations(
        by_generation={key: tuple(group) for key, group in groups.items()},
        left_out=tuple(Exclusion(what="judgements", n=n, why=why) for why, n in sorted(left_out.items())),
        first={key: one for key, one in first.items() if not one.reference_known},
        known=frozenset(key for key, one in first.items() if one.reference_known),
        locked=frozenset(key[:2] for key in revisions.locked if key[2] == "main"),
        answered=frozenset(key[:2] for key in revisions.answered if key[2] == "main"),
    )
