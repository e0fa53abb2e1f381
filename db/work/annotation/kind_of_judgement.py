"""A study asks either for a preference between two answers or for a judgement of one."""

from clinicnum.annotations.judgement import Judgement
from clinicnum.annotations.pairwise.pairing import left_side
from clinicnum.annotations.study_seed import parse_seed
from clinicnum.db.work.annotation.locked_assignment import LockedAssignment
from clinicnum.errors import InputError


def as_asked(held: LockedAssignment, judgement: Judgement, *, locking: bool = False) -> Judgement:
    """The judgement with the side on which its annotator saw the first answer, if it is a preference.

    Raises InputError for a judgement of the other kind, and for a preference that is to be locked only.
    """
    pairwise = bool(held.study.design.get("pairwise"))
    if pairwise != judgement.compares or (pairwise and locking):
        raise InputError(
            "This study compares two answers: say which is better, and submit. Nothing was saved: reload "
            "the page."
            if pairwise
            else "This study judges one answer at a time; it takes no preference between two. Nothing was "
            "saved: reload the page."
        )
    if not pairwise:
        return judgement.model_copy(update={"left": None})
    side = left_side(
        seed=parse_seed(held.study.seed),
        generation=held.assignment.generation,
        annotator=held.pseudonym,
        round_=held.assignment.round,
    )
    return judgement.model_copy(update={"left": side})
