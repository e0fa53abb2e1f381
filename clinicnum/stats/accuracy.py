"""Accuracy by operation and representation, with intervals, beside four baselines.

Headline figures leave out variants, which are for robustness, and instances flagged as not discriminating
(V7); both are counted. The interval, of `clinicnum.stats.two_way_clusters`, generalises to other subjects
and, from five templates on, to other templates: items of one subject or template are not independent.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clinicnum.stats.baselines_without_reading import Baselines, baselines_of, right_without_reading
from clinicnum.stats.clustered_intervals import Subjects
from clinicnum.stats.jackknife import Interval
from clinicnum.stats.two_way_clusters import accuracy_interval
from clinicnum.types import OPERATIONS, REPRESENTATIONS, AnswerType, Instance, Score, ScoreStatus

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
    strict_correct: int | None
    """Number of items right in the form asked for; None if no form is known to have been asked for."""
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
    form_asked: bool
    """Whether prompts are known to have asked for the form that `strict` judges."""

    @property
    def distinct_rows(self) -> tuple[AccuracyRow, ...]:
        """The rows without those that count the same items as another: items made elsewhere have no
        operation and no representation of ours, so that their totals over either repeat one row.
        """
        kept = [
            row for row in self.rows if (row.operation == "external") == (row.representation == "external")
        ]
        only_external = all(row.operation in ("external", ALL) for row in self.rows)
        return tuple(kept[:1] if only_external else kept)

    @property
    def overall(self) -> AccuracyRow | None:
        """The grand total; None if nothing was scored."""
        return self.rows[-1] if self.rows else None


def accuracy_table(pairs: Iterable[Pair], *, level: float = 0.95, form_asked: bool = True) -> AccuracyTable:
    """Accuracy by operation and representation, and over all, from pairs (instance, score) in any order.

    `level` is the confidence level of the intervals. `form_asked`: whether prompts are known to have asked
    for the form that `strict` judges; if not, strict accuracy is None.
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
        rows=tuple(
            _row(key, items[items.within(*key)], level, form_asked) for key in sorted(keys, key=_order)
        ),
        n_scored=len(scored),
        n_flagged=int(items.flagged.sum()),
        n_variants=len(scored) - len(kept),
        n_errors=int((items.status == "error").sum()),
        form_asked=form_asked,
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
    has_records: NDArray[np.bool_]
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
            without_reading=np.array([right_without_reading(one) for one in of], dtype=bool).reshape(-1, 3),
            has_records=np.array([bool(one.records) for one in of], dtype=bool),
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


def _row(key: tuple[str, str], items: _Items, level: float, form_asked: bool) -> AccuracyRow:
    failed = items.status == "error"
    counted = items[~items.flagged & ~failed]
    n, correct = len(counted.lenient), int(counted.lenient.sum())
    strict = int(counted.strict.sum()) if form_asked else None
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
        strict_accuracy=None if strict is None else _share(strict, n),
        flexible_correct=flexible,
        flexible_accuracy=None if flexible is None else _share(flexible, n),
        n_errors=int((failed & ~items.flagged).sum()),
        interval=accuracy_interval(
            counted.lenient.astype(float), counted.subjects, counted.templates, level=level
        ),
        statuses={status: int((items.status[~items.flagged] == status).sum()) for status in STATUSES},
        baselines=baselines_of(
            [counted.answers[place] for place in counted.answer],
            counted.without_reading,
            have_records=bool(counted.has_records.any()),
        ),
    )


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
