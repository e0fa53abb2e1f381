"""Human judgements and the audit log: tables of annotations, adjudications, contests and audit rows.

Annotations and audit rows are append-only: triggers on both databases refuse updates and deletions.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import Index, UniqueConstraint
from sqlmodel import Field

from clinicnum.annotations.judgement import ITEM_JUDGEMENTS
from clinicnum.annotations.study_kind import RESPONSES
from clinicnum.db.rows.base import JsonText, Row, UtcDateTime, one_of

CONTEST_KINDS = ("gold_wrong", "ambiguous")
CONTEST_STATUSES = ("open", "withdrawn", "upheld", "rejected")


class AnnotationRow(Row, table=True):
    """One revision of one annotator's judgement."""

    __tablename__ = "annotation"
    __table_args__ = (
        UniqueConstraint("assignment_id", "revision"),
        one_of("item_judgement", ITEM_JUDGEMENTS),
        one_of("response_judgement", RESPONSES),
    )
    id: str = Field(primary_key=True)
    assignment_id: str = Field(foreign_key="assignment.id")
    revision: int
    study_id: str = Field(foreign_key="study.id", index=True)
    submitted: bool
    """False for the blind judgement, after which the gold is shown; it lacks an item judgement."""
    item_judgement: str | None
    response_judgement: str
    payload: dict[str, Any] = Field(sa_type=JsonText)
    created_at: datetime = Field(sa_type=UtcDateTime)


class AdjudicationRow(Row, table=True):
    """A decision on a generation."""

    __tablename__ = "adjudication"
    __table_args__ = (Index(None, "study_id", "generation"),)
    id: str = Field(primary_key=True)
    study_id: str = Field(foreign_key="study.id")
    generation: str = Field(foreign_key="generation.id")
    user_id: str = Field(foreign_key="user.id")
    payload: dict[str, Any] = Field(sa_type=JsonText)
    created_at: datetime = Field(sa_type=UtcDateTime)


class CitationRow(Row, table=True):
    """An annotation that an adjudication refers to."""

    __tablename__ = "citation"
    adjudication_id: str = Field(primary_key=True, foreign_key="adjudication.id")
    annotation_id: str = Field(primary_key=True, foreign_key="annotation.id")


class ContestRow(Row, table=True):
    """A doubt about a gold, opened by a submitted annotation."""

    __tablename__ = "contest"
    __table_args__ = (
        one_of("kind", CONTEST_KINDS),
        one_of("status", CONTEST_STATUSES),
        Index(None, "assignment_id", "status"),
    )
    annotation_id: str = Field(primary_key=True, foreign_key="annotation.id")
    assignment_id: str = Field(foreign_key="assignment.id")
    study_id: str = Field(foreign_key="study.id", index=True)
    generation: str = Field(foreign_key="generation.id")
    kind: str
    proposed_gold: str | None = Field(default=None, sa_type=JsonText)
    status: str
    created_at: datetime = Field(sa_type=UtcDateTime)
    closed_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    decided_by: str | None = Field(default=None, foreign_key="user.id")
    decision: dict[str, Any] | None = Field(default=None, sa_type=JsonText)
    """The adjudicator's decision and the reason; null while the contest is open, and if it was withdrawn."""


class InvalidationRow(Row, table=True):
    """An instance excluded by an upheld contest, for all models of the study, whether their answers were
    right or wrong.
    """

    __tablename__ = "invalidation"
    study_id: str = Field(primary_key=True, foreign_key="study.id")
    instance: str = Field(primary_key=True, foreign_key="instance.id")
    contest: str = Field(foreign_key="contest.annotation_id")
    rule: str
    """The fault that was found by a validity rule, or the scope that was chosen by hand."""
    reason: str = Field(sa_type=JsonText)
    created_at: datetime = Field(sa_type=UtcDateTime)


class AuditRow(Row, table=True):
    """One logged change: who, what, when, before and after; each row holds the hash of the previous one."""

    __tablename__ = "audit"
    chain: str = Field(primary_key=True)
    """The study's id, or `installation` for changes that belong to no study."""
    seq: int = Field(primary_key=True)
    actor: str
    action: str
    before: dict[str, Any] | None = Field(default=None, sa_type=JsonText)
    after: dict[str, Any] | None = Field(default=None, sa_type=JsonText)
    at: datetime = Field(sa_type=UtcDateTime)
    previous_hash: str
    hash: str
