"""Claim items for annotators: the one in progress, otherwise the next one with a free place.

Every change to a study's assignments takes the study's lock first, so that two processes can neither claim
the same place nor deadlock. A place is taken by a conditional update, and each annotator's cursor keeps the
search as short at the ten-thousandth item as at the first.
"""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import bindparam, case, exists, func, insert, select, update
from sqlmodel import Session, col

from clinicnum.annotations.assignment import BLOCK, order_offers, repeat_from
from clinicnum.db.engine import affected
from clinicnum.db.rows import AssignmentRow, Row, utc_now
from clinicnum.db.work.annotation.assignable_items import next_offers
from clinicnum.db.work.common.qualification import is_held_back
from clinicnum.db.work.studies.study_lifecycle import Designed, design_of, lock_study
from clinicnum.io.jsonl import keyed_id

# Statements are built once and select plain columns, for speed: see clinicnum.db.work.common.load_work_item.
_T = Row.metadata.tables
_ASSIGNMENT, _STUDY, _ANNOTATOR, _ITEM, _PAGE = (
    _T[name] for name in ("assignment", "study", "study_annotator", "study_item", "page_state")
)
_IN_WORK = (
    select(_ASSIGNMENT.c.id)
    .where(
        _ASSIGNMENT.c.user_id == _ANNOTATOR.c.user_id,
        _ASSIGNMENT.c.status == "open",
        _ASSIGNMENT.c.study_id == _ANNOTATOR.c.study_id,
    )
    .order_by(_ASSIGNMENT.c.position)
    .limit(1)
    .correlate(_ANNOTATOR)
    .scalar_subquery()
    .label("begun")
)
_LATER = case((_PAGE.c.study_id == _STUDY.c.id, 0), else_=1)
_STUDIES = (
    select(_STUDY.c.id, _IN_WORK, _LATER.label("later"))
    .join(_ANNOTATOR, _ANNOTATOR.c.study_id == _STUDY.c.id)
    .join(_PAGE, _PAGE.c.user_id == _ANNOTATOR.c.user_id, isouter=True)
    .where(_ANNOTATOR.c.user_id == bindparam("user"), _STUDY.c.status == "open")
    .order_by(_LATER, _STUDY.c.created_at, _STUDY.c.id)
)
"""The annotator's open studies: the one that they chose, then the oldest first."""
_EXPIRED = select(_ASSIGNMENT.c.id).where(
    _ASSIGNMENT.c.study_id == bindparam("study"),
    _ASSIGNMENT.c.status == "open",
    _ASSIGNMENT.c.leased_until < bindparam("now"),
)
_UNTIL = bindparam("until", type_=_ASSIGNMENT.c.leased_until.type)
_TOO_LONG = (
    update(_ASSIGNMENT)
    .where(
        _ASSIGNMENT.c.study_id == bindparam("study"),
        _ASSIGNMENT.c.status == "open",
        _ASSIGNMENT.c.leased_until > _UNTIL,
    )
    .values(leased_until=_UNTIL)
)
"""Leases that end later than a lease given now would: they were given before the clock was set back."""
_OWN = (
    select(
        _ANNOTATOR.c.study_id,
        _ANNOTATOR.c.user_id,
        _ANNOTATOR.c.pseudonym,
        _ANNOTATOR.c.cursor,
        _ANNOTATOR.c.claimed,
        _STUDY.c.secret,
        _STUDY.c.design,
        _STUDY.c.overlap,
        _STUDY.c.include,
        _STUDY.c.suggestion_policy,
        _IN_WORK,
        _EXPIRED.exists().label("expired"),
        exists()
        .where(
            _ASSIGNMENT.c.user_id == _ANNOTATOR.c.user_id,
            _ASSIGNMENT.c.status == "released",
            _ASSIGNMENT.c.study_id == _ANNOTATOR.c.study_id,
        )
        .label("released"),
    )
    .join(_STUDY, _STUDY.c.id == _ANNOTATOR.c.study_id)
    .where(_ANNOTATOR.c.study_id == bindparam("study"), _ANNOTATOR.c.user_id == bindparam("user"))
)
_END = select(func.max(_ITEM.c.position)).where(_ITEM.c.study_id == bindparam("study"))
_ON_ITEM = (_ITEM.c.study_id == bindparam("study")) & (_ITEM.c.generation == bindparam("of"))
_TAKE = update(_ITEM).where(_ON_ITEM, _ITEM.c.taken < _ITEM.c.places).values(taken=_ITEM.c.taken + 1)
_TAKE_AGAIN = update(_ITEM).where(_ON_ITEM).values(taken=_ITEM.c.taken + 1)
_GIVE_BACK = update(_ITEM).where(_ON_ITEM).values(taken=_ITEM.c.taken - 1)
_PLACE = select(_ITEM.c.position).where(_ON_ITEM).scalar_subquery()
_LOOK_AGAIN = (
    update(_ANNOTATOR)
    .where(_ANNOTATOR.c.study_id == bindparam("study"), _ANNOTATOR.c.cursor > _PLACE)
    .values(cursor=_PLACE)
)
_STEP = (
    update(_ANNOTATOR)
    .where(_ANNOTATOR.c.study_id == bindparam("study"), _ANNOTATOR.c.user_id == bindparam("user"))
    .values(cursor=bindparam("to"), claimed=bindparam("many"))
)


Studies = list[tuple[str, str | None]]
"""Ids of studies, each with the assignment in progress there."""


def open_assignment(session: Session, *, user_id: str, study_id: str | None = None) -> str | None:
    """The id of the annotator's assignment in progress, in one study or in any open one.

    None if one must be claimed first: none is in progress, or none in the study that they chose.
    """
    first = next((some for some in _studies(session, user_id, study_id) if some), [])
    return next((begun for _, begun in first if begun is not None), None)


def _studies(session: Session, user_id: str, study_id: str | None) -> tuple[Studies, Studies]:
    """The annotator's open studies: the chosen one, and the others from the oldest on."""
    rows = session.execute(_STUDIES, {"user": user_id}).all()
    found = [row for row in rows if study_id in (None, row.id)]
    chosen, others = ([(row.id, row.begun) for row in found if row.later == later] for later in (0, 1))
    return chosen, others


def claim_next(session: Session, *, user_id: str, study_id: str | None = None) -> str | None:
    """The id of the assignment to work on: the one in progress or a newly claimed one; None when all is
    done.
    """
    session.flush()
    for studies in _studies(session, user_id, study_id):
        for _, begun in studies:
            if begun is not None:
                return begun
        for study, _ in studies:
            claimed = _claim_in(session, study, user_id)
            if claimed is not None:
                return claimed
    return None


def _claim_in(session: Session, study_id: str, user_id: str) -> str | None:
    lock_study(session, study_id)
    where = {"study": study_id, "user": user_id, "now": utc_now()}
    own = session.execute(_OWN, where).one()
    if own.begun is not None:  # another tab was faster
        return str(own.begun)
    if own.expired:
        release_expired(session, study_id)
        own = session.execute(_OWN, where).one()
    design = design_of(own)
    until = utc_now() + timedelta(minutes=design.lease_minutes)
    session.execute(_TOO_LONG, {"study": study_id, "until": until})
    about = {"study_id": study_id, "user_id": user_id}
    held_back = is_held_back(session, **about, threshold=design.qualifying)
    back = _take_back(session, own, until, training_only=held_back) if own.released else None
    if back is not None:
        return back
    again = repeat_from(
        claimed=own.claimed, annotator=own.pseudonym, seed=own.secret, share=design.repeat_share
    )
    repeat = None if again is None or held_back else _repeatable(session, own, again)
    if repeat is not None:
        return _assign(session, own, repeat, "repeat", until, own.cursor)
    rounds = next_offers(session, own)
    if held_back and "training" not in rounds.values():
        return None
    if not rounds:
        last = session.scalar(_END, {"study": study_id})
        session.execute(
            _STEP, {"study": study_id, "user": user_id, "to": (last or 0) + 1, "many": own.claimed}
        )
    for offer in order_offers(list(rounds), annotator=own.pseudonym, seed=own.secret):
        if take_place(session, study_id, offer.generation):
            first = next(iter(rounds)).position
            return _assign(session, own, offer.generation, rounds[offer], until, first)
    return None


def take_place(session: Session, study_id: str, generation: str) -> bool:
    """Take a place on an item if one is free; returns whether it did."""
    return affected(session, _TAKE, {"study": study_id, "of": generation}) == 1


def _assign(session: Session, own: Any, generation: str, round_: str, until: datetime, cursor: int) -> str:
    """Create the next assignment; the annotator's next search starts at `cursor`."""
    row = assignment_values(own, own, generation=generation, round_=round_, until=until)
    session.execute(insert(_ASSIGNMENT), row)
    session.execute(
        _STEP, {"study": own.study_id, "user": own.user_id, "to": cursor, "many": own.claimed + 1}
    )
    return str(row["id"])


def assignment_values(
    study: Any, own: Any, *, generation: str, round_: str, until: datetime | None
) -> dict[str, Any]:
    """Columns of the next assignment; needs `study.secret` and the annotator's columns in `own`."""
    return {
        # Keyed, because pages show the id, and published files name the model and round of each generation.
        "id": keyed_id(study.secret, ["assignment", generation, own.pseudonym, round_]),
        "study_id": own.study_id,
        "generation": generation,
        "user_id": own.user_id,
        "round": round_,
        "position": own.claimed,
        "status": "open",
        "revision": 0,
        "revealed_at": None,
        "draft": None,
        "skip_reason": None,
        "flag": None,
        "leased_until": until,
        "active_ms": 0,
        "former_id": None,
    }


def _take_back(session: Session, own: Any, until: datetime, *, training_only: bool) -> str | None:
    """Reclaim the first of the annotator's expired assignments whose item has a free place; repeats need
    none.
    """
    statement = (
        select(AssignmentRow)
        .where(
            col(AssignmentRow.user_id) == own.user_id,
            col(AssignmentRow.status) == "released",
            col(AssignmentRow.study_id) == own.study_id,
        )
        .order_by(col(AssignmentRow.position))
    )
    if training_only:
        statement = statement.where(col(AssignmentRow.round) == "training")
    for row in session.scalars(statement).all():
        if row.round == "repeat" or take_place(session, own.study_id, row.generation):
            row.status, row.leased_until = "open", until
            session.flush()
            return row.id
    return None


def _repeatable(session: Session, own: Any, start: int) -> str | None:
    """The annotator's first submitted main item from `start` on that has not been repeated yet."""
    repeated = select(col(AssignmentRow.generation)).where(
        col(AssignmentRow.user_id) == own.user_id,
        col(AssignmentRow.study_id) == own.study_id,
        col(AssignmentRow.round) == "repeat",
    )
    statement = (
        select(col(AssignmentRow.generation))
        .where(
            col(AssignmentRow.user_id) == own.user_id,
            col(AssignmentRow.status) == "submitted",
            col(AssignmentRow.study_id) == own.study_id,
            col(AssignmentRow.position) >= start,
            col(AssignmentRow.position) < own.claimed - BLOCK,
            col(AssignmentRow.round) == "main",
            col(AssignmentRow.generation).not_in(repeated),
        )
        .order_by(col(AssignmentRow.position))
        .limit(1)
    )
    return session.scalars(statement).first()


def release_expired(session: Session, study_id: str) -> int:
    """Free the places of items in progress whose lease expired; returns how many. Drafts are kept."""
    expired = select(AssignmentRow).where(
        col(AssignmentRow.id).in_(_EXPIRED.params(study=study_id, now=utc_now()))
    )
    rows = session.scalars(expired.with_for_update()).all()
    for row in rows:
        row.status = "released"
        if row.round != "repeat":
            give_place_back(session, study_id, row.generation)
    session.flush()
    return len(rows)


def give_place_back(session: Session, study_id: str, generation: str) -> None:
    """Free a place on an item, and make every annotator's search consider the item again."""
    session.execute(_GIVE_BACK, {"study": study_id, "of": generation})
    session.execute(_LOOK_AGAIN, {"study": study_id, "of": generation})


def take_again(session: Session, study_id: str, generation: str) -> None:
    """Count a place for an assignment that resumes after a skip or an expired lease, even if all
    places are taken.
    """
    session.execute(_TAKE_AGAIN, {"study": study_id, "of": generation})


def renewed(leased_until: datetime | None, study: Designed) -> datetime | None:
    """The new end of the lease after a sign of activity; None if the study has no leases."""
    if leased_until is None:
        return None
    return utc_now() + timedelta(minutes=design_of(study).lease_minutes)
