"""Where an annotator's judgement differs from the consensus or decision on an item, for the annotator to
learn from.

An item came to what an adjudicator decided on its last judgements, else to the majority's label, question by
question; where there is neither, nothing differs. Severities differ from 2 levels on, as in adjudication.
"""

from dataclasses import dataclass
from typing import Literal

from clinicnum.annotations.consensus import Settlement
from clinicnum.annotations.consensus.generation_consensus import SEVERITY_GAP, verdict
from clinicnum.annotations.judgement import Judgement

What = Literal["item", "response", "primary", "severity"]


@dataclass(frozen=True)
class Outcome:
    """The outcome for an item; None where a question stayed open."""

    item: str | None
    response: str | None
    primary: str | None
    """Level-1 class, or `none`."""
    severity: str | None
    adjudicated: bool
    """By an adjudicator; else by the majority."""


@dataclass(frozen=True)
class Difference:
    """One question on which the judgement differs from the outcome."""

    what: What
    own: str | None
    decided: str


def outcome_of(settled: Settlement, decision: Judgement | None) -> Outcome:
    """The outcome for an item: an adjudicator's decision if there is one, otherwise the consensus of
    its judgements.
    """
    if decision is not None:
        said = verdict(decision)
        return Outcome(said.item, said.response, said.primary, said.severity, adjudicated=True)
    return Outcome(
        item=settled.item.label,
        response=settled.response.label,
        primary=settled.primary.label,
        severity=settled.severity,
        adjudicated=False,
    )


def differences(own: Judgement, decided: Outcome) -> tuple[Difference, ...]:
    """The questions on which the two differ, in the order in which they are asked."""
    mine = verdict(own)
    asked: tuple[tuple[What, str | None, str | None], ...] = (
        ("item", mine.item, decided.item),
        ("response", mine.response, decided.response),
        ("primary", mine.primary, decided.primary),
    )
    found = [
        Difference(what, given, came_to)
        for what, given, came_to in asked
        if came_to is not None and given != came_to
    ]
    if decided.severity is not None and _apart(mine.severity, decided.severity):
        found.append(Difference("severity", mine.severity, decided.severity))
    return tuple(found)


def _apart(own: str | None, decided: str) -> bool:
    """Whether two severities differ markedly; a missing one already differs on the response."""
    if own is None or own == decided:
        return False
    if "not_applicable" in (own, decided):
        return True
    return abs(int(own) - int(decided)) >= SEVERITY_GAP
