"""Reference judgements for training and control items, from a file or from a closed study."""

from collections.abc import Iterable, Sequence

from clinicnum.annotations.consensus.generation_consensus import (
    adjudication_due,
    level1_primary,
    median_severity,
)
from clinicnum.annotations.judgement import ItemJudgement, Judgement, Label
from clinicnum.errors import InputError

FEWEST = 2
"""Minimum number of judgements: a single one is no reference."""


class Reference(Judgement):
    """One line of a file of reference judgements; an item that it does not judge is taken as valid."""

    generation_id: str
    item_judgement: ItemJudgement | None = "valid"

    def judgement(self) -> Judgement:
        """The judgement without the generation's id."""
        return Judgement.model_validate(self.model_dump(exclude={"generation_id"}))


def references_by_id(lines: Iterable[Reference]) -> dict[str, Judgement]:
    """The judgements by generation id. Raises InputError if a generation occurs twice."""
    found: dict[str, Judgement] = {}
    for line in lines:
        if line.generation_id in found:
            raise InputError(
                "generation {generation_id!r} has more than one reference; expected one line each",
                generation_id=line.generation_id,
            )
        found[line.generation_id] = line.judgement()
    return found


def unanimous(judgements: Sequence[Judgement]) -> Judgement | None:
    """The judgement on which at least two annotators of a generation agree; None if they do not.

    They agree if no adjudicator must decide. If sub-classes differ, the reference has their class; its
    severity is the median. Judgements that doubt the item and `cannot_judge` give no reference, since they
    say nothing about the response.
    """
    if len(judgements) < FEWEST or adjudication_due(judgements):
        return None
    first = judgements[0]
    if first.item_judgement != "valid" or first.response_judgement == "cannot_judge":
        return None
    if first.response_judgement != "failure":
        return Judgement(item_judgement="valid", response_judgement=first.response_judgement)
    codes = {label.code for judgement in judgements for label in judgement.labels if label.primary}
    code = codes.pop() if len(codes) == 1 else level1_primary(first)
    return Judgement(
        item_judgement="valid",
        response_judgement="failure",
        labels=(Label(code=code, primary=True),),
        severity=median_severity(judgements),
    )
