"""Instances that upheld contests of earlier studies invalidated, which new studies do not draw."""

from dataclasses import replace

from sqlalchemy import select
from sqlmodel import Session, col

from clinicnum.annotations.study_inputs import EarlierInvalidation, Material
from clinicnum.db.rows import InstanceRow, InvalidationRow, StudyRow


def without_invalidated(session: Session, material: Material) -> Material:
    """The material, with instances that any study invalidated excluded from the draw.

    The first upheld contest of any study counts, open or closed. Of an unknown benchmark nothing is excluded.
    """
    statement = (
        select(col(InstanceRow.instance_id), col(StudyRow.name), col(InvalidationRow.rule))
        .join(InvalidationRow, col(InvalidationRow.instance) == col(InstanceRow.id))
        .join(StudyRow, col(StudyRow.id) == col(InvalidationRow.study_id))
        .where(col(InstanceRow.benchmark_id).in_({one.benchmark_id for one in material.instances}))
        .order_by(col(InvalidationRow.created_at), col(StudyRow.name))
    )
    found: dict[str, EarlierInvalidation] = {}
    for instance_id, study, rule in session.execute(statement):
        found.setdefault(instance_id, EarlierInvalidation(study=study, rule=rule))
    return replace(material, invalidated=found)
