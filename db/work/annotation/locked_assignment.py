"""An assignment locked for its annotator, read together with everything that a save needs."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Text, bindparam, cast, exists, select, update
from sqlmodel import Session

from clinicnum.annotations.types import AnnotatorKind
from clinicnum.db.engine import is_sqlite
from clinicnum.db.rows import Row
from clinicnum.db.work.studies.study_lifecycle import lock_study
from clinicnum.errors import Conflict, NotAllowed
from clinicnum.translatable_text import Translatable

NOT_OPEN = {
    "paused": Translatable(
        "This study is paused; nothing can be saved until it is opened again. Keep this page open."
    ),
    "closed": Translatable("This study is closed. Your last choice was not saved; everything before is."),
}
_T = Row.metadata.tables
_MINE, _STUDY, _OWN, _LAST = _T["assignment"], _T["study"], _T["study_annotator"], _T["annotation"]
_CHANGING = ("status", "revision", "revealed_at", "draft", "skip_reason", "flag", "leased_until", "active_ms")
_FIXED = ("id", "study_id", "generation", "user_id", "round", "position")


class StudyClosed(Conflict):
    """The study was closed: nothing can be changed in it any more."""


@dataclass
class EditableAssignment:
    """The columns of an assignment, to be changed and then written back."""

    id: str
    study_id: str
    generation: str
    user_id: str
    round: str
    position: int
    status: str
    revision: int
    revealed_at: datetime | None
    draft: dict[str, Any] | None
    skip_reason: str | None
    flag: str | None
    leased_until: datetime | None
    active_ms: int


@dataclass(frozen=True)
class StudySettings:
    """The settings of the study that a save needs."""

    status: str
    suggestion_policy: str
    seed: str
    guideline_version: str
    design: dict[str, Any]
    overlap: int
    include: str


@dataclass(frozen=True)
class SavedRevision:
    """One saved revision of an assignment's judgement, as stored."""

    id: str
    revision: int
    submitted: bool
    item_judgement: str | None
    payload: dict[str, Any]


@dataclass(frozen=True)
class LockedAssignment:
    """An assignment that its annotator may change until the commit, with its study and item."""

    assignment: EditableAssignment
    study: StudySettings
    last: SavedRevision | None
    """The last saved revision; None if there is none."""
    pseudonym: str
    done: int
    skipped: int
    annotator_kind: AnnotatorKind
    generation: dict[str, Any]
    instance: dict[str, Any]
    taxonomy: str
    """The taxonomy as stored JSON."""
    taken: int
    places: int
    reference_known: bool
    """Whether the annotator has seen the reference of another item of the same group in this study."""
    answer_read: bool
    """Whether the annotator has read an adjudicator's answer on an item of this group in this study."""


_ASKED = (_MINE.c.id == bindparam("of"), _MINE.c.user_id == bindparam("user"))
_STUDY_OF = select(_MINE.c.study_id).where(*_ASKED)
_STUDY_FIELDS = tuple(StudySettings.__dataclass_fields__)
_LAST_FIELDS = tuple(SavedRevision.__dataclass_fields__)
_SIBLING, _SEEN = _T["study_item"].alias("sibling"), _MINE.alias("seen")
_REFERENCE_KNOWN = exists().where(
    _SIBLING.c.study_id == _MINE.c.study_id,
    _SIBLING.c.group_id == _T["study_item"].c.group_id,
    _SIBLING.c.generation != _MINE.c.generation,
    exists().where(
        _SEEN.c.study_id == _SIBLING.c.study_id,
        _SEEN.c.generation == _SIBLING.c.generation,
        _SEEN.c.user_id == bindparam("user"),
        _SEEN.c.revealed_at.is_not(None),
    ),
)
_READ, _TOLD = _T["message_read"], _T["message"]
_ANSWER_READ = exists().where(
    _READ.c.user_id == bindparam("user"),
    _TOLD.c.id == _READ.c.message_id,
    _SIBLING.c.study_id == _MINE.c.study_id,
    _SIBLING.c.study_id == _TOLD.c.study_id,
    _SIBLING.c.generation == _TOLD.c.generation,
    _SIBLING.c.group_id == _T["study_item"].c.group_id,
)
_LOCKED = (
    select(
        *(_MINE.c[name] for name in (*_FIXED, *_CHANGING)),
        *(_STUDY.c[name].label(f"study_{name}") for name in _STUDY_FIELDS),
        *(_LAST.c[name].label(f"last_{name}") for name in _LAST_FIELDS),
        _OWN.c.pseudonym,
        _OWN.c.done,
        _OWN.c.skipped,
        _T["user"].c.annotator_kind,
        _T["generation"].c.payload.label("generation_payload"),
        _T["instance"].c.payload.label("instance_payload"),
        cast(_T["taxonomy"].c.payload, Text).label("taxonomy"),
        _T["study_item"].c.taken,
        _T["study_item"].c.places,
        _REFERENCE_KNOWN.label("reference_known"),
        _ANSWER_READ.label("answer_read"),
        _T["user"].c.active,
    )
    .select_from(_MINE)
    .join(_STUDY, _STUDY.c.id == _MINE.c.study_id)
    .join(_OWN, (_OWN.c.study_id == _MINE.c.study_id) & (_OWN.c.user_id == _MINE.c.user_id))
    .join(_T["user"], _T["user"].c.id == _MINE.c.user_id)
    .join(_T["generation"], _T["generation"].c.id == _MINE.c.generation)
    .join(_T["instance"], _T["instance"].c.id == _T["generation"].c.instance)
    .join(
        _T["taxonomy"],
        (_T["taxonomy"].c.id == _STUDY.c.taxonomy_id)
        & (_T["taxonomy"].c.version == _STUDY.c.taxonomy_version),
    )
    .join(
        _T["study_item"],
        (_T["study_item"].c.study_id == _MINE.c.study_id)
        & (_T["study_item"].c.generation == _MINE.c.generation),
    )
    .join(
        _LAST,
        (_LAST.c.assignment_id == _MINE.c.id) & (_LAST.c.revision == _MINE.c.revision),
        isouter=True,
    )
    .where(*_ASKED)
    .with_for_update(of=[_MINE, _OWN, _STUDY], key_share=True)
)
"""The study is locked too, so that it cannot close before the commit."""
_KEEP = update(_MINE).where(_MINE.c.id == bindparam("of"))
_COUNT = (
    update(_OWN)
    .where(_OWN.c.study_id == bindparam("study"), _OWN.c.user_id == bindparam("user"))
    .values(done=bindparam("more_done") + _OWN.c.done, skipped=bindparam("more_skipped") + _OWN.c.skipped)
)


def lock_assignment(session: Session, *, user_id: str, assignment_id: str) -> LockedAssignment:
    """The user's own assignment, locked until the commit, in a study that cannot close before then.

    Raises NotAllowed for another's assignment or a switched-off account, Conflict for a study that is paused
    or closed.
    """
    session.flush()
    where = {"of": assignment_id, "user": user_id}
    if not is_sqlite(session.connection()):  # a writing transaction on SQLite locks the whole database
        study = session.scalar(_STUDY_OF, where)
        if study is None:
            raise not_own_assignment()
        lock_study(session, study)
    row = session.execute(_LOCKED, where).first()
    if row is None:
        raise not_own_assignment()
    parts = iter(row)
    assignment = EditableAssignment(*(next(parts) for _ in (*_FIXED, *_CHANGING)))
    opened = StudySettings(*(next(parts) for _ in _STUDY_FIELDS))
    last = SavedRevision(*(next(parts) for _ in _LAST_FIELDS))
    *rest, active = parts
    if opened.status != "open":
        raise (StudyClosed if opened.status == "closed" else Conflict)(NOT_OPEN[opened.status])
    if not active:
        raise NotAllowed("This account is switched off; ask an admin.")
    return LockedAssignment(assignment, opened, last if assignment.revision else None, *rest)


def not_own_assignment() -> NotAllowed:
    """The error for an assignment of another annotator; the same for an unknown one, so that neither is
    revealed.
    """
    return NotAllowed("This item is not assigned to you; load your next one.")


def write_assignment(session: Session, assignment: EditableAssignment) -> None:
    """Write the changed assignment to the database."""
    session.execute(_KEEP, {"of": assignment.id, **{name: getattr(assignment, name) for name in _CHANGING}})


def add_to_counts(session: Session, assignment: EditableAssignment, *, done: int, skipped: int) -> None:
    """Add these numbers to the annotator's counts of done and skipped items."""
    if done or skipped:
        where = {"study": assignment.study_id, "user": assignment.user_id}
        session.execute(_COUNT, {**where, "more_done": done, "more_skipped": skipped})
