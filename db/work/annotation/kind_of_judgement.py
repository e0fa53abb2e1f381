"""A study takes the judgements of its kind only."""

from clinicnum.annotations.judgement import Judgement
from clinicnum.annotations.pairwise.pairing import left_side
from clinicnum.annotations.study_kind import KINDS, kind_of_design
from clinicnum.annotations.study_seed import parse_seed
from clinicnum.db.work.annotation.locked_assignment import LockedAssignment
from clinicnum.errors import InputError


def as_asked(held: LockedAssignment, judgement: Judgement, *, locking: bool = False) -> Judgement:
    """The judgement with the side on which its annotator saw the first answer, if it is a preference.

    Raises InputError for a judgement of another kind, and for one that is to be locked where nothing is shown
    after it.
    """
    kind = kind_of_design(held.study.design)
    rules = KINDS[kind]
    if kind != judgement.kind or (locking and not rules.judges_failures):
        raise InputError(
            "This study {asks}: {instead}. Nothing was saved: reload the page.",
            asks=rules.asks,
            instead=rules.instead,
        )
    if not rules.pairs:
        return judgement.model_copy(update={"left": None})
    side = left_side(
        seed=parse_seed(held.study.seed),
        generation=held.assignment.generation,
        annotator=held.pseudonym,
        round_=held.assignment.round,
    )
    return judgement.model_copy(update={"left": side})
