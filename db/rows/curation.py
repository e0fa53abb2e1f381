"""Curation: drafts and their sources, reviews, releases, and the health of templates.

Versions of templates are in `template`. A draft is a working copy that may still be wrong; sent to review it
becomes a version, and a round of review holds just what its experts were shown.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKeyConstraint, Index, UniqueConstraint
from sqlmodel import Field

from clinicnum.db.rows.base import JsonText, Row, UtcDateTime, one_of

DRAFT_STATUSES = ("open", "submitted", "discarded")
ROUND_STATUSES = ("open", "accepted", "returned")
REVIEW_STATUSES = ("invited", "submitted", "withdrawn")
SOURCE_KINDS = ("failure", "contest", "cluster")


class DraftRow(Row, table=True):
    """A template being written, as its form or YAML was last saved, sound or not."""

    __tablename__ = "draft"
    __table_args__ = (
        one_of("status", DRAFT_STATUSES),
        ForeignKeyConstraint(["template_id", "version"], ["template.template_id", "template.version"]),
        ForeignKeyConstraint(["base_id", "base_version"], ["template.template_id", "template.version"]),
        Index(None, "status", "changed_at"),
    )
    id: str = Field(primary_key=True)
    author: str = Field(foreign_key="user.id")
    """Who began it; neither they nor `edited_by` review it."""
    content: dict[str, Any] = Field(sa_type=JsonText)
    """What the YAML would say, with whatever is missing or wrong."""
    revision: int = 1
    """Counts the saves: one that was made on an older revision is refused and told."""
    edited_by: list[str] = Field(sa_type=JsonText)
    """Everyone who saved it (user ids), in the order they first did."""
    changed_by: str = Field(foreign_key="user.id")
    """Who saved it last: whoever saves on an older revision is told."""
    base_id: str | None = None
    base_version: int | None = None
    """The version that it puts right; null for a new template."""
    note: str = Field(default="", sa_type=JsonText)
    """What it is for: the failure that it should provoke."""
    provokes: str | None = None
    """Taxonomy code of that failure."""
    status: str = "open"
    template_id: str | None = None
    version: int | None = None
    """What it was sent to review as."""
    created_at: datetime = Field(sa_type=UtcDateTime)
    changed_at: datetime = Field(sa_type=UtcDateTime)


class DraftSourceRow(Row, table=True):
    """A generation whose failure or contest a draft was made from; indexed from both sides."""

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
    """One round of review of one version: what its experts are shown, and its outcome."""

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
    """From 1."""
    payload: dict[str, Any] = Field(sa_type=JsonText)
    """The template as it was then."""
    sha256: str
    """Of the payload's JSON: what the ratings are about."""
    opened_by: str = Field(foreign_key="user.id")
    opened_at: datetime = Field(sa_type=UtcDateTime)
    status: str = "open"
    closed_by: str | None = Field(default=None, foreign_key="user.id")
    closed_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    outcome: dict[str, Any] | None = Field(default=None, sa_type=JsonText)
    """Indices, checks and verdict as they were when it closed."""


class ReviewRow(Row, table=True):
    """One expert's part in a round."""

    __tablename__ = "review"
    __table_args__ = (one_of("status", REVIEW_STATUSES), Index(None, "user_id", "status"))
    round_id: str = Field(primary_key=True, foreign_key="review_round.id")
    user_id: str = Field(primary_key=True, foreign_key="user.id")
    mark: str
    """Random: order, keys of comments and seeds come from it, as an id tells the name that it is made of."""
    status: str = "invited"
    """Who was `withdrawn` counts for nothing and is not invited again."""
    cases: list[dict[str, Any]] = Field(sa_type=JsonText)
    """The instances to be worked without their golds, as they are (golds included)."""
    draft: dict[str, Any] | None = Field(default=None, sa_type=JsonText)
    payload: dict[str, Any] | None = Field(default=None, sa_type=JsonText)
    """Ratings, answers and which of them match; null until submitted."""
    submitted_at: datetime | None = Field(default=None, sa_type=UtcDateTime)


class ReviewCommentRow(Row, table=True):
    """A remark of one expert, and how it was addressed."""

    __tablename__ = "review_comment"
    __table_args__ = (ForeignKeyConstraint(["round_id", "user_id"], ["review.round_id", "review.user_id"]),)
    round_id: str = Field(primary_key=True)
    user_id: str = Field(primary_key=True)
    number: int = Field(primary_key=True)
    """From 1, among the expert's own."""
    about: str
    """`clarity`, `relevance`, `answerability`, or the number of a worked instance."""
    text: str = Field(sa_type=JsonText)
    reply: str | None = Field(default=None, sa_type=JsonText)
    """How it was addressed; null while it is open."""
    replied_by: str | None = Field(default=None, foreign_key="user.id")
    replied_at: datetime | None = Field(default=None, sa_type=UtcDateTime)


class ReleaseRow(Row, table=True):
    """A published bank: immutable."""

    __tablename__ = "release"
    name: str = Field(primary_key=True)
    sha256: str
    """Of the release's files, as its manifest says."""
    manifest: dict[str, Any] = Field(sa_type=JsonText)
    files: dict[str, str] = Field(sa_type=JsonText)
    """Every file of it, byte for byte: a later version of this program might write them otherwise."""
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
    """Figures on a version from runs and contests, computed when something changes, so that the bank
    opens fast.
    """

    __tablename__ = "template_health"
    __table_args__ = (
        ForeignKeyConstraint(["template_id", "version"], ["template.template_id", "template.version"]),
    )
    template_id: str = Field(primary_key=True)
    version: int = Field(primary_key=True)
    payload: dict[str, Any] = Field(sa_type=JsonText)
    basis: str
    """Marks what it was counted from: another mark, and it is counted anew."""
