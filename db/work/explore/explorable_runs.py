"""Which runs an account may explore, and under which names.

Exploring shows golds, scores, models and texts. Whoever labels in a study sees no run on its benchmark until
the study is closed, and whoever has decided items of a study sees none while it masks its models, whatever
their role.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import exists, or_, select
from sqlmodel import Session, col

from clinicnum.annotations.run_names import display_names
from clinicnum.db.rows import AdjudicationRow, GenerationRow, RunRow, StudyRow
from clinicnum.db.work.common.barred_studies import barred_studies
from clinicnum.db.work.common.model_masking_period import masked
from clinicnum.db.work.jobs.job_store import evaluator
from clinicnum.errors import InputError
from clinicnum.translatable_text import Translatable


@dataclass(frozen=True)
class ExplorableRun:
    """A run that the account may explore."""

    run: str
    """Row id."""
    run_id: str
    model: str | None
    label: str | None
    benchmark_id: str


def explorable_runs(session: Session, *, user_id: str) -> dict[ExplorableRun, str]:
    """The runs that have answers, each with its display name, by benchmark and name. Raises NotAllowed for an
    account that may not evaluate.
    """
    evaluator(session, user_id)
    barred = _barred_benchmarks(session, user_id)
    answered = exists().where(col(GenerationRow.run) == col(RunRow.id))
    rows = session.scalars(select(RunRow).where(answered)).all()
    runs = [
        ExplorableRun(
            row.id, row.run_id, str(row.meta.get("model") or "") or None, row.label, row.benchmark_id
        )
        for row in rows
    ]
    names = display_names(runs)
    shown = [one for one in runs if one.benchmark_id not in barred]
    return {one: names[one.run] for one in sorted(shown, key=lambda one: (one.benchmark_id, names[one.run]))}


def hidden_by(session: Session, *, user_id: str) -> tuple[str, ...]:
    """Names of the studies because of which runs are hidden from the account, as it labels or has decided in
    them.
    """
    return tuple(sorted(name for name, _ in _taking_part(session, user_id)))


def chosen_runs(session: Session, *, user_id: str, runs: Sequence[str]) -> list[RunRow]:
    """The runs with these row ids, in this order. Raises NotAllowed for an account that may not evaluate, and
    InputError for none, and for one that is unknown or hidden from it.
    """
    evaluator(session, user_id)
    barred = _barred_benchmarks(session, user_id)
    rows = {row.id: row for row in session.scalars(select(RunRow).where(col(RunRow.id).in_(list(runs))))}
    wanted = list(dict.fromkeys(runs))
    if not wanted:
        raise InputError(Translatable("No run is chosen. Choose at least one."))
    if any(key not in rows or rows[key].benchmark_id in barred for key in wanted):
        raise InputError(
            Translatable("One of these runs is not open to you, or is gone. Choose from those shown.")
        )
    return [rows[key] for key in wanted]


def _barred_benchmarks(session: Session, user_id: str) -> frozenset[str]:
    return frozenset(benchmark for _, benchmark in _taking_part(session, user_id))


def _taking_part(session: Session, user_id: str) -> list[tuple[str, str]]:
    """(name, benchmark) of the studies in which the account must still be blind."""
    decided = select(col(AdjudicationRow.study_id)).where(col(AdjudicationRow.user_id) == user_id)
    statement = select(col(StudyRow.name), col(StudyRow.benchmark_id)).where(
        or_(
            col(StudyRow.id).in_(barred_studies(session, user_id)),
            col(StudyRow.id).in_(decided) & masked(),
        )
    )
    return [(name, benchmark) for name, benchmark in session.execute(statement)]
