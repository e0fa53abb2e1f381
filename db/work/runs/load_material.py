"""Load a study's material (benchmark, runs, scores) into the database; identical existing rows stay
unchanged.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import update
from sqlmodel import Session, col

from clinicnum.annotations.study_inputs import Material
from clinicnum.credentialed_data import data_use, mark
from clinicnum.db.rows import BenchmarkRow, GenerationRow, RunRow, ScoreRow
from clinicnum.db.work.benchmarks.stored_benchmarks import instance_key, load_instances
from clinicnum.db.work.common.new_rows import add_new, chunks
from clinicnum.io.jsonl import content_id
from clinicnum.types import Generation, Score


@dataclass(frozen=True)
class LoadedRows:
    """Row ids of the loaded material, by the ids used in the files."""

    benchmark_id: str
    runs: dict[str, str]
    """run_id -> run row."""
    run_metas: dict[str, dict[str, Any]]
    """run_id -> meta of its file."""
    generations: dict[str, str]
    """generation_id -> generation row, in the order of the files."""
    scores: dict[str, str]
    """generation_id -> score row."""


def load_material(session: Session, material: Material) -> LoadedRows:
    """Insert the rows of the material, which was checked before, that do not exist yet.

    Raises InputError if the database holds other content under the same ids.
    """
    benchmark_id = material.instances[0].benchmark_id
    metas: dict[str, dict[str, Any]] = {}
    for run in material.runs:
        for generation in run.generations:
            metas.setdefault(generation.run_id, run.meta)
    runs = {run_id: run_key(benchmark_id, run_id) for run_id in metas}
    generations = {
        generation.generation_id: content_id(
            ["generation", benchmark_id, generation.run_id, generation.generation_id]
        )
        for generation in material.generations()
    }
    _load_benchmark(session, benchmark_id, material)
    _load_runs(session, benchmark_id, metas)
    add_new(
        session,
        GenerationRow,
        [
            _generation_row(generation, benchmark_id, runs, generations)
            for generation in material.generations()
        ],
        "generation_id",
    )
    rows = [_score_row(score, generations) for score in material.scores]
    add_new(session, ScoreRow, rows)
    _make_current(session, rows)
    scores = {score.generation_id: row["id"] for score, row in zip(material.scores, rows, strict=True)}
    return LoadedRows(benchmark_id, runs, metas, generations, scores)


def _load_benchmark(session: Session, benchmark_id: str, material: Material) -> None:
    metas = [run.meta for run in material.runs]
    marked = mark(data_use(material.benchmark_meta, material.instances, *metas))
    row = session.get(BenchmarkRow, benchmark_id)
    if row is not None and marked and row.meta.get("credentialed") is not True:
        row.meta = row.meta | marked
    load_instances(session, benchmark_id, material.benchmark_meta | marked, material.instances)


def _load_runs(session: Session, benchmark_id: str, metas: Mapping[str, dict[str, Any]]) -> None:
    """Insert new runs, and replace the meta data of existing ones unless the file gives none."""
    for run_id, meta in metas.items():
        key = run_key(benchmark_id, run_id)
        row = session.get(RunRow, key)
        if row is None:
            session.add(RunRow(id=key, benchmark_id=benchmark_id, run_id=run_id, meta=meta))
        else:
            row.meta = meta or row.meta
            row.revision += 1
    session.flush()


def _make_current(session: Session, rows: Sequence[dict[str, Any]]) -> None:
    """Mark these scores as current and other scores of the same generations as not; new studies use current
    scores.
    """
    for chunk in chunks(rows):
        given, of = [row["id"] for row in chunk], [row["generation"] for row in chunk]
        stale = update(ScoreRow).where(
            col(ScoreRow.generation).in_(of), col(ScoreRow.current), col(ScoreRow.id).not_in(given)
        )
        again = update(ScoreRow).where(col(ScoreRow.id).in_(given), ~col(ScoreRow.current))
        for statement, current in ((stale, False), (again, True)):
            session.execute(statement.values(current=current).execution_options(synchronize_session=False))


def run_key(benchmark_id: str, run_id: str) -> str:
    """The row id of a run."""
    return content_id(["run", benchmark_id, run_id])


def _generation_row(
    generation: Generation, benchmark_id: str, runs: Mapping[str, str], keys: Mapping[str, str]
) -> dict[str, Any]:
    return {
        "id": keys[generation.generation_id],
        "run": runs[generation.run_id],
        "instance": instance_key(benchmark_id, generation.instance_id),
        "generation_id": generation.generation_id,
        "payload": generation.model_dump(mode="json"),
    }


def _score_row(score: Score, keys: Mapping[str, str]) -> dict[str, Any]:
    payload = score.model_dump(mode="json")
    key = keys[score.generation_id]
    return {
        "id": content_id(["score", key, payload]),
        "generation": key,
        "status": score.status,
        "payload": payload,
        "current": True,
    }
