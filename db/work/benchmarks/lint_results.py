"""What the last lint of a stored benchmark found."""

from typing import Any

from sqlalchemy import select
from sqlmodel import Session, col

from clinicnum.db.rows import JobFileRow, JobRow
from clinicnum.db.work.benchmarks.benchmark_list import find_benchmark
from clinicnum.db.work.jobs.job_store import evaluator
from clinicnum.lint.stored_findings import LintFindings

FILE = "findings.json"
"""Name of the file that a lint job makes: `LintFindings` as JSON."""


def last_findings(session: Session, *, user_id: str, benchmark: str) -> LintFindings | None:
    """The findings of the newest finished lint; None if the benchmark was never linted.

    Raises NotAllowed for an account that may not evaluate, InputError for an unknown benchmark.
    """
    evaluator(session, user_id)
    find_benchmark(session, benchmark)
    jobs = session.execute(
        select(col(JobRow.id), col(JobRow.arguments))
        .where(col(JobRow.kind) == "lint", col(JobRow.status) == "done")
        .order_by(col(JobRow.ended_at).desc())
    )
    about: list[tuple[str, dict[str, Any]]] = [(job, arguments) for job, arguments in jobs]
    job_id = next((job for job, asked in about if asked.get("benchmark_id") == benchmark), None)
    row = session.get(JobFileRow, (job_id, FILE)) if job_id else None
    return None if row is None else LintFindings.model_validate_json(row.content)
