"""An annotator's own threads with the adjudicators: unread answers, reading, replying.

An answer is kept back until the annotator has submitted the item, or the study is closed: before that it
could tell the gold. Reading one is stored in the transaction that hands it out, since what the annotator
judges of the question from then on is not blind any more (`Annotation.answer_read`).
"""

from dataclasses import dataclass

from sqlalchemy import ColumnElement, exists, func, or_, select
from sqlmodel import Session, col

from clinicnum.annotations.adjudication import LONGEST_COMMENT
from clinicnum.db.rows import (
    AssignmentRow,
    GenerationRow,
    InstanceRow,
    MessageReadRow,
    MessageRow,
    StudyRow,
    utc_now,
)
from clinicnum.db.work.annotation.append_revision import own_assignment
from clinicnum.db.work.annotation.locked_assignment import lock_assignment
from clinicnum.db.work.audit.audit_log import append
from clinicnum.db.work.common.message_threads import Thread, load_threads, messages_told, post_message
from clinicnum.db.work.studies.study_lifecycle import lock_study
from clinicnum.errors import InputError
from clinicnum.translatable_text import Translatable

REPLY_LENGTH = Translatable("A reply needs a text of 1 to {most} characters; got {n}.")
NOTHING_READ = Translatable("There is no answer here that you have read; flag the item to ask something.")
MOST_THREADS = 20
"""Most threads read at once; the others come with the next request."""


@dataclass(frozen=True)
class UnreadAnswers:
    """How many answers an annotator may read and has not read."""

    n: int
    study_id: str | None
    """A study that has one of them; None if there is none."""
    kept_back: int
    """Number of further answers, on items that the annotator has not submitted yet."""


@dataclass(frozen=True)
class OwnThread:
    """One of the annotator's threads, with the item that it is about."""

    thread: Thread
    study: str
    question: str
    """What the item asks."""
    open: bool
    """Whether its study is open, so that the annotator may reply."""


def unread_answers(session: Session, *, user_id: str, study_id: str | None = None) -> UnreadAnswers:
    """The answers that the annotator may read now and has not, in one study or in all."""
    study = col(MessageRow.study_id)
    statement = (
        select(func.count().filter(readable()), func.max(study).filter(readable()), func.count())
        .select_from(MessageRow)
        .join(AssignmentRow, col(AssignmentRow.id) == col(MessageRow.assignment_id))
        .join(StudyRow, col(StudyRow.id) == col(MessageRow.study_id))
        .where(*_own_unread(user_id))
    )
    if study_id is not None:
        statement = statement.where(study == study_id)
    n, whose, unread = session.execute(statement).one()
    return UnreadAnswers(n, whose, unread - n)


def read_threads(
    session: Session, *, user_id: str, assignment_id: str | None = None
) -> tuple[OwnThread, ...]:
    """The annotator's threads with at least one message to read, the unread and then the newest first, at
    most `MOST_THREADS`; their answers count as read from now on.

    With `assignment_id` the thread of that item alone. Raises NotAllowed for another annotator's.
    """
    if assignment_id is not None:
        own_assignment(session, user_id=user_id, assignment_id=assignment_id)
    unread = func.count().filter(~_read(user_id), col(MessageRow.kind) == "answer")
    statement = (
        select(col(MessageRow.assignment_id), col(StudyRow.id), unread)
        .join(AssignmentRow, col(AssignmentRow.id) == col(MessageRow.assignment_id))
        .join(StudyRow, col(StudyRow.id) == col(MessageRow.study_id))
        .where(col(MessageRow.annotator) == user_id, readable())
        .group_by(col(MessageRow.assignment_id), col(StudyRow.id))
        .order_by((unread > 0).desc(), func.max(col(MessageRow.created_at)).desc())
        .limit(MOST_THREADS)
    )
    if assignment_id is not None:
        statement = statement.where(col(MessageRow.assignment_id) == assignment_id)
    found = {key: (study_id, n) for key, study_id, n in session.execute(statement)}
    for study_id in sorted({study_id for study_id, n in found.values() if n}):
        _mark_read(session, user_id, study_id, [key for key, one in found.items() if one[0] == study_id])
    about = _items(session, list(found))
    threads = {
        one.assignment_id: one
        for one in load_threads(session, col(MessageRow.assignment_id).in_(list(found)), _to_annotator())
    }
    return tuple(OwnThread(threads[key], *about[key]) for key in found)


def reply(session: Session, *, user_id: str, assignment_id: str, text: str) -> None:
    """Reply in a thread of one's own that has an answer; an adjudicator finds it in the queue.

    Raises InputError for an empty or too long text and for a thread without an answer that may be read,
    NotAllowed for another's item, Conflict in a study that is paused or closed.
    """
    said = text.strip()
    if not 1 <= len(said) <= LONGEST_COMMENT:
        raise InputError(Translatable(REPLY_LENGTH, most=LONGEST_COMMENT, n=len(said)))
    held = lock_assignment(session, user_id=user_id, assignment_id=assignment_id)
    answers = select(
        exists().where(
            col(MessageRow.assignment_id) == assignment_id,
            col(MessageRow.kind) == "answer",
            _read(user_id),
        )
    )
    if not session.scalar(answers):
        raise InputError(NOTHING_READ)
    last = load_threads(session, col(MessageRow.assignment_id) == assignment_id)[0].messages[-1]
    if (last.author, last.text) == (user_id, said):
        return  # sent again after a lost response
    row = post_message(session, held.assignment, author=user_id, kind="reply", text=said)
    about = {"assignment_id": assignment_id, "kind": "reply", **messages_told([row])}
    append(session, study_id=row.study_id, actor=user_id, action="post_message", after=about)


def readable() -> ColumnElement[bool]:
    """SQL condition on assignment and study: submitted or closed, so reading cannot break blinding."""
    return or_(col(AssignmentRow.status) == "submitted", col(StudyRow.status) == "closed")


def _own_unread(user_id: str) -> tuple[ColumnElement[bool], ...]:
    own = col(MessageRow.annotator) == user_id
    return own, col(MessageRow.kind) == "answer", ~_read(user_id)


def _to_annotator() -> ColumnElement[bool]:
    return col(MessageRow.kind) != "settled"


def _read(user_id: str) -> ColumnElement[bool]:
    return exists().where(
        col(MessageReadRow.user_id) == user_id, col(MessageReadRow.message_id) == col(MessageRow.id)
    )


def _mark_read(session: Session, user_id: str, study_id: str, assignments: list[str]) -> None:
    lock_study(session, study_id)  # two pages of one annotator may read at once
    statement = select(col(MessageRow.id)).where(
        *_own_unread(user_id), col(MessageRow.assignment_id).in_(assignments)
    )
    ids = sorted(session.scalars(statement))
    if not ids:
        return
    now = utc_now()
    session.add_all(MessageReadRow(user_id=user_id, message_id=key, read_at=now) for key in ids)
    session.flush()
    append(session, study_id=study_id, actor=user_id, action="read_answers", after={"read": ids})


def _items(session: Session, assignments: list[str]) -> dict[str, tuple[str, str, bool]]:
    """Study name, question, and whether the study is open, by assignment."""
    statement = (
        select(col(AssignmentRow.id), col(StudyRow.name), col(InstanceRow.payload), col(StudyRow.status))
        .join(StudyRow, col(StudyRow.id) == col(AssignmentRow.study_id))
        .join(GenerationRow, col(GenerationRow.id) == col(AssignmentRow.generation))
        .join(InstanceRow, col(InstanceRow.id) == col(GenerationRow.instance))
        .where(col(AssignmentRow.id).in_(assignments))
    )
    return {
        key: (study, payload["question"], status == "open")
        for key, study, payload, status in session.execute(statement)
    }
