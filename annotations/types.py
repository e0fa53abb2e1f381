"""Annotations, contests, users and studies as validated types; the judgement itself is in `judgement.py`."""

from datetime import UTC, date, datetime
from typing import Annotated, Literal

from pydantic import Field, PlainSerializer

from clinicnum.annotations.contradictions import ContradictionName
from clinicnum.annotations.judgement import Judgement
from clinicnum.types import Frozen

AnnotatorKind = Literal["human", "simulated"]
Round = Literal["main", "training", "repeat", "control"]
StudyStatus = Literal["open", "paused", "closed"]
SuggestionPolicy = Literal["hidden", "after_judgement", "shown", "randomised"]

ROUNDS: tuple[Round, ...] = ("main", "training", "repeat", "control")
STUDY_STATUSES: tuple[StudyStatus, ...] = ("open", "paused", "closed")
SUGGESTION_POLICIES: tuple[SuggestionPolicy, ...] = ("hidden", "after_judgement", "shown", "randomised")

UtcTime = Annotated[
    datetime,
    PlainSerializer(lambda t: t.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ"), when_used="json"),
]


class Annotation(Judgement):
    """One revision of one annotator's judgement; revisions are never overwritten."""

    annotation_id: str
    study_id: str
    generation_id: str
    annotator_id: str
    """The study-scoped pseudonym in exports, never the account name."""
    annotator_kind: AnnotatorKind
    round: Round = "main"
    revision: int = Field(ge=1)
    suggestion_shown: bool = False
    reference_known: bool = False
    """Whether the annotator, before the first revision, had seen the reference of another item that asks the
    same question of the same records; not of blind repeats, whose own reference was seen before.
    """
    answer_read: bool = False
    """Whether the annotator had read an adjudicator's answer on an item that asks the same question of the
    same records.
    """
    contradictions: tuple[ContradictionName, ...] = ()
    """What the annotator was asked about, as it speaks against gold, score or text, and kept."""
    active_ms: int = Field(default=0, ge=0)
    taxonomy_version: str
    guideline_version: str
    created_at: UtcTime


class Contest(Frozen):
    """A claim that an item is faulty: its gold is wrong, or its question is ambiguous."""

    contest_id: str
    generation_id: str
    """The generation on which the annotator noticed the fault, which is one of the instance."""
    annotator_id: str
    kind: Literal["gold_wrong", "ambiguous"]
    proposed_gold: str | None = None
    status: Literal["open", "upheld", "rejected"] = "open"
    decided_by: str | None = None
    """Pseudonym of the adjudicator; None while open."""
    adjudicator_kind: AnnotatorKind | None = None
    """None while open, and in bundles of earlier versions."""
    comment: str | None = None
    """The reason for the decision."""
    blind: bool | None = None
    """Whether the contest was decided before models were shown; None while open, and in earlier bundles."""


class Invalidation(Frozen):
    """An instance excluded from accuracy by an upheld contest, for all models, whether right or wrong."""

    instance_id: str
    contest_id: str
    rule: str
    """The rule that the instance fails, or `by hand: ...` with the scope that was chosen."""
    reason: str
    blind: bool | None = None
    """`Contest.blind` of the contest."""


class Ruling(Frozen):
    """A general rule that an adjudicator gave with an answer to an annotator, for the study's guideline."""

    ruling_id: str
    instance_id: str
    generation_id: str
    """The generation on which the annotator had asked."""
    question: str
    """What the annotator had asked or claimed."""
    text: str
    adjudicator_id: str
    """Pseudonym of the adjudicator."""
    guideline_version: str | None = None
    """The first version of the guideline that was made with it; None if none was yet."""
    created_at: UtcTime


Role = Literal["annotator", "adjudicator", "curator", "researcher", "admin"]
ROLES: tuple[Role, ...] = ("annotator", "adjudicator", "curator", "researcher", "admin")


class User(Frozen):
    """An account, without its password hash."""

    user_id: str
    name: str
    role: Role
    kind: AnnotatorKind = "human"
    active: bool = True
    session_version: int = 1
    """Increased when the password is reset or the account is switched on or off; cookies with another one are
    void.
    """


class StudySummary(Frozen):
    """A study in one line of a list."""

    study_id: str
    name: str
    status: StudyStatus
    taxonomy_id: str
    taxonomy_version: str
    guideline_version: str
    overlap: int
    generations: int
    """Number of generations drawn for annotation."""
    annotators: int
    simulated_annotators: int
    """How many of the annotators are scripted."""
    assignments: int
    """Judgements to make, without repeats."""
    submitted: int
    """How many of the assignments are submitted."""
    skipped: int
    deadline: date | None = None
