"""Agreement on ticks of criteria: of each criterion over the answers, and of all of them together."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from clinicnum.annotations.agreement.compute_agreement import agreement
from clinicnum.annotations.agreement.types import AgreementResult, Rating
from clinicnum.annotations.judgement import CRITERION_VERDICTS, CriterionVerdict

SHOWN = ("percent_agreement", "gwet_ac1", "krippendorff_alpha_nominal")
"""The coefficients computed. Gwet's AC1 is added to alpha because most criteria are met by nearly all answers
or by nearly none, where a few disagreements can bring alpha near 0.
"""


@dataclass(frozen=True)
class Tick:
    """One annotator's verdict on one criterion of one answer."""

    criterion: str
    """Unique over all items."""
    answer: str
    annotator: str
    verdict: CriterionVerdict


@dataclass(frozen=True)
class CriterionAgreement:
    """Agreement on one criterion."""

    result: AgreementResult | None
    """None exactly where `undefined` says why."""
    undefined: str | None = None


def criterion_agreement(
    ticks: Iterable[Tick], subjects: Mapping[str, str]
) -> tuple[CriterionAgreement, dict[str, CriterionAgreement]]:
    """Agreement on all criteria together, each criterion of each answer being one item; and criterion id ->
    agreement on it.

    `subjects` maps an answer to its subject, by which items are clustered. Raises KeyError for an answer
    without a subject.
    """
    groups: dict[str, list[Tick]] = {}
    for one in ticks:
        groups.setdefault(one.criterion, []).append(one)
    every = [one for group in groups.values() for one in group]
    return _of(every, subjects), {name: _of(group, subjects) for name, group in groups.items()}


def _of(ticks: list[Tick], subjects: Mapping[str, str]) -> CriterionAgreement:
    pairs = {(one.criterion, one.answer) for one in ticks}
    if len(pairs) == len(ticks):
        return CriterionAgreement(None, "nobody ticked what another annotator ticked")
    return CriterionAgreement(
        agreement(
            [
                Rating(
                    item=f"{one.answer} {one.criterion}",
                    annotator=one.annotator,
                    label=one.verdict,
                    cluster=subjects[one.answer],
                )
                for one in ticks
            ],
            scale="nominal",
            categories=CRITERION_VERDICTS,
            only=SHOWN,
        )
    )
