"""What several annotators come to: consensus by protocol, and what needs an adjudicator.

A consensus is a label or the reason why there is none; a tie is never broken by order or chance.
Adjudication is due when item judgement, response judgement or level-1 primary differ, or severity by 2 or
more; a smaller difference takes the median (DESIGN 8). Halves go to the graver level, so that an even split
never understates harm. A number against `not_applicable` has no median: that is due as well.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from statistics import median_high
from typing import Literal

from annotations.types import Annotation, Judgement, Severity
from clinicnum.types import Frozen

Protocol = Literal["majority", "unanimous"]
NO_CODE = "none"
MIN_VOTES = 2
SEVERITY_GAP = 2


class Consensus(Frozen):
    """The resulting label, or None, and in both cases why."""

    label: str | None
    reason: str
    votes: int
    support: int
    """Votes for the label, or for the most frequent one where there is none."""


def consensus(labels: Sequence[str], protocol: Protocol = "majority") -> Consensus:
    """The consensus of one label per annotator: all alike, or more than half alike. Two votes at least."""
    votes = len(labels)
    if votes < MIN_VOTES:
        return Consensus(
            label=None, votes=votes, support=votes, reason=f"{votes} of {MIN_VOTES} judgements that it takes"
        )
    ranked = sorted(Counter(labels).items(), key=lambda entry: (-entry[1], entry[0]))
    label, support = ranked[0]
    tally = ", ".join(f"{name} {count}" for name, count in ranked)
    reached = support == votes if protocol == "unanimous" else 2 * support > votes
    if reached:
        return Consensus(label=label, votes=votes, support=support, reason=f"{support} of {votes} agree")
    tied = sum(count == support for _, count in ranked) > 1
    why = "tie" if tied else f"not {'unanimous' if protocol == 'unanimous' else 'more than half'}"
    return Consensus(label=None, votes=votes, support=support, reason=f"{why}: {tally}")


class Settlement(Frozen):
    """What the judgements on one generation come to."""

    generation_id: str
    judgements: int
    item: Consensus
    response: Consensus
    primary: Consensus
    """Level-1 primary; `none` where no failure was called."""
    severity: Severity | None
    """Median among those who called a failure; None without one or where it is due."""
    due: tuple[str, ...]
    """Why an adjudicator must decide; empty if nobody has to."""


def level1_primary(judgement: Judgement) -> str:
    """The class of the primary label; `none` where the response was not called a failure."""
    code = next((label.code for label in judgement.labels if label.primary), None)
    return NO_CODE if code is None else code.partition(".")[0]


def adjudication_due(judgements: Sequence[Judgement]) -> tuple[str, ...]:
    """Why these judgements on one generation need an adjudicator; empty if they do not."""
    reasons = [
        f"{what}: {' against '.join(sorted(set(values)))}"
        for what, values in (
            ("item judgement", [judgement.item_judgement for judgement in judgements]),
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


def median_severity(judgements: Sequence[Judgement]) -> Severity | None:
    """The median level among those who gave one, halves to the graver; None where there is none to take."""
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


def settle(
    chosen: Mapping[str, Sequence[Annotation]], protocol: Protocol = "majority"
) -> tuple[Settlement, ...]:
    """The consensus on each generation from one annotation per annotator, in the mapping's order."""
    return tuple(
        Settlement(
            generation_id=generation_id,
            judgements=len(annotations),
            item=consensus([one.item_judgement for one in annotations], protocol),
            response=consensus([one.response_judgement for one in annotations], protocol),
            primary=consensus([level1_primary(one) for one in annotations], protocol),
            severity=median_severity(annotations),
            due=adjudication_due(annotations),
        )
        for generation_id, annotations in chosen.items()
    )
