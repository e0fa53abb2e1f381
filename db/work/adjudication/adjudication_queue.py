"""The adjudicator's queue: first disagreements, the strongest first, then contests, flags, and replies.

Items of the study that the adjudicator chose come before all others.
"""

from datetime import date, datetime

from sqlalchemy import Exists, Select, exists, null, select
from sqlalchemy.orm import aliased
from sqlmodel import Session, col

from clinicnum.annotations.role_rights import RIGHTS, require
from clinicnum.db.rows import (
    AdjudicationRow,
    AssignmentRow,
    ContestRow,
    GenerationRow,
    MessageRow,
    StudyAnnotatorRow,
    StudyItemRow,
    StudyRow,
    UserRow,
)
from clinicnum.db.work.common.barred_studies import barred_studies
from clinicnum.db.work.common.chosen_study_and_tour import chosen_study, keep_choice
from clinicnum.db.work.common.model_masking_period import decided
from clinicnum.errors import NotAllowed
from clinicnum.types import Frozen


class WaitingItem(Frozen):
    """An item in the queue, and why it is there."""

    study_id: str
    study: str
    opened_at: datetime
    """When the study was opened."""
    deadline: date | None = None
    """Study's deadline."""
    chosen: bool = False
    """Whether the adjudicator put the study first."""
    item: str
    """The item's id on pages; the generation's own id would reveal model and run."""
    generation: str
    """Row id of the generation, which is never sent to a page."""
    due: tuple[str, ...] = ()
    """What the judgements disagree on; empty if they need no decision."""
    again: bool = False
    """Whether it was decided before, and a judgement was revised or added since."""
    contested: bool = False
    flagged: bool = False
    replied: bool = False
    """Whether an annotator replied in a thread about it and nobody has answered."""


_ITEM = (
    col(StudyRow.id),
    col(StudyRow.name),
    col(StudyRow.created_at),
    col(StudyRow.deadline),
    col(StudyItemRow.item_id),
    col(StudyItemRow.generation),
    col(StudyItemRow.position),  # selected because PostgreSQL requires it for sorting with DISTINCT
)


def find_item(session: Session, *, study_id: str, item: str) -> StudyItemRow:
    """The study item with this page id, freshly read. Raises NotAllowed if there is none."""
    statement = select(StudyItemRow).where(
        col(StudyItemRow.study_id) == study_id, col(StudyItemRow.item_id) == item
    )
    found = session.scalars(statement.execution_options(populate_existing=True)).first()
    if found is None:
        raise NotAllowed("There is no such item to adjudicate; go to the next one.")
    return found


def find_adjudicator(session: Session, user_id: str) -> UserRow:
    """The adjudicator's account. Raises NotAllowed unless it may adjudicate now."""
    user = session.get(UserRow, user_id)
    if user is None or not user.active:
        raise NotAllowed("This account is switched off; ask an admin.")
    require(user.role, "adjudicate")  # type: ignore[arg-type]
    return user


def has_annotated(session: Session, *, user_id: str, study_id: str, generation: str) -> bool:
    """Whether the account has judged this generation in any round."""
    statement = select(
        exists().where(
            col(AssignmentRow.study_id) == study_id,
            col(AssignmentRow.generation) == generation,
            col(AssignmentRow.user_id) == user_id,
            col(AssignmentRow.revision) > 0,
        )
    )
    return bool(session.execute(statement).scalar_one())


def has_judged_instance(session: Session, *, user_id: str, study_id: str, instance: str) -> bool:
    """Whether the account has judged any answer to this instance in the study."""
    statement = select(
        exists().where(
            col(AssignmentRow.study_id) == study_id,
            col(AssignmentRow.generation) == col(GenerationRow.id),
            col(GenerationRow.instance) == instance,
            col(AssignmentRow.user_id) == user_id,
            col(AssignmentRow.revision) > 0,
        )
    )
    return bool(session.execute(statement).scalar_one())


def list_waiting(session: Session, *, user_id: str) -> tuple[WaitingItem, ...]:
    """Everything the adjudicator may decide now, in queue order, the chosen study first.

    Items that they annotated themselves and studies that are barred to them are left out. Raises NotAllowed
    for an account that may not adjudicate.
    """
    find_adjudicator(session, user_id)
    waiting = {(one.study_id, one.generation): one for one in _due(session, user_id)}
    barred = barred_studies(session, user_id)
    further = {"contested": _contested, "flagged": _flagged, "replied": _replied}
    for what, rows in ((what, select_rows(user_id)) for what, select_rows in further.items()):
        for study_id, study, opened_at, deadline, item, generation, _ in session.execute(rows):
            before = waiting.get((study_id, generation)) or WaitingItem(
                study_id=study_id,
                study=study,
                opened_at=opened_at,
                deadline=deadline,
                item=item,
                generation=generation,
            )
            waiting[study_id, generation] = before.model_copy(update={what: True})
    chosen = chosen_study(session, user_id=user_id)
    allowed = [one for one in waiting.values() if one.study_id not in barred]
    first = [one.model_copy(update={"chosen": True}) for one in allowed if one.study_id == chosen]
    return (*first, *(one for one in allowed if one.study_id != chosen))


def decidable_studies(session: Session) -> frozenset[str]:
    """Names of the studies that are open to at least one account that may adjudicate."""
    barred = exists().where(
        col(StudyAnnotatorRow.study_id) == col(StudyRow.id),
        col(StudyAnnotatorRow.user_id) == col(UserRow.id),
        col(StudyRow.status) != "closed",
    )
    adjudicator = exists().where(
        col(UserRow.active), col(UserRow.role).in_(RIGHTS["adjudicate"]), ~barred.correlate(StudyRow, UserRow)
    )
    return frozenset(session.scalars(select(col(StudyRow.name)).where(adjudicator.correlate(StudyRow))))


def choose_study(session: Session, *, user_id: str, study_id: str | None) -> None:
    """Put this study's items first; with None, no study's.

    Raises NotAllowed for an account that may not adjudicate, and for a study in which nothing waits for it.
    """
    waiting = list_waiting(session, user_id=user_id)
    if study_id is not None and all(one.study_id != study_id for one in waiting):
        raise NotAllowed("Nothing waits for you in this study; choose another one.")
    keep_choice(session, user_id=user_id, study_id=study_id)


def _due(session: Session, user_id: str) -> list[WaitingItem]:
    statement = (
        select(
            col(StudyRow.name),
            col(StudyRow.created_at),
            col(StudyRow.deadline),
            StudyItemRow,
            exists().where(
                col(AdjudicationRow.study_id) == col(StudyItemRow.study_id),
                col(AdjudicationRow.generation) == col(StudyItemRow.generation),
            ),
        )
        .join(StudyRow, col(StudyRow.id) == col(StudyItemRow.study_id))
        .where(col(StudyItemRow.hardness).is_not(None), ~decided(), ~_own_item(user_id))
        .order_by(col(StudyItemRow.hardness).desc(), col(StudyItemRow.study_id), col(StudyItemRow.position))
    )
    return [
        WaitingItem(
            study_id=item.study_id,
            study=study,
            opened_at=opened_at,
            deadline=deadline,
            item=item.item_id,
            generation=item.generation,
            due=tuple(item.due or ()),
            again=before,
        )
        for study, opened_at, deadline, item, before in session.execute(statement)
    ]


def _own_item(user_id: str) -> Exists:
    return exists().where(
        col(AssignmentRow.study_id) == col(StudyItemRow.study_id),
        col(AssignmentRow.generation) == col(StudyItemRow.generation),
        col(AssignmentRow.user_id) == user_id,
        col(AssignmentRow.revision) > 0,
    )


def _contested(user_id: str) -> Select[str, str, datetime, date | None, str, str, int]:
    answer, asked = aliased(GenerationRow), aliased(GenerationRow)
    own = aliased(AssignmentRow)
    return (
        select(*_ITEM)
        .select_from(ContestRow)
        .join(StudyRow, col(StudyRow.id) == col(ContestRow.study_id))
        .join(
            StudyItemRow,
            (col(StudyItemRow.study_id) == col(ContestRow.study_id))
            & (col(StudyItemRow.generation) == col(ContestRow.generation)),
        )
        .join(asked, col(asked.id) == col(ContestRow.generation))
        .where(
            col(ContestRow.status) == "open",
            ~exists().where(
                col(own.study_id) == col(ContestRow.study_id),
                col(own.generation) == col(answer.id),
                col(answer.instance) == col(asked.instance),
                col(own.user_id) == user_id,
                col(own.revision) > 0,
            ),
        )
        .distinct()
        .order_by(col(StudyRow.id), col(StudyItemRow.position))
    )


def _flagged(user_id: str) -> Select[str, str, datetime, date | None, str, str, int]:
    own = aliased(AssignmentRow)
    return (
        select(*_ITEM)
        .select_from(AssignmentRow)
        .join(StudyRow, col(StudyRow.id) == col(AssignmentRow.study_id))
        .join(
            StudyItemRow,
            (col(StudyItemRow.study_id) == col(AssignmentRow.study_id))
            & (col(StudyItemRow.generation) == col(AssignmentRow.generation)),
        )
        .where(
            col(AssignmentRow.flag).is_not(null()),
            ~exists().where(
                col(own.study_id) == col(AssignmentRow.study_id),
                col(own.generation) == col(AssignmentRow.generation),
                col(own.user_id) == user_id,
                col(own.revision) > 0,
            ),
        )
        .distinct()
        .order_by(col(StudyRow.id), col(StudyItemRow.position))
    )


def _replied(user_id: str) -> Select[str, str, datetime, date | None, str, str, int]:
    later = aliased(MessageRow)
    return (
        select(*_ITEM)
        .select_from(MessageRow)
        .join(StudyRow, col(StudyRow.id) == col(MessageRow.study_id))
        .join(
            StudyItemRow,
            (col(StudyItemRow.study_id) == col(MessageRow.study_id))
            & (col(StudyItemRow.generation) == col(MessageRow.generation)),
        )
        .where(
            col(MessageRow.kind) == "reply",
            ~exists().where(
                col(later.assignment_id) == col(MessageRow.assignment_id),
                col(later.number) > col(MessageRow.number),
            ),
            ~_own_item(user_id),
        )
        .distinct()
        .order_by(col(StudyRow.id), col(StudyItemRow.position))
    )
