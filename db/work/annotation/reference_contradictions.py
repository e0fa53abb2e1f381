"""Check a judgement made with the reference shown: contradictions are recorded, and a contest that proposes
the same gold is refused.
"""

from sqlalchemy import bindparam, select
from sqlmodel import Session

from clinicnum.annotations.contradicting_choices import ContradictionName, contradicted, contradictions
from clinicnum.annotations.invalidated_instances import canonical_claim
from clinicnum.annotations.judgement import Judgement
from clinicnum.db.rows import Row
from clinicnum.db.work.annotation.locked_assignment import LockedAssignment
from clinicnum.errors import InputError
from clinicnum.inference.model_metadata import asks_form
from clinicnum.types import Generation, Score

_T = Row.metadata.tables
_SCORE = (
    select(_T["score"].c.payload, _T["study_run"].c.meta)
    .join(_T["study_score"], _T["study_score"].c.score == _T["score"].c.id)
    .join(_T["generation"], _T["generation"].c.id == _T["score"].c.generation)
    .join(
        _T["study_run"],
        (_T["study_run"].c.study_id == _T["study_score"].c.study_id)
        & (_T["study_run"].c.run == _T["generation"].c.run),
    )
    .where(
        _T["study_score"].c.study_id == bindparam("study_id"),
        _T["study_score"].c.generation == bindparam("generation"),
    )
)


def contradictions_kept(
    session: Session, held: LockedAssignment, judgement: Judgement
) -> tuple[ContradictionName, ...]:
    """Names of the points on which the judgement contradicts the reference; empty before the reference is
    shown.
    """
    if held.assignment.revealed_at is None:
        return ()
    about = {"study_id": held.assignment.study_id, "generation": held.assignment.generation}
    scored, run_meta = session.execute(_SCORE, about).one()
    generation = Generation.model_validate(held.generation)
    known = contradictions(generation, Score.model_validate(scored), form_asked=asks_form(run_meta))
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
