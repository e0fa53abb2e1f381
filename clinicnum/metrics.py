"""Accuracy by operation and representation, with intervals and beside four baselines.

Headline figures leave out the instances flagged as not discriminating (V7) and the variants, which are for
robustness; how many is said. The interval is that of `clinicnum.clusters`: Wilson's with the effective sample
size of the delete-one-subject jackknife, as items of one subject are not independent and the plain jackknife
covers too little near 0 and 1 (`docs/robustness.md`).

The baselines (DESIGN 4) answer without reading the question:
- first (last) record: the first (last) record in time; its time where a time is asked, else its value of the
  vital of the first evidence cell;
- zero: 0;
- majority: the most frequent gold of the row's items, the smallest as text among equally frequent ones.
A baseline that has nothing to say for an item (a time where it only knows 0, no evidence, an undocumented
value) is wrong there.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from clinicnum.clusters import share_interval, subject_totals
from clinicnum.statistics import Interval
from clinicnum.types import (
    OPERATIONS,
    REPRESENTATIONS,
    TIME_FORMAT,
    AnswerType,
    Instance,
    Record,
    Score,
    ScoreStatus,
)

ALL = "all"
STATUSES: tuple[ScoreStatus, ...] = ("correct", "incorrect", "unparsable", "abstained", "empty", "truncated")

Pair = tuple[Instance, Score]
_Item = tuple[Instance, Score, tuple[bool, bool, bool]]
"""With whether the first record, the last record and zero are right."""


@dataclass(frozen=True)
class Baselines:
    """Shares of items that an answer without reading gets right; None without items."""

    first_record: float | None
    last_record: float | None
    zero: float | None
    majority: float | None


@dataclass(frozen=True)
class AccuracyRow:
    """Accuracy of one operation in one representation; `all` stands for the sum over either."""

    operation: str
    representation: str
    n: int
    """Items counted: scored, and not flagged."""
    n_flagged: int
    """Items left out because they do not discriminate (V7)."""
    n_subjects: int
    correct: int
    accuracy: float | None
    """correct / n; None if n is 0."""
    strict_correct: int
    strict_accuracy: float | None
    interval: Interval
    """Of `accuracy`."""
    statuses: dict[ScoreStatus, int]
    """Counts of every status among the n items."""
    baselines: Baselines


@dataclass(frozen=True)
class AccuracyTable:
    """Every operation in every representation, and the sums."""

    rows: tuple[AccuracyRow, ...]
    """By operation, then representation, `all` last in each; only rows that hold items."""
    n_scored: int
    n_flagged: int
    n_variants: int
    """Scored variants, flagged or not; in no row."""

    @property
    def overall(self) -> AccuracyRow | None:
        """The row over everything; None if nothing was scored."""
        return self.rows[-1] if self.rows else None


def accuracy_table(pairs: Iterable[Pair], *, level: float = 0.95) -> AccuracyTable:
    """The table over (instance, its score). The order of the pairs does not matter."""
    cells: dict[tuple[str, str], list[_Item]] = defaultdict(list)
    total = flagged = variants = 0
    for instance, score in pairs:
        total += 1
        if instance.variant is not None:
            variants += 1
            continue
        flagged += bool(instance.flags)
        item = instance, score, _without_reading(instance)
        for operation in (instance.operation, ALL):
            for representation in (instance.representation, ALL):
                cells[operation, representation].append(item)
    rows = tuple(_row(key, cells[key], level) for key in sorted(cells, key=_order))
    return AccuracyTable(rows=rows, n_scored=total, n_flagged=flagged, n_variants=variants)


_ORDER = (*OPERATIONS, *REPRESENTATIONS, "external", ALL)


def _order(key: tuple[str, str]) -> tuple[int, int]:
    return _ORDER.index(key[0]), _ORDER.index(key[1])


def _row(key: tuple[str, str], items: Sequence[_Item], level: float) -> AccuracyRow:
    counted = [item for item in items if not item[0].flags]
    correct = sum([score.lenient for _, score, _ in counted])
    strict = sum([score.strict for _, score, _ in counted])
    statuses = Counter([score.status for _, score, _ in counted])
    return AccuracyRow(
        operation=key[0],
        representation=key[1],
        n=len(counted),
        n_flagged=len(items) - len(counted),
        n_subjects=len({instance.subject_id for instance, *_ in counted}),
        correct=correct,
        accuracy=_share(correct, len(counted)),
        strict_correct=strict,
        strict_accuracy=_share(strict, len(counted)),
        interval=_interval(counted, level),
        statuses={status: statuses[status] for status in STATUSES},
        baselines=_baselines(counted),
    )


def _interval(items: Sequence[_Item], level: float) -> Interval:
    right = np.array([score.lenient for _, score, _ in items], dtype=float)
    columns = np.column_stack([right, np.ones(len(items))])
    totals = subject_totals([instance.subject_id for instance, *_ in items], columns)
    return share_interval(totals[:, 0], totals[:, 1], len(items), level=level)


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _without_reading(instance: Instance) -> tuple[bool, bool, bool]:
    """Whether the first record, the last record and zero are right."""
    zero = None if instance.answer_type == "datetime" else "0"
    answers = *_from_records(instance), zero
    first, last, nought = (_same(answer, instance.answer, instance.answer_type) for answer in answers)
    return first, last, nought


def _baselines(items: Sequence[_Item]) -> Baselines:
    kinds = Counter([(instance.answer, instance.answer_type) for instance, *_ in items])
    golds: Counter[str] = Counter()
    for (gold, _), count in kinds.items():
        if gold is not None:
            golds[gold] += count
    most = max(golds.values(), default=0)
    majority = min((gold for gold, count in golds.items() if count == most), default=None)
    n = len(items)
    return Baselines(
        first_record=_share(sum([right[0] for _, _, right in items]), n),
        last_record=_share(sum([right[1] for _, _, right in items]), n),
        zero=_share(sum([right[2] for _, _, right in items]), n),
        majority=_share(sum(count for kind, count in kinds.items() if _same(majority, *kind)), n),
    )


def _from_records(instance: Instance) -> tuple[str | None, str | None]:
    """What the first and the last record in time say."""
    if not instance.records:
        return None, None
    in_time = sorted(instance.records, key=lambda record: record.charttime)
    return _from_record(instance, in_time[0]), _from_record(instance, in_time[-1])


def _from_record(instance: Instance, record: Record) -> str | None:
    if instance.answer_type == "datetime":
        return record.charttime.strftime(TIME_FORMAT)
    if not instance.evidence:
        return None
    value: Decimal | None = getattr(record, instance.evidence[0].vital)
    return None if value is None else str(value)


def _same(answer: str | None, gold: str | None, kind: AnswerType) -> bool:
    if answer is None or gold is None:
        return False
    if kind in ("number", "count"):
        return _is_number(answer) and (answer == gold or Decimal(answer) == Decimal(gold))
    return answer == gold


def _is_number(text: str) -> bool:
    """Golds of other kinds (a time) may be the majority of a row."""
    return text.removeprefix("-").replace(".", "", 1).isdecimal()
