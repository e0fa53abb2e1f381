"""Annotations, contests, users and studies as validated types; the judgement itself is in `judgement.py`."""

from datetime import UTC, date, datetime
from typing import Annotated, Literal

from pydantic import Field, PlainSerializer

from clinicnum.annotations.contradicting_choices import ContradictionName
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
    """Unique within the study."""
    study_id: str
    """The study."""
    generation_id: str
    """The generation that is judged."""
    annotator_id: str
    """The study-scoped pseudonym in exports, never the account name."""
    annotator_kind: AnnotatorKind
    """A person, or a scripted stand-in."""
    round: Round = "main"
    """Whether the item counts (`main`), trains, or checks."""
    revision: int = Field(ge=1)
    """1 for the first judgement, then 2, 3, ..."""
    suggestion_shown: bool = False
    """Whether an automatic suggestion was in sight."""
    reference_known: bool = False
    """Whether the annotator, before the first revision, had seen the reference of another item that asks the
    same question of the same records; False for blind repeats, whose own reference was seen.
    """
    answer_read: bool = False
    """Whether the annotator had read an adjudicator's answer on an item that asks the same question of the
    same records.
    """
    contradictions: tuple[ContradictionName, ...] = ()
    """Contradictions with gold, score or text that the annotator confirmed."""
    active_ms: int = Field(default=0, ge=0)
    """Milliseconds of work on the item."""
    taxonomy_version: str
    """Version of the taxonomy in force."""
    guideline_version: str
    """Version of the guideline in force."""
    created_at: UtcTime
    """When it was submitted, UTC."""


class Contest(Frozen):
    """A claim that an item is faulty: its gold is wrong, or its question is ambiguous."""

    contest_id: str
    """Unique within the study."""
    generation_id: str
    """The generation, one of the instance, on which the fault was noticed."""
    annotator_id: str
    """Pseudonym of who contests."""
    kind: Literal["gold_wrong", "ambiguous"]
    """What is said to be faulty."""
    proposed_gold: str | None = None
    """The right gold in the annotator's eyes."""
    status: Literal["open", "upheld", "rejected"] = "open"
    """What an adjudicator decided."""
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
    """The instance that is excluded."""
    contest_id: str
    """The contest that was upheld."""
    rule: str
    """The rule that the instance fails, or `by hand: ...` with the scope that was chosen."""
    reason: str
    """The adjudicator's reason."""
    blind: bool | None = None
    """`Contest.blind` of the contest."""


class Ruling(Frozen):
    """A general rule that an adjudicator gave with an answer to an annotator, for the study's guideline."""

    ruling_id: str
    """Unique within the study."""
    instance_id: str
    """The instance that was asked about."""
    generation_id: str
    """The generation on which the annotator had asked."""
    question: str
    """What the annotator had asked or claimed."""
    text: str
    """The rule."""
    adjudicator_id: str
    """Pseudonym of the adjudicator."""
    guideline_version: str | None = None
    """The first guideline version that includes it; None if there is none yet."""
    created_at: UtcTime
    """When it was given, UTC."""


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
