"""The annotator's current item as data for a lab's custom view: never gold, score or model."""

from sqlalchemy import select
from sqlmodel import Session, col

from clinicnum.annotations.work_item import ShownItem, show_item
from clinicnum.db.rows import GenerationRow, InstanceRow
from clinicnum.db.work.annotation.append_revision import own_assignment
from clinicnum.types import Instance


def shown_item(session: Session, *, user_id: str, assignment_id: str) -> ShownItem:
    """The item of one of the user's own assignments. Raises NotAllowed for any other."""
    own = own_assignment(session, user_id=user_id, assignment_id=assignment_id)
    statement = (
        select(col(InstanceRow.payload))
        .join(GenerationRow, col(GenerationRow.instance) == col(InstanceRow.id))
        .where(col(GenerationRow.id) == own.generation)
    )
    return show_item(Instance.model_validate(session.scalars(statement).one()))
