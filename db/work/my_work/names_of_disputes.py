"""What the axes, sentences and criteria are called on which a decision differs from a judgement."""

from collections.abc import Mapping, Sequence

from sqlalchemy import select
from sqlmodel import Session, col

from clinicnum.annotations.claims.claim import claim_of_key
from clinicnum.annotations.criteria.criterion import criterion_of_key
from clinicnum.annotations.feedback_to_annotator import Difference
from clinicnum.db.rows import GenerationRow, InstanceRow, StudyRow
from clinicnum.db.work.common.masked_answer_text import answer_text
from clinicnum.db.work.common.study_criteria import criteria_of_study
from clinicnum.db.work.studies.study_lifecycle import design_of
from clinicnum.types import Instance


def names_of_disputes(
    session: Session, study: StudyRow, generation: str, differ: Sequence[Difference]
) -> Mapping[str, str]:
    """Key -> the label of an axis, the text of a sentence (names of models masked), or that of a criterion in
    the version ticked.
    """
    keyed = [one for one in differ if one.key]
    if not keyed:
        return {}
    text = answer_text(session, study.id, generation, hidden=True)
    instance = Instance.model_validate(
        session.scalars(
            select(col(InstanceRow.payload))
            .join(GenerationRow, col(GenerationRow.instance) == col(InstanceRow.id))
            .where(col(GenerationRow.id) == generation)
        ).one()
    )
    axes = {one.name: one.label for one in design_of(study).fields}
    criteria = {
        (one.id, one.version): one.text
        for one in criteria_of_study(session, study.id)
        if one.item in ("", instance.instance_id)
    }

    def name(one: Difference) -> str:
        if one.what == "rating":
            return axes[one.key]
        if one.what == "tick":
            return criteria[criterion_of_key(one.key)]
        claim = claim_of_key(one.key)
        return (text if claim.part == "answer" else instance.answer or "")[claim.start : claim.end]

    return {one.key: name(one) for one in keyed}
