"""Store benchmarks, and write a stored one as a file again; identical existing rows stay unchanged."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import func, select
from sqlmodel import Session, col

from clinicnum.credentialed_data import data_use, mark
from clinicnum.db.engine import lock, reading
from clinicnum.db.rows import BenchmarkRow, InstanceRow, TemplateRow
from clinicnum.db.work.accounts.users import COMMAND_LINE
from clinicnum.db.work.audit.audit_log import append
from clinicnum.db.work.benchmarks.batched_storage import WORTHWHILE, Storing
from clinicnum.db.work.benchmarks.delete_unfinished import delete_at_once
from clinicnum.db.work.common.bulk_insert import CHUNK, add_new, find_stored
from clinicnum.errors import InputError
from clinicnum.io.jsonl import content_id, write_jsonl
from clinicnum.translatable_text import Translatable
from clinicnum.types import Instance


def store_benchmark(
    session: Session,
    *,
    meta: dict[str, Any],
    instances: Sequence[Instance],
    actor: str = COMMAND_LINE,
    parts: Storing | None = None,
) -> str:
    """Store a benchmark and its meta data, without runs; return its id.

    An existing benchmark keeps its meta data and gets the instances that it lacks. `parts` is what
    `begin_benchmark` has stored of it. Raises InputError if there are no instances, if they are of several
    benchmarks, if one occurs twice, and if one is stored with other content; Conflict as `Storing.publish`
    does. Nothing is then stored.
    """
    lock(session, "create_study")
    if parts is None or not parts.known:
        benchmark_id = _only_benchmark(instances)
        new = session.get(BenchmarkRow, benchmark_id) is None
        load_instances(session, benchmark_id, meta | mark(data_use(meta, instances)), instances)
    else:
        benchmark_id = instances[0].benchmark_id
        new = parts.has_begun(BenchmarkRow, benchmark_id)
        parts.publish(session)
    if new:
        after = {"benchmark": benchmark_id, "instances": len(instances), "sha256": meta.get("sha256")}
        append(session, study_id=None, actor=actor, action="add_benchmark", after=after)
    return benchmark_id


def begin_benchmark(parts: Storing, *, meta: dict[str, Any], instances: Sequence[Instance]) -> None:
    """Store the instances of a new benchmark in short transactions; `store_benchmark` makes them visible.
    Fewer than `WORTHWHILE` instances are left to `store_benchmark` as a whole. Raises InputError as that
    does, Conflict as `Storing.begin` does.
    """
    benchmark_id = _only_benchmark(instances)
    if len(instances) >= WORTHWHILE:
        begin_instances(parts, benchmark_id, meta | mark(data_use(meta, instances)), instances)


def _only_benchmark(instances: Sequence[Instance]) -> str:
    benchmarks = sorted({one.benchmark_id for one in instances})
    if len(benchmarks) != 1:
        raise InputError(
            Translatable(
                "expected the instances of one benchmark, got {n} benchmarks; store one at a time",
                n=len(benchmarks),
            )
        )
    if len({one.instance_id for one in instances}) < len(instances):
        raise InputError(Translatable("an instance_id stands there twice; expected each once"))
    return benchmarks[0]


def check_new(session: Session, *, meta: dict[str, Any], instances: Sequence[Instance]) -> None:
    """Raise InputError if the questions are stored already, in other representations or under another name,
    as runs depend on the stored one.
    """
    row = session.get(BenchmarkRow, instances[0].benchmark_id)
    if row is None:
        return
    count = select(func.count()).where(col(InstanceRow.benchmark_id) == row.id)
    stored = session.execute(count).scalar_one()
    if stored != len(instances) or row.meta.get("name") != meta.get("name"):
        raise InputError(
            Translatable(
                "These questions are stored already, as the benchmark {name!r} with {n} instances; nothing "
                "was stored. Use that one, or choose another seed for other questions.",
                name=row.meta.get("name") or row.id,
                n=stored,
            )
        )


def load_instances(
    session: Session,
    benchmark_id: str,
    meta: dict[str, Any],
    instances: Sequence[Instance],
) -> None:
    """Insert those rows of a benchmark, its templates and instances that are new; `meta` only for a new one.

    Raises InputError for an instance that is stored with other content.
    """
    if session.get(BenchmarkRow, benchmark_id) is None:
        delete_at_once(session, BenchmarkRow, benchmark_id)
        session.add(BenchmarkRow(id=benchmark_id, meta=meta))
    _load_templates(session, instances)
    for rows in _instance_rows(instances):
        add_new(session, InstanceRow, rows, "instance_id")


def begin_instances(
    parts: Storing, benchmark_id: str, meta: dict[str, Any], instances: Sequence[Instance]
) -> None:
    """Store the instances if the benchmark is new; otherwise only compare, without writing.

    Adds the benchmark's id to `parts.known` unless some instances are still missing. Raises InputError for an
    instance that is stored with other content, Conflict as `Storing.begin` and `Storing.add` do.
    """
    with reading(parts.engine) as session:
        if session.get(BenchmarkRow, benchmark_id) is not None:
            if all(
                len(find_stored(session, InstanceRow, rows, "instance_id")) == len(rows)
                for rows in _instance_rows(instances)
            ):
                parts.known.add(benchmark_id)
            return

    row = BenchmarkRow(id=benchmark_id, meta=meta)
    parts.total += len(instances)
    parts.begin(row, lambda session: _load_templates(session, instances))
    for rows in _instance_rows(instances):
        parts.add(InstanceRow, rows)
    parts.known.add(benchmark_id)


def _load_templates(session: Session, instances: Sequence[Instance]) -> None:
    for template_id, version in sorted({(one.template_id, one.template_version) for one in instances}):
        if session.get(TemplateRow, (template_id, version)) is None:
            session.add(
                TemplateRow(template_id=template_id, version=version, status="unreviewed", payload={})
            )
    session.flush()


def _instance_rows(instances: Sequence[Instance]) -> Iterator[list[dict[str, Any]]]:
    """Rows in parts: all at once would double what a large import takes."""
    for start in range(0, len(instances), CHUNK):
        part = enumerate(instances[start : start + CHUNK], start)
        yield [_instance_row(one, place) for place, one in part]


def write_benchmark_file(session: Session, benchmark_id: str, path: Path) -> dict[str, Any]:
    """Write a stored benchmark and its meta file as `clinicnum generate` does, byte for byte; return the
    meta.

    Raises InputError for an unknown benchmark.
    """
    row = session.get(BenchmarkRow, benchmark_id)
    if row is None:
        raise InputError(
            Translatable("There is no benchmark {name!r}; reload the page to see which.", name=benchmark_id)
        )
    write_jsonl(path, benchmark_instances(session, benchmark_id), row.meta)
    return row.meta


def benchmark_instances(session: Session, benchmark_id: str) -> Iterator[Instance]:
    """All instances of a stored benchmark, in the order of its file."""
    statement = (
        select(col(InstanceRow.payload))
        .where(col(InstanceRow.benchmark_id) == benchmark_id)
        .order_by(col(InstanceRow.position), col(InstanceRow.id))
        .execution_options(yield_per=CHUNK)
    )
    return (Instance.model_validate(payload) for payload in session.scalars(statement))


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
