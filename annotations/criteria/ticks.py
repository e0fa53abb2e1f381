"""Check the ticks of a judgement against the criteria of its item."""

from collections.abc import Sequence

from clinicnum.annotations.criteria.criterion import Criterion
from clinicnum.annotations.judgement import Judgement
from clinicnum.errors import InputError
from clinicnum.translatable import Translatable


def check_ticks(judgement: Judgement, criteria: Sequence[Criterion]) -> None:
    """Raise InputError unless every criterion of the item, and nothing else, is ticked."""
    keys = [one.key for one in criteria]
    other = next((key for key in judgement.criteria if key not in keys), None)
    if other is not None:
        raise InputError(
            "{key!r} is no criterion of this item now; expected {keys}. Nothing was saved: reload the page "
            "and look at the criteria again",
            key=other,
            keys=", ".join(keys) or Translatable("none"),
        )
    open_ = [key for key in keys if key not in judgement.criteria]
    if open_:
        raise InputError(
            "{n} of {all} criteria are not ticked yet; say of each whether the answer meets it.",
            n=len(open_),
            all=len(keys),
        )
