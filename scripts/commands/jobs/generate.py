"""The job `generate`: a benchmark as `clinicnum generate` makes it, stored in the database."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from sqlmodel import Session

from clinicnum.annotations.worker_jobs import GenerateArguments
from clinicnum.db.engine import reading
from clinicnum.db.work.benchmarks.benchmark_storage import begin_benchmark, check_new, store_benchmark
from clinicnum.db.work.release.released_banks import released_bank
from clinicnum.scripts.commands.jobs.job_context import JobContext
from clinicnum.scripts.commands.jobs.readable_paths import readable

if TYPE_CHECKING:
    from clinicnum.api.make_benchmark import Plan
    from clinicnum.generation.instance_writer import QuestionInstances
    from clinicnum.release import Release


def generate(context: JobContext, arguments: GenerateArguments) -> dict[str, Any]:
    """Write the benchmark into the job's folder, then store it; a complete file is reused."""
    from clinicnum.api.make_benchmark import write_benchmark
    from clinicnum.io.benchmark import read_benchmark
    from clinicnum.io.jsonl import checked_meta

    out = context.folder / "benchmark.jsonl"
    if not out.is_file():
        plan = _plan(context, arguments)
        total = sum(plan.preset.quotas.values())

        def watch(groups: "Iterable[QuestionInstances]") -> "Iterator[QuestionInstances]":
            context.report(done=0, total=total, unit="questions", step="generating")
            for done, group in enumerate(groups, start=1):
                yield group
                context.report(done=done, total=total, unit="questions", step="generating")

        write_benchmark(plan, out, watch=watch)
    meta, instances = checked_meta(out), tuple(read_benchmark(out).values())
    if arguments.name:
        meta |= {"name": arguments.name}

    with reading(context.engine) as session:
        check_new(session, meta=meta, instances=instances)
    with context.storing() as parts:
        begin_benchmark(parts, meta=meta, instances=instances)

        def store(session: Session) -> dict[str, Any]:
            check_new(session, meta=meta, instances=instances)
            benchmark = store_benchmark(
                session, meta=meta, instances=instances, actor=context.user_id, parts=parts
            )
            questions = meta["counts"]["questions"]
            return {"benchmark": benchmark, "instances": len(instances), "questions": questions}

        return context.end_with(store)


def _plan(context: JobContext, arguments: GenerateArguments) -> "Plan":
    from clinicnum.api.make_benchmark import plan_benchmark
    from clinicnum.api.record_sources import Wanted
    from clinicnum.templates.packaged_banks import BANKS

    path, bank = arguments.path, arguments.bank
    release: Release | None = None
    if arguments.release:
        with reading(context.engine) as session:
            release = released_bank(session, user_id=context.user_id, name=arguments.release)
    return plan_benchmark(
        Wanted(
            kind=arguments.source,
            path=readable(path) if path else None,
            columns=arguments.columns,
            open_data=arguments.open_data,
        ),
        preset=arguments.preset,
        quota=arguments.quota,
        representation=arguments.representation,
        scope=arguments.scope,
        bank=release or (bank if bank in BANKS else str(readable(bank))),
        notes=None,
        variants=arguments.variants,
        seed=arguments.seed,
    )
