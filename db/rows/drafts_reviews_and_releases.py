"""Curation of the bank: tables of drafts and their sources, reviews, releases, and the health of templates.

Versions of templates, and of items made for imported benchmarks, are in the table `template`. A draft is a
working copy that may still contain errors; submitting it for review makes it a version. A review round stores
exactly what its experts were shown.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKeyConstraint, Index, UniqueConstraint
from sqlmodel import Field

from clinicnum.db.rows.base import JsonText, Row, UtcDateTime, one_of
from clinicnum.db.rows.benchmarks_and_runs import VERSION_KINDS

DRAFT_STATUSES = ("open", "submitted", "discarded")
ROUND_STATUSES = ("open", "accepted", "returned")
REVIEW_STATUSES = ("invited", "submitted", "withdrawn")
SOURCE_KINDS = ("failure", "contest", "cluster")


class DraftRow(Row, table=True):
    """A template or an item being written, as its form or YAML was last saved, valid or not."""

    __tablename__ = "draft"
    __table_args__ = (
        one_of("status", DRAFT_STATUSES),
        one_of("kind", VERSION_KINDS),
        ForeignKeyConstraint(["template_id", "version"], ["template.template_id", "template.version"]),
        ForeignKeyConstraint(["base_id", "base_version"], ["template.template_id", "template.version"]),
        Index(None, "status", "changed_at"),
    )
    id: str = Field(primary_key=True)
    author: str = Field(foreign_key="user.id")
    """Who started it; neither the author nor anyone in `edited_by` may review it."""
    content: dict[str, Any] = Field(sa_type=JsonText)
    """The content of the template's YAML, or of an item's form; may be incomplete or wrong."""
    revision: int = 1
    """Number of the latest save; a save based on an older revision is refused."""
    edited_by: list[str] = Field(sa_type=JsonText)
    """User ids of everyone who saved it, in the order of their first save."""
    changed_by: str = Field(foreign_key="user.id")
    """Who saved it last; named to anyone whose save is based on an older revision."""
    base_id: str | None = None
    base_version: int | None = None
    """The version that it corrects; null for a new template."""
    note: str = Field(default="", sa_type=JsonText)
    """Its purpose: the failure that it should provoke."""
    provokes: str | None = None
    """Taxonomy code of that failure."""
    kind: str = "template"
    status: str = "open"
    template_id: str | None = None
    version: int | None = None
    """The version as which it was submitted for review."""
    created_at: datetime = Field(sa_type=UtcDateTime)
    changed_at: datetime = Field(sa_type=UtcDateTime)


class DraftSourceRow(Row, table=True):
    """A generation whose failure or contest a draft was made from; indexed by draft and by generation."""

    __tablename__ = "draft_source"
    __table_args__ = (
        one_of("kind", SOURCE_KINDS),
        ForeignKeyConstraint(["study_id", "generation"], ["study_score.study_id", "study_score.generation"]),
        Index(None, "study_id", "generation"),
    )
    draft: str = Field(primary_key=True, foreign_key="draft.id")
    study_id: str = Field(primary_key=True)
    generation: str = Field(primary_key=True)
    kind: str
    contest: str | None = Field(default=None, foreign_key="contest.annotation_id")


class ReviewRoundRow(Row, table=True):
    """One review round of one version: what its experts are shown, and its outcome."""

    __tablename__ = "review_round"
    __table_args__ = (
        one_of("status", ROUND_STATUSES),
        UniqueConstraint("template_id", "version", "number"),
        ForeignKeyConstraint(["template_id", "version"], ["template.template_id", "template.version"]),
        Index(None, "status"),
    )
    id: str = Field(primary_key=True)
    template_id: str
    version: int
    number: int
    """Counted from 1 within the version."""
    payload: dict[str, Any] = Field(sa_type=JsonText)
    """The template or item as it was when the round opened."""
    sha256: str
    """Hash of the payload's JSON, which identifies what was rated."""
    opened_by: str = Field(foreign_key="user.id")
    opened_at: datetime = Field(sa_type=UtcDateTime)
    status: str = "open"
    closed_by: str | None = Field(default=None, foreign_key="user.id")
    closed_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    outcome: dict[str, Any] | None = Field(default=None, sa_type=JsonText)
    """Content validity indices, checks and verdict at the time the round was closed."""


class ReviewRow(Row, table=True):
    """One expert's review in a round."""

    __tablename__ = "review"
    __table_args__ = (one_of("status", REVIEW_STATUSES), Index(None, "user_id", "status"))
    round_id: str = Field(primary_key=True, foreign_key="review_round.id")
    user_id: str = Field(primary_key=True, foreign_key="user.id")
    mark: str
    """Random id from which order, comment keys and seeds are derived, as a user id would reveal the account
    name.
    """
    status: str = "invited"
    """A `withdrawn` review does not count, and its expert is not invited again."""
    cases: list[dict[str, Any]] = Field(sa_type=JsonText)
    """Instances that the expert is to solve, stored with golds, which the expert does not see."""
    draft: dict[str, Any] | None = Field(default=None, sa_type=JsonText)
    payload: dict[str, Any] | None = Field(default=None, sa_type=JsonText)
    """Ratings, answers, and which answers match the gold; null until submitted."""
    submitted_at: datetime | None = Field(default=None, sa_type=UtcDateTime)


class ReviewCommentRow(Row, table=True):
    """A comment of one expert, and how it was addressed."""

    __tablename__ = "review_comment"
    __table_args__ = (ForeignKeyConstraint(["round_id", "user_id"], ["review.round_id", "review.user_id"]),)
    round_id: str = Field(primary_key=True)
    user_id: str = Field(primary_key=True)
    number: int = Field(primary_key=True)
    """Counted from 1 among the comments of this expert."""
    about: str
    """`clarity`, `relevance`, `answerability`, or the number of a worked instance."""
    text: str = Field(sa_type=JsonText)
    reply: str | None = Field(default=None, sa_type=JsonText)
    """How it was addressed; null while unanswered."""
    replied_by: str | None = Field(default=None, foreign_key="user.id")
    replied_at: datetime | None = Field(default=None, sa_type=UtcDateTime)


class ReleaseRow(Row, table=True):
    """A published release of the bank: immutable."""

    __tablename__ = "release"
    name: str = Field(primary_key=True)
    sha256: str
    """Hash of the release's files, as given in its manifest."""
    manifest: dict[str, Any] = Field(sa_type=JsonText)
    files: dict[str, str] = Field(sa_type=JsonText)
    """All its files byte for byte, as a later version of this program might write them differently."""
    created_by: str
    """A user id, or `command line`."""
    created_at: datetime = Field(sa_type=UtcDateTime)


class ReleaseTemplateRow(Row, table=True):
    """A template version included in a release."""

    __tablename__ = "release_template"
    __table_args__ = (
        ForeignKeyConstraint(["template_id", "version"], ["template.template_id", "template.version"]),
    )
    release: str = Field(primary_key=True, foreign_key="release.name")
    template_id: str = Field(primary_key=True)
    version: int


class TemplateHealthRow(Row, table=True):
    """Statistics of a template version from runs and contests, cached for the bank page."""

    __tablename__ = "template_health"
    __table_args__ = (
        ForeignKeyConstraint(["template_id", "version"], ["template.template_id", "template.version"]),
    )
    template_id: str = Field(primary_key=True)
    version: int = Field(primary_key=True)
    payload: dict[str, Any] = Field(sa_type=JsonText)
    basis: str
    """Health mark of the data behind the figures; if it differs from the current mark, they are recomputed.
    """
