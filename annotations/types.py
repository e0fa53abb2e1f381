"""The contracts of the annotation half. An annotation is one annotator's judgement on one generation."""

from datetime import UTC, datetime
from typing import Annotated, Literal

from pydantic import Field, PlainSerializer, model_validator

from clinicnum.types import Cell, Frozen

ItemJudgement = Literal["valid", "gold_wrong", "ambiguous"]
ResponseJudgement = Literal["acceptable", "right_answer_unsound_reasoning", "failure", "cannot_judge"]
AnnotatorKind = Literal["human", "simulated"]
Severity = Literal["0", "1", "2", "3", "4", "not_applicable"]
Round = Literal["main", "training", "repeat", "control"]
StudyStatus = Literal["open", "paused", "closed"]
SuggestionPolicy = Literal["hidden", "after_judgement", "shown", "randomised"]

ITEM_JUDGEMENTS: tuple[ItemJudgement, ...] = ("valid", "gold_wrong", "ambiguous")
RESPONSE_JUDGEMENTS: tuple[ResponseJudgement, ...] = (
    "acceptable",
    "right_answer_unsound_reasoning",
    "failure",
    "cannot_judge",
)
ROUNDS: tuple[Round, ...] = ("main", "training", "repeat", "control")
STUDY_STATUSES: tuple[StudyStatus, ...] = ("open", "paused", "closed")
SUGGESTION_POLICIES: tuple[SuggestionPolicy, ...] = ("hidden", "after_judgement", "shown", "randomised")
SEVERITIES: tuple[Severity, ...] = ("0", "1", "2", "3", "4", "not_applicable")

MOST_EVIDENCE = 50
MOST_LABELS = 40
"""What a person could mean; more is a mistake or an attack."""

UtcTime = Annotated[
    datetime,
    PlainSerializer(lambda t: t.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ"), when_used="json"),
]


class Label(Frozen):
    """One taxonomy code a human chose, with the evidence for it."""

    code: str = Field(max_length=80)
    """`class` or `class.sub_class`."""
    primary: bool
    spans: tuple[tuple[int, int], ...] = Field(default=(), max_length=MOST_EVIDENCE)
    """Character offsets into the generation's text."""
    cells: tuple[Cell, ...] = Field(default=(), max_length=MOST_EVIDENCE)


class Judgement(Frozen):
    """What an annotator decides about one generation: the part of an annotation that is theirs."""

    item_judgement: ItemJudgement = "valid"
    proposed_gold: str | None = Field(default=None, max_length=200)
    response_judgement: ResponseJudgement
    labels: tuple[Label, ...] = Field(default=(), max_length=MOST_LABELS)
    severity: Severity | None = None
    confidence: Literal[1, 2, 3] | None = None
    rationale: str | None = Field(default=None, max_length=4000)

    @model_validator(mode="after")
    def _labels_belong_to_failures(self) -> "Judgement":
        if self.labels and self.response_judgement != "failure":
            raise ValueError(
                f"labels are for failures, but the response was judged {self.response_judgement}"
            )
        if len({label.code for label in self.labels}) != len(self.labels):
            raise ValueError("a code was given twice; name each code once")
        if self.labels and sum(label.primary for label in self.labels) != 1:
            raise ValueError("a failure takes exactly one primary label")
        return self

    def missing(self) -> str | None:
        """What is still to be given before the judgement can be submitted; None when complete."""
        if self.item_judgement == "gold_wrong" and not (self.proposed_gold or "").strip():
            return "The gold is called wrong: propose the right one."
        if self.response_judgement != "failure":
            return None
        if not self.labels:
            return "A failure needs a primary label."
        if self.severity is None:
            return "A failure needs a severity (0 to 4, or not applicable)."
        return None


class Annotation(Judgement):
    """One revision of one annotator's judgement; nothing is overwritten."""

    annotation_id: str
    study_id: str
    generation_id: str
    annotator_id: str
    """The study-scoped pseudonym in exports, never the account name."""
    annotator_kind: AnnotatorKind
    round: Round = "main"
    revision: int = Field(ge=1)
    suggestion_shown: bool = False
    active_ms: int = Field(default=0, ge=0)
    taxonomy_version: str
    guideline_version: str
    created_at: UtcTime


class Contest(Frozen):
    """A claim that an item is at fault: its gold is wrong, or its question is ambiguous."""

    contest_id: str
    generation_id: str
    """Where it was noticed; the fault is the instance's."""
    annotator_id: str
    kind: Literal["gold_wrong", "ambiguous"]
    proposed_gold: str | None = None
    status: Literal["open", "upheld", "rejected"] = "open"
    decided_by: str | None = None
    """Pseudonym of the adjudicator; None while open."""
    comment: str | None = None
    """Why it was decided so."""
    blind: bool | None = None
    """Whether it was decided before models were shown; None while open, and in earlier bundles."""


class Invalidation(Frozen):
    """An instance that an upheld contest takes out of accuracy, for all models, right or wrong."""

    instance_id: str
    contest_id: str
    rule: str
    """The rule that it fails, or `by hand: ...` with the scope that was chosen."""
    reason: str
    blind: bool | None = None
    """As of its contest."""


Role = Literal["annotator", "adjudicator", "curator", "admin"]
ROLES: tuple[Role, ...] = ("annotator", "adjudicator", "curator", "admin")


class User(Frozen):
    """An account, without its password hash."""

    user_id: str
    name: str
    role: Role
    kind: AnnotatorKind = "human"
    active: bool = True
    session_version: int = 1
    """Grows when the password is reset or the account is switched; a cookie with another one is void."""


class StudySummary(Frozen):
    """A study in one line."""

    study_id: str
    name: str
    status: StudyStatus
    taxonomy_id: str
    taxonomy_version: str
    guideline_version: str
    overlap: int
    generations: int
    """Drawn for annotation."""
    annotators: int
    simulated_annotators: int
    """How many of them are scripted stand-ins."""
    assignments: int
    """Judgements to make, without repeats."""
    submitted: int
    """Of these, submitted."""
    skipped: int
