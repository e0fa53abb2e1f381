"""The consensus on a generation, and when an adjudicator must decide.

Adjudication is due if item judgement, response judgement or level-1 primary differ, or severity by 2 or more;
a smaller difference is settled by the median. A median between two levels is rounded up to the graver one, so
that an even split never understates harm. A severity level against `not_applicable` has no median, so
adjudication is due as well.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from statistics import median_high
from typing import NamedTuple

from clinicnum.annotations.consensus.protocols import Protocol, consensus_of_all
from clinicnum.annotations.consensus.vote_consensus import EXPERTS, Consensus
from clinicnum.annotations.judgement import ITEM_JUDGEMENTS, Judgement, Severity
from clinicnum.annotations.labels_by_item import Ballots
from clinicnum.annotations.study_kind import RESPONSE_JUDGEMENTS
from clinicnum.annotations.types import Annotation

NO_CODE = "none"
SEVERITY_GAP = 2


class Verdict(NamedTuple):
    """The parts of a judgement on which annotators may disagree."""

    item: str
    response: str
    primary: str
    """Level-1 class, or `none`."""
    severity: str | None


@dataclass(frozen=True)
class Settlement:
    """The consensus on one generation."""

    generation_id: str
    judgements: int
    item: Consensus
    response: Consensus
    primary: Consensus
    """Level-1 primary; `none` where no failure was called."""
    severity: Severity | None
    """Median of those who called it a failure; None if the consensus is no failure, or if adjudication is
    due.
    """
    due: tuple[str, ...]
    """The reasons why an adjudicator must decide; empty if there are none."""


def level1_primary(judgement: Judgement) -> str:
    """The level-1 class of the primary label; `none` if the response was not called a failure."""
    for label in judgement.labels:
        if label.primary:
            return label.code.partition(".")[0]
    return NO_CODE


def adjudication_due(judgements: Sequence[Judgement]) -> tuple[str, ...]:
    """The reasons why labels on one generation need an adjudicator; empty if they do not, and for judgements
    of another kind (`annotations/disputes.py`).
    """
    if any(not one.judges_failures for one in judgements):
        return ()
    reasons = [
        f"{what}: {' against '.join(sorted(set(values)))}"
        for what, values in (
            ("item judgement", [judgement.item() for judgement in judgements]),
            ("response judgement", [judgement.response_judgement for judgement in judgements]),
            ("primary label", [level1_primary(judgement) for judgement in judgements]),
        )
        if len(set(values)) > 1
    ]
    levels = _severities(judgements)
    numbers = [int(level) for level in levels if level != "not_applicable"]
    if numbers and max(numbers) - min(numbers) >= SEVERITY_GAP:
        reasons.append(f"severity: {min(numbers)} to {max(numbers)}")
    if numbers and len(numbers) < len(levels):
        reasons.append("severity: a level against not applicable")
    return tuple(reasons)


def hardness(judgements: Sequence[Judgement]) -> float:
    """How strongly the judgements on one generation disagree; the adjudicator's queue is sorted by it.

    Our own choice: the sum, over item judgement, response judgement and level-1 primary, of the share of
    disagreeing pairs (0 to 1 each), and the range of the severities over 4. 0 for fewer than two judgements.
    """
    pairs = len(judgements) * (len(judgements) - 1) / 2
    if not pairs:
        return 0.0
    apart = 0.0
    for read in (attrgetter("item_judgement"), attrgetter("response_judgement"), level1_primary):
        counts = Counter(read(judgement) for judgement in judgements)
        apart += 1 - sum(n * (n - 1) / 2 for n in counts.values()) / pairs
    levels = [int(level) for level in _severities(judgements) if level != "not_applicable"]
    return apart + ((max(levels) - min(levels)) / 4 if levels else 0.0)


def median_severity(judgements: Sequence[Judgement]) -> Severity | None:
    """The median of the severity levels given, rounded up between two; None if there is none.

    There is no median without levels, with levels 2 or more apart, and with a level against `not_applicable`;
    if all say `not_applicable`, that is the median.
    """
    levels = _severities(judgements)
    if not levels:
        return None
    numbers = [int(level) for level in levels if level != "not_applicable"]
    if not numbers:
        return "not_applicable"
    if len(numbers) < len(levels) or max(numbers) - min(numbers) >= SEVERITY_GAP:
        return None
    graver: Sequence[Severity] = ("0", "1", "2", "3", "4")
    return graver[median_high(numbers)]


def _severities(judgements: Iterable[Judgement]) -> list[Severity]:
    return [
        judgement.severity
        for judgement in judgements
        if judgement.response_judgement == "failure" and judgement.severity is not None
    ]


def verdict(judgement: Judgement) -> Verdict:
    """The verdict in a judgement: item and response judgement, level-1 primary class, severity."""
    return Verdict(
        judgement.item(),
        judgement.response_judgement,
        level1_primary(judgement),
        judgement.severity,
    )


def verdicts_of(chosen: Mapping[str, Sequence[Annotation]]) -> Ballots[Verdict]:
    """Generation -> annotator -> verdict, from one annotation per annotator, in the mapping's order."""
    return Ballots.of(
        {key: {one.annotator_id: verdict(one) for one in group} for key, group in chosen.items()}
    )


def settle(
    chosen: Mapping[str, Sequence[Annotation]],
    protocol: Protocol = "majority",
    *,
    decisions: Mapping[str, Judgement] | None = None,
    verdicts: Ballots[Verdict] | None = None,
    independent: int = EXPERTS,
) -> tuple[Settlement, ...]:
    """The consensus on each generation from one annotation per annotator, in the mapping's order.

    For `three_expert`, `decisions` maps generation -> the adjudicator's judgement, used if judgements differ,
    and `independent` is the number of judgements needed without a decision. `verdicts` are those of `chosen`,
    if already computed.
    """
    ballots = verdicts_of(chosen) if verdicts is None else verdicts
    alike = [chosen[ballots.names[at]] for at in ballots.one_with.tolist()]
    due, median = [adjudication_due(one) for one in alike], [median_severity(one) for one in alike]
    failures = all(one[0].judges_failures for one in alike)
    differ = {key for key, place in zip(ballots.names, ballots.place.tolist(), strict=True) if due[place]}
    decided = {key: one for key, one in (decisions or {}).items() if key in differ}
    item, response, primary = (
        consensus_of_all(
            ballots.map(read),
            protocol,
            categories=categories if failures else None,
            decisions={key: read(verdict(one)) for key, one in decided.items()},
            independent=independent,
        )
        for read, categories in _QUESTIONS
    )
    return tuple(
        Settlement(
            generation_id=key,
            judgements=item[key].votes,
            item=item[key],
            response=response[key],
            primary=primary[key],
            severity=_severity(median[place], decided.get(key), protocol, response[key].label),
            due=due[place],
        )
        for key, place in zip(ballots.names, ballots.place.tolist(), strict=True)
    )


def _severity(
    median: Severity | None, decision: Judgement | None, protocol: Protocol, response: str | None
) -> Severity | None:
    decided = decision is not None and protocol == "three_expert"
    if response != "failure":  # severity belongs to failures
        return None
    if decision is None or not decided:
        return median
    return decision.severity if median is None else median


_QUESTIONS: tuple[tuple[Callable[[Verdict], str], tuple[str, ...] | None], ...] = (
    (attrgetter("item"), ITEM_JUDGEMENTS),
    (attrgetter("response"), RESPONSE_JUDGEMENTS),
    (attrgetter("primary"), None),
)
