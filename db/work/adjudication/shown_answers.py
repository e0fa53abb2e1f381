"""The answers of an item as an adjudicator sees them: one, or the two of a pair in an order drawn for this
adjudicator; and the criteria whose ticks are disputed.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import select
from sqlmodel import Session, col

from clinicnum.annotations.criteria.criterion import Criterion, criterion_of_key
from clinicnum.annotations.disputes import Dispute
from clinicnum.annotations.pairwise.pairing import left_side
from clinicnum.annotations.preference_question import Side
from clinicnum.annotations.reconstructed_prompt import ending_of
from clinicnum.annotations.study_seed import parse_seed
from clinicnum.annotations.work_item import ShownAnswer, shown_answer
from clinicnum.db.rows import GenerationRow, RunRow, StudyItemRow, StudyRow, StudyRunRow
from clinicnum.db.work.common.study_criteria import criteria_of_study
from clinicnum.types import Frozen, Generation


class AdjudicatedAnswer(Frozen):
    """One answer on the page."""

    shown: ShownAnswer
    """While models are masked, without the names of all models of the study."""
    model: str | None
    """None while models are masked."""


def adjudicator_side(study: StudyRow, *, generation: str, user_id: str) -> Side:
    """Which answer of the pair with this first generation the adjudicator sees first, on the left."""
    seed = parse_seed(study.seed)
    return left_side(seed=seed, generation=generation, annotator=user_id, round_="adjudication")


def shown_answers(
    session: Session, study: StudyRow, item: StudyItemRow, *, user_id: str, masked: bool
) -> tuple[AdjudicatedAnswer, ...]:
    """The answer of the item, or both of a pair, the left one first."""
    first = _answer(session, study, item.generation, masked=masked)
    if item.second is None:
        return (first,)
    second = _answer(session, study, item.second, masked=masked)
    side = adjudicator_side(study, generation=item.generation, user_id=user_id)
    return (first, second) if side == "first" else (second, first)


def _answer(session: Session, study: StudyRow, generation: str, *, masked: bool) -> AdjudicatedAnswer:
    statement = (
        select(col(GenerationRow.payload), col(StudyRunRow.meta), col(RunRow.run_id))
        .join(RunRow, col(RunRow.id) == col(GenerationRow.run))
        .join(StudyRunRow, col(StudyRunRow.run) == col(GenerationRow.run))
        .where(col(StudyRunRow.study_id) == study.id, col(GenerationRow.id) == generation)
    )
    payload, meta, run_id = session.execute(statement).one()
    answer = Generation.model_validate(payload)
    if not masked:
        plain = ShownAnswer(text=answer.text, ended=ending_of(answer), thinking=answer.thinking)
        return AdjudicatedAnswer(shown=plain, model=meta.get("model") or run_id)
    return AdjudicatedAnswer(shown=shown_answer(answer, meta, *study_run_metas(session, study)), model=None)


def study_run_metas(session: Session, study: StudyRow) -> Sequence[dict[str, Any]]:
    """The metas of the study's runs."""
    return session.scalars(select(col(StudyRunRow.meta)).where(col(StudyRunRow.study_id) == study.id)).all()


def disputed_criteria(
    session: Session, study_id: str, instance_id: str, disputes: tuple[Dispute, ...]
) -> tuple[Criterion, ...]:
    """The criterion of each disputed tick, in the version that was ticked."""
    keys = [criterion_of_key(one.key) for one in disputes if one.about == "tick"]
    if not keys:
        return ()
    known = {
        (one.id, one.version): one
        for one in criteria_of_study(session, study_id)
        if one.item in ("", instance_id)
    }
    return tuple(known[key] for key in keys)
