"""The job `run`: a model answers a stored benchmark as in `clinicnum run`; then it is scored."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from sqlmodel import Session

from clinicnum.annotations.study_inputs import Material, Run
from clinicnum.annotations.worker_jobs import RunArguments
from clinicnum.db.engine import reading
from clinicnum.db.work.benchmarks.benchmark_storage import write_benchmark_file
from clinicnum.db.work.runs.store_study_material import begin_material
from clinicnum.db.work.runs.stored_runs import add_runs, stored_run
from clinicnum.errors import InputError
from clinicnum.scripts.commands.jobs.job_context import JobContext
from clinicnum.scripts.commands.jobs.readable_paths import readable
from clinicnum.scripts.commands.jobs.score import cause_counts, score_material, summary

if TYPE_CHECKING:
    from clinicnum.scripts.commands.inference.options import RunOptions
    from clinicnum.scripts.commands.inference.progress import Reporter


def run_model(context: JobContext, arguments: RunArguments) -> dict[str, Any]:
    """Generate into a journal in the job's folder, so that it resumes there; then score and store.

    What the same run has stored before, such as a smaller part of it, is not asked for again.
    """
    from clinicnum.scripts.commands.inference.execute import estimate, execute, sample_path

    benchmark = context.folder / "benchmark.jsonl"
    if not benchmark.is_file():
        with reading(context.engine) as session:
            write_benchmark_file(session, arguments.benchmark_id, benchmark)
    order = _options(arguments, benchmark, context.folder / "generations.jsonl")
    prepare = partial(_put_stored, context, arguments.benchmark_id)
    if arguments.dry_run:
        lines = estimate(order, prepare=prepare)
        for line in lines:
            context.log(line)
        return {"benchmark": arguments.benchmark_id, "estimate": lines}

    samples: list[Reporter] = []

    def watch(reporter: "Reporter") -> None:
        if reporter not in samples:
            samples.append(reporter)
        context.report(
            done=sum(one.done for one in samples),
            total=reporter.total * order.samples,
            unit="generations",
            step="asking the model",
            seconds_left=reporter.seconds_left if order.samples == 1 else None,
        )

    try:
        execute(order, prepare=prepare, watch=watch)
    except typer.Exit as error:
        raise InputError(
            "the server could not answer some questions just now (the job's log says why); try the job again "
            "later: it asks only those again"
        ) from error
    made = [sample_path(order.out, sample) for sample in range(1, order.samples + 1)]
    material = scored_material(context, benchmark, *made)
    causes = cause_counts(material)

    told = {"benchmark": arguments.benchmark_id, "causes": causes}
    return store_run(context, material, label=arguments.label, told=told)


def _put_stored(context: JobContext, benchmark_id: str, identity: dict[str, Any], out: Path) -> None:
    """Begin the journal `out`, if it does not exist, with the generations of this run that are in the
    database.
    """
    from clinicnum.io.jsonl import write_jsonl

    if out.is_file():
        return
    with reading(context.engine) as session:
        stored = stored_run(session, benchmark_id=benchmark_id, run_id=str(identity["run_id"]))
    if stored is not None:
        write_jsonl(out, stored.generations, stored.meta)


def _options(arguments: RunArguments, benchmark: Path, out: Path) -> "RunOptions":
    from clinicnum.scripts.commands.inference.options import RunOptions

    local = arguments.client == "local"
    return RunOptions(
        benchmark=benchmark,
        model=str(readable(arguments.model)) if local else arguments.model,
        out=out,
        client=arguments.client,
        dtype=arguments.dtype,  # type: ignore[arg-type]
        base_url=arguments.base_url,
        api_key_env=arguments.api_key_env,
        allow_remote=arguments.allow_remote,
        max_new_tokens=arguments.max_new_tokens,
        limit=arguments.limit,
        seed=arguments.seed,
        temperature=arguments.temperature,
        samples=arguments.samples,
    )


def store_run(context: JobContext, material: Material, *, label: str, told: dict[str, Any]) -> dict[str, Any]:
    """Store the runs that `material` holds in the database, named `label`, and end the job, seen in one
    transaction.

    Returns the job's result: the `summary` of the runs, with the entries of `told` added. Raises as
    `add_runs`, `begin_material` and `JobContext.end_with` do.
    """
    with context.storing() as parts:
        begun = begin_material(parts, material)

        def store(session: Session) -> dict[str, Any]:
            added = add_runs(session, material=material, actor=context.user_id, label=label, begun=begun)
            return summary(added, material) | told

        return context.end_with(store)


def scored_material(context: JobContext, benchmark: Path, *generations: Path) -> Material:
    """A benchmark's file and files of generations as a study's material; the generations are scored here.

    Raises InputError for a file that has changed, and for an instance that cannot be scored.
    """
    from clinicnum.io.benchmark import read_benchmark
    from clinicnum.io.jsonl import checked_meta, read_jsonl, sha256_file
    from clinicnum.types import Generation

    material = Material(
        benchmark_meta=checked_meta(benchmark),
        instances=tuple(read_benchmark(benchmark).values()),
        runs=tuple(
            Run(checked_meta(one) | {"sha256": sha256_file(one)}, tuple(read_jsonl(one, Generation)))
            for one in generations
        ),
        scores=(),
    )
    return replace(material, scores=score_material(context, material))
