"""Accuracy by operation and representation, with intervals, beside four baselines.

Headline figures leave out variants, which are for robustness, and instances flagged as not discriminating
(V7); both are counted. The interval, of `clinicnum.stats.two_way_clusters`, generalises to other subjects
and, from five templates on, to other templates: items of one subject or template are not independent.

The baselines answer without reading the question:
- first (last) record: the first (last) record in time; its time where a time is asked, else its value of the
  vital of the first evidence cell;
- zero: 0;
- majority: the most frequent gold of the row's items, the smallest as text among equally frequent ones.

A baseline without an answer to an item (a time where it only knows 0, no evidence, an undocumented value) is
wrong there.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from decimal import Decimal
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clinicnum.stats.clustered_intervals import Subjects
from clinicnum.stats.jackknife import Interval
from clinicnum.stats.two_way_clusters import accuracy_interval
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
STATUSES: tuple[ScoreStatus, ...] = (
    "correct",
    "incorrect",
    "unparsable",
    "abstained",
    "empty",
    "truncated",
    "error",
)

Pair = tuple[Instance, Score]


@dataclass(frozen=True)
class Baselines:
    """Share of items that baselines without reading get right; None without items."""

    first_record: float | None
    last_record: float | None
    zero: float | None
    majority: float | None


@dataclass(frozen=True)
class AccuracyRow:
    """Accuracy on one operation in one representation; `all` stands for the total over either."""

    operation: str
    representation: str
    n: int
    """Items counted: answered, scored, and not flagged."""
    n_flagged: int
    """Items left out because they do not discriminate (V7)."""
    n_subjects: int
    n_templates: int
    correct: int
    accuracy: float | None
    """correct / n; None if n is 0."""
    strict_correct: int
    strict_accuracy: float | None
    flexible_correct: int | None
    """Number of items right by the flexible verdict; None if an item was scored before there was one."""
    flexible_accuracy: float | None
    n_errors: int
    """Samples that failed before the model could answer; not among the n items."""
    interval: Interval
    """Confidence interval of `accuracy`."""
    statuses: dict[ScoreStatus, int]
    """Counts of every status among the n items, and of `error`."""
    baselines: Baselines


@dataclass(frozen=True)
class AccuracyTable:
    """Accuracy for each operation and representation, with totals."""

    rows: tuple[AccuracyRow, ...]
    """The rows by operation, then representation, `all` last in each; only rows that hold items."""
    n_scored: int
    n_flagged: int
    n_variants: int
    """Scored variants, flagged or not; in no row."""
    n_errors: int
    """Samples that failed before the model could answer, flagged or not, without variants."""

    @property
    def overall(self) -> AccuracyRow | None:
        """The grand total; None if nothing was scored."""
        return self.rows[-1] if self.rows else None


def accuracy_table(pairs: Iterable[Pair], *, level: float = 0.95) -> AccuracyTable:
    """Accuracy by operation and representation, and over all, from pairs (instance, score) in any order.

    `level` is the confidence level of the intervals.
    """
    scored = list(pairs)
    kept = [pair for pair in scored if pair[0].variant is None]
    items = _Items.of(kept)
    seen = {(one.operation, one.representation) for one, _ in kept}
    keys = {
        (operation, representation)
        for in_operation, in_representation in seen
        for operation in (in_operation, ALL)
        for representation in (in_representation, ALL)
    }
    return AccuracyTable(
        rows=tuple(_row(key, items[items.within(*key)], level) for key in sorted(keys, key=_order)),
        n_scored=len(scored),
        n_flagged=int(items.flagged.sum()),
        n_variants=len(scored) - len(kept),
        n_errors=int((items.status == "error").sum()),
    )


@dataclass(frozen=True, eq=False)
class _Items:
    """Scored items as columns: arrays [items], or [items, k] where noted."""

    written: NDArray[np.str_]
    """Operation and representation: [items, 2]."""
    flagged: NDArray[np.bool_]
    subjects: Subjects
    templates: Subjects
    lenient: NDArray[np.bool_]
    strict: NDArray[np.bool_]
    flexible: NDArray[np.int64]
    """1 right, 0 wrong, -1 not judged flexibly."""
    status: NDArray[np.str_]
    answer: NDArray[np.int64]
    """For each item, the index of its gold in `answers`."""
    without_reading: NDArray[np.bool_]
    """Whether the first record, the last record and zero are right: [items, 3]."""
    answers: tuple[tuple[str | None, AnswerType], ...]

    @classmethod
    def of(cls, pairs: Sequence[Pair]) -> "_Items":
        of = [instance for instance, _ in pairs]
        scores = [score for _, score in pairs]
        answers = [(one.answer, one.answer_type) for one in of]
        place = {answer: place for place, answer in enumerate(dict.fromkeys(answers))}
        return cls(
            written=np.array([(one.operation, one.representation) for one in of], dtype=str).reshape(-1, 2),
            flagged=np.array([bool(one.flags) for one in of], dtype=bool),
            subjects=Subjects.of(one.subject_id for one in of),
            templates=Subjects.of(one.template_id for one in of),
            lenient=np.array([one.lenient for one in scores], dtype=bool),
            strict=np.array([one.strict for one in scores], dtype=bool),
            flexible=np.array(
                [-1 if one.flexible is None else one.flexible for one in scores], dtype=np.int64
            ),
            status=np.array([one.status for one in scores], dtype=str),
            answer=np.array([place[answer] for answer in answers], dtype=np.int64),
            without_reading=np.array([_without_reading(one) for one in of], dtype=bool).reshape(-1, 3),
            answers=tuple(place),
        )

    def __getitem__(self, chosen: NDArray[np.bool_]) -> "_Items":
        columns: dict[str, Any] = {one.name: getattr(self, one.name) for one in fields(self)}
        del columns["answers"]
        return replace(self, **{name: column[chosen] for name, column in columns.items()})

    def within(self, operation: str, representation: str) -> NDArray[np.bool_]:
        """Which items have this operation and representation."""
        wanted = np.array([operation, representation])
        found: NDArray[np.bool_] = ((self.written == wanted) | (wanted == ALL)).all(axis=1)
        return found


_ORDER = (*OPERATIONS, *REPRESENTATIONS, "external", ALL)


def _order(key: tuple[str, str]) -> tuple[int, int]:
    return _ORDER.index(key[0]), _ORDER.index(key[1])


def _row(key: tuple[str, str], items: _Items, level: float) -> AccuracyRow:
    failed = items.status == "error"
    counted = items[~items.flagged & ~failed]
    n, correct, strict = len(counted.lenient), int(counted.lenient.sum()), int(counted.strict.sum())
    flexible = None if (counted.flexible < 0).any() else int(counted.flexible.sum())
    return AccuracyRow(
        operation=key[0],
        representation=key[1],
        n=n,
        n_flagged=int(items.flagged.sum()),
        n_subjects=len(counted.subjects.names),
        n_templates=len(counted.templates.names),
        correct=correct,
        accuracy=_share(correct, n),
        strict_correct=strict,
        strict_accuracy=_share(strict, n),
        flexible_correct=flexible,
        flexible_accuracy=None if flexible is None else _share(flexible, n),
        n_errors=int((failed & ~items.flagged).sum()),
        interval=accuracy_interval(
            counted.lenient.astype(float), counted.subjects, counted.templates, level=level
        ),
        statuses={status: int((items.status[~items.flagged] == status).sum()) for status in STATUSES},
        baselines=_baselines(counted),
    )


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _without_reading(instance: Instance) -> tuple[bool, bool, bool]:
    """Whether the first record, the last record and zero are right answers."""
    zero = None if instance.answer_type == "datetime" else "0"
    answers = *_from_records(instance), zero
    first, last, nought = (_same(answer, instance.answer, instance.answer_type) for answer in answers)
    return first, last, nought


def _baselines(items: _Items) -> Baselines:
    given = np.bincount(items.answer, minlength=len(items.answers)).tolist()
    kinds = [(kind, count) for kind, count in zip(items.answers, given, strict=True) if count]
    golds: Counter[str] = Counter()
    for (gold, _), count in kinds:
        if gold is not None:
            golds[gold] += count
    most = max(golds.values(), default=0)
    majority = min((gold for gold, count in golds.items() if count == most), default=None)
    n = len(items.answer)
    first, last, zero = items.without_reading.sum(axis=0).tolist()
    return Baselines(
        first_record=_share(first, n),
        last_record=_share(last, n),
        zero=_share(zero, n),
        majority=_share(sum(count for kind, count in kinds if _same(majority, *kind)), n),
    )


def _from_records(instance: Instance) -> tuple[str | None, str | None]:
    """The answers that the first and the last record would give."""
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


@lru_cache(maxsize=65_536)  # a large benchmark has few distinct golds
def _same(answer: str | None, gold: str | None, kind: AnswerType) -> bool:
    if answer is None or gold is None:
        return False
    if kind in ("number", "count"):
        if not (_is_number(answer) and _is_number(gold)):  # a gold from elsewhere may be any text
            return False
        return answer == gold or Decimal(answer) == Decimal(gold)
    return answer == gold


def _is_number(text: str) -> bool:
    """Whether a text is a number. The commonest gold of a row of mixed answer types can be a time, and the
    gold of a foreign benchmark any text.
    """
    return text.removeprefix("-").replace(".", "", 1).isdecimal()
