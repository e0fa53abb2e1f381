"""Summaries of runs and studies for the researcher: counts and settings, never a label of an open study."""

from datetime import date, datetime

from clinicnum.annotations.criteria.criterion import Criterion
from clinicnum.annotations.study_deadline import RECENT_DAYS, Pace, is_at_risk, outlook
from clinicnum.annotations.study_design import Design
from clinicnum.annotations.study_kind import KINDS, StudyKind
from clinicnum.annotations.study_seed import Seed
from clinicnum.annotations.types import AnnotatorKind, StudyStatus, UtcTime
from clinicnum.translatable_text import Translatable, joined
from clinicnum.types import Frozen, ScoreStatus


class RunSummary(Frozen):
    """A run in one line of a list."""

    run: str
    """Row id of the run, unique in the database."""
    run_id: str
    """The id in the run's file, unique on its benchmark."""
    benchmark_id: str
    model: str | None
    """The model as the run's meta names it; None for an imported file that does not say."""
    generations: int
    scored: int
    statuses: dict[ScoreStatus, int]
    """Scored generations by status; a status that none has is left out."""
    studies: tuple[str, ...]
    """Names of those that use it."""
    label: str | None = None
    """Display name; `clinicnum.annotations.run_names` resolves the name to show."""
    begun_at: str | None = None
    """When the model was first started, or the file uploaded, as ISO 8601; None if the meta does not say."""


class StudyProgress(Frozen):
    """A study and its progress."""

    name: str
    status: StudyStatus
    created_at: datetime
    closed_at: datetime | None
    """When the study was first closed."""
    items: int
    """Number of items drawn for annotation, without training and control items."""
    filled: int
    """Number of these items that all their annotators judged."""
    places: int
    """Judgements to make: items times annotators, training and control items included."""
    judged: int
    """Number of these that were submitted."""
    repeats: int
    """Blind repeats submitted."""
    in_work: int
    skipped: int
    flagged: int
    due: int
    """Number of filled items that need an adjudicator."""
    contests: int
    """Number of open contests."""
    deadline: date | None = None
    kind: StudyKind = "failures"
    recent: int = 0
    """Judgements first submitted in the last days, without blind repeats; only if there is a deadline."""

    def outlook(self, *, now: datetime) -> Translatable | None:
        """A sentence on whether the work gets done by the deadline; None without one, or if the study is not
        open.
        """
        if self.deadline is None or self.status != "open":
            return None
        return outlook(self._pace(now), self.deadline, now=now.date())

    def is_at_risk(self, *, now: datetime) -> bool:
        """Whether the deadline is over, or too near for the pace of the last days."""
        if self.deadline is None or self.status != "open":
            return False
        return is_at_risk(self._pace(now), self.deadline, now=now.date())

    def _pace(self, now: datetime) -> Pace:
        days = min(RECENT_DAYS, max(1, (now - self.created_at).days))
        return Pace(left=self.places - self.judged, recent=self.recent, days=days)

    @property
    def models_masked(self) -> bool:
        """Whether annotators and adjudicators must not learn which model gave an answer."""
        return self.status != "closed" or self.due > 0 or self.contests > 0

    def closing_note(self) -> Translatable | None:
        """What would remain undecided if the study were closed now; None if nothing would."""
        if not (KINDS[self.kind].judges_failures or self.due):
            return self._not_by_all()
        unsettled = unsettled_words(due=self.due, contests=self.contests, unfilled=self.items - self.filled)
        if not unsettled:
            return None
        if self.due or self.contests:
            return Translatable(
                "Not settled: {unsettled}. Adjudicators can still decide; models stay masked until the last "
                "decision.",
                unsettled=unsettled,
            )
        return Translatable("Not settled: {unsettled}.", unsettled=unsettled)

    def _not_by_all(self) -> Translatable | None:
        """A sentence on the items that not all their annotators judged; None if there are none."""
        n = self.items - self.filled
        if not n:
            return None
        if n == 1:
            return Translatable("{n} item is not judged by all its annotators.", n=n)
        return Translatable("{n} items are not judged by all their annotators.", n=n)


def unsettled_words(*, due: int, contests: int, unfilled: int) -> Translatable:
    """What is not settled in a study, for page, command and report; empty if all is.

    `due` counts items ready for adjudicators, `contests` open contests, `unfilled` items that still lack a
    judgement.
    """
    counted = (
        (due, Translatable("{n} decision due", n=due), Translatable("{n} decisions due", n=due)),
        (
            contests,
            Translatable("{n} open contest", n=contests),
            Translatable("{n} open contests", n=contests),
        ),
        (
            unfilled,
            Translatable(
                "{n} item not judged by all its annotators (no adjudicator decides on it before)", n=unfilled
            ),
            Translatable(
                "{n} items not judged by all their annotators (no adjudicator decides on these before)",
                n=unfilled,
            ),
        ),
    )
    return joined(", ", [one if n == 1 else many for n, one, many in counted if n])


class AnnotatorProgress(Frozen):
    """An annotator's progress in a study: counts, no labels."""

    name: str
    pseudonym: str
    kind: AnnotatorKind
    share: int
    """Number of items if the work is shared evenly."""
    done: int
    skipped: int
    flagged: int
    in_work: int


class GuidelineVersion(Frozen):
    """One version of a study's guideline."""

    version: int
    text: str
    created_at: UtcTime


class StudyDetails(Frozen):
    """The settings with which a study was opened, and the people who work in it."""

    progress: StudyProgress
    design: Design
    seed: Seed | None
    """None while models are masked."""
    runs: tuple[str, ...]
    annotators: tuple[AnnotatorProgress, ...]
    guidelines: tuple[GuidelineVersion, ...]
    """The one in force first."""
    criteria: tuple[Criterion, ...] = ()
    """Those in force."""
