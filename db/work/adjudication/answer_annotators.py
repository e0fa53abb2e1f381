"""Answers of adjudicators to annotators: to a flag, to a contest by deciding it, to a reply in a thread.

An answer goes to the annotator who asked, and may be marked as a ruling: a rule that the guideline should
state.
"""

from collections.abc import Sequence
from typing import Any

from sqlmodel import Session

from clinicnum.db.rows import AnnotationRow, AssignmentRow, ContestRow
from clinicnum.db.work.adjudication.adjudicate import clean_comment, lock_item
from clinicnum.db.work.adjudication.adjudication_item import flag_key, flagged_items
from clinicnum.db.work.adjudication.item_message_threads import ItemThread, threads_on
from clinicnum.db.work.audit.audit_log import append
from clinicnum.db.work.common.load_work_item import judgement_of
from clinicnum.db.work.common.message_threads import Kind, messages_told, post_message
from clinicnum.errors import Conflict, InputError
from clinicnum.translatable_text import Translatable

NO_COMMENT = Translatable("An answer to a flag needs a comment: what was found, and what follows from it.")
NO_TEXT = Translatable("An answer needs a text: what was found, and what follows from it.")
FLAG_GONE = Translatable("This flag was changed or answered in the meantime; look at the item again.")
NEWER = Translatable("This thread has a newer message than your page shows; look at it again.")
NONE_WAITS = Translatable("No reply waits in this thread; go on.")


def answer_flag(
    session: Session,
    *,
    user_id: str,
    study_id: str,
    item: str,
    flag: str,
    comment: str,
    ruling: bool = False,
) -> None:
    """Remove an annotator's flag from an item and answer it by `comment`, which the annotator gets.

    With `ruling` the answer also goes into the log of rulings, from which the next guideline is made. The
    audit log stores the answer together with the flag's note. Raises InputError for an empty or too long
    comment, NotAllowed as `lock_item` does, Conflict if the flag was removed or its note has changed.
    """
    said = reasoned(comment, NO_COMMENT)
    generation = lock_item(session, user_id=user_id, study_id=study_id, item=item).generation
    row = next((one for one in flagged_items(session, study_id, generation) if flag_key(one) == flag), None)
    if row is None:
        raise Conflict(FLAG_GONE)
    before, row.flag = row.flag, None
    session.flush()
    posted = post_message(
        session, row, author=user_id, kind="answer", text=said, ruling=ruling, question=before or ""
    )
    append(
        session,
        study_id=study_id,
        actor=user_id,
        action="answer_flag",
        before={"assignment_id": row.id, "flag": before},
        after={"assignment_id": row.id, "flag": None, "comment": said, **messages_told([posted])},
    )


def answer_contests(
    session: Session, contests: Sequence[ContestRow], *, author: str, text: str, ruling: bool
) -> dict[str, Any]:
    """Send the reason for a decision to everyone whose contest it closes; return its part of the audit row.

    A ruling is marked only once, however many contested.
    """
    posted = []
    for number, contest in enumerate(contests):
        owner = session.get_one(AssignmentRow, contest.assignment_id)
        rationale = judgement_of(session.get_one(AnnotationRow, contest.annotation_id)).rationale
        posted.append(
            post_message(
                session,
                owner,
                author=author,
                kind="answer",
                text=text,
                ruling=ruling and number == 0,
                question=(rationale or "").strip(),
                contest=contest.annotation_id,
            )
        )
    return messages_told(posted)


def answer_thread(
    session: Session,
    *,
    user_id: str,
    study_id: str,
    item: str,
    thread: str,
    comment: str,
    ruling: bool = False,
) -> None:
    """Answer in a thread, after a reply or to add to an answer.

    Raises InputError for an empty or too long comment, NotAllowed as `lock_item` does, Conflict if the thread
    is unknown or has a newer message.
    """
    said = reasoned(comment, NO_TEXT)
    found = _locked_thread(session, user_id, study_id, item, thread)
    asked = found.thread.messages[-1].text if found.thread.waits else ""
    _post(session, found, user_id, "answer", said, ruling=ruling, question=asked)


def settle_thread(session: Session, *, user_id: str, study_id: str, item: str, thread: str) -> None:
    """Mark a reply as needing no answer, so it leaves the queue; its annotator is not told.

    Raises Conflict if the thread is unknown or has a newer message, NotAllowed as `lock_item` does,
    InputError if no reply waits in it.
    """
    found = _locked_thread(session, user_id, study_id, item, thread)
    if not found.thread.waits:
        raise InputError(NONE_WAITS)
    _post(session, found, user_id, "settled", "", ruling=False, question="")


def reasoned(comment: str, lacking: str) -> str:
    """The comment, cleaned. Raises InputError with the text `lacking` if it is empty, and as `clean_comment`
    does.
    """
    said = clean_comment(comment)
    if said is None:
        raise InputError(lacking)
    return said


def _locked_thread(session: Session, user_id: str, study_id: str, item: str, thread: str) -> ItemThread:
    generation = lock_item(session, user_id=user_id, study_id=study_id, item=item).generation
    found = next((one for one in threads_on(session, study_id, generation) if one.key == thread), None)
    if found is None:
        raise Conflict(NEWER)
    return found


def _post(
    session: Session, found: ItemThread, user_id: str, kind: Kind, text: str, *, ruling: bool, question: str
) -> None:
    owner = session.get_one(AssignmentRow, found.thread.assignment_id)
    row = post_message(session, owner, author=user_id, kind=kind, text=text, ruling=ruling, question=question)
    about = {"assignment_id": owner.id, "kind": kind, **messages_told([row])}
    append(session, study_id=owner.study_id, actor=user_id, action="post_message", after=about)
