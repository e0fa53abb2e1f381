"""The stored benchmarks, each with its content and number of runs; the row, name and variants of one."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import func, select
from sqlmodel import Session, col

from clinicnum.db.rows import BenchmarkRow, InstanceRow, RunRow
from clinicnum.db.work.common.json_fields import text_field
from clinicnum.db.work.jobs.job_store import evaluator
from clinicnum.errors import InputError
from clinicnum.translatable_text import Translatable


@dataclass(frozen=True)
class BenchmarkSummary:
    """A stored benchmark in a list."""

    benchmark_id: str
    name: str
    """See `benchmark_name`; several may have the same."""
    source: str | None
    """Source of its records, or the file it was imported from; None if unknown."""
    format: str | None
    """The format that it was imported from; None for a generated one."""
    instances: int
    operations: tuple[str, ...]
    representations: tuple[str, ...]
    variants: tuple[str, ...]
    """The kinds of variants that were made."""
    runs: int
    credentialed: bool
    """Whether its records must stay on the machine; true unless its meta data deny it."""


@dataclass(frozen=True)
class VariantCount:
    """How often a kind of variant was made of a benchmark's items, and why it was not of others."""

    name: str
    made: int
    not_made: tuple[tuple[str, int], ...]
    """(reason, number of items)."""


def variant_counts(session: Session, *, user_id: str, benchmark: str) -> tuple[VariantCount, ...]:
    """Counts of each requested kind of variant, from the benchmark's meta data.

    Raises InputError for an unknown benchmark, NotAllowed for an account that may not evaluate.
    """
    evaluator(session, user_id)
    meta = find_benchmark(session, benchmark).meta.get("variants")
    told: dict[str, Any] = meta if isinstance(meta, dict) else {}
    left = [*_counted(told, "rejected").items(), *_counted(told, "not_applicable").items()]
    names = [str(name) for name in told.get("asked") or ()]
    made = _counted(told, "made")
    return tuple(
        VariantCount(
            name=name,
            made=made.get(name, 0),
            not_made=tuple((key.partition(" ")[2], n) for key, n in left if key.partition(" ")[0] == name),
        )
        for name in names
    )


def _counted(told: dict[str, Any], key: str) -> dict[str, int]:
    found = told.get(key)
    return {str(name): int(n) for name, n in found.items()} if isinstance(found, dict) else {}


def list_benchmarks(session: Session, *, user_id: str) -> tuple[BenchmarkSummary, ...]:
    """All benchmarks by name. Raises NotAllowed for an account that may not evaluate."""
    evaluator(session, user_id)
    instances = _counts(session, InstanceRow.benchmark_id)
    runs = _counts(session, RunRow.benchmark_id)
    found = [
        _summary(session, row, instances.get(row.id, 0), runs.get(row.id, 0))
        for row in session.scalars(select(BenchmarkRow))
    ]
    return tuple(sorted(found, key=lambda one: (one.name.lower(), one.benchmark_id)))


def find_benchmark(session: Session, benchmark_id: str) -> BenchmarkRow:
    """The benchmark's row. Raises InputError for an unknown one."""
    row = session.get(BenchmarkRow, benchmark_id)
    if row is None:
        raise InputError(Translatable("There is no such benchmark; reload the page to see those there are."))
    return row


def _counts(session: Session, column: Any) -> dict[str, int]:
    rows = session.execute(select(column, func.count()).group_by(column))
    return {benchmark: count for benchmark, count in rows}


def _summary(session: Session, row: BenchmarkRow, instances: int, runs: int) -> BenchmarkSummary:
    meta = row.meta
    operations, representations = _kinds(session, row)
    return BenchmarkSummary(
        benchmark_id=row.id,
        name=benchmark_name(row),
        source=_text(meta.get("source")),
        format=_text(meta.get("source_format")),
        instances=instances,
        operations=operations,
        representations=representations,
        variants=_names(meta.get("variants"), "made"),
        runs=runs,
        credentialed=meta.get("credentialed") is not False,
    )


def benchmark_name(row: BenchmarkRow) -> str:
    """Display name of a benchmark: its name, else the file it was imported from, else its preset and seed,
    else its id.
    """
    meta = row.meta
    if name := _text(meta.get("name")):
        return name
    if _text(meta.get("source_format")) and (file := _text(meta.get("source"))):
        return file
    if (preset := _text(meta.get("preset"))) and isinstance(meta.get("seed"), int):
        return f"{preset}, seed {meta['seed']}"
    return row.id


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value.strip() else None


def _names(value: object, key: str) -> tuple[str, ...]:
    found = value.get(key) if isinstance(value, dict) else None
    return tuple(sorted(found)) if isinstance(found, dict) else ()


def _kinds(session: Session, row: BenchmarkRow) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Operations and representations of a benchmark, from its meta data; if these do not name them, from all
    its instances, which takes longer.
    """
    operations, representations = _names(row.meta.get("counts"), "questions"), row.meta.get("representations")
    if operations and isinstance(representations, list):
        return operations, tuple(str(one) for one in representations)
    payload = col(InstanceRow.payload)
    found = [text_field(session, payload, key).label(key) for key in ("operation", "representation")]
    statement = select(*found).where(col(InstanceRow.benchmark_id) == row.id).distinct().order_by(*found)
    pairs = [(str(one), str(other)) for one, other in session.execute(statement)]
    return tuple(dict.fromkeys(one for one, _ in pairs)), tuple(dict.fromkeys(one for _, one in pairs))
