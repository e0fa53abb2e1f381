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
from db.rows import AssignmentRow, StudyAnnotatorRow, StudyItemRow, StudyRow, utc_now
from db.work.study import design_of

# Statements are made once: making one costs more than running it.
_OPEN = (
    select(col(AssignmentRow.id))
    .join(StudyRow, col(StudyRow.id) == col(AssignmentRow.study_id))
    .where(
        col(AssignmentRow.user_id) == bindparam("user_id"),
        col(AssignmentRow.status) == "open",
        col(StudyRow.status) == "open",
    )
    .order_by(col(AssignmentRow.study_id), col(AssignmentRow.position))
    .limit(1)
)
_OPEN_IN = _OPEN.where(col(AssignmentRow.study_id) == bindparam("study_id"))
_STUDIES = (
    select(col(StudyRow.id))
    .join(StudyAnnotatorRow, col(StudyAnnotatorRow.study_id) == col(StudyRow.id))
    .where(col(StudyAnnotatorRow.user_id) == bindparam("user_id"), col(StudyRow.status) == "open")
    .order_by(col(StudyRow.id))
)
_STUDY = _STUDIES.where(col(StudyRow.id) == bindparam("study_id"))
_OWN = (
    select(StudyAnnotatorRow, StudyRow)
    .join(StudyRow, col(StudyRow.id) == col(StudyAnnotatorRow.study_id))
    .where(
        col(StudyAnnotatorRow.study_id) == bindparam("study_id"),
        col(StudyAnnotatorRow.user_id) == bindparam("user_id"),
    )
    .execution_options(populate_existing=True)
)
_EXPIRED = (
    select(AssignmentRow)
    .where(
        col(AssignmentRow.study_id) == bindparam("study_id"),
        col(AssignmentRow.status) == "open",
        col(AssignmentRow.leased_until) < bindparam("now"),
    )
    .with_for_update()
)
_RELEASED = (
    select(AssignmentRow)
    .where(
        col(AssignmentRow.user_id) == bindparam("user_id"),
        col(AssignmentRow.status) == "released",
        col(AssignmentRow.study_id) == bindparam("study_id"),
    )
    .order_by(col(AssignmentRow.position))
)
_OFFERS = (
    select(col(StudyItemRow.generation), col(StudyItemRow.position), col(StudyItemRow.round))
    .where(
        col(StudyItemRow.study_id) == bindparam("study_id"),
        col(StudyItemRow.position) >= bindparam("cursor"),
        col(StudyItemRow.taken) < col(StudyItemRow.places),
        ~exists().where(
            col(AssignmentRow.study_id) == col(StudyItemRow.study_id),
            col(AssignmentRow.generation) == col(StudyItemRow.generation),
            col(AssignmentRow.user_id) == bindparam("user_id"),
            col(AssignmentRow.round) != "repeat",
        ),
    )
    .order_by(col(StudyItemRow.position))
    .limit(BLOCK)
)
_TAKE = (
    update(StudyItemRow)
    .where(
        col(StudyItemRow.study_id) == bindparam("of_study"),
        col(StudyItemRow.generation) == bindparam("of"),
        col(StudyItemRow.taken) < col(StudyItemRow.places),
    )
    .values(taken=col(StudyItemRow.taken) + 1)
    .execution_options(synchronize_session=False)
)


def lock_study(session: Session, study_id: str) -> None:
    """Let one transaction at a time change a study's assignments."""
    lock(session, f"study:{study_id}")


def open_assignment(session: Session, *, user_id: str, study_id: str | None = None) -> str | None:
    """The id of the assignment that the annotator has in work, in one study or in any open one."""
    if study_id is None:
        return session.scalars(_OPEN, {"user_id": user_id}).first()
    return session.scalars(_OPEN_IN, {"user_id": user_id, "study_id": study_id}).first()


def claim_next(session: Session, *, user_id: str, study_id: str | None = None) -> str | None:
    """The id of the assignment to work on now; a new one is reserved if none is open. None: all is done."""
    found = open_assignment(session, user_id=user_id, study_id=study_id)
    if found is not None:
        return found
    where = {"user_id": user_id} if study_id is None else {"user_id": user_id, "study_id": study_id}
    for study in session.scalars(_STUDIES if study_id is None else _STUDY, where).all():
        claimed = _claim_in(session, study, user_id)
        if claimed is not None:
            return claimed
    return None


def _claim_in(session: Session, study_id: str, user_id: str) -> str | None:
    lock_study(session, study_id)
    found = open_assignment(session, user_id=user_id, study_id=study_id)
    if found is not None:  # another tab was faster
        return found
    release_expired(session, study_id)
    own, study = session.execute(_OWN, {"study_id": study_id, "user_id": user_id}).one()
    design = design_of(study)
    until = utc_now() + timedelta(minutes=design.lease_minutes)
    back = _take_back(session, own, until)
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
    where = {"user_id": own.user_id, "study_id": own.study_id}
    for row in session.scalars(_RELEASED, where).all():
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
    rows = session.scalars(_EXPIRED, {"study_id": study_id, "now": utc_now()}).all()
    for row in rows:
        row.status = "released"
        give_place_back(session, row)
    if rows:
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


def renew(session: Session, assignment: AssignmentRow) -> None:
    """A sign of life: the lease begins anew."""
    if assignment.leased_until is not None:
        study = session.get_one(StudyRow, assignment.study_id)
        assignment.leased_until = utc_now() + timedelta(minutes=design_of(study).lease_minutes)
