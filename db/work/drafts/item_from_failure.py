"""Start a draft of an item from a failure on an imported question, or from an upheld contest of its gold."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlmodel import Session, col

from clinicnum import credentialed_data
from clinicnum.annotations.curation.drafted_item import ItemKind, content_from
from clinicnum.annotations.curation.labelled_failure import Failure
from clinicnum.db.rows import BenchmarkRow, GenerationRow, InstanceRow
from clinicnum.db.work.drafts import drafts
from clinicnum.db.work.drafts.from_failure import (
    contest_note,
    contest_source,
    failure_note,
    failure_sources,
    find_upheld,
)
from clinicnum.errors import InputError
from clinicnum.translatable_text import Translatable
from clinicnum.types import Instance

OWN_QUESTION = Translatable(
    "This question comes from a template of the bank. Begin a template from it instead: its questions are "
    "made anew with every benchmark."
)
NO_ORIGINAL = Translatable(
    "This question is a variant, and the one that it was made of is not in the database. Load the whole "
    "benchmark on the page Benchmarks, then begin the item again."
)


def begin_item(
    session: Session, *, actor: str, failures: Sequence[Failure], kind: ItemKind = "paraphrase"
) -> str:
    """Start an item draft from one failure, or from a cluster with its most typical failure first; returns
    its id.

    Its content is that of the question which failed, or of the question of which that is a variant. Raises
    InputError for a question of a template, a reopened study, or a variant without its original, and as
    `drafts.begin` does.
    """
    sources = failure_sources(session, failures)
    row = _original(session, failures[0].instance)
    original = Instance.model_validate(row.payload)
    return drafts.begin(
        session,
        author=actor,
        kind="item",
        content=content_from(kind, original, row=row.id).model_dump(mode="json"),
        sources=sources,
        note=failure_note(failures, shareable=data_use_of(session, original) is None),
        provokes=failures[0].code,
    )


def begin_item_from_contest(session: Session, *, actor: str, contest: str) -> str:
    """Start a draft of a new question from an upheld contest; returns its id.

    Its gold is the proposed one, if one was proposed. Raises InputError for a contest that is not upheld, a
    question of a template, or a variant without its original, and as `drafts.begin` does.
    """
    found = find_upheld(session, contest)
    row = _original(session, session.get_one(GenerationRow, found.generation).instance)
    original = Instance.model_validate(row.payload)
    return drafts.begin(
        session,
        author=actor,
        kind="item",
        content=content_from("new", original, row=row.id, gold=found.proposed_gold).model_dump(mode="json"),
        sources=[contest_source(found)],
        note=contest_note(found, shareable=data_use_of(session, original) is None),
    )


def data_use_of(session: Session, original: Instance) -> str | None:
    """The notice for texts of the benchmark to which a question belongs; None if they are open."""
    meta = session.get_one(BenchmarkRow, original.benchmark_id).meta
    return credentialed_data.data_use(meta, [original])


def _original(session: Session, instance: str) -> InstanceRow:
    """The row of the imported question itself, or of the one that it is a variant of."""
    row = session.get_one(InstanceRow, instance)
    if row.payload["operation"] != "external":
        raise InputError(OWN_QUESTION)
    if row.payload.get("variant") is None:
        return row
    base = session.scalars(
        select(InstanceRow).where(
            col(InstanceRow.benchmark_id) == row.benchmark_id,
            col(InstanceRow.instance_id) == row.payload.get("base_id"),
        )
    ).first()
    if base is None:
        raise InputError(NO_ORIGINAL)
    return base
