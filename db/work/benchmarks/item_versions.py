"""Versions of items made for an imported benchmark, and what they are checked against."""

from collections.abc import Iterator

from sqlalchemy import select
from sqlmodel import Session, col

from clinicnum.annotations.curation.drafted_item import ItemContent, ItemVersion
from clinicnum.annotations.curation.item_draft_checks import ItemCheck, check_item
from clinicnum.annotations.curation.reviewed_version import read_version
from clinicnum.db.rows import InstanceRow, InvalidationRow, TemplateRow
from clinicnum.db.work.benchmarks.benchmark_storage import benchmark_instances, instance_key
from clinicnum.types import Instance


def item_versions(session: Session, *statuses: str) -> Iterator[tuple[TemplateRow, ItemVersion]]:
    """Yield (row, content) of the item versions with one of these statuses, by id."""
    statement = (
        select(TemplateRow)
        .where(col(TemplateRow.kind) == "item", col(TemplateRow.status).in_(statuses))
        .order_by(col(TemplateRow.template_id), col(TemplateRow.version))
    )
    for row in session.scalars(statement):
        version = read_version(row.payload)
        assert isinstance(version, ItemVersion)
        yield row, version


def taken_out(session: Session, benchmark_id: str) -> set[str]:
    """Ids of the benchmark's instances that upheld contests took out, in any study."""
    statement = (
        select(col(InstanceRow.instance_id))
        .join(InvalidationRow, col(InvalidationRow.instance) == col(InstanceRow.id))
        .where(col(InstanceRow.benchmark_id) == benchmark_id)
    )
    return set(session.scalars(statement))


def check_item_version(session: Session, template_id: str, version: ItemVersion) -> ItemCheck:
    """The checks of an item that is in review, as the benchmark and the other items are now."""
    content = ItemContent(
        kind=version.kind,
        base=instance_key(version.original.benchmark_id, version.original.instance_id),
        context=version.item.context,
        question=version.item.question,
        options=version.item.options,
        answer=version.item.answer or "",
        lower=version.item.lower or "",
        upper=version.item.upper or "",
        points=tuple(point.text for point in version.item.points),
        reason=version.reason,
    )
    return check_against_benchmark(session, content, version.original, template_id)


def check_against_benchmark(
    session: Session, content: ItemContent, original: Instance, key: str
) -> ItemCheck:
    """The checks of an item's content against the instances of its benchmark, and against the other items
    made for it: all but those with the template id `key`, which are its own versions.
    """
    return check_item(content, original, _others(session, original.benchmark_id, key))


def _others(session: Session, benchmark_id: str, key: str) -> Iterator[Instance]:
    """The items with which a draft is compared: those of the benchmark that no upheld contest took out, and
    all items made for it that are drafts, in review or validated, except the versions of `key`, the draft's
    own.
    """
    out = taken_out(session, benchmark_id)
    for one in benchmark_instances(session, benchmark_id):
        if one.instance_id not in out:
            yield one
    for row, version in item_versions(session, "draft", "in_review", "validated"):
        if row.template_id != key and version.original.benchmark_id == benchmark_id:
            yield version.item
