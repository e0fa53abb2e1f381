"""Change the name of a stored benchmark, and whether its questions are open; each change stands in the audit
log.
"""

from typing import Any

from sqlalchemy import select
from sqlmodel import Session, col

from clinicnum.annotations.run_names import read_label
from clinicnum.credentialed_data import (
    CREDENTIALED_FORMATS,
    CREDENTIALED_SOURCES,
    closed_sources,
    data_use,
    mark,
)
from clinicnum.db.rows import BenchmarkRow, RunRow
from clinicnum.db.work.audit.audit_log import append
from clinicnum.db.work.benchmarks.benchmark_list import benchmark_name, find_benchmark
from clinicnum.db.work.benchmarks.benchmark_storage import benchmark_instances
from clinicnum.db.work.jobs.job_store import evaluator
from clinicnum.errors import InputError
from clinicnum.translatable_text import Translatable

LONGEST_NAME = 100
NOT_IMPORTED = Translatable(
    "Its questions were generated from records, and where these come from says whether they are open. To "
    "change that, generate it again from records that are said to be open."
)
CREDENTIALED = Translatable("It holds records under a data use agreement ({source}), which are never open.")
OPEN, NOT_KNOWN_OPEN = Translatable("open"), Translatable("not known to be open")


def rename_benchmark(session: Session, *, user_id: str, benchmark: str, name: str) -> str:
    """Give a benchmark a name, or take its name away with an empty one; return the name that lists show now.

    Raises NotAllowed for an account that may not evaluate, InputError for an unknown benchmark and for a name
    that is too long or holds what cannot be printed.
    """
    evaluator(session, user_id)
    row = _locked(session, benchmark)
    said, before = read_label(name, LONGEST_NAME), row.meta.get("name")
    if before != said:
        kept = {key: value for key, value in row.meta.items() if key != "name"}
        row.meta = kept | ({"name": said} if said else {})
        _log(session, row, user_id, before={"name": before}, after={"name": said})
    return benchmark_name(row)


def open_benchmark(session: Session, *, user_id: str, benchmark: str, open_data: bool) -> bool:
    """Say that a benchmark's questions are open, so that any server may get them, or that they are not known
    to be; return whether that was a change.

    Its stored runs are marked alike, as they answer the same questions; studies keep what was known when they
    were opened. Raises NotAllowed for an account that may not evaluate, InputError for an unknown benchmark
    and for one that is never open.
    """
    evaluator(session, user_id)
    row = _locked(session, benchmark)
    before = row.meta.get("credentialed") is False
    if before == open_data:
        return False
    never = (why_never_open(row) or _closed_records(session, row)) if open_data else None
    if never is not None:
        raise InputError(never)
    row.meta = _marked(row.meta, open_data=open_data)
    runs = session.scalars(select(RunRow).where(col(RunRow.benchmark_id) == row.id)).all()
    for run in runs:
        run.meta = _marked(run.meta, open_data=open_data) if run.meta else run.meta
        run.revision += 1
    _log(session, row, user_id, before={"open_data": before}, after={"open_data": open_data})
    return True


def why_never_open(row: BenchmarkRow) -> Translatable | None:
    """Why nobody may say of a stored benchmark that its questions are open, by its meta data; None if these
    do not forbid it.

    Only imported questions may be opened, and of those none from a source, or in a format, that is known to
    be under a data use agreement. `open_benchmark` also looks at the source of every question.
    """
    format_, source = row.meta.get("source_format"), row.meta.get("source")
    if source in CREDENTIALED_SOURCES:
        return Translatable(str(CREDENTIALED), source=source)
    if format_ is None:
        return NOT_IMPORTED
    if format_ in CREDENTIALED_FORMATS:
        return Translatable(str(CREDENTIALED), source=CREDENTIALED_FORMATS[format_])
    return None


def _closed_records(session: Session, row: BenchmarkRow) -> Translatable | None:
    closed = closed_sources(benchmark_instances(session, row.id))
    return Translatable(str(CREDENTIALED), source=min(closed)) if closed else None


def check_not_changed(session: Session, *, meta: dict[str, Any], benchmark: str) -> None:
    """Raise InputError if a benchmark that is imported once more is stored under another name than `meta`
    gives it, or with other openness: an import changes neither.
    """
    row = session.get(BenchmarkRow, benchmark)
    if row is None:
        return
    named, opened = meta.get("name") or benchmark_name(row), meta.get("credentialed") is False
    if named == benchmark_name(row) and opened == (row.meta.get("credentialed") is False):
        return
    raise InputError(
        Translatable(
            "These questions are stored already, as {name!r} ({openness}), and this import says {named!r} "
            "({opened}). Nothing was changed: name and openness are changed where the benchmark is shown, on "
            "the page Benchmarks.",
            name=benchmark_name(row),
            openness=OPEN if row.meta.get("credentialed") is False else NOT_KNOWN_OPEN,
            named=named,
            opened=OPEN if opened else NOT_KNOWN_OPEN,
        )
    )


def _marked(meta: dict[str, Any], *, open_data: bool) -> dict[str, Any]:
    """The meta data of a benchmark or of its run with the openness said in it."""
    kept = {key: value for key, value in meta.items() if key not in ("credentialed", "data_use")}
    said = {**kept, "credentialed": not open_data}
    return said | mark(data_use(said))


def _locked(session: Session, benchmark: str) -> BenchmarkRow:
    row = find_benchmark(session, benchmark)
    session.refresh(row, with_for_update=True)
    return row


def _log(
    session: Session, row: BenchmarkRow, user_id: str, *, before: dict[str, Any], after: dict[str, Any]
) -> None:
    session.add(row)
    append(
        session,
        study_id=None,
        actor=user_id,
        action="change_benchmark",
        before={"benchmark": row.id, **before},
        after={"benchmark": row.id, **after},
    )
