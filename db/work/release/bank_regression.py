"""Regression of a bank on stored runs: the effect of its templates on their golds and scores."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlmodel import Session, col

from clinicnum.annotations.curation.bank_regression import Regression, regress
from clinicnum.db.rows import GenerationRow, InstanceRow, InvalidationRow, RunRow, ScoreRow
from clinicnum.db.work.common.curator_model_names import models_of_runs
from clinicnum.db.work.runs.stored_runs import load_stored
from clinicnum.errors import InputError
from clinicnum.templates.template import Template
from clinicnum.translatable_text import Translatable


def scored_benchmarks(session: Session) -> tuple[str, ...]:
    """Ids of the benchmarks with a scored run."""
    statement = (
        select(col(RunRow.benchmark_id))
        .join(GenerationRow, col(GenerationRow.run) == col(RunRow.id))
        .join(ScoreRow, (col(ScoreRow.generation) == col(GenerationRow.id)) & col(ScoreRow.current))
        .distinct()
        .order_by(col(RunRow.benchmark_id))
    )
    return tuple(session.scalars(statement))


def regress_stored(session: Session, templates: Sequence[Template], *, benchmark_id: str) -> Regression:
    """What a bank of `templates` changes in the results of a benchmark's runs, those with every answer
    scored; models of open studies stay masked.

    Raises InputError if the benchmark has no such run.
    """
    runs = _scored_runs(session, benchmark_id)
    if not runs:
        known = ", ".join(scored_benchmarks(session)) or Translatable("none yet")
        raise InputError(
            Translatable(
                "no scored run on benchmark {benchmark!r}; there are runs on: {known}",
                benchmark=benchmark_id,
                known=known,
            )
        )
    stored, models = load_stored(session, runs=runs), models_of_runs(session)
    return regress(
        stored.material,
        templates,
        invalidated=_invalidated(session, benchmark_id),
        names={run_id: models[key].name for run_id, key in stored.loaded.runs.items()},
    )


def _scored_runs(session: Session, benchmark_id: str) -> list[str]:
    """The runs whose generations all have a score."""
    unscored = (
        select(col(GenerationRow.run))
        .outerjoin(ScoreRow, (col(ScoreRow.generation) == col(GenerationRow.id)) & col(ScoreRow.current))
        .where(col(ScoreRow.id).is_(None))
    )
    statement = (
        select(col(RunRow.id))
        .where(
            col(RunRow.benchmark_id) == benchmark_id,
            col(RunRow.id).in_(select(col(GenerationRow.run))),
            col(RunRow.id).not_in(unscored),
        )
        .order_by(col(RunRow.run_id))
    )
    return list(session.scalars(statement))


def _invalidated(session: Session, benchmark_id: str) -> dict[str, str]:
    """Instance id -> why a contest in any study invalidated it."""
    statement = (
        select(col(InstanceRow.instance_id), col(InvalidationRow.reason), col(InvalidationRow.rule))
        .join(InvalidationRow, col(InvalidationRow.instance) == col(InstanceRow.id))
        .where(col(InstanceRow.benchmark_id) == benchmark_id)
        .order_by(col(InvalidationRow.study_id).desc())
    )
    return {instance: f"{reason} ({rule})" for instance, reason, rule in session.execute(statement)}
