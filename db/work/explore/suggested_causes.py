"""Suggested causes of stored failures, computed on request: for whole runs, and for one instance.

How often a code matches by chance depends on the template, so each template is computed separately.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from sqlalchemy import select
from sqlmodel import Session, col

from clinicnum.db.rows import GenerationRow, InstanceRow, RunRow, ScoreRow
from clinicnum.db.work.explore.run_table_cache import Key
from clinicnum.diagnosis import Rates, calls_for_cause, rates_for, suggest, suggest_all
from clinicnum.inference.model_metadata import asks_form
from clinicnum.types import Generation, Instance, Score, Suggestion


def primary_causes(session: Session, runs: Sequence[RunRow]) -> dict[Key, dict[str, str]]:
    """The likeliest cause of each failure that has one: by (row id, revision) of the run, then code by
    generation row.
    """
    found: dict[Key, dict[str, str]] = {(run.id, run.revision): {} for run in runs}
    by_benchmark: dict[str, list[RunRow]] = defaultdict(list)
    for run in runs:
        by_benchmark[run.benchmark_id].append(run)
    for benchmark_id, those in by_benchmark.items():
        templates = select(col(InstanceRow.template_id)).where(col(InstanceRow.benchmark_id) == benchmark_id)
        for template in session.scalars(templates.distinct()).all():
            instances = _instances(session, benchmark_id, template)
            rates = rates_for(list(instances.values()))
            for run in those:
                found[run.id, run.revision] |= _of_run(session, run, instances, rates)
    return found


def _of_run(session: Session, run: RunRow, instances: dict[str, Instance], rates: Rates) -> dict[str, str]:
    """Row id of a generation -> code of its likeliest cause, for the run's failures on the instances of one
    template; those without a suggestion are left out.
    """
    template = next(iter(instances.values())).template_id
    statement = (
        select(
            col(GenerationRow.id),
            col(GenerationRow.instance),
            col(GenerationRow.payload),
            col(ScoreRow.payload),
        )
        .join(InstanceRow, col(InstanceRow.id) == col(GenerationRow.instance))
        .join(ScoreRow, (col(ScoreRow.generation) == col(GenerationRow.id)) & col(ScoreRow.current))
        .where(col(GenerationRow.run) == run.id, col(InstanceRow.template_id) == template)
    )
    form_asked = asks_form(run.meta)
    keys, answered = {}, []
    for key, instance, generation, payload in session.execute(statement):
        score = Score.model_validate(payload)
        if calls_for_cause(score, form_asked=form_asked):
            keys[score.generation_id] = key
            answered.append((instances[instance], Generation.model_validate(generation), score))
    return {keys[one.generation_id]: one.code for one in suggest_all(answered, rates=rates) if one.rank == 1}


def _instances(session: Session, benchmark_id: str, template: str) -> dict[str, Instance]:
    statement: Any = select(col(InstanceRow.id), col(InstanceRow.payload)).where(
        col(InstanceRow.benchmark_id) == benchmark_id, col(InstanceRow.template_id) == template
    )
    return {key: Instance.model_validate(payload) for key, payload in session.execute(statement)}


def causes_of(
    session: Session, instance: Instance, answers: Sequence[tuple[Generation, Score, bool]]
) -> list[tuple[Suggestion, ...]]:
    """The suggested causes of each answer to one instance, in the order of `answers`; empty for an answer
    that needs none.

    An answer is (generation, score, whether its prompt asked for the form that is judged).
    """
    rates = rates_for(list(_instances(session, instance.benchmark_id, instance.template_id).values()))
    return [
        suggest(instance=instance, generation=generation, score=score, rates=rates)
        if calls_for_cause(score, form_asked=form_asked)
        else ()
        for generation, score, form_asked in answers
    ]
