"""The criteria of a study in the database: stored when it opens, read by item or all together."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import bindparam, or_, select
from sqlmodel import Session

from clinicnum.annotations.criteria.criterion import Criteria, Criterion
from clinicnum.db.rows import CriterionRow, Row, utc_now
from clinicnum.db.work.common.bulk_insert import add_all, chunks

_CRITERION = Row.metadata.tables["criterion"]
# Built once, as the statements of `load_work_item`: every request of the annotate page asks it.
_OF_ITEM = (
    select(_CRITERION.c.payload)
    .where(
        _CRITERION.c.study_id == bindparam("study_id"),
        or_(_CRITERION.c.item == bindparam("item"), _CRITERION.c.item == ""),
    )
    .order_by(_CRITERION.c.place, _CRITERION.c.version)
)


def add_criteria(session: Session, study_id: str, criteria: Sequence[Criterion]) -> None:
    """Store the criteria of a new study, in this order."""
    now = utc_now()
    rows = [_row(study_id, one, place, now) for place, one in enumerate(criteria)]
    for chunk in chunks(rows):
        add_all(session, CriterionRow, chunk)


def _row(study_id: str, one: Criterion, place: int, now: datetime) -> dict[str, object]:
    return {
        "study_id": study_id,
        "item": one.item,
        "criterion_id": one.id,
        "version": one.version,
        "place": place,
        "payload": one.model_dump(mode="json"),
        "created_at": now,
    }


def criteria_of_item(session: Session, *, study_id: str, instance_id: str) -> tuple[Criterion, ...]:
    """The current criteria for judging answers to one item; empty if the study has none."""
    payloads = session.scalars(_OF_ITEM, {"study_id": study_id, "item": instance_id})
    return Criteria(map(Criterion.model_validate, payloads)).of_item(instance_id)


def criteria_of_study(session: Session, study_id: str) -> tuple[Criterion, ...]:
    """All versions of all criteria of a study, by place and version."""
    statement = (
        select(_CRITERION.c.payload)
        .where(_CRITERION.c.study_id == study_id)
        .order_by(_CRITERION.c.place, _CRITERION.c.version)
    )
    return tuple(map(Criterion.model_validate, session.scalars(statement)))
