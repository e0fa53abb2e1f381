"""Handing out items: the one an annotator has in work, else the next that has a place for them.

Every change to a study's assignments takes the study's lock first, so that two processes cannot give away the
same place or wait for each other. A place is taken by a conditional update, and an annotator's cursor keeps
the search as short at the ten-thousandth item as at the first.
"""

from datetime import datetime, timedelta

from sqlalchemy import bindparam, exists, func, select, update
from sqlmodel import Session, col

from annotations.assignment import BLOCK, Offer, order_offers, repeat_from
from annotations.types import Round
from clinicnum.jsonl import content_id
from db.engine import affected, lock
from db.rows import AssignmentRow, Row, StudyAnnotatorRow, StudyItemRow, StudyRow, utc_now
from db.work.study import design_of

# Statements are made once, and of bare columns: see db.work.workitems.
_T = Row.metadata.tables
_ASSIGNMENT, _STUDY, _ANNOTATOR, _ITEM = (
    _T[name] for name in ("assignment", "study", "study_annotator", "study_item")
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
)
_STUDIES = (
    select(_STUDY.c.id, _IN_WORK)
    .join(_ANNOTATOR, _ANNOTATOR.c.study_id == _STUDY.c.id)
    .where(_ANNOTATOR.c.user_id == bindparam("user_id"), _STUDY.c.status == "open")
    .order_by(_STUDY.c.id)
)
_EXPIRED = select(_ASSIGNMENT.c.id).where(
    _ASSIGNMENT.c.study_id == bindparam("study_id"),
    _ASSIGNMENT.c.status == "open",
    _ASSIGNMENT.c.leased_until < bindparam("now"),
)
_OWN = (
    select(
        StudyAnnotatorRow,
        StudyRow,
        _IN_WORK,
        _EXPIRED.exists(),
        exists().where(
            _ASSIGNMENT.c.user_id == _ANNOTATOR.c.user_id,
            _ASSIGNMENT.c.status == "released",
            _ASSIGNMENT.c.study_id == _ANNOTATOR.c.study_id,
        ),
    )
    .join(StudyRow, col(StudyRow.id) == col(StudyAnnotatorRow.study_id))
    .where(
        col(StudyAnnotatorRow.study_id) == bindparam("study_id"),
        col(StudyAnnotatorRow.user_id) == bindparam("user_id"),
    )
    .execution_options(populate_existing=True)
)
_OFFERS = (
    select(_ITEM.c.generation, _ITEM.c.position, _ITEM.c.round)
    .where(
        _ITEM.c.study_id == bindparam("study_id"),
        _ITEM.c.position >= bindparam("cursor"),
        _ITEM.c.taken < _ITEM.c.places,
        ~exists().where(
            _ASSIGNMENT.c.study_id == _ITEM.c.study_id,
            _ASSIGNMENT.c.generation == _ITEM.c.generation,
            _ASSIGNMENT.c.user_id == bindparam("user_id"),
            _ASSIGNMENT.c.round != "repeat",
        ),
    )
    .order_by(_ITEM.c.position)
    .limit(BLOCK)
)
_TAKE = (
    update(_ITEM)
    .where(
        _ITEM.c.study_id == bindparam("of_study"),
        _ITEM.c.generation == bindparam("of"),
        _ITEM.c.taken < _ITEM.c.places,
    )
    .values(taken=_ITEM.c.taken + 1)
)


def lock_study(session: Session, study_id: str) -> None:
    """Let one transaction at a time change a study's assignments."""
    lock(session, f"study:{study_id}")


def open_assignment(session: Session, *, user_id: str, study_id: str | None = None) -> str | None:
    """The id of the assignment that the annotator has in work, in one study or in any open one."""
    return next((begun for _, begun in _studies(session, user_id, study_id) if begun is not None), None)


def _studies(session: Session, user_id: str, study_id: str | None) -> list[tuple[str, str | None]]:
    """The annotator's open studies, each with what is in work there."""
    found = session.execute(_STUDIES, {"user_id": user_id})
    return [(study, begun) for study, begun in found if study_id in (None, study)]


def claim_next(session: Session, *, user_id: str, study_id: str | None = None) -> str | None:
    """The id of the assignment to work on now; a new one is reserved if none is open. None: all is done."""
    session.flush()
    studies = _studies(session, user_id, study_id)
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
    where = {"study_id": study_id, "user_id": user_id, "now": utc_now()}
    own, study, begun, expired, released = session.execute(_OWN, where).one()
    if begun is not None:  # another tab was faster
        return str(begun)
    if expired:
        release_expired(session, study_id)
    design = design_of(study)
    until = utc_now() + timedelta(minutes=design.lease_minutes)
    back = _take_back(session, own, until) if released or expired else None
    if back is not None:
        return back
    again = repeat_from(
        claimed=own.claimed, annotator=own.pseudonym, seed=study.seed, share=design.repeat_share
    )
    repeat = None if again is None else _repeatable(session, own, again)
    if repeat is not None:
        return _assign(session, own, repeat, "repeat", until)
    rounds = _offers(session, own)
    for offer in order_offers(list(rounds), annotator=own.pseudonym, seed=study.seed):
        if _take_place(session, study_id, offer.generation):
            return _assign(session, own, offer.generation, rounds[offer], until)
    return None


def _offers(session: Session, own: StudyAnnotatorRow) -> dict[Offer, str]:
    """The next items with a place for the annotator, and their rounds; moves the cursor to the first."""
    where = {"study_id": own.study_id, "user_id": own.user_id, "cursor": own.cursor}
    offers = {Offer(key, place): round_ for key, place, round_ in session.execute(_OFFERS, where)}
    if offers:
        own.cursor = next(iter(offers)).position
    else:
        last = select(func.max(col(StudyItemRow.position))).where(col(StudyItemRow.study_id) == own.study_id)
        own.cursor = (session.scalars(last).one() or 0) + 1
    return offers


def _take_place(session: Session, study_id: str, generation: str) -> bool:
    """Take a place on an item if one is left."""
    return affected(session, _TAKE, {"of_study": study_id, "of": generation}) == 1


def _assign(
    session: Session, own: StudyAnnotatorRow, generation: str, round_: Round | str, until: datetime
) -> str:
    # From the pseudonym: ids leave the database with exports, and a name could be guessed from its hash.
    key = content_id(["assignment", own.study_id, generation, own.pseudonym, round_])
    session.add(
        AssignmentRow(
            id=key,
            study_id=own.study_id,
            generation=generation,
            user_id=own.user_id,
            round=round_,
            position=own.claimed,
            leased_until=until,
        )
    )
    own.claimed += 1
    session.flush()
    return key


def _take_back(session: Session, own: StudyAnnotatorRow, until: datetime) -> str | None:
    """One whose lease had run out, if its place is still free or it needs none: what is begun comes first."""
    statement = (
        select(AssignmentRow)
        .where(
            col(AssignmentRow.user_id) == own.user_id,
            col(AssignmentRow.status) == "released",
            col(AssignmentRow.study_id) == own.study_id,
        )
        .order_by(col(AssignmentRow.position))
    )
    for row in session.scalars(statement).all():
        if row.round == "repeat" or _take_place(session, own.study_id, row.generation):
            row.status, row.leased_until = "open", until
            session.flush()
            return row.id
    return None


def _repeatable(session: Session, own: StudyAnnotatorRow, start: int) -> str | None:
    """The annotator's own first submitted main item from there on that has not been repeated yet."""
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
    """Free the places of open items whose lease has run out; the number of them. Drafts are kept."""
    expired = select(AssignmentRow).where(
        col(AssignmentRow.id).in_(_EXPIRED.params(study_id=study_id, now=utc_now()))
    )
    rows = session.scalars(expired.with_for_update()).all()
    for row in rows:
        row.status = "released"
        give_place_back(session, row)
    session.flush()
    return len(rows)


def give_place_back(session: Session, assignment: AssignmentRow) -> None:
    """Free the place of an assignment, and let every annotator's search look at it again."""
    if assignment.round == "repeat":
        return
    item = session.get_one(StudyItemRow, (assignment.study_id, assignment.generation), populate_existing=True)
    item.taken -= 1
    session.flush()
    session.execute(
        update(StudyAnnotatorRow)
        .where(
            col(StudyAnnotatorRow.study_id) == assignment.study_id,
            col(StudyAnnotatorRow.cursor) > item.position,
        )
        .values(cursor=item.position)
        .execution_options(synchronize_session="fetch")
    )


def take_again(session: Session, assignment: AssignmentRow) -> None:
    """Count a place for an assignment that comes back after a skip or a lost lease, even if all are taken."""
    if assignment.round != "repeat":
        item = session.get_one(
            StudyItemRow, (assignment.study_id, assignment.generation), populate_existing=True
        )
        item.taken += 1
        session.flush()


def renew(assignment: AssignmentRow, study: StudyRow) -> None:
    """A sign of life: the lease begins anew."""
    if assignment.leased_until is not None:
        assignment.leased_until = utc_now() + timedelta(minutes=design_of(study).lease_minutes)
