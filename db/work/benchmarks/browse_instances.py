"""Find instances of a stored benchmark, and look at one."""

from dataclasses import dataclass
from typing import Literal

from pydantic import Field
from sqlalchemy import ColumnElement, func, or_, select
from sqlmodel import Session, col

from clinicnum.db.rows import IN_FINISHED, InstanceRow
from clinicnum.db.work.benchmarks.benchmark_list import find_benchmark
from clinicnum.db.work.common.json_fields import mentions, text_field
from clinicnum.db.work.jobs.job_store import evaluator
from clinicnum.errors import InputError
from clinicnum.translatable_text import Translatable
from clinicnum.types import Frozen, Instance

PAGE = 20


class InstanceQuery(Frozen):
    """Filters of the instances of a benchmark; an empty one lets all through."""

    benchmark: str = Field(max_length=200, pattern=r"^[^\x00]*$")
    operation: Literal["", "retrieval", "arithmetic", "comparison", "aggregation", "external"] = ""
    representation: Literal["", "structured", "templated", "note", "external"] = ""
    template: str = Field(default="", max_length=200, pattern=r"^[^\x00]*$")
    words: str = Field(default="", max_length=200, pattern=r"^[^\x00]*$")
    """Text in question or records; case-insensitive."""


@dataclass(frozen=True)
class InstancePage:
    """One page of what a query finds."""

    total: int
    page: int
    pages: int
    instances: tuple[Instance, ...]
    templates: tuple[str, ...]
    """All templates of the benchmark."""


def browse_instances(session: Session, *, user_id: str, query: InstanceQuery, page: int = 1) -> InstancePage:
    """A page of instances, in the order of the benchmark; a page beyond the last is the last.

    Raises NotAllowed for an account that may not evaluate, InputError for an unknown benchmark.
    """
    evaluator(session, user_id)
    benchmark = find_benchmark(session, query.benchmark).id
    conditions = _conditions(session, benchmark, query)
    total = session.execute(select(func.count()).select_from(InstanceRow).where(*conditions)).scalar_one()
    pages = max(1, -(-total // PAGE))
    page = min(page, pages)
    statement = (
        select(col(InstanceRow.payload))
        .where(*conditions)
        .order_by(col(InstanceRow.position), col(InstanceRow.id))
        .limit(PAGE)
        .offset((page - 1) * PAGE)
    )
    templates = select(col(InstanceRow.template_id)).where(col(InstanceRow.benchmark_id) == benchmark)
    return InstancePage(
        total=total,
        page=page,
        pages=pages,
        instances=tuple(Instance.model_validate(payload) for payload in session.scalars(statement)),
        templates=tuple(sorted(session.scalars(templates.distinct()))),
    )


def get_instance(session: Session, *, user_id: str, benchmark: str, instance_id: str) -> Instance:
    """One instance. Raises InputError for an unknown one, NotAllowed for an account that may not evaluate."""
    evaluator(session, user_id)
    payload = session.scalar(
        select(col(InstanceRow.payload)).where(
            col(InstanceRow.benchmark_id) == benchmark,
            col(InstanceRow.instance_id) == instance_id,
            IN_FINISHED,
        )
    )
    if payload is None:
        raise InputError(Translatable("This benchmark has no such instance; show the list again."))
    return Instance.model_validate(payload)


def _conditions(session: Session, benchmark: str, query: InstanceQuery) -> list[ColumnElement[bool]]:
    payload = col(InstanceRow.payload)
    found: list[ColumnElement[bool]] = [col(InstanceRow.benchmark_id) == benchmark]
    if query.template:
        found.append(col(InstanceRow.template_id) == query.template)
    for key in ("operation", "representation"):
        if wanted := getattr(query, key):
            found.append(text_field(session, payload, key) == wanted)
    if words := query.words.strip():
        found.append(or_(*(mentions(session, payload, key, words) for key in ("question", "context"))))
    return found
