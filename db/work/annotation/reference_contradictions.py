"""Check a judgement made with the reference shown: contradictions are recorded, and a contest that proposes
the same gold is refused.
"""

from sqlalchemy import bindparam, select
from sqlmodel import Session

from clinicnum.annotations.consequences_of_upholding import canonical_claim
from clinicnum.annotations.contradicting_choices import ContradictionName, contradicted, contradictions
from clinicnum.annotations.judgement import Judgement
from clinicnum.db.rows import Row
from clinicnum.db.work.annotation.locked_assignment import LockedAssignment
from clinicnum.errors import InputError
from clinicnum.inference.model_metadata import asks_form
from clinicnum.types import Generation, Score

_T = Row.metadata.tables
_SCORE = (
    select(_T["score"].c.payload)
    .join(_T["study_score"], _T["study_score"].c.score == _T["score"].c.id)
    .where(
        _T["study_score"].c.study_id == bindparam("study_id"),
        _T["study_score"].c.generation == bindparam("generation"),
    )
)
_METAS = select(_T["study_run"].c.meta).where(_T["study_run"].c.study_id == bindparam("study_id"))


def contradictions_kept(
    session: Session, held: LockedAssignment, judgement: Judgement
) -> tuple[ContradictionName, ...]:
    """Names of the points on which the judgement contradicts the reference; empty before the reference is
    shown.
    """
    if held.assignment.revealed_at is None:
        return ()
    about = {"study_id": held.assignment.study_id, "generation": held.assignment.generation}
    score = Score.model_validate(session.scalars(_SCORE, about).one())
    metas = session.scalars(_METAS, {"study_id": held.assignment.study_id})
    generation = Generation.model_validate(held.generation)
    known = contradictions(generation, score, form_asked=all(map(asks_form, metas)))
    return contradicted(judgement, known)


def check_proposed_gold(held: LockedAssignment, judgement: Judgement) -> None:
    """Raise InputError if the gold is called wrong and the same gold proposed as the right one."""
    gold, unit = held.instance["answer"], held.instance["unit"]
    if judgement.item_judgement != "gold_wrong" or gold is None:
        return
    proposed = (judgement.proposed_gold or "").strip().removesuffix(unit or "")
    if canonical_claim("gold_wrong", proposed) == canonical_claim("gold_wrong", gold):
        raise InputError(
            "The gold is {gold} already, so this proposal does not make it wrong. Propose another value, or "
            "judge the item valid or ambiguous.",
            gold=gold,
        )
