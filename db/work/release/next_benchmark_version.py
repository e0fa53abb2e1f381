"""The next version of an imported benchmark: its items without those that contests took out, and the accepted
items that were made from its failures.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from sqlalchemy import select
from sqlmodel import Session, col

from clinicnum import __version__, credentialed_data
from clinicnum.annotations.curation.drafted_item import ItemKind, ItemVersion
from clinicnum.annotations.curation.review_panel_statistics import PanelFigures
from clinicnum.db.rows import BenchmarkRow, DraftRow, ReviewRoundRow, TemplateRow
from clinicnum.db.work.benchmarks.benchmark_storage import benchmark_instances
from clinicnum.db.work.benchmarks.item_versions import item_versions, taken_out
from clinicnum.db.work.release.release_evidence_and_origins import origins_of_drafts
from clinicnum.errors import InputError
from clinicnum.io.jsonl import content_id
from clinicnum.release import Origin
from clinicnum.types import Frozen, Instance


class AcceptedItem(Frozen):
    """An accepted item, with what it was made from and how it was judged."""

    instance_id: str
    version: int
    """Number of the accepted version of its draft."""
    kind: ItemKind
    base_id: str
    """The question from which it was made; also of a new question, which is no variant of it."""
    reason: str
    """Why the gold of a changed or new question is right."""
    provokes: str | None
    """Taxonomy code of the failure."""
    sources: tuple[Origin, ...]
    experts: int
    i_cvi: dict[str, float]
    """Scale -> share of the experts who rate 3 or 4."""


class NextBenchmark(Frozen):
    """A benchmark's next version, to be written as a file."""

    instances: tuple[Instance, ...]
    meta: dict[str, Any]
    added: tuple[AcceptedItem, ...]
    left_out: tuple[str, ...]
    """Ids of items that upheld contests took out, of their variants, and of items made from them."""


def benchmarks_with_items(session: Session) -> dict[str, int]:
    """By id of the benchmark, the number of accepted items for its next version."""
    return dict(
        sorted(
            Counter(
                version.original.benchmark_id for _, version in item_versions(session, "validated")
            ).items()
        )
    )


def next_benchmark(session: Session, benchmark_id: str) -> NextBenchmark:
    """The next version of a benchmark. Its id follows from its items, so the same items give the same file.

    Raises InputError for a benchmark that is not in the database, or has no accepted item.
    """
    row = None if "\0" in benchmark_id else session.get(BenchmarkRow, benchmark_id)
    if row is None:
        known = ", ".join(benchmarks_with_items(session)) or "none has accepted items yet"
        raise InputError(f"--benchmark {benchmark_id!r} is not in the database; expected one of: {known}")
    accepted = [
        (version_row, version)
        for version_row, version in item_versions(session, "validated")
        if version.original.benchmark_id == benchmark_id
    ]
    if not accepted:
        raise InputError(
            f"benchmark {benchmark_id} has no accepted item; make one from a failure on the page Failures, "
            "and have it reviewed"
        )
    out = taken_out(session, benchmark_id)
    old = list(benchmark_instances(session, benchmark_id))
    kept = [one for one in old if out.isdisjoint((one.instance_id, one.base_id))]
    fit = [(row, version) for row, version in accepted if version.item.base_id not in out]
    gone = [one.instance_id for one in old if not out.isdisjoint((one.instance_id, one.base_id))]
    gone += [version.item.instance_id for _, version in accepted if version.item.base_id in out]
    items = [*kept, *(version.item for _, version in fit)]
    new_id = content_id(["next version", benchmark_id, [one.instance_id for one in items]])
    instances = tuple(one.model_copy(update={"benchmark_id": new_id}) for one in items)
    added = tuple(_accepted(session, fit))
    meta = _meta(row.meta, benchmark_id, new_id, instances)
    meta |= {"added": [one.model_dump(mode="json") for one in added], "left_out": gone}
    return NextBenchmark(instances=instances, meta=meta, added=added, left_out=tuple(gone))


def _meta(
    old: dict[str, Any], benchmark_id: str, new_id: str, instances: tuple[Instance, ...]
) -> dict[str, Any]:
    """The old meta with the new id and counts; the data stay as credentialed as they were."""
    plain = Counter(one.template_id for one in instances if one.variant is None)
    kept = {name: value for name, value in old.items() if name not in ("sha256", "added", "left_out")}
    return {
        **kept,
        "kind": "benchmark",
        "benchmark_id": new_id,
        "follows": benchmark_id,
        "clinicnum_version": __version__,
        "counts": {"instances": len(instances), "templates": dict(sorted(plain.items()))},
        **credentialed_data.mark(credentialed_data.data_use(old, instances)),
    }


def _accepted(session: Session, fit: list[tuple[TemplateRow, ItemVersion]]) -> Iterator[AcceptedItem]:
    origins = origins_of_drafts(session)
    for row, version in fit:
        draft = session.scalars(
            select(DraftRow).where(
                col(DraftRow.template_id) == row.template_id, col(DraftRow.version) == row.version
            )
        ).one()
        round_ = session.scalars(
            select(ReviewRoundRow).where(
                col(ReviewRoundRow.template_id) == row.template_id,
                col(ReviewRoundRow.version) == row.version,
                col(ReviewRoundRow.status) == "accepted",
            )
        ).one()
        figures = PanelFigures.model_validate((round_.outcome or {})["figures"])
        indices = {name: one.i_cvi for name, one in figures.items.items() if one.i_cvi is not None}
        yield AcceptedItem(
            instance_id=version.item.instance_id,
            version=row.version,
            kind=version.kind,
            base_id=version.original.instance_id,
            reason=version.reason,
            provokes=draft.provokes,
            sources=origins.get(draft.id, ()),
            experts=max(one.experts for one in figures.items.values()),
            i_cvi=indices,
        )
