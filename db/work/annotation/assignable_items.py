"""The items that can be assigned to an annotator next, and which of them are better left to others."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from sqlalchemy import bindparam, exists, select
from sqlmodel import Session

from clinicnum.annotations.assignment import BLOCK, LOOK_AHEAD, Offer, left_to_others
from clinicnum.db.rows import Row

# Statements are built once and select plain columns, for speed: see clinicnum.db.work.common.load_work_item.
_T = Row.metadata.tables
_ASSIGNMENT, _ITEM, _ANNOTATOR, _USER = (
    _T[name] for name in ("assignment", "study_item", "study_annotator", "user")
)
_SIBLING, _SEEN = _ITEM.alias("sibling"), _ASSIGNMENT.alias("seen")
# One inside the other and no join: so the search always goes from the few items of a group to their
# assignments, never from all assignments of the study.
_KNOWN = exists().where(
    _SIBLING.c.study_id == _ITEM.c.study_id,
    _SIBLING.c.group_id == _ITEM.c.group_id,
    exists().where(
        _SEEN.c.study_id == _SIBLING.c.study_id,
        _SEEN.c.generation == _SIBLING.c.generation,
        _SEEN.c.user_id == bindparam("user"),
        _SEEN.c.revealed_at.is_not(None),
    ),
)
_OFFERS = (
    select(_ITEM.c.generation, _ITEM.c.position, _ITEM.c.round, _ITEM.c.group_id, _KNOWN.label("known"))
    .where(
        _ITEM.c.study_id == bindparam("study"),
        _ITEM.c.position >= bindparam("cursor"),
        _ITEM.c.taken < _ITEM.c.places,
        ~exists().where(
            _ASSIGNMENT.c.study_id == _ITEM.c.study_id,
            _ASSIGNMENT.c.generation == _ITEM.c.generation,
            _ASSIGNMENT.c.user_id == bindparam("user"),
            _ASSIGNMENT.c.round != "repeat",
        ),
    )
    .order_by(_ITEM.c.position)
    .limit(bindparam("limit"))
)
_ITEMS = select(_ITEM.c.group_id, _ITEM.c.generation, (_ITEM.c.places - _ITEM.c.taken).label("free")).where(
    _ITEM.c.study_id == bindparam("study"), _ITEM.c.group_id.in_(bindparam("groups", expanding=True))
)
_BEGUN = select(_ASSIGNMENT.c.generation, _ASSIGNMENT.c.user_id).where(
    _ASSIGNMENT.c.study_id == bindparam("study"),
    _ASSIGNMENT.c.generation.in_(bindparam("generations", expanding=True)),
    _ASSIGNMENT.c.revealed_at.is_not(None) | (_ASSIGNMENT.c.status == "open"),
)
_ACTIVE = (
    select(_ANNOTATOR.c.user_id)
    .join(_USER, _USER.c.id == _ANNOTATOR.c.user_id)
    .where(_ANNOTATOR.c.study_id == bindparam("study"), _USER.c.active)
)


def knows_reference(session: Session, *, study_id: str, user_id: str, group_id: str) -> bool:
    """Whether the annotator has seen the reference of an item of the group."""
    seen = exists().where(
        _SIBLING.c.study_id == study_id,
        _SIBLING.c.group_id == group_id,
        _SEEN.c.study_id == _SIBLING.c.study_id,
        _SEEN.c.generation == _SIBLING.c.generation,
        _SEEN.c.user_id == user_id,
        _SEEN.c.revealed_at.is_not(None),
    )
    return bool(session.scalar(select(seen)))


def next_offers(session: Session, own: Any) -> dict[Offer, str]:
    """The next items with a free place for the annotator, by position, each with its round.

    At most `BLOCK` items; if all of them are better left to other annotators, later ones are added whose
    reference the annotator does not know. `own` has the annotator's `study_id`, `user_id` and `cursor`.
    """
    where = {"study": own.study_id, "user": own.user_id, "cursor": own.cursor}
    rows = session.execute(_OFFERS, {**where, "limit": BLOCK}).all()
    left = _left_to_others(session, own.study_id, sorted({row.group_id for row in rows if row.known}))
    found = {_offer(row, left=left.get(row.group_id, False)): str(row.round) for row in rows}
    if len(found) == BLOCK and all(one.left for one in found):
        ahead = session.execute(_OFFERS, {**where, "limit": LOOK_AHEAD})
        found |= {_offer(row): str(row.round) for row in ahead if not row.known}
    return found


def _offer(row: Any, *, left: bool = False) -> Offer:
    return Offer(row.generation, row.position, row.group_id, known=bool(row.known), left=left)


def _left_to_others(session: Session, study_id: str, known: list[str]) -> Mapping[str, bool]:
    """Whether the items of each group whose reference the annotator knows are left to others."""
    if not known:
        return {}
    items = session.execute(_ITEMS, {"study": study_id, "groups": known}).all()
    group_of = {item.generation: item.group_id for item in items}
    free: dict[str, int] = defaultdict(int)
    for item in items:
        free[item.group_id] += item.free
    begun: dict[str, set[str]] = defaultdict(set)
    for row in session.execute(_BEGUN, {"study": study_id, "generations": sorted(group_of)}):
        begun[group_of[row.generation]].add(row.user_id)
    active = set(session.scalars(_ACTIVE, {"study": study_id}))
    return {
        group: left_to_others(known=True, free=free[group], fresh=len(active - begun[group]))
        for group in known
    }
