"""Load a study's material (benchmark, runs, scores) into the database; identical existing rows stay
unchanged.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import insert, select, update
from sqlmodel import Session, col

from clinicnum.annotations.study_inputs import Material
from clinicnum.credentialed_data import data_use, mark
from clinicnum.db.rows import BenchmarkRow, GenerationRow, InstanceRow, Row, RunRow, ScoreRow, TemplateRow
from clinicnum.errors import InputError
from clinicnum.io.jsonl import content_id
from clinicnum.types import Generation, Instance, Score

CHUNK = 500
"""Rows per statement, below SQLite's limit on the number of variables."""


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
    _load_instances(session, benchmark_id, material)
    _load_runs(session, benchmark_id, metas)
    _add_new(
        session,
        GenerationRow,
        [
            _generation_row(generation, benchmark_id, runs, generations)
            for generation in material.generations()
        ],
        "generation_id",
    )
    rows = [_score_row(score, generations) for score in material.scores]
    _add_new(session, ScoreRow, rows)
    _make_current(session, rows)
    scores = {score.generation_id: row["id"] for score, row in zip(material.scores, rows, strict=True)}
    return LoadedRows(benchmark_id, runs, metas, generations, scores)


def _load_instances(session: Session, benchmark_id: str, material: Material) -> None:
    metas = [run.meta for run in material.runs]
    marked = mark(data_use(material.benchmark_meta, material.instances, *metas))
    row = session.get(BenchmarkRow, benchmark_id)
    if row is None:
        session.add(BenchmarkRow(id=benchmark_id, meta=material.benchmark_meta | marked))
    elif marked and row.meta.get("credentialed") is not True:
        row.meta = row.meta | marked
    templates = {(instance.template_id, instance.template_version) for instance in material.instances}
    for template_id, version in sorted(templates):
        if session.get(TemplateRow, (template_id, version)) is None:
            session.add(
                TemplateRow(template_id=template_id, version=version, status="unreviewed", payload={})
            )
    session.flush()
    rows = [_instance_row(instance, position) for position, instance in enumerate(material.instances)]
    _add_new(session, InstanceRow, rows, "instance_id")


def _load_runs(session: Session, benchmark_id: str, metas: Mapping[str, dict[str, Any]]) -> None:
    """Insert new runs, and replace the meta data of existing ones unless the file gives none."""
    for run_id, meta in metas.items():
        key = run_key(benchmark_id, run_id)
        row = session.get(RunRow, key)
        if row is None:
            session.add(RunRow(id=key, benchmark_id=benchmark_id, run_id=run_id, meta=meta))
        elif meta:
            row.meta = meta
    session.flush()


def _make_current(session: Session, rows: Sequence[dict[str, Any]]) -> None:
    """Mark these scores as current and other scores of the same generations as not; new studies use current
    scores.
    """
    for chunk in _chunks(rows):
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


def instance_key(benchmark_id: str, instance_id: str) -> str:
    """The row id of an instance."""
    return content_id(["instance", benchmark_id, instance_id])


def _instance_row(instance: Instance, position: int) -> dict[str, Any]:
    return {
        "id": instance_key(instance.benchmark_id, instance.instance_id),
        "benchmark_id": instance.benchmark_id,
        "instance_id": instance.instance_id,
        "template_id": instance.template_id,
        "template_version": instance.template_version,
        "group_id": instance.group_id,
        "position": position,
        "payload": instance.model_dump(mode="json"),
    }


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


def _add_new(
    session: Session, table: type[Row], rows: Sequence[dict[str, Any]], named: str | None = None
) -> None:
    """Insert the rows that do not exist.

    With `named`, raise InputError for a row that exists with other content, named by its value in this
    column.
    """
    columns = table.__table__.columns  # type: ignore[attr-defined]
    for chunk in _chunks(rows):
        wanted = [columns.id, columns.payload] if named else [columns.id]
        statement = select(*wanted).where(columns.id.in_([row["id"] for row in chunk]))
        there = {found.id: found for found in session.execute(statement)}
        for row in chunk:
            found = there.get(row["id"])
            if found is not None and named and found.payload != row["payload"]:
                raise InputError(
                    f"{named} {row[named]} is in the database already with other content; "
                    "use another database, or give what was made anew a benchmark_id or run_id of its own"
                )
        new = [row for row in chunk if row["id"] not in there]
        add_all(session, table, new)


def add_all(session: Session, table: type[Row], rows: Sequence[dict[str, Any]]) -> None:
    """Insert many rows in one statement."""
    if rows:
        session.exec(insert(table), params=list(rows))


def _chunks(rows: Sequence[dict[str, Any]]) -> Iterable[Sequence[dict[str, Any]]]:
    return (rows[start : start + CHUNK] for start in range(0, len(rows), CHUNK))
