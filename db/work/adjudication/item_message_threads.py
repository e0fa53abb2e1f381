"""The threads of an item as an adjudicator may see them: all of them, without the annotators' accounts."""

from sqlmodel import Session, col

from clinicnum.db.rows import MessageRow, StudyAnnotatorRow
from clinicnum.db.work.common.message_threads import Thread, load_threads
from clinicnum.io.jsonl import content_id
from clinicnum.types import Frozen


class ItemThread(Frozen):
    """One annotator's thread about an item."""

    key: str
    """Identifies the thread, as it stands now, in requests to the server; reveals no annotator's name."""
    thread: Thread
    pseudonym: str | None
    """The annotator's pseudonym; None while models are masked, when annotators cannot be told apart."""


def threads_on(
    session: Session, study_id: str, generation: str, *, named: bool = False
) -> tuple[ItemThread, ...]:
    """All threads about an item, in the order in which they began; `named` adds the pseudonyms."""
    found = load_threads(
        session, col(MessageRow.study_id) == study_id, col(MessageRow.generation) == generation
    )
    return tuple(
        ItemThread(
            key=content_id(["thread", one.assignment_id, len(one.messages)]),
            thread=one,
            pseudonym=session.get_one(StudyAnnotatorRow, (study_id, one.annotator)).pseudonym
            if named
            else None,
        )
        for one in found
    )
