"""Ticks of criteria: those that the scorer proposes, and the check of those that a person saves."""

from collections.abc import Sequence

from clinicnum.annotations.criteria.criterion import Criterion
from clinicnum.annotations.judgement import CriterionVerdict, Judgement
from clinicnum.errors import InputError
from clinicnum.scoring.answer_point_recall import recall_of
from clinicnum.translatable_text import Translatable
from clinicnum.types import Generation, Instance


def points_among(criteria: Sequence[Criterion], instance: Instance) -> list[Criterion]:
    """The criteria of this item whose text is one of its answer points, for which the scorer looks."""
    texts = {point.text.strip() for point in instance.points}
    return [one for one in criteria if one.item == instance.instance_id and one.text in texts]


def proposed_ticks(
    criteria: Sequence[Criterion], instance: Instance, generation: Generation
) -> dict[str, CriterionVerdict]:
    """The scorer's verdicts, by criterion key, on criteria that are answer points of the item; none on
    others.
    """
    points = points_among(criteria, instance)
    if not points:
        return {}
    found = set(recall_of(instance, generation).found)
    texts = {point.text.strip() for point in instance.points if point.id in found}
    return {one.key: "met" if one.text in texts else "not_met" for one in points}


def check_ticks(judgement: Judgement, criteria: Sequence[Criterion]) -> None:
    """Raise InputError unless every criterion of the item, and nothing else, is ticked."""
    keys = [one.key for one in criteria]
    other = next((key for key in judgement.criteria if key not in keys), None)
    if other is not None:
        raise InputError(
            "{key!r} is no criterion of this item now; expected {keys}. Nothing was saved: look at the "
            "criteria again, and reload the page if they are still the old ones",
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
