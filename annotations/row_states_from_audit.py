"""The state that single rows must have according to the audit log: assignments, revisions, contests,
decisions, invalidations.
"""

from dataclasses import dataclass
from typing import Any


@dataclass(slots=True)
class AssignmentState:
    """An assignment according to the log."""

    status: str | None = None
    """None while in progress or released: the log records neither."""
    revision: int = 0
    skip_reason: str | None = None
    flag: str | None = None


@dataclass(slots=True)
class AnnotationState:
    """One saved revision of an annotation according to the log."""

    assignment: str
    revision: int
    submitted: bool
    item_judgement: str | None
    judgement: str
    """Hash of the judgement that the annotator made."""
    payload: str | None
    """Hash of everything that was stored; None if no log row gives it."""
    seq: int
    """Sequence number of the log row that recorded it."""


@dataclass(slots=True)
class ContestState:
    """A contest of a gold answer according to the log."""

    assignment: str
    kind: str
    proposed_gold: str | None
    status: str = "open"
    decided_by: str | None = None
    decision: dict[str, Any] | None = None


@dataclass(slots=True)
class AdjudicationState:
    """An adjudicator's decision according to the log."""

    generation: str
    user_id: str
    payload: dict[str, Any]
    cites: frozenset[str]


@dataclass(slots=True)
class InvalidationState:
    """An invalidated instance according to the log."""

    contest: str
    told: str | None
    """Hash of rule and reason; None if no log row gives it."""
