"""Conversation about items: messages between an annotator and the adjudicators, what was read, and rulings.

All three tables are append-only: triggers on both databases refuse updates and deletions.
"""

from datetime import datetime

from sqlalchemy import ForeignKeyConstraint, Index, UniqueConstraint
from sqlmodel import Field

from clinicnum.db.rows.base import JsonText, Row, UtcDateTime, one_of

MESSAGE_KINDS = ("answer", "reply", "settled")
"""Adjudicator's answer, annotator's reply, and `settled` (no text): the reply needs no answer."""


class MessageRow(Row, table=True):
    """One message of the thread between an assignment's annotator and the adjudicators."""

    __tablename__ = "message"
    __table_args__ = (
        one_of("kind", MESSAGE_KINDS),
        UniqueConstraint("assignment_id", "number"),
        Index(None, "annotator", "kind"),
        Index(None, "study_id", "generation"),
        ForeignKeyConstraint(["study_id", "generation"], ["study_item.study_id", "study_item.generation"]),
    )
    id: str = Field(primary_key=True)
    assignment_id: str = Field(foreign_key="assignment.id")
    number: int
    """Place in the thread, from 1."""
    study_id: str
    generation: str
    annotator: str = Field(foreign_key="user.id")
    """The annotator whose thread it is, whoever wrote the message."""
    author: str = Field(foreign_key="user.id")
    kind: str
    ruling: bool
    """Whether an answer is a general rule to add to the guideline."""
    question: str = Field(sa_type=JsonText)
    """For an answer: the annotator's text being answered, as of then; empty if it answers none."""
    contest: str | None = Field(default=None, foreign_key="contest.annotation_id")
    """The contest that an answer decided."""
    text: str = Field(sa_type=JsonText)
    created_at: datetime = Field(sa_type=UtcDateTime)


class MessageReadRow(Row, table=True):
    """An adjudicator's answer in a thread that its annotator has read, and when."""

    __tablename__ = "message_read"
    user_id: str = Field(primary_key=True, foreign_key="user.id")
    message_id: str = Field(primary_key=True, foreign_key="message.id")
    read_at: datetime = Field(sa_type=UtcDateTime)


class GuidelineRulingRow(Row, table=True):
    """A ruling that a version of the guideline was made with."""

    __tablename__ = "guideline_ruling"
    __table_args__ = (
        ForeignKeyConstraint(["study_id", "version"], ["guideline.study_id", "guideline.version"]),
    )
    study_id: str = Field(primary_key=True)
    version: int = Field(primary_key=True)
    message_id: str = Field(primary_key=True, foreign_key="message.id")
