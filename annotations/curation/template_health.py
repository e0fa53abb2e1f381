"""What runs, labels and contests say about one version of a template."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict

from pydantic import Field

from clinicnum.annotations.curation.item_statistics import FEW, MIN_RUNS, REASONS, ItemStatistic
from clinicnum.annotations.types import UtcTime
from clinicnum.translatable_text import Translatable
from clinicnum.types import Frozen

HARD = 0.5
"""A version that models get right less often than this is called hard (our own choice)."""
GUIDE: tuple[tuple[float, str], ...] = (
    (0.4, Translatable("separates models well")),
    (0.3, Translatable("separates models")),
    (0.2, Translatable("separates models weakly")),
    (0.0, Translatable("hardly separates models")),
)
"""Lower bounds of the item-total correlation and their names: the usual guide, ascribed to Ebel and Frisbie
(1991).
"""
REVERSED = Translatable("better models are wrong more often")


class RunAccuracy(Frozen):
    """Accuracy of one run on the answers that count."""

    run: str
    """Row id."""
    asked: int
    right: int


class Discrimination(Frozen):
    """How well a version separates the runs, in the benchmark in which most runs answered it."""

    benchmark_id: str | None
    runs: int
    item_total: float | None = None
    upper_lower: float | None = None
    slope: float | None = None
    undefined: str | None = None

    @classmethod
    def of(cls, statistic: ItemStatistic, benchmark_id: str) -> "Discrimination":
        """Make a Discrimination from an item statistic."""
        figures = {name: value for name, value in asdict(statistic).items() if name != "accuracy"}
        return cls(benchmark_id=benchmark_id, **figures)

    @property
    def said(self) -> str:
        """How well the version separates runs, or why this is unknown, in words."""
        if self.item_total is None:
            known = (Translatable(text, n=self.runs, least=MIN_RUNS) for text in REASONS)
            return next(
                (text for text in known if text == self.undefined), self.undefined or "not enough runs: 0"
            )
        return next((words for least, words in GUIDE if self.item_total >= least), REVERSED)


class TrialSummary(Frozen):
    """The result of trying the version on sample patients."""

    asked: int
    taken: int
    flagged: int
    rejected: dict[str, int]
    """Rule -> number of candidate questions that it rejected."""
    holds: bool
    faults: tuple[str, ...]


class Health(Frozen):
    """Health of a version. Answers count as in reports: without variants, flagged instances, and instances
    removed by contests.
    """

    counted_at: UtcTime
    instances: int = 0
    flagged: int = 0
    """Number of flagged instances, variants left out."""
    variants: int = 0
    taken_out: int = 0
    labelled: int = 0
    """Number of instances with an answer that somebody judged."""
    open: int = 0
    upheld: int = 0
    rejected: int = 0
    contested: int = 0
    """Labelled instances with a contest that is open or upheld."""
    contest_rate: float | None = None
    """`contested` of `labelled`; None if nothing is labelled."""
    runs: tuple[RunAccuracy, ...] = ()
    accuracy: float | None = None
    """Mean accuracy of the runs; None if no run answered."""
    discrimination: Discrimination = Discrimination(benchmark_id=None, runs=0)
    labels: dict[str, int] = Field(default_factory=dict)
    """Study -> judgements that were submitted."""
    trial: TrialSummary | None = None
    """Result of the last trial on sample patients; None until a trial was requested."""

    @property
    def base(self) -> int:
        """Number of instances that are not variants."""
        return self.instances - self.variants

    @property
    def flagged_share(self) -> float | None:
        """Share of flagged instances among those that are not variants; None if there are none."""
        return self.flagged / self.base if self.base else None


def mean_accuracy(runs: Sequence[RunAccuracy]) -> float | None:
    """Mean accuracy, every run with the same weight; None without a run."""
    return sum(one.right / one.asked for one in runs) / len(runs) if runs else None


def best_of(found: Mapping[str, ItemStatistic]) -> Discrimination:
    """The discrimination in the benchmark with the most runs, on ties the first by id; undefined without
    any.
    """
    if not found:
        return Discrimination(benchmark_id=None, runs=0, undefined=Translatable(FEW, n=0, least=MIN_RUNS))
    benchmark_id = min(found, key=lambda one: (-found[one].runs, one))
    return Discrimination.of(found[benchmark_id], benchmark_id)
