"""Load a study's material (benchmark, runs, scores) into the database; identical existing rows stay
unchanged.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import update
from sqlmodel import Session, col

from clinicnum.annotations.study_inputs import Material, check_material
from clinicnum.credentialed_data import data_use, mark
from clinicnum.db.engine import reading
from clinicnum.db.rows import BenchmarkRow, GenerationRow, RunRow, ScoreRow
from clinicnum.db.work.benchmarks.batched_storage import WORTHWHILE, Storing
from clinicnum.db.work.benchmarks.benchmark_storage import begin_instances, instance_key, load_instances
from clinicnum.db.work.benchmarks.delete_unfinished import delete_at_once
from clinicnum.db.work.common.bulk_insert import CHUNK, add_new, find_stored
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


@dataclass(frozen=True)
class Begun:
    """Material whose new benchmark and runs `begin_material` has stored, for `load_material`."""

    parts: Storing
    loaded: LoadedRows


def load_material(session: Session, material: Material, begun: Begun | None = None) -> LoadedRows:
    """Insert the rows of the material, which was checked before, that do not exist yet.

    Raises InputError if the database holds other content under the same ids; with `begun`, Conflict as
    `Storing.publish` does.
    """
    loaded = begun.loaded if begun else _row_ids(material)
    parts = begun.parts if begun else None
    _load_benchmark(session, loaded.benchmark_id, material, parts)
    runs = {run_id for run_id, key in loaded.runs.items() if not (parts and parts.has_begun(RunRow, key))}
    if runs:
        known = parts.known if parts else set()
        _load_runs(session, loaded, runs)
        for rows in _generation_rows(material, loaded, runs, known):
            add_new(session, GenerationRow, rows, "generation_id")
        for rows in _score_rows(material, loaded, runs, known):
            add_new(session, ScoreRow, rows)
            _make_current(session, rows)
    if parts is not None:
        parts.publish(session)
    return loaded


def begin_material(parts: Storing, material: Material) -> Begun | None:
    """Store a new benchmark and new runs, and find the stored rows of the others, before the transaction in
    which `load_material` does the rest; None for small material, all left to `load_material`.

    Raises InputError for material that does not fit together or is stored with other content, Conflict as
    `Storing.begin` and `Storing.add` do.
    """
    check_material(material)
    loaded = _row_ids(material)
    if len(material.instances) + len(loaded.generations) < WORTHWHILE:
        return None
    with reading(parts.engine) as session:
        there = {run_id for run_id, key in loaded.runs.items() if session.get(RunRow, key) is not None}
        for rows in _generation_rows(material, loaded, there):
            parts.known |= find_stored(session, GenerationRow, rows, "generation_id")
        for rows in _score_rows(material, loaded, there):
            parts.known |= find_stored(session, ScoreRow, rows, where=col(ScoreRow.current).is_(True))
    new = loaded.runs.keys() - there
    parts.total += sum(1 + (one.generation_id in loaded.scores) for one in _of_runs(material, new))
    meta = material.benchmark_meta | _marked(material)
    begin_instances(parts, loaded.benchmark_id, meta, material.instances)
    for run_id in sorted(new):
        parts.begin(_run_row(loaded, run_id))
    for rows in _generation_rows(material, loaded, new):
        parts.add(GenerationRow, rows)
    for rows in _score_rows(material, loaded, new):
        parts.add(ScoreRow, rows)
    return Begun(parts, loaded)


def _row_ids(material: Material) -> LoadedRows:
    benchmark_id = material.instances[0].benchmark_id
    metas: dict[str, dict[str, Any]] = {}
    for run in material.runs:
        for generation in run.generations:
            metas.setdefault(generation.run_id, run.meta)
    generations = {
        generation.generation_id: content_id(
            ["generation", benchmark_id, generation.run_id, generation.generation_id]
        )
        for generation in material.generations()
    }
    return LoadedRows(
        benchmark_id=benchmark_id,
        runs={run_id: run_key(benchmark_id, run_id) for run_id in metas},
        run_metas=metas,
        generations=generations,
        scores={score.generation_id: _score_row(score, generations)["id"] for score in material.scores},
    )


def _of_runs(material: Material, runs: Collection[str]) -> list[Generation]:
    return [one for one in material.generations() if one.run_id in runs]


def _generation_rows(
    material: Material, loaded: LoadedRows, runs: Collection[str], known: Collection[str] = ()
) -> Iterator[list[dict[str, Any]]]:
    """The rows of these runs' generations but the known ones, in parts: all at once would double what a large
    import takes.
    """
    keys = loaded.generations
    chosen = [one for one in _of_runs(material, runs) if keys[one.generation_id] not in known]
    for start in range(0, len(chosen), CHUNK):
        part = chosen[start : start + CHUNK]
        yield [_generation_row(one, loaded.benchmark_id, loaded.runs, keys) for one in part]


def _score_rows(
    material: Material, loaded: LoadedRows, runs: Collection[str], known: Collection[str] = ()
) -> Iterator[list[dict[str, Any]]]:
    """The rows of the scores of these runs' generations but the known ones, in parts."""
    ids = {one.generation_id for one in _of_runs(material, runs)}
    wanted = {given for given, key in loaded.scores.items() if given in ids and key not in known}
    chosen = [one for one in material.scores if one.generation_id in wanted]
    for start in range(0, len(chosen), CHUNK):
        yield [_score_row(one, loaded.generations) for one in chosen[start : start + CHUNK]]


def _marked(material: Material) -> dict[str, Any]:
    metas = [run.meta for run in material.runs]
    return mark(data_use(material.benchmark_meta, material.instances, *metas))


def _load_benchmark(session: Session, benchmark_id: str, material: Material, parts: Storing | None) -> None:
    if parts is not None and parts.has_begun(BenchmarkRow, benchmark_id):
        return
    marked = _marked(material)
    row = session.get(BenchmarkRow, benchmark_id)
    if row is not None and marked and row.meta.get("credentialed") is not True:
        row.meta = row.meta | marked
    if parts is None or benchmark_id not in parts.known:
        load_instances(session, benchmark_id, material.benchmark_meta | marked, material.instances)


def _load_runs(session: Session, loaded: LoadedRows, runs: Collection[str]) -> None:
    """Insert new runs, and replace the meta data of existing ones unless the file gives none."""
    for run_id in sorted(runs):
        meta = loaded.run_metas[run_id]
        row = session.get(RunRow, loaded.runs[run_id])
        if row is None:
            delete_at_once(session, RunRow, loaded.runs[run_id])
            session.add(_run_row(loaded, run_id))
        else:
            row.meta = meta or row.meta
            row.revision += 1
    session.flush()


def _run_row(loaded: LoadedRows, run_id: str) -> RunRow:
    key, meta = loaded.runs[run_id], loaded.run_metas[run_id]
    return RunRow(id=key, benchmark_id=loaded.benchmark_id, run_id=run_id, meta=meta)


def _make_current(session: Session, rows: Sequence[dict[str, Any]]) -> None:
    """Mark these scores as current and other scores of the same generations as not; new studies use current
    scores.
    """
    given, of = [row["id"] for row in rows], [row["generation"] for row in rows]
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
