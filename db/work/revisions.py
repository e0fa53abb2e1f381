"""What every change to an assignment goes through: whose it is, on which revision, and the appended row."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from sqlalchemy import Text, bindparam, cast, select
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col

from annotations.judgement import check_judgement
from annotations.taxonomy import Taxonomy
from annotations.types import Annotation, Judgement
from clinicnum.errors import Conflict, InputError, NotAllowed
from clinicnum.jsonl import content_id
from db.rows import (
    AnnotationRow,
    AssignmentRow,
    GenerationRow,
    InstanceRow,
    StudyAnnotatorRow,
    StudyRow,
    TaxonomyRow,
    UserRow,
    utc_now,
)
from db.work.claims import lock_study
from db.work.workitems import in_sight, judgement_of, last_annotation

NOT_OPEN = {
    "paused": "This study is paused; nothing can be saved until it is opened again. Keep this page open.",
    "closed": "This study is closed; nothing can be changed any more.",
}
MOST_ACTIVE_MS = 24 * 60 * 60 * 1000


_STUDY_OF = select(col(AssignmentRow.study_id)).where(
    col(AssignmentRow.id) == bindparam("of"), col(AssignmentRow.user_id) == bindparam("user_id")
)
_LOCKED = (
    select(AssignmentRow, StudyRow, StudyAnnotatorRow, col(UserRow.active))
    .join(StudyRow, col(StudyRow.id) == col(AssignmentRow.study_id))
    .join(
        StudyAnnotatorRow,
        (col(StudyAnnotatorRow.study_id) == col(AssignmentRow.study_id))
        & (col(StudyAnnotatorRow.user_id) == col(AssignmentRow.user_id)),
    )
    .join(UserRow, col(UserRow.id) == col(AssignmentRow.user_id))
    .where(col(AssignmentRow.id) == bindparam("of"))
    .with_for_update(of=[AssignmentRow, StudyAnnotatorRow])
    .execution_options(populate_existing=True)
)
_STATUS = select(col(StudyRow.status)).where(col(StudyRow.id) == bindparam("of")).with_for_update(read=True)
_JUDGED = (
    select(
        col(GenerationRow.payload),
        col(InstanceRow.payload),
        cast(col(TaxonomyRow.payload), Text).label("taxonomy"),
        col(UserRow.annotator_kind),
    )
    .select_from(AssignmentRow)
    .join(GenerationRow, col(GenerationRow.id) == col(AssignmentRow.generation))
    .join(InstanceRow, col(InstanceRow.id) == col(GenerationRow.instance))
    .join(StudyRow, col(StudyRow.id) == col(AssignmentRow.study_id))
    .join(
        TaxonomyRow,
        (col(TaxonomyRow.id) == col(StudyRow.taxonomy_id))
        & (col(TaxonomyRow.version) == col(StudyRow.taxonomy_version)),
    )
    .join(UserRow, col(UserRow.id) == col(AssignmentRow.user_id))
    .where(col(AssignmentRow.id) == bindparam("of"))
)


@dataclass(frozen=True)
class Claimed:
    """An assignment that its annotator may change until the commit.

    The study and the annotator's counts are held with it, so that whoever asks the session for them finds
    them there: it keeps only what somebody holds.
    """

    assignment: AssignmentRow
    study: StudyRow
    own: StudyAnnotatorRow


def own_assignment(session: Session, *, user_id: str, assignment_id: str) -> AssignmentRow:
    """The user's own assignment. Raises NotAllowed, alike for another's and for none."""
    row = session.get(AssignmentRow, assignment_id)
    if row is None or row.user_id != user_id:
        raise _not_yours()
    return row


def _not_yours() -> NotAllowed:
    return NotAllowed("This item is not assigned to you; load your next one.")


def claim(session: Session, *, user_id: str, assignment_id: str) -> Claimed:
    """The user's own assignment, locked until the commit, in a study that cannot close before it.

    Raises NotAllowed for another's assignment or a switched-off account, Conflict for a study that is paused
    or closed.
    """
    study_id = session.scalars(_STUDY_OF, {"of": assignment_id, "user_id": user_id}).first()
    if study_id is None:
        raise _not_yours()
    lock_study(session, study_id)
    assignment, study, own, active = session.execute(_LOCKED, {"of": assignment_id}).one()
    status = session.execute(_STATUS, {"of": study_id}).scalar_one()
    if status != "open":
        raise Conflict(NOT_OPEN[status])
    if not active:
        raise NotAllowed("This account is switched off; ask an admin.")
    return Claimed(assignment, study, own)


def check_revision(assignment: AssignmentRow, revision: int) -> None:
    """Raise Conflict if the caller looked at another revision than the saved one."""
    if revision != assignment.revision:
        raise Conflict(
            f"This item was changed elsewhere: it is at revision {assignment.revision}, your page is at "
            f"{revision}. Nothing was saved; look at it again and go on from there."
        )


def is_repeat(
    session: Session, assignment: AssignmentRow, revision: int, judgement: Judgement, *, submitted: bool
) -> bool:
    """Whether this very judgement was just saved on this very revision: a double click, a lost response."""
    if revision + 1 != assignment.revision:
        return False
    last = last_annotation(session, assignment)
    return last is not None and last.submitted == submitted and judgement_of(last) == judgement


def append_revision(
    session: Session, assignment: AssignmentRow, judgement: Judgement, *, active_ms: int, submitted: bool
) -> AnnotationRow:
    """Append the judgement as the next revision and open the gold to its annotator.

    Raises InputError for codes, spans or cells that do not fit, Conflict if another request was faster.
    """
    if active_ms < 0:
        raise InputError(f"active time is {active_ms} ms; expected 0 or more")
    now, revision, active_ms = utc_now(), assignment.revision + 1, min(active_ms, MOST_ACTIVE_MS)
    annotation = Annotation(
        **judgement.model_dump(),
        **_circumstances(session, assignment, judgement),
        annotation_id=content_id(["annotation", assignment.id, revision]),
        study_id=assignment.study_id,
        round=assignment.round,
        suggestion_shown=in_sight(session, assignment),
        revision=revision,
        active_ms=active_ms,
        created_at=now,
    )
    row = AnnotationRow(
        id=annotation.annotation_id,
        assignment_id=assignment.id,
        revision=revision,
        study_id=assignment.study_id,
        submitted=submitted,
        item_judgement=annotation.item_judgement,
        response_judgement=annotation.response_judgement,
        payload=annotation.model_dump(mode="json"),
        created_at=now,
    )
    assignment.revision, assignment.active_ms, assignment.draft = revision, active_ms, None
    assignment.revealed_at = assignment.revealed_at or now
    session.add(row)
    try:
        session.flush()
    except IntegrityError as error:
        raise Conflict("This item was saved elsewhere at the same moment; look at it again.") from error
    return row


def _circumstances(session: Session, assignment: AssignmentRow, judgement: Judgement) -> dict[str, Any]:
    """Check the judgement against what it judges; the fields that the study and the account give."""
    study = session.get_one(StudyRow, assignment.study_id)
    own = session.get_one(StudyAnnotatorRow, (assignment.study_id, assignment.user_id))
    generation, instance, stored, kind = session.execute(_JUDGED, {"of": assignment.id}).one()
    taxonomy = _read_taxonomy(stored)
    check_judgement(
        judgement,
        taxonomy=taxonomy,
        text_length=len(generation["text"]),
        records=len(instance["records"]),
    )
    return {
        "generation_id": generation["generation_id"],
        "annotator_id": own.pseudonym,
        "annotator_kind": kind,
        "taxonomy_version": taxonomy.version,
        "guideline_version": study.guideline_version,
    }


@lru_cache(maxsize=8)
def _read_taxonomy(stored: str) -> Taxonomy:
    """By its whole text: the same for everybody, and reading it costs as much as all else in a save."""
    return Taxonomy.model_validate_json(stored)
