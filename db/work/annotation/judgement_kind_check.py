"""Refuse a judgement that is of another kind than its study asks for, or that lacks what this kind needs."""

from clinicnum.annotations.claims.claim import check_claims, claims_of_answer, claims_of_reference
from clinicnum.annotations.judgement import Judgement
from clinicnum.annotations.pairwise.pairing import left_side
from clinicnum.annotations.study_kind import KINDS, kind_of_design
from clinicnum.annotations.study_seed import parse_seed
from clinicnum.db.work.annotation.locked_assignment import LockedAssignment
from clinicnum.errors import InputError
from clinicnum.translatable_text import Translatable
from clinicnum.types import Instance

NOT_LOCKED_CLAIMS = Translatable(
    "Nothing was saved: the verdicts on the answer are locked before its reference is shown. Reload the "
    "page, lock them, then check the reference."
)
NOTHING_TO_LOCK = Translatable("Nothing was saved: no reference follows here. Reload the page, and submit.")


def as_asked(held: LockedAssignment, judgement: Judgement, *, locking: bool = False) -> Judgement:
    """The judgement as it is to be stored: a preference with the side on which the annotator saw the first
    answer, any other judgement without a side.

    `locking`: whether it is made before the reference is shown. Raises InputError for a judgement of another
    kind than the study's, and for one to be locked where no reference follows; in a claims study also for one
    that is not locked although a reference follows, and unless exactly the sentences asked about have a
    fitting verdict.
    """
    kind = kind_of_design(held.study.design)
    rules = KINDS[kind]
    if kind != judgement.kind or (locking and not rules.two_steps):
        raise InputError(
            "This study {asks}: {instead}. Nothing was saved: reload the page.",
            asks=rules.asks,
            instead=rules.instead,
        )
    if kind == "claims":
        _check_claims(held, judgement, locking=locking)
    if not rules.pairs:
        return judgement.model_copy(update={"left": None})
    side = left_side(
        seed=parse_seed(held.study.seed),
        generation=held.assignment.generation,
        annotator=held.pseudonym,
        round_=held.assignment.round,
    )
    return judgement.model_copy(update={"left": side})


def _check_claims(held: LockedAssignment, judgement: Judgement, *, locking: bool) -> None:
    """Raise InputError unless each sentence asked about now has a verdict: those of the answer, and once
    these verdicts are locked also those of the reference.
    """
    claims = claims_of_answer(held.generation["text"])
    reference = claims_of_reference(Instance.model_validate(held.instance))
    if locking != (bool(reference) and held.assignment.revealed_at is None):
        raise InputError(NOTHING_TO_LOCK if locking else NOT_LOCKED_CLAIMS)
    check_claims(judgement, claims if locking else (*claims, *reference))
