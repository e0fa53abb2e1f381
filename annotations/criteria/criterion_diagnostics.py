"""Diagnostics of a criterion from its ticks: does it separate answers, and do experts agree on it?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from clinicnum.annotations.judgement import CriterionVerdict

SPLIT_FROM = 0.5
"""Share of the answers judged by two or more that must be split to flag a criterion. Our own rule: on every
second answer chance alone decides who ticks it.
"""
Flag = Literal["always met", "never met", "never applies", "splits the annotators"]


@dataclass(frozen=True)
class CriterionUse:
    """How one criterion was ticked."""

    answers: int
    """Answers with a tick."""
    met: int
    not_met: int
    not_applicable: int
    """Like `met` and `not_met`: the number of these ticks over all annotators."""
    judged_by_two: int
    """Answers that two or more ticked."""
    split: int
    """Number of these whose ticks differ."""
    flags: tuple[Flag, ...]
    """What is wrong with the criterion, if anything."""


def criterion_use(ticks: Mapping[str, Sequence[CriterionVerdict]]) -> CriterionUse:
    """How a criterion was ticked; `ticks` maps an answer to the verdicts of its annotators.

    "Always met" and "never met" are flagged only from two answers on.
    """
    every = [verdict for verdicts in ticks.values() for verdict in verdicts]
    met, not_met = every.count("met"), every.count("not_met")
    by_two = [set(verdicts) for verdicts in ticks.values() if len(verdicts) > 1]
    split = sum(len(one) > 1 for one in by_two)
    answers = sum(bool(verdicts) for verdicts in ticks.values())
    flags: list[Flag] = []
    if answers > 1 and not (met and not_met):
        flags.append("always met" if met else "never met" if not_met else "never applies")
    if by_two and split / len(by_two) >= SPLIT_FROM:
        flags.append("splits the annotators")
    return CriterionUse(
        answers=answers,
        met=met,
        not_met=not_met,
        not_applicable=every.count("not_applicable"),
        judged_by_two=len(by_two),
        split=split,
        flags=tuple(flags),
    )
