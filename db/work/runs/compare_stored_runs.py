"""Compare stored runs of one benchmark by their current scores."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlmodel import Session, col

from clinicnum.db.rows import GenerationRow, InstanceRow, RunRow, ScoreRow
from clinicnum.db.work.accounts.users import COMMAND_LINE
from clinicnum.db.work.jobs.job_store import evaluator
from clinicnum.db.work.runs.run_names import run_names
from clinicnum.db.work.runs.stored_runs import find_runs
from clinicnum.errors import InputError
from clinicnum.inference.model_metadata import asks_strict_form
from clinicnum.robustness import Answer, Run, RunComparison, compare_runs
from clinicnum.robustness.run_comparison import check_number
from clinicnum.translatable_text import Translatable
from clinicnum.types import Generation, Instance, Score


def compare_stored(session: Session, *, runs: Sequence[str], actor: str = COMMAND_LINE) -> RunComparison:
    """Compare the runs with these row ids, run_ids or labels, under their display names, in this order.

    Raises NotAllowed for an account that may not evaluate, InputError as `find_runs` and `compare_runs` do
    and for runs on several benchmarks. A generation without a score is left out.
    """
    if actor != COMMAND_LINE:
        evaluator(session, actor)
    check_number(len(runs))
    rows = find_runs(session, runs)
    benchmarks = sorted({row.benchmark_id for row in rows})
    if len(benchmarks) > 1:
        raise InputError(
            Translatable(
                "These runs are on {n} benchmarks, {benchmarks}; runs are compared on the same questions: "
                "choose runs of one benchmark.",
                n=len(benchmarks),
                benchmarks=", ".join(benchmarks),
            )
        )
    names, instances = run_names(session), _instances(session, benchmarks[0])
    return compare_runs([_run(session, row, names[row.id], instances) for row in rows])


def _instances(session: Session, benchmark_id: str) -> dict[str, Instance]:
    statement = select(col(InstanceRow.id), col(InstanceRow.payload)).where(
        col(InstanceRow.benchmark_id) == benchmark_id
    )
    return {key: Instance.model_validate(payload) for key, payload in session.execute(statement)}


def _run(session: Session, row: RunRow, name: str, instances: dict[str, Instance]) -> Run:
    """The run's answers with their scores; of several answers to a question, the first by generation_id."""
    statement = (
        select(col(GenerationRow.instance), col(GenerationRow.payload), col(ScoreRow.payload))
        .join(ScoreRow, col(ScoreRow.generation) == col(GenerationRow.id))
        .where(col(GenerationRow.run) == row.id, col(ScoreRow.current))
        .order_by(col(GenerationRow.generation_id))
    )
    answers: dict[str, Answer] = {}
    for key, generation, score in session.execute(statement):
        answer = Answer(instances[key], Generation.model_validate(generation), Score.model_validate(score))
        answers.setdefault(answer.instance.instance_id, answer)
    return Run(name, answers, asks_strict_form(row.meta, (one.instance for one in answers.values())))
