"""Append a revision: check the revision it is based on, recognise a repeated save, write the row."""

from datetime import datetime
from functools import lru_cache
from typing import Any

from sqlalchemy import insert
from sqlmodel import Session

from clinicnum.annotations.criteria.ticks import check_ticks, points_among
from clinicnum.annotations.judgement import Judgement
from clinicnum.annotations.judgement_check import check_judgement
from clinicnum.annotations.read_stored_judgements import own_part
from clinicnum.annotations.taxonomy import Taxonomy
from clinicnum.annotations.types import Annotation
from clinicnum.db.rows import AssignmentRow, Row
from clinicnum.db.work.annotation.locked_assignment import (
    EditableAssignment,
    LockedAssignment,
    SavedRevision,
    not_own_assignment,
)
from clinicnum.db.work.annotation.reference_contradictions import contradictions_kept
from clinicnum.db.work.common.load_work_item import suggestions_visible
from clinicnum.db.work.common.monotonic_clock import after
from clinicnum.db.work.common.study_criteria import criteria_of_item
from clinicnum.errors import Conflict, InputError
from clinicnum.io.jsonl import content_id
from clinicnum.types import Instance

MOST_ACTIVE_MS = 24 * 60 * 60 * 1000


def own_assignment(session: Session, *, user_id: str, assignment_id: str) -> AssignmentRow:
    """The user's own assignment. Raises the same NotAllowed for another's and for an unknown one."""
    row = session.get(AssignmentRow, assignment_id)
    if row is None or row.user_id != user_id:
        raise not_own_assignment()
    return row


def check_revision(assignment: EditableAssignment, revision: int) -> None:
    """Raise Conflict if the caller's revision is not the stored one."""
    if revision != assignment.revision:
        raise Conflict(
            "You changed this item in another window, and now see it as it was saved there. What you chose "
            "here was not saved."
        )


def is_repeat(held: LockedAssignment, revision: int, judgement: Judgement, *, submitted: bool) -> bool:
    """Whether exactly this judgement was just saved on this revision, as after a double click or a
    lost response.
    """
    last = held.last
    if last is None or revision + 1 != held.assignment.revision:
        return False
    return last.submitted == submitted and own_part(last.payload) == judgement


def append_revision(
    session: Session, held: LockedAssignment, judgement: Judgement, *, active_ms: int, submitted: bool
) -> SavedRevision:
    """Append the judgement as the next revision and update `held`, which the caller must still write.

    `active_ms` is the active time on the item, in ms. Raises InputError for a negative time, for codes, spans
    or cells that are not valid for the item, and unless each of its criteria is ticked.
    """
    if active_ms < 0:
        raise InputError("active time is {active_ms} ms; expected 0 or more", active_ms=active_ms)
    assignment = held.assignment
    item = held.instance["instance_id"]
    criteria = criteria_of_item(session, study_id=assignment.study_id, instance_id=item)
    check_ticks(judgement, criteria)
    now, revision, active_ms = _after(held.last), assignment.revision + 1, min(active_ms, MOST_ACTIVE_MS)
    annotation = Annotation(
        **judgement.model_dump(),
        **_circumstances(held, judgement),
        annotation_id=content_id(["annotation", assignment.id, revision]),
        study_id=assignment.study_id,
        round=assignment.round,
        suggestion_shown=suggestions_visible(
            session,
            study_id=assignment.study_id,
            generation=assignment.generation,
            policy=held.study.suggestion_policy,
            seed=held.study.seed,
            judged=assignment.revealed_at is not None,
            proposed=bool(criteria and points_among(criteria, Instance.model_validate(held.instance))),
        ),
        reference_known=_reference_known(held),
        answer_read=bool(held.answer_read),
        contradictions=contradictions_kept(session, held, judgement),
        revision=revision,
        active_ms=active_ms,
        created_at=now,
    )
    saved = SavedRevision(
        id=annotation.annotation_id,
        revision=revision,
        submitted=submitted,
        item_judgement=annotation.item_judgement,
        payload=annotation.model_dump(mode="json"),
    )
    session.execute(
        insert(Row.metadata.tables["annotation"]),
        {
            **vars(saved),
            "assignment_id": assignment.id,
            "study_id": assignment.study_id,
            "response_judgement": annotation.response_judgement,
            "created_at": now,
        },
    )
    assignment.revision, assignment.active_ms, assignment.draft = revision, active_ms, None
    if annotation.judges_failures or not submitted:  # other kinds show no gold, or once something is locked
        assignment.revealed_at = assignment.revealed_at or now
    return saved


def _after(last: SavedRevision | None) -> datetime:
    """The time at which a revision is saved: always after the one before it, even if the clock went back."""
    return after(None if last is None else datetime.fromisoformat(last.payload["created_at"]))


def _reference_known(held: LockedAssignment) -> bool:
    """Whether the annotator knew the reference, from another item of the group, before the first revision of
    this one. Later revisions repeat the answer of the first; in a blind repeat it is always False.
    """
    if held.last is not None:
        return bool(held.last.payload.get("reference_known", False))
    return held.assignment.round != "repeat" and bool(held.reference_known)


def _circumstances(held: LockedAssignment, judgement: Judgement) -> dict[str, Any]:
    """Check the judgement against its item; returns the fields of the annotation that come from study and
    account.
    """
    taxonomy = _read_taxonomy(held.taxonomy)
    check_judgement(
        judgement,
        taxonomy=taxonomy,
        text_length=len(held.generation["text"]),
        context_length=len(held.instance["context"]),
        records=len(held.instance["records"]),
    )
    return {
        "generation_id": held.generation["generation_id"],
        "annotator_id": held.pseudonym,
        "annotator_kind": held.annotator_kind,
        "taxonomy_version": taxonomy.version,
        "guideline_version": held.study.guideline_version,
    }


@lru_cache(maxsize=8)
def _read_taxonomy(stored: str) -> Taxonomy:
    """The taxonomy, cached by its full text, since parsing it costs as much as the rest of a save."""
    return Taxonomy.model_validate_json(stored)
