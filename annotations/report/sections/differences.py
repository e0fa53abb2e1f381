"""Paired differences between representations: the same records and question, written in two ways."""

from collections.abc import Sequence
from dataclasses import dataclass

from annotations.report.model import Cell, Column, Table
from clinicnum.metrics import ALL
from clinicnum.statistics import Interval, mean_interval
from clinicnum.types import OPERATIONS, REPRESENTATIONS, Generation, Instance, Score

OPERATION_ORDER = (*OPERATIONS, "external")
REPRESENTATION_ORDER = (*REPRESENTATIONS, "external")


@dataclass(frozen=True)
class Answer:
    """One generation with what it answers and how it was scored."""

    generation: Generation
    instance: Instance
    score: Score

    @property
    def subject(self) -> str:
        """Whose records the question is about."""
        return self.instance.subject_id


def differences_table(name: str, suffix: str, headline: Sequence[Answer]) -> Table:
    """Differences in accuracy between representations of the same records and question."""
    seen = [
        one
        for one in REPRESENTATION_ORDER
        if any(answer.instance.representation == one for answer in headline)
    ]
    rows: list[tuple[Cell, ...]] = []
    for operation in (*OPERATION_ORDER, ALL):
        inside = [one for one in headline if operation in (ALL, one.instance.operation)]
        for at, base in enumerate(seen):
            for other in seen[at + 1 :]:
                pairs = _pairs(inside, base, other)
                if pairs:
                    rows.append(_difference_row(operation, f"{other} - {base}", pairs))
    return Table(
        id=f"accuracy_differences{suffix}",
        caption=f"Differences between representations, {name}",
        note="Unit: pairs of generations on the same records and question; the difference is in percentage "
        "points of lenient accuracy. Intervals are not corrected for their number.",
        trace="scores.csv: group_id, representation, lenient, flags",
        columns=(
            Column(key="operation", label="Operation"),
            Column(key="difference_of", label="Difference of"),
            Column(key="pairs", label="Pairs", kind="count"),
            Column(key="difference", label="Points", kind="points"),
            Column(key="ci95", label="95 % interval", kind="points_interval"),
            Column(key="subjects", label="Subjects", kind="count"),
            Column(key="remark", label="Note", kind="note"),
        ),
        rows=tuple(rows),
    )


Pair = tuple[Answer, Answer]


def _pairs(answers: Sequence[Answer], base: str, other: str) -> list[Pair]:
    """Base instances (no variant) of the same group in two representations."""
    plain = [one for one in answers if one.instance.variant is None]
    first = {one.instance.group_id: one for one in plain if one.instance.representation == base}
    return [
        (first[one.instance.group_id], one)
        for one in plain
        if one.instance.representation == other and one.instance.group_id in first
    ]


def _difference_row(operation: str, name: str, pairs: Sequence[Pair]) -> tuple[Cell, ...]:
    gains = [(base.subject, int(other.score.lenient) - int(base.score.lenient)) for base, other in pairs]
    interval = mean_interval(gains, bounds=(-1.0, 1.0))
    estimate = sum(gain for _, gain in gains) / len(gains)
    remark = interval.undefined or interval.warning
    return operation, name, len(gains), estimate, ends(interval), interval.n_clusters, remark


def ends(interval: Interval) -> tuple[float, float] | None:
    """The interval as a report cell."""
    return None if interval.low is None or interval.high is None else (interval.low, interval.high)
