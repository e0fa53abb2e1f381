"""An annotator's own work: studies, items with search, and all revisions of one item.

Every query is limited to the annotator's user id and thus to their own assignments; nothing of the others is
read here.
"""

from datetime import datetime
from typing import Literal

from pydantic import ConfigDict
from sqlalchemy import Select, Text, cast, exists, select
from sqlmodel import Session, col

from clinicnum.annotations.judgement import Judgement
from clinicnum.annotations.types import StudyStatus
from clinicnum.annotations.work_item import AssignmentStatus, Workitem
from clinicnum.db.rows import (
    AnnotationRow,
    AssignmentRow,
    GenerationRow,
    InstanceRow,
    MessageRow,
    StudyAnnotatorRow,
    StudyRow,
)
from clinicnum.db.work.annotation.annotate import get_assignment
from clinicnum.db.work.common.load_work_item import judgement_of
from clinicnum.errors import NotAllowed
from clinicnum.types import Frozen

Show = Literal["all", "submitted", "skipped", "flagged", "answered"]
PAGE = 50
CHUNK = 500
MOST_SCANNED = 2_000
"""Number of items that one request searches for a text at most; the next request continues from there."""


class _Question(Frozen):
    """The one field of an instance that a list shows."""

    model_config = ConfigDict(frozen=True, extra="ignore")
    question: str


class OwnStudy(Frozen):
    """A study of the annotator, with the annotator's own counts."""

    study_id: str
    name: str
    status: StudyStatus
    done: int
    skipped: int


class OwnItem(Frozen):
    """One of the annotator's items in a list. The round is left out, so that repeats cannot be recognised."""

    assignment_id: str
    position: int
    status: AssignmentStatus
    question: str
    judgement: Judgement | None
    """The last saved judgement."""
    revisions: int
    saved_at: datetime | None
    """When the last revision was saved."""
    flag: str | None
    skip_reason: str | None


class OwnPage(Frozen):
    """One page of items, the newest first."""

    items: tuple[OwnItem, ...]
    older: int | None
    """The argument `before` for the next page; None at the end."""


class OwnRevision(Frozen):
    """One saved judgement."""

    revision: int
    submitted: bool
    judgement: Judgement
    saved_at: datetime


class OwnHistory(Frozen):
    """One item as its annotator may see it, with all revisions, the newest first."""

    item: Workitem
    study_status: StudyStatus
    revisions: tuple[OwnRevision, ...]


def own_studies(session: Session, *, user_id: str) -> tuple[OwnStudy, ...]:
    """The annotator's studies, the newest first."""
    statement = (
        select(StudyRow, StudyAnnotatorRow)
        .join(StudyAnnotatorRow, col(StudyAnnotatorRow.study_id) == col(StudyRow.id))
        .where(col(StudyAnnotatorRow.user_id) == user_id)
        .order_by(col(StudyRow.created_at).desc(), col(StudyRow.id))
    )
    return tuple(
        OwnStudy(study_id=study.id, name=study.name, status=study.status, done=own.done, skipped=own.skipped)
        for study, own in session.execute(statement)
    )


def own_study(session: Session, *, user_id: str, study_id: str) -> StudyRow:
    """The study, if the user is one of its annotators. Raises the same NotAllowed for another's study and
    for an unknown one.
    """
    study = session.get(StudyRow, study_id)
    if study is None or session.get(StudyAnnotatorRow, (study_id, user_id)) is None:
        raise NotAllowed("You are not an annotator of this study; choose one of yours.")
    return study


def own_items(
    session: Session,
    *,
    user_id: str,
    study_id: str,
    show: Show = "all",
    text: str = "",
    before: int | None = None,
) -> OwnPage:
    """At most `PAGE` of the annotator's items in a study, the last assigned first.

    `text` is searched in the question and in what the annotator wrote or chose, never in what is hidden from
    them. A page may be short or empty although `older` leads to more. Raises NotAllowed for a study that the
    user does not annotate.
    """
    own_study(session, user_id=user_id, study_id=study_id)
    wanted = text.strip().casefold()
    found: list[OwnItem] = []
    scanned = 0
    while True:
        size = CHUNK if wanted else PAGE + 1
        rows = _chunk(session, _statement(user_id, study_id, show, before), size)
        for row in rows:
            before, scanned = row.position, scanned + 1
            if not wanted or wanted in _words(row):
                found.append(row)
            if len(found) == PAGE:
                break
        ended = len(rows) < size and (not rows or before == rows[-1].position)
        if ended or len(found) == PAGE or scanned >= MOST_SCANNED:
            return OwnPage(items=tuple(found), older=None if ended else before)


def own_item(session: Session, *, user_id: str, assignment_id: str) -> OwnHistory:
    """One of the annotator's items with all its revisions. Raises NotAllowed for another's item."""
    item = get_assignment(session, user_id=user_id, assignment_id=assignment_id)
    statement = (
        select(AnnotationRow)
        .where(col(AnnotationRow.assignment_id) == assignment_id)
        .order_by(col(AnnotationRow.revision).desc())
    )
    return OwnHistory(
        item=item,
        study_status=session.get_one(StudyRow, item.study_id).status,
        revisions=tuple(
            OwnRevision(
                revision=row.revision,
                submitted=row.submitted,
                judgement=judgement_of(row),
                saved_at=row.created_at,
            )
            for row in session.scalars(statement)
        ),
    )


def _statement(
    user_id: str, study_id: str, show: Show, before: int | None
) -> Select[AssignmentRow, str, AnnotationRow | None]:
    statement: Select[AssignmentRow, str, AnnotationRow | None] = (
        select(AssignmentRow, cast(col(InstanceRow.payload), Text), AnnotationRow)
        .join(GenerationRow, col(GenerationRow.id) == col(AssignmentRow.generation))
        .join(InstanceRow, col(InstanceRow.id) == col(GenerationRow.instance))
        .outerjoin(
            AnnotationRow,
            (col(AnnotationRow.assignment_id) == col(AssignmentRow.id))
            & (col(AnnotationRow.revision) == col(AssignmentRow.revision)),
        )
        .where(col(AssignmentRow.user_id) == user_id, col(AssignmentRow.study_id) == study_id)
        .order_by(col(AssignmentRow.position).desc())
    )
    if before is not None:
        statement = statement.where(col(AssignmentRow.position) < before)
    if show == "flagged":
        return statement.where(col(AssignmentRow.flag).is_not(None))
    if show == "answered":
        return statement.where(exists().where(col(MessageRow.assignment_id) == col(AssignmentRow.id)))
    return statement if show == "all" else statement.where(col(AssignmentRow.status) == show)


def _chunk(
    session: Session, statement: Select[AssignmentRow, str, AnnotationRow | None], size: int
) -> list[OwnItem]:
    return [
        OwnItem(
            assignment_id=assignment.id,
            position=assignment.position,
            status=assignment.status,
            question=_Question.model_validate_json(instance).question,
            judgement=None if saved is None else judgement_of(saved),
            revisions=assignment.revision,
            saved_at=None if saved is None else saved.created_at,
            flag=assignment.flag,
            skip_reason=assignment.skip_reason,
        )
        for assignment, instance, saved in session.execute(statement.limit(size))
    ]


def _words(item: OwnItem) -> str:
    """The text in which an item is searched."""
    said = item.judgement
    codes = [] if said is None else [label.code.replace("_", " ") for label in said.labels]
    words = (
        item.question,
        item.flag,
        item.skip_reason,
        *codes,
        *((said.rationale, said.response_judgement, said.item_judgement) if said else ()),
    )
    return "\n".join(word for word in words if word).casefold()
