"""What every change to an assignment goes through: whose it is, on which revision, and the appended row."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from sqlalchemy import Text, bindparam, cast, select
from sqlmodel import Session, col

from annotations.judgement import check_judgement
from annotations.taxonomy import Taxonomy
from annotations.types import Annotation, AnnotatorKind, Judgement
from clinicnum.errors import Conflict, InputError, NotAllowed
from clinicnum.jsonl import content_id
from db.engine import is_sqlite
from db.rows import (
    AnnotationRow,
    AssignmentRow,
    GenerationRow,
    InstanceRow,
    Row,
    StudyAnnotatorRow,
    StudyItemRow,
    StudyRow,
    TaxonomyRow,
    UserRow,
    utc_now,
)
from db.work.claims import lock_study
from db.work.workitems import in_sight, judgement_of

NOT_OPEN = {
    "paused": "This study is paused; nothing can be saved until it is opened again. Keep this page open.",
    "closed": "This study is closed; nothing can be changed any more.",
}
MOST_ACTIVE_MS = 24 * 60 * 60 * 1000


_T = Row.metadata.tables
_STUDY_OF = select(_T["assignment"].c.study_id).where(
    _T["assignment"].c.id == bindparam("of"), _T["assignment"].c.user_id == bindparam("user_id")
)
_LOCKED: Any = (
    select(
        AssignmentRow,
        StudyRow,
        StudyAnnotatorRow,
        col(UserRow.active),
        col(UserRow.annotator_kind),
        col(GenerationRow.payload).label("generation"),
        col(InstanceRow.payload).label("instance"),
        cast(col(TaxonomyRow.payload), Text).label("taxonomy"),
        StudyItemRow,
        AnnotationRow,
    )
    .join(StudyRow, col(StudyRow.id) == col(AssignmentRow.study_id))
    .join(
        StudyAnnotatorRow,
        (col(StudyAnnotatorRow.study_id) == col(AssignmentRow.study_id))
        & (col(StudyAnnotatorRow.user_id) == col(AssignmentRow.user_id)),
    )
    .join(UserRow, col(UserRow.id) == col(AssignmentRow.user_id))
    .join(GenerationRow, col(GenerationRow.id) == col(AssignmentRow.generation))
    .join(InstanceRow, col(InstanceRow.id) == col(GenerationRow.instance))
    .join(
        TaxonomyRow,
        (col(TaxonomyRow.id) == col(StudyRow.taxonomy_id))
        & (col(TaxonomyRow.version) == col(StudyRow.taxonomy_version)),
    )
    .join(
        StudyItemRow,
        (col(StudyItemRow.study_id) == col(AssignmentRow.study_id))
        & (col(StudyItemRow.generation) == col(AssignmentRow.generation)),
    )
    .join(
        AnnotationRow,
        (col(AnnotationRow.assignment_id) == col(AssignmentRow.id))
        & (col(AnnotationRow.revision) == col(AssignmentRow.revision)),
        isouter=True,
    )
    .where(col(AssignmentRow.id) == bindparam("of"), col(AssignmentRow.user_id) == bindparam("user_id"))
    .with_for_update(of=[AssignmentRow, StudyAnnotatorRow, StudyRow], key_share=True)
    .execution_options(populate_existing=True)
)
"""All that a save looks at, read once; the study is locked too, so that it cannot close before the commit."""


@dataclass(frozen=True)
class Claimed:
    """An assignment that its annotator may change until the commit, and what it stands in."""

    assignment: AssignmentRow
    study: StudyRow
    own: StudyAnnotatorRow
    annotator_kind: AnnotatorKind
    generation: dict[str, Any]
    instance: dict[str, Any]
    taxonomy: str
    """JSON as stored."""
    item: StudyItemRow
    last: AnnotationRow | None
    """The last saved revision."""


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
    if not is_sqlite(session.connection()):  # there, a writing transaction holds the whole database already
        study_id = session.scalars(_STUDY_OF, {"of": assignment_id, "user_id": user_id}).first()
        if study_id is None:
            raise _not_yours()
        lock_study(session, study_id)
    found = session.execute(_LOCKED, {"of": assignment_id, "user_id": user_id}).first()
    if found is None:
        raise _not_yours()
    assignment, study, own, active, *rest = found
    if study.status != "open":
        raise Conflict(NOT_OPEN[study.status])
    if not active:
        raise NotAllowed("This account is switched off; ask an admin.")
    return Claimed(assignment, study, own, *rest)


def check_revision(assignment: AssignmentRow, revision: int) -> None:
    """Raise Conflict if the caller looked at another revision than the saved one."""
    if revision != assignment.revision:
        raise Conflict(
            f"This item was changed elsewhere: it is at revision {assignment.revision}, your page is at "
            f"{revision}. Nothing was saved; look at it again and go on from there."
        )


def is_repeat(held: Claimed, revision: int, judgement: Judgement, *, submitted: bool) -> bool:
    """Whether this very judgement was just saved on this very revision: a double click, a lost response."""
    last = held.last
    if last is None or revision + 1 != held.assignment.revision:
        return False
    return last.submitted == submitted and judgement_of(last) == judgement


def append_revision(
    session: Session, held: Claimed, judgement: Judgement, *, active_ms: int, submitted: bool
) -> AnnotationRow:
    """Append the judgement as the next revision and open the gold to its annotator; not flushed yet.

    Raises InputError for codes, spans or cells that do not fit.
    """
    if active_ms < 0:
        raise InputError(f"active time is {active_ms} ms; expected 0 or more")
    assignment = held.assignment
    now, revision, active_ms = utc_now(), assignment.revision + 1, min(active_ms, MOST_ACTIVE_MS)
    annotation = Annotation(
        **judgement.model_dump(),
        **_circumstances(held, judgement),
        annotation_id=content_id(["annotation", assignment.id, revision]),
        study_id=assignment.study_id,
        round=assignment.round,
        suggestion_shown=in_sight(
            session,
            study_id=assignment.study_id,
            generation=assignment.generation,
            policy=held.study.suggestion_policy,
            seed=held.study.seed,
            judged=assignment.revealed_at is not None,
        ),
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
    return row


def _circumstances(held: Claimed, judgement: Judgement) -> dict[str, Any]:
    """Check the judgement against what it judges; the fields that the study and the account give."""
    taxonomy = _read_taxonomy(held.taxonomy)
    check_judgement(
        judgement,
        taxonomy=taxonomy,
        text_length=len(held.generation["text"]),
        records=len(held.instance["records"]),
    )
    return {
        "generation_id": held.generation["generation_id"],
        "annotator_id": held.own.pseudonym,
        "annotator_kind": held.annotator_kind,
        "taxonomy_version": taxonomy.version,
        "guideline_version": held.study.guideline_version,
    }


@lru_cache(maxsize=8)
def _read_taxonomy(stored: str) -> Taxonomy:
    """By its whole text: the same for everybody, and reading it costs as much as all else in a save."""
    return Taxonomy.model_validate_json(stored)
