"""Trace a template from failures to its use: drafts, review rounds, releases, runs, figures."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Select, func, select
from sqlmodel import Session, col

from clinicnum.annotations.consequences_of_upholding import accuracy_without
from clinicnum.annotations.report.bank_release_of_benchmark import named_release
from clinicnum.annotations.report.model_run import run_names
from clinicnum.db.rows import (
    IN_FINISHED,
    BenchmarkRow,
    DraftRow,
    GenerationRow,
    InstanceRow,
    InvalidationRow,
    ReleaseRow,
    ReleaseTemplateRow,
    ReviewRoundRow,
    ReviewRow,
    RunRow,
    ScoreRow,
    StudyRow,
    StudyRunRow,
    StudyScoreRow,
    TemplateRow,
)
from clinicnum.db.work.release.release_evidence_and_origins import load_origins
from clinicnum.errors import InputError
from clinicnum.release import Manifest, Origin
from clinicnum.stats.interval_estimate import Figure


@dataclass(frozen=True)
class TracedDraft:
    """The draft from which a version was made."""

    draft: str
    note: str
    revision: int
    """The revision that was submitted for review."""
    base: str | None
    """The version that it corrects."""


@dataclass(frozen=True)
class TracedRound:
    """A review round of a template's version, as its history shows it."""

    number: int
    status: str
    experts: int
    submitted: int


@dataclass(frozen=True)
class TracedStudy:
    """A run's accuracy on the version's questions, as in a study's report."""

    name: str
    accuracy: Figure
    """By the study's scores, without the questions that its contests invalidated."""


@dataclass(frozen=True)
class TracedRun:
    """A run's accuracy on the version's questions."""

    run_id: str
    model: str
    accuracy: Figure
    """By the current scores, over the version's questions that are neither variants, flagged, nor
    invalidated by a contest in any study.
    """
    studies: tuple[TracedStudy, ...]


@dataclass(frozen=True)
class TracedBenchmark:
    """A benchmark that contains questions of the version."""

    benchmark_id: str
    release: str | None
    """The release named in the benchmark's meta data."""
    release_sha256: str | None
    instances: int
    runs: tuple[TracedRun, ...]


@dataclass(frozen=True)
class TracedVersion:
    """One version of a template with all that came before and after it: where it comes from, its draft, its
    review rounds, and the releases and benchmarks that hold it.
    """

    version: int
    status: str
    origins: tuple[Origin, ...]
    draft: TracedDraft | None
    rounds: tuple[TracedRound, ...]
    releases: tuple[tuple[str, str], ...]
    """(name, sha256)."""
    benchmarks: tuple[TracedBenchmark, ...]


@dataclass(frozen=True)
class Trace:
    """A template with all its versions, the oldest first."""

    template_id: str
    versions: tuple[TracedVersion, ...]


def trace_template(session: Session, template_id: str, version: int | None = None) -> Trace:
    """The trace of a template or of one version. Raises InputError if there is none."""
    statement = select(TemplateRow).where(col(TemplateRow.template_id) == template_id)
    rows = list(session.scalars(statement.order_by(col(TemplateRow.version))))
    wanted = [row for row in rows if version in (None, row.version)]
    if not wanted:
        which = f" version {version}" if rows else ""
        raise InputError(
            f"the bank has no {template_id}{which}; list it: clinicnum templates list --bank all"
        )
    origins = load_origins(session)
    return Trace(template_id, tuple(_version(session, row, origins) for row in wanted))


def _version(
    session: Session, row: TemplateRow, origins: dict[tuple[str, int], tuple[Origin, ...]]
) -> TracedVersion:
    return TracedVersion(
        version=row.version,
        status=row.status,
        origins=origins.get((row.template_id, row.version), ()),
        draft=_draft(session, row),
        rounds=tuple(_rounds(session, row)),
        releases=tuple(_releases(session, row)),
        benchmarks=tuple(_benchmarks(session, row)),
    )


def _draft(session: Session, row: TemplateRow) -> TracedDraft | None:
    statement = select(DraftRow).where(
        col(DraftRow.template_id) == row.template_id, col(DraftRow.version) == row.version
    )
    draft = session.scalars(statement.order_by(col(DraftRow.created_at).desc())).first()
    if draft is None:
        return None
    base = None if draft.base_id is None else f"{draft.base_id} version {draft.base_version}"
    return TracedDraft(draft.id, draft.note, draft.revision, base)


def _rounds(session: Session, row: TemplateRow) -> Iterator[TracedRound]:
    statement = select(ReviewRoundRow).where(
        col(ReviewRoundRow.template_id) == row.template_id, col(ReviewRoundRow.version) == row.version
    )
    for one in session.scalars(statement.order_by(col(ReviewRoundRow.number))):
        reviews = select(col(ReviewRow.status)).where(
            col(ReviewRow.round_id) == one.id, col(ReviewRow.status) != "withdrawn"
        )
        statuses = list(session.scalars(reviews))
        yield TracedRound(one.number, one.status, len(statuses), statuses.count("submitted"))


def _releases(session: Session, row: TemplateRow) -> Iterator[tuple[str, str]]:
    statement = (
        select(col(ReleaseRow.manifest))
        .join(ReleaseTemplateRow, col(ReleaseTemplateRow.release) == col(ReleaseRow.name))
        .where(
            col(ReleaseTemplateRow.template_id) == row.template_id,
            col(ReleaseTemplateRow.version) == row.version,
        )
        .order_by(col(ReleaseRow.created_at))
    )
    for payload in session.scalars(statement):
        manifest = Manifest.model_validate(payload)
        yield manifest.name, manifest.sha256


def _benchmarks(session: Session, row: TemplateRow) -> Iterator[TracedBenchmark]:
    statement = (
        select(col(InstanceRow.benchmark_id), func.count())
        .where(
            col(InstanceRow.template_id) == row.template_id,
            col(InstanceRow.template_version) == row.version,
            IN_FINISHED,
        )
        .group_by(col(InstanceRow.benchmark_id))
        .order_by(col(InstanceRow.benchmark_id))
    )
    for benchmark_id, count in session.execute(statement).all():
        release = named_release(session.get_one(BenchmarkRow, benchmark_id).meta)
        yield TracedBenchmark(
            benchmark_id=benchmark_id,
            release=release.name if release else None,
            release_sha256=release.sha256 if release else None,
            instances=count,
            runs=tuple(_runs(session, row, benchmark_id)),
        )


def _runs(session: Session, row: TemplateRow, benchmark_id: str) -> Iterator[TracedRun]:
    runs = list(
        session.scalars(
            select(RunRow).where(col(RunRow.benchmark_id) == benchmark_id).order_by(col(RunRow.run_id))
        )
    )
    names = run_names({one.run_id: str(one.meta.get("model") or "") for one in runs})
    for run in runs:
        used = (
            select(col(StudyRow.id), col(StudyRow.name))
            .join(StudyRunRow, col(StudyRunRow.study_id) == col(StudyRow.id))
            .where(col(StudyRunRow.run) == run.id)
            .order_by(col(StudyRow.name))
        )
        studies = session.execute(used).all()
        gone = {study_id: _invalidated(session, row, study_id) for study_id, _ in studies}
        current = select(col(ScoreRow.id)).where(col(ScoreRow.current))
        yield TracedRun(
            run_id=run.run_id,
            model=names[run.run_id],
            accuracy=accuracy_without(_answers(session, row, run, current), set().union(*gone.values())),
            studies=tuple(
                TracedStudy(
                    name, accuracy_without(_answers(session, row, run, _scores(study_id)), gone[study_id])
                )
                for study_id, name in studies
            ),
        )


def _scores(study_id: str) -> Select[str]:
    """Subquery: the scores that a study uses."""
    return select(col(StudyScoreRow.score)).where(col(StudyScoreRow.study_id) == study_id)


def _invalidated(session: Session, row: TemplateRow, study_id: str) -> set[str]:
    """Ids of this template version's instances that upheld contests excluded from a study."""
    statement = (
        select(col(InstanceRow.instance_id))
        .join(InvalidationRow, col(InvalidationRow.instance) == col(InstanceRow.id))
        .where(
            col(InvalidationRow.study_id) == study_id,
            col(InstanceRow.template_id) == row.template_id,
            col(InstanceRow.template_version) == row.version,
        )
    )
    return set(session.scalars(statement))


def _answers(
    session: Session, row: TemplateRow, run: RunRow, scores: Select[str]
) -> list[tuple[str, str, bool]]:
    """(subject, instance id, right) for the run's answers to the version's unflagged questions that are not
    variants, by the given scores.
    """
    statement = (
        select(col(InstanceRow.payload), col(ScoreRow.payload))
        .join(GenerationRow, col(GenerationRow.instance) == col(InstanceRow.id))
        .join(ScoreRow, col(ScoreRow.generation) == col(GenerationRow.id))
        .where(
            col(ScoreRow.id).in_(scores),
            col(GenerationRow.run) == run.id,
            col(InstanceRow.template_id) == row.template_id,
            col(InstanceRow.template_version) == row.version,
        )
        .order_by(col(InstanceRow.position))
    )
    found: list[tuple[dict[str, Any], dict[str, Any]]] = [
        (one, score) for one, score in session.execute(statement)
    ]
    return [
        (one["subject_id"], one["instance_id"], bool(score["lenient"]))
        for one, score in found
        if one["variant"] is None and not one["flags"]
    ]
