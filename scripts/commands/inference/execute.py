"""Execute a run: from options to generations on disk."""

import importlib
import platform
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal

import typer

from clinicnum.credentialed_data import data_use, mark
from clinicnum.errors import InputError
from clinicnum.inference.benchmark_index import BenchmarkIndex
from clinicnum.inference.chat_template_inputs import template_arguments
from clinicnum.inference.client_interface import Decoding, check_sampling
from clinicnum.inference.generations_file_lock import check_free
from clinicnum.inference.generations_journal import check_output_path, done_before, open_journal
from clinicnum.inference.group_commit import Committer
from clinicnum.inference.merge_shards import merge, merge_if_last
from clinicnum.inference.runner import run_identity, run_instances
from clinicnum.inference.shards import find_shards, prompt_cost, share_of
from clinicnum.io.jsonl import read_meta
from clinicnum.prompt_file import PromptFile
from clinicnum.scripts.commands.common.credentialed_warning import warn
from clinicnum.scripts.commands.inference.client_plan import DescribedClient, Plan
from clinicnum.scripts.commands.inference.custom_prompt import read_prompt
from clinicnum.scripts.commands.inference.dry_run import dry_run_lines
from clinicnum.scripts.commands.inference.options import ClientName, RunOptions, check_engine_options
from clinicnum.scripts.commands.inference.process_rank import Process, this_process
from clinicnum.scripts.commands.inference.progress import Reporter, say
from clinicnum.scripts.commands.inference.rate_recorder import Acknowledge, Keep, Watch

CLIENTS: dict[ClientName | Literal["engine", "ray"], str] = {
    "local": "clinicnum.scripts.commands.inference.plan_local_run",
    "openai": "clinicnum.scripts.commands.inference.plan_openai_run",
    "engine": "clinicnum.scripts.commands.inference.engines.client",
    "ray": "clinicnum.scripts.commands.inference.ray_cluster.plan_ray_run",
}
"""Client name -> module whose `plan` prepares it."""
_PACKAGES = ("clinicnum", "transformers", "torch", "accelerate", "tokenizers", "safetensors")
Prepare = Callable[[dict[str, Any], Path], None]


@dataclass(frozen=True)
class Job:
    """A planned run of one sample that has not started."""

    order: RunOptions
    out: Path
    process: Process
    plan: Plan
    decoding: Decoding
    identity: dict[str, Any]
    benchmark: BenchmarkIndex
    places: Sequence[int]
    """Indices, in the benchmark, of this process's instances."""
    prompt: PromptFile | None = None
    """Custom prompt for all instances; None: each instance names its own."""

    @property
    def said(self) -> str:
        """Prefix of lines about this sample."""
        several = self.order.samples > 1
        return self.process.said + (f"sample {self.decoding.sample}: " if several else "")

    def done(self) -> Collection[str]:
        """Ids of the instances of which this sample has a generation already. Raises InputError for a file of
        another run.
        """
        return done_before(self.out, identity=self.identity, known=self.benchmark.places)

    def left(self, done: Collection[str]) -> list[int]:
        """Indices of this process's instances not in `done`."""
        return [place for place in self.places if self.benchmark.ids[place] not in done]

    def cost(self, place: int) -> float:
        """The approximate work for the instance at this index, to compare instances with each other."""
        return prompt_cost(self.benchmark.lengths.of_prompt[place], self.order.max_new_tokens)


def estimate(order: RunOptions, *, prepare: Prepare = lambda identity, out: None) -> list[str]:
    """What remains of the run, its tokens and its time, one fact per line; writes nothing.

    `prepare(identity, out)` is called before each sample's file `out` is read, and may create it. Raises
    InputError as `jobs_of` and `Job.done` do.
    """
    lines: list[str] = []
    for job in jobs_of(order, this_process()):
        prepare(job.identity, job.out)
        left, most = job.left(job.done()), order.max_new_tokens
        found = dry_run_lines(
            *(job.plan, job.benchmark, job.places, left),
            out=job.out,
            max_new_tokens=most,
            prices=order.prices,
            prompt=job.prompt,
        )
        lines += [f"{job.said}{line}" for line in found]
    return lines


def execute(
    order: RunOptions,
    *,
    prepare: Prepare = lambda identity, out: None,
    watch: Watch = lambda reporter: None,
) -> None:
    """Execute the run, one sample after the other; `prepare` is as in `estimate`, `watch` is called after
    each generation on disk.

    Raises InputError as `estimate` does, and if the model cannot be loaded or asked; LockHeld while another
    process writes the file; exits with code 1 if requests failed temporarily.
    """
    if order.dry_run:
        for line in estimate(order):
            typer.echo(line)
        return
    jobs = jobs_of(order, this_process())
    left = [_begin(job, prepare) for job in jobs]
    say(f"{jobs[0].process.said}{jobs[0].plan.said}")
    # The model is loaded before any file is created, so that a failure leaves none.
    postponed, start = 0, cache(jobs[0].plan.start)
    try:
        for job, some in zip(jobs, left, strict=True):
            if len(some) < len(job.places):
                say(f"{job.said}{len(job.places) - len(some)} of {len(job.places)} are done already")
            postponed += generate_left(job, start(), watch) if some else 0
            _end(job)
    finally:
        jobs[0].plan.stop()
    # Under torchrun a failing rank would end the others, which may still be generating.
    if postponed and jobs[0].process.part is None:
        raise typer.Exit(1)


def _begin(job: Job, prepare: Prepare) -> list[int]:
    """Indices of this process's instances that have no generation yet, after the shards of an earlier start
    were merged.
    """
    prepare(job.identity, job.out)
    done = job.done()
    if job.process.part is None:
        check_free(job.out)
        if find_shards(job.out):
            say(f"{job.out}: {merge(job.out).shards} shards of an earlier start joined to it")
    return job.left(done)


def sample_path(out: Path, sample: int) -> Path:
    """The file of a sample: `out` of the first, `g.sample-2.jsonl` beside `g.jsonl` of the second."""
    return out if sample == 1 else out.with_name(f"{out.stem}.sample-{sample}{out.suffix}")


def jobs_of(order: RunOptions, process: Process) -> list[Job]:
    """One job per sample; all share a plan, hence one model in memory. Raises InputError for options that do
    not fit each other, the benchmark or the model.
    """
    arguments = template_arguments(order.template_args, order.thinking)
    check_sampling(order.temperature, order.samples)
    check_engine_options(order)
    benchmark = BenchmarkIndex(order.benchmark)
    check_output_path(order.out)
    client = CLIENTS["ray" if order.engine == "ray" else "engine" if order.engine else order.client]
    plan: Plan = importlib.import_module(client).plan(order, process, benchmark)
    places: Sequence[int] = range(min(len(benchmark), order.limit or len(benchmark)))
    if process.part is not None:
        lengths, most = benchmark.lengths, order.max_new_tokens
        places = share_of(lengths, places, process.part, max_new_tokens=most)
    said = data_use(read_meta(order.benchmark) or {}, sources=benchmark.sources)
    if process.part is None or process.part.rank == 0:
        warn(said)
    prompt = read_prompt(order.prompt, benchmark) if order.prompt else None
    prompt_ids = sorted(benchmark.prompt_ids)
    asked_by: dict[str, Any] = {"prompt_ids": prompt_ids}
    if prompt is not None:
        asked_by = {"prompt_ids": [prompt.title], "prompt": prompt.model_dump(mode="json")}
    facts = plan.identity | {"model": plan.model} | asked_by | mark(said)
    jobs = []
    for sample in range(1, order.samples + 1):
        decoding = Decoding(
            max_new_tokens=order.max_new_tokens,
            seed=order.seed,
            template_arguments=arguments,
            temperature=order.temperature,
            sample=sample,
        )
        identity = run_identity(
            model_fingerprint=plan.fingerprint,
            prompt_ids=prompt_ids,
            decoding=decoding,
            benchmark_sha256=benchmark.sha256,
            prompt=prompt,
        )
        out = sample_path(order.out, sample)
        jobs.append(Job(order, out, process, plan, decoding, identity | facts, benchmark, places, prompt))
    return jobs


def _session(job: Job) -> dict[str, Any]:
    """What the run's meta data record about this start: time, rank, client and versions of packages."""
    part = job.process.part
    return {
        "started_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "rank": None if part is None else part.rank,
        "world": 1 if part is None else part.world,
        **job.plan.facts,
        "versions": {package: version(package) for package in _PACKAGES}
        | {"python": platform.python_version()},
    }


def generate_left(
    job: Job, client: DescribedClient, watch: Watch, keep: Keep = lambda generation: None
) -> int:
    """Generate, write and `keep` the remaining instances; returns how many requests failed temporarily.

    Raises InputError for a file of another run and for a full or failing disk, LockHeld while another process
    writes the file.
    """
    benchmark, part = job.benchmark, job.process.part
    session = _session(job) | client.describe()
    asked_before = Counter(getattr(client, "counts", {}))
    with open_journal(
        job.out, identity=job.identity, session=session, known=benchmark.places, part=part
    ) as journal:
        left = job.left(journal.done)
        reporter = Reporter(
            lambda instance_id: job.cost(benchmark.places[instance_id]),
            left=len(left),
            cost=sum(map(job.cost, left)),
            already=len(job.places) - len(left),
            prefix=job.said,
            alone=part is None,
            prices=job.order.prices,
        )
        acknowledge = Acknowledge(reporter, journal, watch, keep)
        watch(reporter)
        try:
            with reporter, Committer(journal.commit, acknowledge) as committer:
                run_instances(
                    benchmark.read(left),
                    client=client,
                    run_id=str(job.identity["run_id"]),
                    decoding=job.decoding,
                    done=(),
                    write=committer.write,
                    postpone=reporter.postpone,
                    prompt=job.prompt,
                )
        finally:
            with suppress(InputError):  # such as a full disk; the error that ended the run is reported
                counts = Counter(getattr(client, "counts", {})) - asked_before
                learnt = {key: value for key, value in client.describe().items() if key == "not_taken"}
                acknowledge.note(counts=dict(counts), **learnt)
            for line in reporter.sums():
                say(line)
    return reporter.postponed


def _end(job: Job) -> None:
    out, process = job.out, job.process
    if process.part is not None:
        if not process.sole_machine:
            say(f"{job.said}ended; when all have, join their files: clinicnum merge --out {out}")
            return
        merged = merge_if_last(out)
        if merged is None:
            say(f"{job.said}ended; the last one joins the files")
            return
        say(f"{job.said}joined {merged.shards} shards: {merged.total} generations")
    say(f"{out}: run {job.identity['run_id']}")
