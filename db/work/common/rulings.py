"""The rulings of a study: answers that adjudicators marked as a general rule for the guideline."""

from sqlalchemy import func, select
from sqlmodel import Session, col

from clinicnum.annotations.consequences_of_upholding import claim_words
from clinicnum.annotations.types import Ruling
from clinicnum.db.rows import ContestRow, GenerationRow, GuidelineRulingRow, InstanceRow, MessageRow
from clinicnum.db.work.common.adjudication_decisions import pseudonyms_of


def load_rulings(session: Session, study_id: str) -> tuple[Ruling, ...]:
    """All rulings in the order they were given, each with the first guideline version made with it."""
    names = pseudonyms_of(session, study_id)
    version = (
        select(func.min(col(GuidelineRulingRow.version)))
        .where(col(GuidelineRulingRow.message_id) == col(MessageRow.id))
        .scalar_subquery()
    )
    statement = (
        select(
            MessageRow, ContestRow, col(GenerationRow.generation_id), col(InstanceRow.instance_id), version
        )
        .join(GenerationRow, col(GenerationRow.id) == col(MessageRow.generation))
        .join(InstanceRow, col(InstanceRow.id) == col(GenerationRow.instance))
        .outerjoin(ContestRow, col(ContestRow.annotation_id) == col(MessageRow.contest))
        .where(col(MessageRow.study_id) == study_id, col(MessageRow.ruling))
        .order_by(col(MessageRow.created_at), col(MessageRow.id))
    )
    return tuple(
        Ruling(
            ruling_id=row.id,
            instance_id=instance_id,
            generation_id=generation_id,
            question=_asked(row, contest),
            text=row.text,
            adjudicator_id=names[row.author],
            guideline_version=None if version is None else str(version),
            created_at=row.created_at,
        )
        for row, contest, generation_id, instance_id, version in session.execute(statement)
    )


def _asked(row: MessageRow, contest: ContestRow | None) -> str:
    claim = [] if contest is None else [claim_words(contest.kind, contest.proposed_gold)]
    return ": ".join([*claim, *([row.question] if row.question else [])])
