"""Benchmarks and results: tables of benchmarks, templates, instances, runs, generations and scores.

The `id` of an instance, run or generation is a content hash over its id in the file and those of what it
belongs to, so that two files from different sources may both hold an instance `1`. A benchmark's is the
benchmark_id of its instances, and a score's a hash over generation and payload. Payloads are whole domain
objects; columns hold what queries need.

A large benchmark or run is stored in many short transactions. Until the last one its row has `storing_until`,
and a session's selects leave that row out. The execution options `UNFINISHED_TOO` include it; an `exists()`
has to leave it out itself.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKeyConstraint, Index, UniqueConstraint, event, select
from sqlalchemy.orm import ORMExecuteState, with_loader_criteria
from sqlmodel import Field, Session, col

from clinicnum.db.rows.base import JsonText, Row, UtcDateTime, one_of

TEMPLATE_STATUSES = ("draft", "in_review", "validated", "retired", "unreviewed")
VERSION_KINDS = ("template", "item")
SCORE_STATUSES = ("correct", "incorrect", "unparsable", "abstained", "empty", "truncated", "error")


class BenchmarkRow(Row, table=True):
    """One benchmark and the meta data of its file."""

    __tablename__ = "benchmark"
    id: str = Field(primary_key=True)
    """The benchmark_id of its instances."""
    meta: dict[str, Any] = Field(sa_type=JsonText)
    storing_until: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """Null once completely stored; until then, when the writer counts as dead unless it extends this."""


class TemplateRow(Row, table=True):
    """One version of a template, or of an item made for an imported benchmark, with the state of its review.

    A template's version known only from a benchmark is `unreviewed` and has an empty payload.
    """

    __tablename__ = "template"
    __table_args__ = (
        one_of("status", TEMPLATE_STATUSES),
        one_of("kind", VERSION_KINDS),
        Index(None, "operation", "template_id"),
    )
    template_id: str = Field(primary_key=True)
    version: int = Field(primary_key=True)
    status: str
    payload: dict[str, Any] = Field(sa_type=JsonText)
    """A `clinicnum.templates.template.Template`; its status is that of the column, not the one given in
    here. Of an item, a `clinicnum.annotations.curation.drafted_item.ItemVersion`.
    """
    kind: str = "template"
    operation: str | None = None
    """Null where the payload holds no template."""
    words: str = ""
    """Id, tags and wordings in lower case, for searching."""
    author: str | None = Field(default=None, foreign_key="user.id")
    """Null for a version that came with the program, from a file or with a benchmark."""
    changed_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """When its status last changed; null if it never did."""


class InstanceRow(Row, table=True):
    """One question over one context."""

    __tablename__ = "instance"
    __table_args__ = (
        UniqueConstraint("benchmark_id", "instance_id"),
        ForeignKeyConstraint(
            ["template_id", "template_version"], ["template.template_id", "template.version"]
        ),
        Index(None, "template_id", "template_version"),
    )
    id: str = Field(primary_key=True)
    benchmark_id: str = Field(foreign_key="benchmark.id")
    instance_id: str
    template_id: str
    template_version: int
    group_id: str = Field(index=True)
    position: int
    """Place in the benchmark's file."""
    payload: dict[str, Any] = Field(sa_type=JsonText)


class RunRow(Row, table=True):
    """One run of a model on a benchmark. Its meta data change while it runs, so each study stores a copy."""

    __tablename__ = "run"
    __table_args__ = (UniqueConstraint("benchmark_id", "run_id"),)
    id: str = Field(primary_key=True)
    benchmark_id: str = Field(foreign_key="benchmark.id")
    run_id: str
    meta: dict[str, Any] = Field(default_factory=dict, sa_type=JsonText)
    """Meta data as last read from the run's file; empty if the file was made by another program."""
    label: str | None = Field(default=None, sa_type=JsonText)
    """Display name given by a user; null if none."""
    revision: int = 0
    """Grows whenever its generations, scores or meta data are loaded."""
    storing_until: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """See BenchmarkRow."""


class GenerationRow(Row, table=True):
    """The text that a run gave for an instance."""

    __tablename__ = "generation"
    __table_args__ = (UniqueConstraint("run", "generation_id"),)
    id: str = Field(primary_key=True)
    run: str = Field(foreign_key="run.id")
    instance: str = Field(foreign_key="instance.id", index=True)
    generation_id: str
    payload: dict[str, Any] = Field(sa_type=JsonText)


class ScoreRow(Row, table=True):
    """One automatic judgement of a generation; each version of the scorer adds a row."""

    __tablename__ = "score"
    __table_args__ = (one_of("status", SCORE_STATUSES),)
    id: str = Field(primary_key=True)
    generation: str = Field(foreign_key="generation.id", index=True)
    status: str
    payload: dict[str, Any] = Field(sa_type=JsonText)
    current: bool = True
    """Whether it is the latest score of its generation, which new studies use."""


UNFINISHED_TOO = {"clinicnum_unfinished_too": True}
"""Execution options of a select that shall see unfinished benchmarks and runs too."""
IN_FINISHED = col(InstanceRow.benchmark_id).in_(
    select(col(BenchmarkRow.id)).where(col(BenchmarkRow.storing_until).is_(None))
)
"""SQL condition that an instance's benchmark is fully stored; needed where instances are selected by neither
benchmark nor generation.
"""
_FINISHED = tuple(
    with_loader_criteria(table, col(table.storing_until).is_(None), include_aliases=True)
    for table in (BenchmarkRow, RunRow)
)


@event.listens_for(Session, "do_orm_execute")
def _hide_unfinished(state: ORMExecuteState) -> None:
    """Leave unfinished benchmarks and runs out of every select. An `exists()` on their tables is not covered:
    its own condition must leave them out.
    """
    if state.is_select and not state.execution_options.get(*UNFINISHED_TOO):
        state.statement = state.statement.options(*_FINISHED)
