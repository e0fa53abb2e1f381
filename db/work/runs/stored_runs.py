"""Stored runs, used in a study or not: load them, list them, use them as material for a new study."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Select, func, select
from sqlmodel import Session, col

from clinicnum.annotations.run_names import LONGEST_LABEL
from clinicnum.annotations.study_inputs import Material, Run, check_material
from clinicnum.annotations.study_summary import RunSummary
from clinicnum.db.engine import lock
from clinicnum.db.rows import (
    BenchmarkRow,
    GenerationRow,
    InstanceRow,
    RunRow,
    ScoreRow,
    StudyRow,
    StudyRunRow,
)
from clinicnum.db.work.accounts.users import COMMAND_LINE
from clinicnum.db.work.audit.audit_log import append
from clinicnum.db.work.benchmarks.benchmark_storage import benchmark_instances
from clinicnum.db.work.runs.store_study_material import Begun, LoadedRows, load_material, run_key
from clinicnum.errors import InputError
from clinicnum.inference.model_metadata import asks_strict_form
from clinicnum.stats.accuracy import AccuracyTable, accuracy_table
from clinicnum.types import Generation, Instance, Score, ScoreStatus


@dataclass(frozen=True)
class StoredRuns:
    """Material read from the database, with its row ids."""

    material: Material
    loaded: LoadedRows


def add_runs(
    session: Session,
    *,
    material: Material,
    actor: str = COMMAND_LINE,
    label: str = "",
    begun: Begun | None = None,
) -> tuple[RunSummary, ...]:
    """Load a benchmark, its runs and their scores, for future studies.

    Identical rows are left as they are; a score that differs replaces the earlier one in future studies.
    `label` is the runs' display name; empty keeps the present one. With several samples, their numbers follow
    it or the model's name. `begun` is the result of `begin_material`. Raises InputError for material that
    does not fit together or is stored with other content, and Conflict as `load_material` does; nothing is
    then stored.
    """
    lock(session, "create_study")
    if begun is None:
        check_material(material)
    loaded = load_material(session, material, begun)
    keys = set(loaded.runs.values())
    _name_runs(session, keys, label)
    added = list_runs(session, only=keys)
    for one in added:
        append(session, study_id=None, actor=actor, action="add_run", after=one.model_dump(mode="json"))
    return added


def list_runs(session: Session, *, only: Collection[str] | None = None) -> tuple[RunSummary, ...]:
    """All runs, or those of row ids `only`, by benchmark and run_id; without accuracy, which needs every
    answer (see `run_accuracy`).
    """
    chosen = [] if only is None else [col(GenerationRow.run).in_(only)]
    statuses: dict[str, dict[ScoreStatus, int]] = defaultdict(dict)
    by_status = (
        select(col(GenerationRow.run), col(ScoreRow.status), func.count())
        .join(ScoreRow, col(ScoreRow.generation) == col(GenerationRow.id))
        .where(col(ScoreRow.current), *chosen)
        .group_by(col(GenerationRow.run), col(ScoreRow.status))
        .order_by(col(ScoreRow.status))
    )
    for run, status, n in session.execute(by_status):
        statuses[run][status] = n
    counted = select(col(GenerationRow.run), func.count()).where(*chosen).group_by(col(GenerationRow.run))
    generations = dict(session.execute(counted).all())
    used = (
        select(col(StudyRunRow.run), col(StudyRow.name))
        .join(StudyRow, col(StudyRow.id) == col(StudyRunRow.study_id))
        .order_by(col(StudyRow.name))
    )
    studies: dict[str, list[str]] = defaultdict(list)
    for run, name in session.execute(used):
        studies[run].append(name)
    rows = session.scalars(select(RunRow).order_by(col(RunRow.benchmark_id), col(RunRow.run_id)))
    return tuple(
        RunSummary(
            run=row.id,
            run_id=row.run_id,
            benchmark_id=row.benchmark_id,
            model=model_of(row.meta),
            generations=generations.get(row.id, 0),
            scored=sum(statuses[row.id].values()),
            statuses=statuses[row.id],
            studies=tuple(studies[row.id]),
            label=row.label,
            begun_at=_begun_at(row.meta),
        )
        for row in rows
        if only is None or row.id in only
    )


def _name_runs(session: Session, keys: Collection[str], label: str) -> None:
    """Set the display name of runs that were stored together: the label if there is one; of several samples,
    each with its number.
    """
    for row in session.scalars(select(RunRow).where(col(RunRow.id).in_(keys))):
        decoding = row.meta.get("decoding")
        sample = decoding.get("sample") if isinstance(decoding, dict) and len(keys) > 1 else None
        number = f" #{sample}" if isinstance(sample, int) else ""
        if label or (number and not row.label):
            row.label = f"{label or model_of(row.meta)}"[: LONGEST_LABEL - len(number)] + number
    session.flush()


def model_of(meta: dict[str, Any]) -> str | None:
    """The model as the run's meta names it; None if it does not."""
    model = meta.get("model")
    return str(model) if model else None


def _begun_at(meta: dict[str, Any]) -> str | None:
    """When the run began: the start of its first session; of an imported run, when it was imported. None if
    unknown.
    """
    sessions = meta.get("sessions")
    first = sessions[0] if isinstance(sessions, list) and sessions else {}
    told = first.get("started_at") if isinstance(first, dict) else None
    told = told or meta.get("imported_at")
    return str(told) if told else None


def run_accuracy(session: Session, *, run: str) -> AccuracyTable:
    """Accuracy by operation and representation, by the current scores. Raises InputError for an
    unknown run.
    """
    row = find_runs(session, [run])[0]
    statement = (
        select(col(InstanceRow.payload), col(ScoreRow.payload))
        .join(GenerationRow, col(GenerationRow.instance) == col(InstanceRow.id))
        .join(ScoreRow, col(ScoreRow.generation) == col(GenerationRow.id))
        .where(col(GenerationRow.run) == row.id, col(ScoreRow.current))
        .execution_options(yield_per=1000)
    )
    pairs = [
        (Instance.model_validate(instance), Score.model_validate(score))
        for instance, score in session.execute(statement)
    ]
    return accuracy_table(pairs, form_asked=asks_strict_form(row.meta, (instance for instance, _ in pairs)))


def find_runs(session: Session, names: Sequence[str]) -> list[RunRow]:
    """The runs with these row ids, or run_ids or labels where unique, in the order of `names`.

    Raises InputError if there are no names, if a run is named twice or unknown, and for a run_id or label
    that several runs have.
    """
    found = [_find(session, name.strip()) for name in names]
    if not found:
        raise InputError("no run was chosen; choose at least one", on_command_line="clinicnum runs list")
    if len({row.id for row in found}) < len(found):
        raise InputError("a run is chosen twice; name each once")
    return found


def _find(session: Session, name: str) -> RunRow:
    statement = select(RunRow).where((col(RunRow.id) == name) | (col(RunRow.run_id) == name))
    rows = list(session.scalars(statement.order_by(col(RunRow.benchmark_id))))
    if not rows:  # PostgreSQL does not compare what is stored as JSON
        every = session.scalars(select(RunRow).order_by(col(RunRow.benchmark_id), col(RunRow.run_id)))
        rows = [row for row in every if row.label == name]
    if not rows:
        raise InputError(
            "there is no run {name!r}; choose one of those there are",
            name=name,
            on_command_line="clinicnum runs list",
        )
    if len(rows) > 1:
        where = ", ".join(f"{row.id} on {row.benchmark_id}" for row in rows)
        raise InputError(f"several runs are called {name!r}; name one by its key: {where}")
    return rows[0]


def load_stored(session: Session, *, runs: Sequence[str], scored: bool = True) -> StoredRuns:
    """The material of the chosen runs, with their current scores and all instances of their benchmark.

    Raises InputError as `find_runs` does, for runs on several benchmarks, and, with `scored`, for generations
    without a score.
    """
    rows = find_runs(session, runs)
    benchmarks = sorted({row.benchmark_id for row in rows})
    if len(benchmarks) > 1:
        raise InputError(
            f"the runs are on {len(benchmarks)} benchmarks ({', '.join(benchmarks)}); a study has one"
        )
    answers = {row.run_id: session.execute(_answers(row)).all() for row in rows}
    material = Material(
        benchmark_meta=session.get_one(BenchmarkRow, benchmarks[0]).meta,
        instances=tuple(benchmark_instances(session, benchmarks[0])),
        runs=tuple(
            Run(row.meta, tuple(Generation.model_validate(payload) for _, payload, *_ in answers[row.run_id]))
            for row in rows
        ),
        scores=tuple(
            Score.model_validate(score) for found in answers.values() for *_, score in found if score
        ),
    )
    if scored:
        check_material(material)
    found = [answer for run in answers.values() for answer in run]
    loaded = LoadedRows(
        benchmark_id=benchmarks[0],
        runs={row.run_id: row.id for row in rows},
        run_metas={row.run_id: row.meta for row in rows},
        generations={given["generation_id"]: key for key, given, *_ in found},
        scores={given["generation_id"]: key for _, given, key, _ in found if key},
    )
    return StoredRuns(material, loaded)


def stored_run(session: Session, *, benchmark_id: str, run_id: str) -> Run | None:
    """A run's stored generations with its file's meta data; None if the run is not stored."""
    row = session.get(RunRow, run_key(benchmark_id, run_id))
    if row is None:
        return None
    found = session.execute(_answers(row))
    return Run(row.meta, tuple(Generation.model_validate(payload) for _, payload, *_ in found))


def _answers(run: RunRow) -> Select[tuple[str, dict[str, Any], str | None, dict[str, Any] | None]]:
    """Select (generation row, its payload, its current score, the score's payload), in the benchmark's
    order.
    """
    return (
        select(col(GenerationRow.id), col(GenerationRow.payload), col(ScoreRow.id), col(ScoreRow.payload))
        .join(InstanceRow, col(InstanceRow.id) == col(GenerationRow.instance))
        .outerjoin(ScoreRow, (col(ScoreRow.generation) == col(GenerationRow.id)) & col(ScoreRow.current))
        .where(col(GenerationRow.run) == run.id)
        .order_by(col(InstanceRow.position), col(GenerationRow.generation_id))
    )
