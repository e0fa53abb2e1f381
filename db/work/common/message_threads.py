"""The threads between annotators and adjudicators: post a message, load threads.

A thread belongs to one assignment, so to one annotator and one item: no other annotator has a part in it.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, Literal, Protocol

from sqlalchemy import ColumnElement, func, select
from sqlmodel import Session, col

from clinicnum.db.rows import ContestRow, MessageRow
from clinicnum.db.work.audit.compare_messages_with_log import message_hash
from clinicnum.db.work.common.monotonic_clock import after_all
from clinicnum.io.jsonl import content_id
from clinicnum.types import Frozen

Kind = Literal["answer", "reply", "settled"]


class ThreadOwner(Protocol):
    """The assignment that a thread belongs to."""

    @property
    def id(self) -> str: ...
    @property
    def study_id(self) -> str: ...
    @property
    def generation(self) -> str: ...
    @property
    def user_id(self) -> str: ...


class Message(Frozen):
    """One message of a thread."""

    message_id: str
    kind: Kind
    author: str
    """The account, which is never sent to a page."""
    ruling: bool
    question: str
    """Of an answer: the annotator's words that it answers."""
    claim: str | None
    """The kind of the contest that an answer decided; None if it answers something else."""
    proposed_gold: str | None
    """What that contest proposed."""
    outcome: str | None
    """What became of that contest: `upheld` or `rejected`."""
    text: str
    at: datetime


class Thread(Frozen):
    """The messages about one annotator's item, in order."""

    assignment_id: str
    annotator: str
    """The annotator's account, which is never sent to a page."""
    messages: tuple[Message, ...]

    @property
    def waits(self) -> bool:
        """Whether the annotator's last word has no answer yet."""
        return self.messages[-1].kind == "reply"


def post_message(
    session: Session,
    owner: ThreadOwner,
    *,
    author: str,
    kind: Kind,
    text: str,
    ruling: bool = False,
    question: str = "",
    contest: str | None = None,
) -> MessageRow:
    """Append a message to a thread; the caller holds the study's lock and logs `messages_told`."""
    own = col(MessageRow.assignment_id) == owner.id
    number = (session.scalar(select(func.max(col(MessageRow.number))).where(own)) or 0) + 1
    row = MessageRow(
        id=content_id(["message", owner.id, number]),
        assignment_id=owner.id,
        number=number,
        study_id=owner.study_id,
        generation=owner.generation,
        annotator=owner.user_id,
        author=author,
        kind=kind,
        ruling=ruling,
        question=question,
        contest=contest,
        text=text,
        created_at=after_all(session, col(MessageRow.created_at), col(MessageRow.study_id) == owner.study_id),
    )
    session.add(row)
    session.flush()
    return row


def messages_told(rows: Iterable[MessageRow]) -> dict[str, Any]:
    """The entry of an audit row by which stored messages can be checked later: the hash of each message by
    its id.
    """
    return {"messages": {row.id: message_hash(row) for row in rows}}


def load_threads(session: Session, *where: ColumnElement[bool]) -> tuple[Thread, ...]:
    """The threads of the messages that meet the conditions, in the order in which they began."""
    statement = (
        select(MessageRow, ContestRow)
        .outerjoin(ContestRow, col(ContestRow.annotation_id) == col(MessageRow.contest))
        .where(*where)
        .order_by(col(MessageRow.created_at), col(MessageRow.number))
    )
    found: dict[str, list[Message]] = {}
    annotators: dict[str, str] = {}
    for row, contest in session.execute(statement):
        annotators[row.assignment_id] = row.annotator
        found.setdefault(row.assignment_id, []).append(_message(row, contest))
    return tuple(
        Thread(assignment_id=key, annotator=annotators[key], messages=tuple(messages))
        for key, messages in found.items()
    )


def _message(row: MessageRow, contest: ContestRow | None) -> Message:
    return Message(
        message_id=row.id,
        kind=row.kind,
        author=row.author,
        ruling=row.ruling,
        question=row.question,
        claim=None if contest is None else contest.kind,
        proposed_gold=None if contest is None else contest.proposed_gold,
        outcome=None if contest is None else contest.status,
        text=row.text,
        at=row.created_at,
    )
