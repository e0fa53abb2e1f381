"""Baselines that answer without reading the question.

- first (last) record: the first (last) record in time; its time where a time is asked, else its value of the
  vital of the first evidence cell;
- zero: 0;
- majority: the most frequent gold of the row's items, the smallest as text among equally frequent ones.

A baseline without an answer to an item (a time where it only knows 0, no evidence, an undocumented value) is
wrong there. Where no item has records, only the majority is defined.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from clinicnum.types import TIME_FORMAT, AnswerType, Instance, Record

Gold = tuple[str | None, AnswerType]


@dataclass(frozen=True)
class Baselines:
    """Share of items that baselines without reading get right; None without items, and all but `majority` if
    no item has records.
    """

    first_record: float | None
    last_record: float | None
    zero: float | None
    majority: float | None


def right_without_reading(instance: Instance) -> tuple[bool, bool, bool]:
    """Whether the first record, the last record and zero are right answers."""
    zero = None if instance.answer_type == "datetime" else "0"
    answers = *_from_records(instance), zero
    first, last, nought = (_same(answer, instance.answer, instance.answer_type) for answer in answers)
    return first, last, nought


def baselines_of(
    golds: Sequence[Gold], without_reading: NDArray[np.bool_], *, have_records: bool
) -> Baselines:
    """The baselines on items with these golds.

    `without_reading` is what `right_without_reading` says of each: [items, 3]; `have_records`: whether any
    item has records.
    """
    kinds = Counter(golds)
    answers: Counter[str] = Counter()
    for (gold, _), count in kinds.items():
        if gold is not None:
            answers[gold] += count
    most = max(answers.values(), default=0)
    majority = min((gold for gold, count in answers.items() if count == most), default=None)
    n = len(golds)
    of_records = n if have_records else 0
    first, last, zero = (_share(right, of_records) for right in without_reading.sum(axis=0).tolist())
    return Baselines(
        first_record=first,
        last_record=last,
        zero=zero,
        majority=_share(sum(count for kind, count in kinds.items() if _same(majority, *kind)), n),
    )


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


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
