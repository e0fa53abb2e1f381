"""Tables of studies: taxonomies, guidelines, criteria, runs, scores, items, references, suggestions,
annotators with their qualifications, and assignments.
"""

from datetime import date, datetime
from typing import Any

from sqlalchemy import ForeignKeyConstraint, Index, UniqueConstraint
from sqlmodel import Field

from clinicnum.annotations.types import ROUNDS, STUDY_STATUSES, SUGGESTION_POLICIES
from clinicnum.annotations.work_item import ASSIGNMENT_STATUSES
from clinicnum.db.rows.base import JsonText, Row, UtcDateTime, one_of

ITEM_ROUNDS = ("main", "training", "control")


class TaxonomyRow(Row, table=True):
    """A taxonomy as used by a study, so that labels of its version stay readable."""

    __tablename__ = "taxonomy"
    id: str = Field(primary_key=True)
    version: str = Field(primary_key=True)
    payload: dict[str, Any] = Field(sa_type=JsonText)


class StudyRow(Row, table=True):
    """A study: a labelling project."""

    __tablename__ = "study"
    __table_args__ = (
        one_of("status", STUDY_STATUSES),
        one_of("suggestion_policy", SUGGESTION_POLICIES),
        ForeignKeyConstraint(["taxonomy_id", "taxonomy_version"], ["taxonomy.id", "taxonomy.version"]),
    )
    id: str = Field(primary_key=True)
    name: str = Field(unique=True)
    benchmark_id: str = Field(foreign_key="benchmark.id")
    status: str
    taxonomy_id: str
    taxonomy_version: str
    guideline_version: str
    overlap: int
    include: str
    seed: str
    """Seed of the sample, the item order and the randomised suggestions; see
    `clinicnum.annotations.study_seed`.
    """
    secret: str
    """The key for the ids shown on pages and for each annotator's order; shown once the study is closed."""
    suggestion_policy: str
    design: dict[str, Any] = Field(default_factory=dict, sa_type=JsonText)
    """The rest of a `clinicnum.annotations.study_design.Design`; empty for a study of the first schema."""
    created_at: datetime = Field(sa_type=UtcDateTime)
    closed_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    deadline: date | None = None
    """UTC date by which the work should be done; not enforced."""


class GuidelineRow(Row, table=True):
    """One version of a study's guideline, in Markdown; a change adds a version."""

    __tablename__ = "guideline"
    study_id: str = Field(primary_key=True, foreign_key="study.id")
    version: int = Field(primary_key=True)
    text: str = Field(sa_type=JsonText)
    created_at: datetime = Field(sa_type=UtcDateTime)


class CriterionRow(Row, table=True):
    """One version of a criterion of the study; a changed text adds a version."""

    __tablename__ = "criterion"
    study_id: str = Field(primary_key=True, foreign_key="study.id")
    item: str = Field(primary_key=True)
    """The `instance_id` it applies to; empty if to all items."""
    criterion_id: str = Field(primary_key=True)
    version: int = Field(primary_key=True)
    place: int
    """Its place among the criteria, the same in every version."""
    payload: dict[str, Any] = Field(sa_type=JsonText)
    """The whole `clinicnum.annotations.criteria.criterion.Criterion`."""
    created_at: datetime = Field(sa_type=UtcDateTime)


class StudyRunRow(Row, table=True):
    """A run used by the study, with a copy of its file's meta data at that time; empty if another program
    made the file.
    """

    __tablename__ = "study_run"
    study_id: str = Field(primary_key=True, foreign_key="study.id")
    run: str = Field(primary_key=True, foreign_key="run.id")
    meta: dict[str, Any] = Field(sa_type=JsonText)


class StudyScoreRow(Row, table=True):
    """A generation counted in the study's accuracy, whether sampled or not, with its score when the study
    opened.
    """

    __tablename__ = "study_score"
    study_id: str = Field(primary_key=True, foreign_key="study.id")
    generation: str = Field(primary_key=True, foreign_key="generation.id")
    score: str = Field(foreign_key="score.id")
    position: int
    """Place in the files it came from."""


class StudyItemRow(Row, table=True):
    """An item of the study: a generation sampled for annotation, for training, or as a control.

    Its position is fixed when the study opens. `taken` counts the annotators who are working on it or have
    submitted it, so that claiming an item takes a single index lookup.
    """

    __tablename__ = "study_item"
    __table_args__ = (
        one_of("round", ITEM_ROUNDS),
        UniqueConstraint("study_id", "item_id"),
        Index(None, "study_id", "position"),
        Index(None, "study_id", "hardness"),
        Index(None, "study_id", "group_id"),
        ForeignKeyConstraint(["study_id", "generation"], ["study_score.study_id", "study_score.generation"]),
    )
    study_id: str = Field(primary_key=True)
    generation: str = Field(primary_key=True)
    item_id: str
    """The id shown on pages and in URLs: keyed, because files that name the model also give the generation's
    id.
    """
    second: str | None = None
    """In a pairwise study, the generation it is compared with; null otherwise."""
    stratum: str
    inclusion_probability: float
    group_id: str
    """Group of its instance: items in a group share records, question and reference."""
    round: str = "main"
    position: int
    """Training comes first, below 0; main and control items are mixed, from 0."""
    places: int
    """Number of annotators who are to judge it."""
    taken: int = 0
    due: list[str] | None = Field(default=None, sa_type=JsonText)
    """The reasons why an adjudicator must decide, set once all places are judged; null before that, empty if
    none.
    """
    hardness: float | None = None
    """How strongly the judgements disagree if an adjudicator must decide; null otherwise."""


class ReferenceRow(Row, table=True):
    """The judgement that a training or control item is compared with."""

    __tablename__ = "reference"
    __table_args__ = (
        ForeignKeyConstraint(["study_id", "generation"], ["study_item.study_id", "study_item.generation"]),
    )
    study_id: str = Field(primary_key=True)
    generation: str = Field(primary_key=True)
    payload: dict[str, Any] = Field(sa_type=JsonText)


class SuggestionRow(Row, table=True):
    """An automatic guess at the cause of a failure, as it was when the study was opened."""

    __tablename__ = "suggestion"
    __table_args__ = (
        Index(None, "study_id", "generation"),
        ForeignKeyConstraint(["study_id", "generation"], ["study_score.study_id", "study_score.generation"]),
    )
    id: str = Field(primary_key=True)
    study_id: str
    generation: str
    code: str
    payload: dict[str, Any] = Field(sa_type=JsonText)


class StudyAnnotatorRow(Row, table=True):
    """An annotator of a study, with the pseudonym used outside the database and counts of progress."""

    __tablename__ = "study_annotator"
    __table_args__ = (UniqueConstraint("study_id", "pseudonym"),)
    study_id: str = Field(primary_key=True, foreign_key="study.id")
    user_id: str = Field(primary_key=True, foreign_key="user.id")
    pseudonym: str
    total: int
    """The annotator's share of the work over all rounds: the denominator of progress."""
    cursor: int = 0
    """No item below this position is left for this annotator, so that a claim stays fast until the end."""
    claimed: int = 0
    """Number of assignments handed out so far, which is also the position of the next one."""
    done: int = 0
    """Stored as a count, so that saving stays as fast at the ten-thousandth item as at the first."""
    skipped: int = 0


class QualificationRow(Row, table=True):
    """The lead's action on an annotator who failed the training threshold; no row without one."""

    __tablename__ = "qualification"
    __table_args__ = (
        ForeignKeyConstraint(
            ["study_id", "user_id"], ["study_annotator.study_id", "study_annotator.user_id"]
        ),
    )
    study_id: str = Field(primary_key=True)
    user_id: str = Field(primary_key=True)
    attempt: int = 1
    """Number of the training attempt that counts, from 1."""
    since: dict[str, int] = Field(default_factory=dict, sa_type=JsonText)
    """Training assignment -> its revision when the present attempt began."""
    reason: str | None = Field(default=None, sa_type=JsonText)
    """Why the lead qualified the annotator by hand; null if the lead did not."""


class AssignmentRow(Row, table=True):
    """The duty to annotate one generation, and its status."""

    __tablename__ = "assignment"
    __table_args__ = (
        UniqueConstraint("study_id", "generation", "user_id", "round"),
        Index(None, "user_id", "status", "study_id", "position"),
        Index(None, "user_id", "study_id", "position"),
        Index(None, "study_id", "generation", "status"),
        Index(None, "study_id", "status", "leased_until"),
        Index(None, "study_id", "former_id"),
        one_of("status", ASSIGNMENT_STATUSES),
        one_of("round", ROUNDS),
        ForeignKeyConstraint(["study_id", "generation"], ["study_item.study_id", "study_item.generation"]),
        ForeignKeyConstraint(
            ["study_id", "user_id"], ["study_annotator.study_id", "study_annotator.user_id"]
        ),
    )
    id: str = Field(primary_key=True)
    study_id: str
    generation: str
    user_id: str
    round: str
    position: int
    """Position among the annotator's own assignments, in the order they were handed out."""
    status: str = "open"
    revision: int = 0
    revealed_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    draft: dict[str, Any] | None = Field(default=None, sa_type=JsonText)
    skip_reason: str | None = Field(default=None, sa_type=JsonText)
    flag: str | None = Field(default=None, sa_type=JsonText)
    """The annotator's note on what somebody should look at; null if not flagged."""
    leased_until: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """When an assignment in progress loses its place; null if it never does."""
    active_ms: int = 0
    former_id: str | None = None
    """Its id in the audit log from before ids were keyed; null for an assignment made since."""
