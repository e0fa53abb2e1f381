"""The effect on accuracy of excluding instances, from the answers counted in headline accuracy."""

from collections.abc import Iterator, Set
from dataclasses import dataclass

from sqlalchemy import select
from sqlmodel import Session, col

from clinicnum.annotations.consequences_of_upholding import accuracy_without
from clinicnum.annotations.report.model_run import run_names
from clinicnum.db.rows import (
    GenerationRow,
    InstanceRow,
    RunRow,
    ScoreRow,
    StudyRow,
    StudyRunRow,
    StudyScoreRow,
)
from clinicnum.db.work.common.model_masking_period import is_masked
from clinicnum.io.jsonl import keyed_id
from clinicnum.stats.interval_estimate import Figure
from clinicnum.translatable_text import Translatable


@dataclass(frozen=True)
class AccuracyEffect:
    """One model's accuracy now, and its accuracy if the contest were upheld."""

    model: str
    """`Model 1`, ... while models are masked."""
    now: Figure
    after: Figure


def accuracy_effects(
    session: Session, study: StudyRow, gone: Set[str], taken: Set[str]
) -> Iterator[AccuracyEffect]:
    """For each model, its accuracy without the instances `gone`, and without those of `taken` as well.

    Both are sets of instance ids: excluded already, and to be excluded if the contest is upheld.
    """
    masked = is_masked(session, study)
    models = headline_accuracy_answers(session, study)
    # While models are masked their order is secret, as whoever published the files knows their order.
    order = (
        sorted(models, key=lambda name: keyed_id(study.secret, ["model", name])) if masked else list(models)
    )
    for number, name in enumerate(order, start=1):
        answers = models[name]
        yield AccuracyEffect(
            model=Translatable("Model {n}", n=number) if masked else name,
            now=accuracy_without(answers, gone),
            after=accuracy_without(answers, gone | taken),
        )


def headline_accuracy_answers(session: Session, study: StudyRow) -> dict[str, list[tuple[str, str, bool]]]:
    """By model, (subject, instance id, right) for its answers to unflagged instances that are not variants.

    Payloads are not validated again, as a study may have a hundred thousand.
    """
    asked = select(col(InstanceRow.id), col(InstanceRow.payload)).where(
        col(InstanceRow.id).in_(
            select(col(GenerationRow.instance))
            .join(StudyScoreRow, col(StudyScoreRow.generation) == col(GenerationRow.id))
            .where(col(StudyScoreRow.study_id) == study.id)
        )
    )
    counts = {
        key: (payload["subject_id"], payload["instance_id"])
        for key, payload in session.execute(asked)
        if payload["variant"] is None and not payload["flags"]
    }
    statement = (
        select(col(RunRow.run_id), col(StudyRunRow.meta), col(GenerationRow.instance), col(ScoreRow.payload))
        .select_from(StudyScoreRow)
        .join(GenerationRow, col(GenerationRow.id) == col(StudyScoreRow.generation))
        .join(ScoreRow, col(ScoreRow.id) == col(StudyScoreRow.score))
        .join(RunRow, col(RunRow.id) == col(GenerationRow.run))
        .join(
            StudyRunRow,
            (col(StudyRunRow.study_id) == study.id) & (col(StudyRunRow.run) == col(GenerationRow.run)),
        )
        .where(col(StudyScoreRow.study_id) == study.id)
        .order_by(col(StudyScoreRow.position))
    )
    models: dict[str, str] = {}
    answers: dict[str, list[tuple[str, str, bool]]] = {}
    for run_id, meta, instance, score in session.execute(statement):
        models.setdefault(run_id, str(meta.get("model") or ""))
        mine = answers.setdefault(run_id, [])
        if instance in counts:
            mine.append((*counts[instance], bool(score["lenient"])))
    return {name: answers[run_id] for run_id, name in run_names(models).items()}
