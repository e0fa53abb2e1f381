"""Compare messages, what was read of them, and rulings in guideline versions with the audit log."""

from collections.abc import Iterator
from datetime import UTC

from sqlalchemy import select
from sqlmodel import Session, col

from clinicnum.annotations.state_from_audit_log import StudyState
from clinicnum.db.rows import GuidelineRulingRow, MessageReadRow, MessageRow
from clinicnum.io.jsonl import sha256_json


def message_hash(row: MessageRow) -> str:
    """A hash of everything that is stored of a message."""
    at = row.created_at.astimezone(UTC).isoformat()
    return sha256_json({**row.model_dump(exclude={"created_at"}), "created_at": at})


def compare_messages(session: Session, chain: str, state: StudyState) -> Iterator[tuple[str, str, str]]:
    """(table, key, difference in words) where a study's messages, what was read of them, or the rulings in
    its guidelines differ from `state`, the state to which the log leads.
    """
    left = dict(state.messages)
    for row in session.scalars(select(MessageRow).where(col(MessageRow.study_id) == chain)):
        told = left.pop(row.id, None)
        if told is None:
            yield "message", row.id, "is in the table, though the log does not tell of it"
        elif told != message_hash(row):
            yield "message", row.id, "is not the message that the log tells of"
    for key in left:
        yield "message", key, "is not in the table, though the log tells of it"
    reads = (
        select(col(MessageReadRow.message_id))
        .join(MessageRow, col(MessageRow.id) == col(MessageReadRow.message_id))
        .where(col(MessageRow.study_id) == chain)
    )
    yield from _apart("message_read", set(session.scalars(reads)), state.read)
    chosen = select(GuidelineRulingRow).where(col(GuidelineRulingRow.study_id) == chain)
    held = {(str(row.version), row.message_id) for row in session.scalars(chosen)}
    yield from _apart(
        "guideline_ruling", {" ".join(one) for one in held}, {" ".join(one) for one in state.rulings}
    )


def _apart(table: str, held: set[str], logged: set[str]) -> Iterator[tuple[str, str, str]]:
    for key in sorted(held - logged):
        yield table, key, "is in the table, though the log does not tell of it"
    for key in sorted(logged - held):
        yield table, key, "is not in the table, though the log tells of it"
