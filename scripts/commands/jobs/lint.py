"""The job `lint`: the gold answers of a stored benchmark are checked as `clinicnum lint` does."""

from typing import Any

from sqlmodel import Session

from clinicnum.annotations.worker_jobs import LintArguments
from clinicnum.db.engine import reading
from clinicnum.db.work.benchmarks.benchmark_storage import write_benchmark_file
from clinicnum.db.work.benchmarks.lint_results import FILE
from clinicnum.db.work.jobs import job_claims
from clinicnum.scripts.commands.jobs.job_context import JobContext


def lint(context: JobContext, arguments: LintArguments) -> dict[str, Any]:
    """Check every instance; the findings are a file of the job."""
    from clinicnum.lint.lint_file import lint as examine
    from clinicnum.lint.stored_findings import collect_findings
    from clinicnum.templates.packaged_banks import named_bank

    file = context.folder / "benchmark.jsonl"
    with reading(context.engine) as session:
        write_benchmark_file(session, arguments.benchmark_id, file)
    size, read = file.stat().st_size, 0

    def progress(count: int) -> None:
        nonlocal read
        read += count
        context.report(done=100 * read // size, total=100, unit="%", step="checking")

    found = collect_findings(examine(file, named_bank("all"), progress))
    content = found.model_dump_json().encode()
    result = {
        "benchmark": arguments.benchmark_id,
        "instances": found.instances,
        "findings": sum(found.by_rule.values()),
    }

    def store(session: Session) -> dict[str, Any]:
        job_claims.save_file(session, job_id=context.job_id, name=FILE, content=content)
        return result

    return context.end_with(store)
