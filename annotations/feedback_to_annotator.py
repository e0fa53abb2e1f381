"""Where an annotator's judgement differs from the consensus or decision on an item, for the annotator to
learn from.

The outcome for an item is the adjudicator's decision on its last judgements, otherwise the majority's label,
question by question. A question with neither has no difference. Severities differ if they are 2 or more
levels apart, as in adjudication. On an axis, a sentence or a criterion any other answer than the one decided
differs.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from clinicnum.annotations.consensus import Settlement
from clinicnum.annotations.consensus.generation_consensus import SEVERITY_GAP, verdict
from clinicnum.annotations.disputes import PREFERENCE, Dispute, answers_of
from clinicnum.annotations.judgement import Judgement

What = Literal["item", "response", "primary", "severity", "rating", "verdict", "tick"]


@dataclass(frozen=True)
class Outcome:
    """The outcome for an item; None for a question that is undecided."""

    item: str | None
    response: str | None
    primary: str | None
    """Level-1 class, or `none`."""
    severity: str | None
    adjudicated: bool
    """Whether an adjudicator decided; otherwise the outcome is the majority's."""
    answers: Mapping[str, str] = field(default_factory=dict)
    """What an adjudicator decided on axes, sentences and criteria, by their keys."""


@dataclass(frozen=True)
class Difference:
    """One question on which the judgement differs from the outcome."""

    what: What
    own: str | None
    decided: str
    key: str = ""
    """Key of the axis, sentence or criterion; empty for the other questions."""


def outcome_of(settled: Settlement, decision: Judgement | None, disputes: Sequence[Dispute] = ()) -> Outcome:
    """The outcome for an item: an adjudicator's decision, also on `disputes`, if there is one, otherwise the
    consensus of its judgements.
    """
    if decision is not None:
        said = verdict(decision)
        answers = answers_of(decision, [one for one in disputes if one.key != PREFERENCE])
        return Outcome(
            said.item, said.response, said.primary, said.severity, adjudicated=True, answers=answers
        )
    return Outcome(
        item=settled.item.label,
        response=settled.response.label,
        primary=settled.primary.label,
        severity=settled.severity,
        adjudicated=False,
    )


def differences(own: Judgement, decided: Outcome, disputes: Sequence[Dispute] = ()) -> tuple[Difference, ...]:
    """The questions on which judgement and outcome differ, in the order in which they are asked; of
    `disputes` those that the annotator was asked.
    """
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
    if decided.severity is not None and _differ_markedly(mine.severity, decided.severity):
        found.append(Difference("severity", mine.severity, decided.severity))
    said = answers_of(own, disputes)
    for one in disputes:
        answer = decided.answers.get(one.key)
        if one.about != "preference" and answer is not None and said.get(one.key, answer) != answer:
            found.append(Difference(one.about, said[one.key], answer, key=one.key))
    return tuple(found)


def _differ_markedly(own: str | None, decided: str) -> bool:
    """Whether two severities differ by SEVERITY_GAP levels or one is `not_applicable`; False if the annotator
    gave none, as the difference then is in the response judgement.
    """
    if own is None or own == decided:
        return False
    if "not_applicable" in (own, decided):
        return True
    return abs(int(own) - int(decided)) >= SEVERITY_GAP
