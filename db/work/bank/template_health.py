"""The health of templates, recomputed only when something changed, so that the bank page opens fast.

All versions are counted together, because a version's rest score needs the others. The mark identifies the
data the figures were computed from: imports, studies with their status, contests, invalidations. New labels
do not change the mark; they are counted at the next recomputation.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import delete, func, insert, select
from sqlmodel import Session, col

from clinicnum.annotations.curation.item_statistics import ItemStatistic, item_statistics
from clinicnum.annotations.curation.template_health import (
    Health,
    RunAccuracy,
    TrialSummary,
    best_of,
    mean_accuracy,
)
from clinicnum.authoring.template_trial import Trial
from clinicnum.db.engine import lock
from clinicnum.db.rows import (
    IN_FINISHED,
    AssignmentRow,
    AuditRow,
    ContestRow,
    GenerationRow,
    InstanceRow,
    InvalidationRow,
    RunRow,
    ScoreRow,
    StudyRow,
    TemplateHealthRow,
    utc_now,
)
from clinicnum.db.work.audit.audit_log import INSTALLATION
from clinicnum.io.jsonl import content_id

CHEAP = 20_000
"""Number of scores up to which recomputing takes no longer than loading a page."""
NEVER = "never"
"""The mark of a version that has only the result of a trial so far."""
Version = tuple[str, int]
Counts = NDArray[np.int64]


@dataclass
class _Tally:
    """The counts of one version."""

    instances: int = 0
    flagged: int = 0
    variants: int = 0
    taken_out: int = 0
    labelled: int = 0
    contests: dict[str, int] = field(default_factory=dict)
    contested: int = 0
    labels: dict[str, int] = field(default_factory=dict)
    runs: list[RunAccuracy] = field(default_factory=list)
    statistics: dict[str, ItemStatistic] = field(default_factory=dict)
    """Item statistics by benchmark."""


def health_mark(session: Session) -> str:
    """A mark that changes whenever the figures may change, except through labels of open studies."""
    imports = session.scalar(
        select(func.count())
        .select_from(AuditRow)
        .where(col(AuditRow.chain) == INSTALLATION, col(AuditRow.action) == "add_run")
    )
    studies = session.execute(select(col(StudyRow.id), col(StudyRow.status)).order_by(col(StudyRow.id)))
    contests = session.execute(
        select(col(ContestRow.status), func.count())
        .group_by(col(ContestRow.status))
        .order_by(col(ContestRow.status))
    )
    gone = session.scalar(select(func.count()).select_from(InvalidationRow))
    return content_id([imports, [list(one) for one in studies], [list(one) for one in contests], gone])


def is_stale(session: Session) -> bool:
    """Whether the stored figures are out of date."""
    marks = set(session.scalars(select(col(TemplateHealthRow.basis)).distinct()))
    if not marks:
        return session.scalar(select(col(InstanceRow.id)).where(IN_FINISHED).limit(1)) is not None
    return marks != {health_mark(session)}


def is_cheap(session: Session) -> bool:
    """Whether recomputing is fast enough to do while a page is loading."""
    few = select(col(ScoreRow.id)).limit(CHEAP + 1).subquery()
    return (session.scalar(select(func.count()).select_from(few)) or 0) <= CHEAP


@dataclass(frozen=True)
class ComputedHealth:
    """Health figures of every template version that has instances, computed but not stored yet."""

    mark: str
    at: datetime
    tallies: dict[Version, _Tally]


def compute_health(session: Session) -> ComputedHealth:
    """Compute the figures of every version that has instances. It only reads, so it delays no save."""
    return ComputedHealth(health_mark(session), utc_now(), _tallies(session))


def store_health(session: Session, counted: ComputedHealth) -> int:
    """Replace the stored figures but keep the results of trials; returns how many versions have figures
    now.
    """
    lock(session, "template_health")
    trials = {
        (row.template_id, row.version): row.payload["trial"]
        for row in session.scalars(select(TemplateHealthRow))
        if row.payload.get("trial")
    }
    tallies = counted.tallies
    rows = [
        _row(version, _health(tallies.get(version, _Tally()), counted.at, trials.get(version)), counted.mark)
        for version in sorted({*tallies, *trials})
    ]
    session.execute(delete(TemplateHealthRow))
    session.expunge_all()
    if rows:
        session.execute(insert(TemplateHealthRow), rows)
    return len(rows)


def _health(tally: _Tally, at: datetime, trial: TrialSummary | None) -> Health:
    return Health(
        counted_at=at,
        instances=tally.instances,
        flagged=tally.flagged,
        variants=tally.variants,
        taken_out=tally.taken_out,
        labelled=tally.labelled,
        open=tally.contests.get("open", 0),
        upheld=tally.contests.get("upheld", 0),
        rejected=tally.contests.get("rejected", 0),
        contested=tally.contested,
        contest_rate=tally.contested / tally.labelled if tally.labelled else None,
        runs=tuple(tally.runs),
        accuracy=mean_accuracy(tally.runs),
        discrimination=best_of(tally.statistics),
        labels=tally.labels,
        trial=trial,
    )


def store_trial(session: Session, version: Version, trial: Trial) -> None:
    """Store the result of a trial beside the version's other figures."""
    lock(session, "template_health")
    row = session.get(TemplateHealthRow, version, with_for_update=True)
    summary = TrialSummary(
        asked=trial.asked,
        taken=trial.taken,
        flagged=trial.flagged,
        rejected=dict(trial.rejected),
        holds=trial.holds,
        faults=tuple(one.message for one in trial.faults),
    )
    if row is None:
        health = Health(counted_at=utc_now(), trial=summary)
        session.execute(insert(TemplateHealthRow), [_row(version, health, NEVER)])
        return
    row.payload = {**row.payload, "trial": summary.model_dump(mode="json")}
    session.add(row)
    session.flush()


def _row(version: Version, one: Health, mark: str) -> dict[str, object]:
    payload = one.model_dump(mode="json")
    return {"template_id": version[0], "version": version[1], "payload": payload, "basis": mark}


def _tallies(session: Session) -> dict[Version, _Tally]:
    tallies: dict[Version, _Tally] = defaultdict(_Tally)
    whose, counting = _count_instances(session, tallies)
    _count_labels(session, whose, tallies)
    _count_contests(session, whose, tallies)
    _count_answers(session, counting, tallies)
    return dict(tallies)


def _count_instances(
    session: Session, tallies: dict[Version, _Tally]
) -> tuple[dict[str, Version], dict[str, Version]]:
    """Version by instance row: once for all instances, once for those whose answers count. Payloads are not
    validated again.
    """
    gone = set(session.scalars(select(col(InvalidationRow.instance)).distinct()))
    whose: dict[str, Version] = {}
    counting: dict[str, Version] = {}
    statement = select(
        col(InstanceRow.id),
        col(InstanceRow.template_id),
        col(InstanceRow.template_version),
        col(InstanceRow.payload),
    ).where(IN_FINISHED)
    for key, template_id, number, payload in session.execute(statement.execution_options(yield_per=1000)):
        version = (template_id, number)
        tally = tallies[version]
        whose[key] = version
        tally.instances += 1
        tally.taken_out += key in gone
        if payload["variant"] is not None:
            tally.variants += 1
        elif payload["flags"]:
            tally.flagged += 1
        elif key not in gone:
            counting[key] = version
    return whose, counting


def _count_labels(session: Session, whose: dict[str, Version], tallies: dict[Version, _Tally]) -> None:
    statement = (
        select(col(GenerationRow.instance), col(AssignmentRow.study_id), func.count())
        .join(AssignmentRow, col(AssignmentRow.generation) == col(GenerationRow.id))
        .where(col(AssignmentRow.status) == "submitted", col(AssignmentRow.round) == "main")
        .group_by(col(GenerationRow.instance), col(AssignmentRow.study_id))
    )
    seen: set[str] = set()
    for instance, study_id, n in session.execute(statement):
        tally = tallies[whose[instance]]
        tally.labelled += instance not in seen
        tally.labels[study_id] = tally.labels.get(study_id, 0) + n
        seen.add(instance)


def _count_contests(session: Session, whose: dict[str, Version], tallies: dict[Version, _Tally]) -> None:
    statement = (
        select(col(GenerationRow.instance), col(ContestRow.status), func.count())
        .join(GenerationRow, col(GenerationRow.id) == col(ContestRow.generation))
        .where(col(ContestRow.status) != "withdrawn")
        .group_by(col(GenerationRow.instance), col(ContestRow.status))
    )
    standing: set[str] = set()
    for instance, status, n in session.execute(statement):
        contests = tallies[whose[instance]].contests
        contests[status] = contests.get(status, 0) + n
        if status != "rejected":
            standing.add(instance)
    for instance in standing:
        tallies[whose[instance]].contested += 1


def _count_answers(session: Session, counting: dict[str, Version], tallies: dict[Version, _Tally]) -> None:
    versions = {version: at for at, version in enumerate(sorted(set(counting.values())))}
    names = list(versions)
    for benchmark_id, runs, right, asked in _tables(session, counting, versions):
        for place, run in enumerate(runs):
            for at in np.flatnonzero(asked[place]):
                one = RunAccuracy(run=run, asked=int(asked[place, at]), right=int(right[place, at]))
                tallies[names[at]].runs.append(one)
        answered = np.flatnonzero(asked.any(axis=0))
        statistics = item_statistics(right[:, answered], asked[:, answered])
        for at, statistic in zip(answered, statistics, strict=True):
            tallies[names[at]].statistics[benchmark_id] = statistic


def _tables(
    session: Session, counting: dict[str, Version], versions: dict[Version, int]
) -> Iterator[tuple[str, list[str], Counts, Counts]]:
    """For each benchmark with runs: its id, its runs, and the numbers of right and of all answers.

    Both numbers are arrays of shape (runs, versions). The status `correct` means right by lenient scoring:
    it depends on the value, not on the requested format.
    """
    runs: dict[str, list[str]] = defaultdict(list)
    for key, benchmark_id in session.execute(
        select(col(RunRow.id), col(RunRow.benchmark_id)).order_by(col(RunRow.id))
    ):
        runs[benchmark_id].append(key)
    for benchmark_id in sorted(runs):
        place = {run: at for at, run in enumerate(runs[benchmark_id])}
        right = np.zeros((len(place), len(versions)), dtype=np.int64)
        asked = np.zeros_like(right)
        statement = (
            select(col(GenerationRow.run), col(GenerationRow.instance), col(ScoreRow.status))
            .join(ScoreRow, col(ScoreRow.generation) == col(GenerationRow.id))
            .where(col(GenerationRow.run).in_(list(place)), col(ScoreRow.current))
            .execution_options(yield_per=5000)
        )
        for run, instance, status in session.execute(statement):
            version = counting.get(instance)
            if version is not None:
                asked[place[run], versions[version]] += 1
                right[place[run], versions[version]] += status == "correct"
        yield benchmark_id, runs[benchmark_id], right, asked
