"""An annotator's requests: next item, draft, blind judgement, submit, skip, flag, previous item.

Every change but a flag names the assignment and the revision it is based on; a stale revision is a Conflict,
someone else's assignment is NotAllowed. The same save or submit sent again changes nothing and returns the
item. Every judgement, skip and flag writes an audit row in the same commit; drafts do not.
"""

from typing import Any

from sqlalchemy import case
from sqlmodel import Session, col, select

from clinicnum.annotations.judgement import Judgement
from clinicnum.annotations.judgement_check import check_locked, check_whole
from clinicnum.annotations.read_stored_judgements import own_fields
from clinicnum.annotations.work_item import AssignmentStatus, Workitem
from clinicnum.db.rows import AssignmentRow, StudyRow
from clinicnum.db.work.annotation.append_revision import (
    append_revision,
    check_revision,
    is_repeat,
    own_assignment,
)
from clinicnum.db.work.annotation.contests_from_judgements import follow_judgement
from clinicnum.db.work.annotation.judgement_kind_check import as_asked
from clinicnum.db.work.annotation.locked_assignment import (
    EditableAssignment,
    LockedAssignment,
    SavedRevision,
    add_to_counts,
    lock_assignment,
    write_assignment,
)
from clinicnum.db.work.annotation.next_assignment import (
    claim_next,
    give_place_back,
    open_assignment,
    renewed,
    take_again,
)
from clinicnum.db.work.annotation.reference_contradictions import check_proposed_gold
from clinicnum.db.work.audit.audit_log import append
from clinicnum.db.work.common.adjudication_need import settle_item
from clinicnum.db.work.common.chosen_study_and_tour import chosen_study
from clinicnum.db.work.common.load_work_item import load_workitem
from clinicnum.db.work.studies.study_lifecycle import design_of
from clinicnum.errors import Conflict, InputError
from clinicnum.io.jsonl import sha256_json
from clinicnum.translatable_text import Translatable

LONGEST_REASON = 500
NOT_LOCKED = Translatable(
    "Nothing was saved: no judgement of this item is locked, and it is locked before the gold answer is "
    "shown. Judge the response, lock it, then submit."
)
HOLDING = ("open", "submitted")
"""Statuses of an assignment that occupies a place on its item."""


def current_assignment(session: Session, *, user_id: str, study_id: str | None = None) -> Workitem | None:
    """The annotator's item in progress; None if there is none and `next_assignment` must claim one."""
    found = open_assignment(session, user_id=user_id, study_id=study_id)
    return None if found is None else load_workitem(session, found)


def next_assignment(session: Session, *, user_id: str, study_id: str | None = None) -> Workitem | None:
    """The item in progress, otherwise a newly claimed one, in one study or in all open ones.

    Returns None when all is done. Skipped items are not offered again: `previous` leads back to them.
    """
    found = claim_next(session, user_id=user_id, study_id=study_id)
    return None if found is None else load_workitem(session, found)


def get_assignment(session: Session, *, user_id: str, assignment_id: str) -> Workitem:
    """One of the annotator's own assignments, whatever its status. Raises NotAllowed for any other."""
    own_assignment(session, user_id=user_id, assignment_id=assignment_id)
    return load_workitem(session, assignment_id)


def previous(session: Session, *, user_id: str, assignment_id: str | None) -> Workitem | None:
    """The annotator's assignment before this one in its study, None at the first; for no assignment, the last
    one of the open study that they chose, otherwise of the latest. Raises NotAllowed for another's.
    """
    chosen = case((col(AssignmentRow.study_id) == chosen_study(session, user_id=user_id), 0), else_=1)
    statement = (
        select(AssignmentRow.id)
        .join(StudyRow, col(StudyRow.id) == col(AssignmentRow.study_id))
        .where(AssignmentRow.user_id == user_id)
        .order_by(
            chosen,
            col(StudyRow.created_at).desc(),
            col(AssignmentRow.study_id),
            col(AssignmentRow.position).desc(),
        )
        .limit(1)
    )
    if assignment_id is None:
        statement = statement.where(StudyRow.status == "open")
    else:
        here = own_assignment(session, user_id=user_id, assignment_id=assignment_id)
        statement = statement.where(
            AssignmentRow.study_id == here.study_id, AssignmentRow.position < here.position
        )
    found = session.exec(statement).first()
    return None if found is None else load_workitem(session, found)


def save_draft(
    session: Session, *, user_id: str, assignment_id: str, revision: int, draft: dict[str, Any]
) -> None:
    """Save the unfinished form. Raises Conflict for a stale revision, and as `lock_assignment` does."""
    held = lock_assignment(session, user_id=user_id, assignment_id=assignment_id)
    assignment = held.assignment
    check_revision(assignment, revision)
    assignment.draft = draft
    assignment.leased_until = renewed(assignment.leased_until, held.study)
    write_assignment(session, assignment)


def save_judgement(
    session: Session,
    *,
    user_id: str,
    assignment_id: str,
    revision: int,
    judgement: Judgement,
    active_ms: int,
) -> Workitem:
    """Lock the judgement made without the reference as revision 1; after that the annotator may see the gold.

    Labels and severity may be left out of it. Raises InputError for what can only be judged with the
    reference, Conflict if a judgement was saved before, and otherwise as `submit` does.
    """
    held = lock_assignment(session, user_id=user_id, assignment_id=assignment_id)
    assignment = held.assignment
    if is_repeat(held, revision, judgement, submitted=False):
        return load_workitem(session, assignment_id)
    check_revision(assignment, revision)
    judgement = as_asked(held, judgement, locking=True)
    if assignment.revision > 0:
        raise Conflict("A judgement is locked already and the reference is open; submit instead.")
    check_locked(judgement, design_of(held.study).fields)
    saved = append_revision(session, held, judgement, active_ms=active_ms, submitted=False)
    write_assignment(session, assignment)
    _log(session, assignment, "save_judgement", before=None, after=_told_whole(saved))
    return load_workitem(session, assignment_id)


def submit(
    session: Session,
    *,
    user_id: str,
    assignment_id: str,
    revision: int,
    judgement: Judgement,
    active_ms: int,
) -> Workitem:
    """Append a complete judgement as a new revision, also for an item submitted or skipped before.

    Raises InputError for missing or invalid fields, Conflict for a stale revision, and as `lock_assignment`
    does.
    """
    held = lock_assignment(session, user_id=user_id, assignment_id=assignment_id)
    _submit(session, held, revision, judgement, active_ms)
    return load_workitem(session, assignment_id)


def submit_and_next(
    session: Session,
    *,
    user_id: str,
    assignment_id: str,
    revision: int,
    judgement: Judgement,
    active_ms: int,
) -> Workitem | None:
    """Submit as `submit` does; returns the same item if it has feedback, otherwise the next one.

    The next item is claimed for the annotator; None when all is done. Raises as `submit` does, and InputError
    in a study of failures in which no judgement of the item was locked before.
    """
    held = lock_assignment(session, user_id=user_id, assignment_id=assignment_id)
    if held.last is None and judgement.judges_failures:
        raise InputError(NOT_LOCKED)
    _submit(session, held, revision, judgement, active_ms)
    if held.assignment.round == "training":
        return load_workitem(session, assignment_id)
    return next_assignment(session, user_id=user_id)


def _submit(
    session: Session, held: LockedAssignment, revision: int, judgement: Judgement, active_ms: int
) -> None:
    assignment = held.assignment
    judgement = as_asked(held, judgement)
    if is_repeat(held, revision, judgement, submitted=True):
        return
    check_revision(assignment, revision)
    check_whole(judgement, design_of(held.study).fields)
    check_proposed_gold(held, judgement)
    before = held.last
    saved = append_revision(session, held, judgement, active_ms=active_ms, submitted=True)
    assignment.skip_reason = None
    taken = _move(session, held, "submitted")
    if saved.item_judgement and (saved.item_judgement != "valid" or (before and before.submitted)):
        follow_judgement(session, assignment=assignment, annotation=saved)
    if taken >= held.places:
        settle_item(session, assignment, held.places, design_of(held.study))
    _log(session, assignment, "submit", before=_told(before) if before else None, after=_told_whole(saved))


def skip(session: Session, *, user_id: str, assignment_id: str, revision: int, reason: str) -> Workitem:
    """Skip an assignment with a reason; submitting it later withdraws the skip. Raises InputError for an
    empty or too long reason, Conflict once the item was submitted, and as `save_draft` does.
    """
    reason = reason.strip()
    if not 1 <= len(reason) <= LONGEST_REASON:
        raise InputError(
            "A skip needs a reason of 1 to {most} characters; got {n}.", most=LONGEST_REASON, n=len(reason)
        )
    held = lock_assignment(session, user_id=user_id, assignment_id=assignment_id)
    assignment = held.assignment
    check_revision(assignment, revision)
    if assignment.status == "submitted":
        raise Conflict("This item is submitted already; change the judgement instead of skipping it.")
    if (assignment.status, assignment.skip_reason) != ("skipped", reason):
        before = {"status": assignment.status, "reason": assignment.skip_reason}
        assignment.skip_reason = reason
        _move(session, held, "skipped")
        _log(session, assignment, "skip", before=before, after={"status": "skipped", "reason": reason})
    return load_workitem(session, assignment_id)


def flag(session: Session, *, user_id: str, assignment_id: str, note: str | None) -> Workitem:
    """Flag an item for somebody to look at, with a note (None removes the flag). Judgements do not change.
    Raises InputError for an empty or too long note, and as `lock_assignment` does.
    """
    note = None if note is None else note.strip()
    if note is not None and not 1 <= len(note) <= LONGEST_REASON:
        raise InputError(
            "A flag needs a note of 1 to {most} characters; got {n}.", most=LONGEST_REASON, n=len(note)
        )
    held = lock_assignment(session, user_id=user_id, assignment_id=assignment_id)
    assignment = held.assignment
    if assignment.flag != note:
        before = {"flag": assignment.flag}
        assignment.flag = note
        write_assignment(session, assignment)
        _log(session, assignment, "flag", before=before, after={"flag": note})
    return load_workitem(session, assignment_id)


def _move(session: Session, held: LockedAssignment, status: AssignmentStatus) -> int:
    """Set the status, and with it counts and free places; returns how many places are now taken."""
    assignment = held.assignment
    before, assignment.status = assignment.status, status
    write_assignment(session, assignment)
    add_to_counts(
        session,
        assignment,
        done=(status == "submitted") - (before == "submitted"),
        skipped=(status == "skipped") - (before == "skipped"),
    )
    change = (status in HOLDING) - (before in HOLDING)
    if change == 0 or assignment.round == "repeat":
        return held.taken
    (take_again if change > 0 else give_place_back)(session, assignment.study_id, assignment.generation)
    return held.taken + change


def _log(
    session: Session,
    assignment: EditableAssignment,
    action: str,
    *,
    before: dict[str, Any] | None,
    after: dict[str, Any],
) -> None:
    about = {"assignment_id": assignment.id}
    append(
        session,
        study_id=assignment.study_id,
        actor=assignment.user_id,
        action=action,
        before=before and about | before,
        after=about | after,
    )


def _told_whole(saved: SavedRevision) -> dict[str, Any]:
    """The audit log entry of an annotation, with a hash of everything that is stored for it."""
    return {**_told(saved), "sha256": sha256_json(saved.payload)}


def _told(saved: SavedRevision) -> dict[str, Any]:
    """The audit log entry of an annotation."""
    judgement = own_fields(saved.payload)
    return {"annotation_id": saved.id, "revision": saved.revision, "judgement": judgement}
