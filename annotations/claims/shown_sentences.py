"""The sentences that an annotator of a claims study checks: the answer's, and after these the reference's.

The reference's are shown only once the verdicts on the answer are locked.
"""

from collections.abc import Sequence

from clinicnum.annotations.claims.claim import Claim, claims_of_answer, claims_of_reference
from clinicnum.types import Frozen, Generation, Instance


class ShownClaim(Frozen):
    """A sentence to check."""

    key: str
    text: str


class ShownClaims(Frozen):
    """The sentences of an answer, and those of its reference once the verdicts on the answer are locked."""

    answer: tuple[ShownClaim, ...]
    reference: tuple[ShownClaim, ...]
    follows: bool
    """Whether the reference's sentences are shown later, once the verdicts on the answer are locked."""


def shown_claims(instance: Instance, answer: Generation, *, text: str, locked: bool) -> ShownClaims:
    """The sentences to check: the answer's, and the reference's once the verdicts on the answer are `locked`.

    `text`: the answer's text with names of models masked; it must be as long as the answer's own, since the
    sentences are cut out of it at the same places.
    """

    def shown(claims: Sequence[Claim], of: str) -> tuple[ShownClaim, ...]:
        return tuple(ShownClaim(key=one.key, text=of[one.start : one.end]) for one in claims)

    reference = claims_of_reference(instance)
    return ShownClaims(
        answer=shown(claims_of_answer(answer.text), text),
        reference=shown(reference, instance.answer or "") if locked else (),
        follows=bool(reference) and not locked,
    )
