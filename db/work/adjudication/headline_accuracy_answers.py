"""The answers counted in headline accuracy, without texts, to compute the effect of excluding some."""

from sqlalchemy import select
from sqlmodel import Session, col

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
