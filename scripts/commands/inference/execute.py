"""Execute a run: from options to generations on disk."""

import importlib
import platform
import time
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any, Literal

import typer

from clinicnum.credentialed_data import data_use, mark
from clinicnum.errors import InputError
from clinicnum.inference.benchmark_index import BenchmarkIndex
from clinicnum.inference.chat_template import template_arguments
from clinicnum.inference.client import Decoding
from clinicnum.inference.group_commit import Committer
from clinicnum.inference.journal import Journal, check_output_path, done_before, open_journal
from clinicnum.inference.locks import check_free
from clinicnum.inference.merge_shards import merge, merge_if_last
from clinicnum.inference.runner import run_identity, run_instances
from clinicnum.inference.shards import find_shards, prompt_cost, share_of
from clinicnum.io.jsonl import read_meta
from clinicnum.scripts.commands.common.credentialed_warning import warn
from clinicnum.scripts.commands.inference.client_plan import DescribedClient, Plan
from clinicnum.scripts.commands.inference.dry_run import dry_run_lines
from clinicnum.scripts.commands.inference.options import ClientName, RunOptions, check_engine_options
from clinicnum.scripts.commands.inference.progress import Reporter, say
from clinicnum.scripts.commands.inference.ranks import Process, this_process
from clinicnum.types import Generation

CLIENTS: dict[ClientName | Literal["engine"], str] = {
    "local": "clinicnum.scripts.commands.inference.client_local",
    "openai": "clinicnum.scripts.commands.inference.client_openai",
    "engine": "clinicnum.scripts.commands.inference.engines.client",
}
"""By client name, the module whose `plan` prepares it."""
_PACKAGES = ("clinicnum", "transformers", "torch", "accelerate", "tokenizers", "safetensors")
_NOTE_EVERY_S = 30.0
Prepare = Callable[[dict[str, Any]], None]


@dataclass(frozen=True)
class _Job:
    """A run whose identity is known but which has not started."""

    order: RunOptions
    process: Process
    plan: Plan
    decoding: Decoding
    identity: dict[str, Any]
    benchmark: BenchmarkIndex
    places: Sequence[int]
    """The places, in the benchmark, of this process's instances."""

    def left(self, done: Collection[str]) -> list[int]:
        """The places of this process's instances that are not done."""
        return [place for place in self.places if self.benchmark.ids[place] not in done]

    def cost(self, place: int) -> float:
        """The approximate work for an instance."""
        return prompt_cost(self.benchmark.lengths.of_prompt[place], self.order.max_new_tokens)


def estimate(order: RunOptions, *, prepare: Prepare = lambda identity: None) -> list[str]:
    """What remains of the run, its tokens and its time, one fact per line; writes nothing.

    `prepare` is called with the run's identity before `order.out` is read, which it may then put there.
    """
    job = _job(order, this_process())
    prepare(job.identity)
    done = done_before(order.out, identity=job.identity, known=job.benchmark.places)
    lines = dry_run_lines(job.plan, job.benchmark, job.places, job.left(done), order)
    return [f"{job.process.said}{line}" for line in lines]


def execute(
    order: RunOptions,
    *,
    prepare: Prepare = lambda identity: None,
    watch: Callable[[Reporter], None] = lambda reporter: None,
) -> None:
    """Execute the run; `prepare` is as in `estimate`, `watch` is called after each generation on disk.

    Raises InputError; exits with code 1 if requests failed temporarily.
    """
    if order.dry_run:
        for line in estimate(order):
            typer.echo(line)
        return
    job = _job(order, this_process())
    prepare(job.identity)
    done = done_before(order.out, identity=job.identity, known=job.benchmark.places)
    if job.process.part is None:
        check_free(order.out)
        if find_shards(order.out):
            say(f"{order.out}: {merge(order.out).shards} shards of an earlier start joined to it")
    say(f"{job.process.said}{job.plan.said}")
    left = job.left(done)
    if len(left) < len(job.places):
        already = len(job.places) - len(left)
        say(f"{job.process.said}{already} of {len(job.places)} are done already")
    # The model is loaded before any file is created, so that a failure leaves none.
    try:
        postponed = _generate(job, job.plan.start(), watch) if left else 0
    finally:
        job.plan.stop()
    _end(job, postponed)


def _job(order: RunOptions, process: Process) -> _Job:
    arguments = template_arguments(order.template_args, order.thinking)
    check_engine_options(order)
    benchmark = BenchmarkIndex(order.benchmark)
    check_output_path(order.out)
    client = CLIENTS["engine" if order.engine else order.client]
    plan: Plan = importlib.import_module(client).plan(order, process, benchmark)
    decoding = Decoding(max_new_tokens=order.max_new_tokens, seed=order.seed, template_arguments=arguments)
    prompt_ids = sorted(benchmark.prompt_ids)
    identity = run_identity(
        model_fingerprint=plan.fingerprint,
        prompt_ids=prompt_ids,
        decoding=decoding,
        benchmark_sha256=benchmark.sha256,
    )
    places: Sequence[int] = range(min(len(benchmark), order.limit or len(benchmark)))
    if process.part is not None:
        lengths, most = benchmark.lengths, order.max_new_tokens
        places = share_of(lengths, places, process.part, max_new_tokens=most)
    said = data_use(read_meta(order.benchmark) or {}, sources=benchmark.sources)
    if process.part is None or process.part.rank == 0:
        warn(said)
    identity |= plan.identity | {"model": plan.model, "prompt_ids": prompt_ids} | mark(said)
    return _Job(order, process, plan, decoding, identity, benchmark, places)


def _session(job: _Job) -> dict[str, Any]:
    """The entry of this session in the run's meta data."""
    part = job.process.part
    return {
        "started_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "rank": None if part is None else part.rank,
        "world": 1 if part is None else part.world,
        **job.plan.facts,
        "versions": {package: version(package) for package in _PACKAGES}
        | {"python": platform.python_version()},
    }


def _generate(job: _Job, client: DescribedClient, watch: Callable[[Reporter], None]) -> int:
    """Generate and write the remaining instances; returns how many requests failed temporarily."""
    benchmark, part = job.benchmark, job.process.part
    session = _session(job) | client.describe()
    with open_journal(
        job.order.out, identity=job.identity, session=session, known=benchmark.places, part=part
    ) as journal:
        left = job.left(journal.done)
        reporter = Reporter(
            lambda instance_id: job.cost(benchmark.places[instance_id]),
            left=len(left),
            cost=sum(map(job.cost, left)),
            already=len(job.places) - len(left),
            prefix=job.process.said,
        )
        acknowledge = _Acknowledge(reporter, journal, watch)
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
                )
        finally:
            with suppress(InputError):  # such as a full disk; the error that ended the run is reported
                acknowledge.note(counts=dict(getattr(client, "counts", {})))
            for line in reporter.sums():
                say(line)
    return reporter.postponed


class _Acknowledge:
    """Called for each generation that is on disk: counts it, and now and then records the rate in the meta
    data.
    """

    def __init__(self, reporter: Reporter, journal: Journal, watch: Callable[[Reporter], None]) -> None:
        self._reporter = reporter
        self._watch = watch
        self._journal = journal
        self._noted = time.monotonic()

    def __call__(self, generation: Generation) -> None:
        self._reporter.add(generation)
        self._watch(self._reporter)
        if time.monotonic() - self._noted >= _NOTE_EVERY_S:
            self.note()

    def note(self, **facts: Any) -> None:
        self._noted = time.monotonic()
        done = self._reporter
        self._journal.note(
            written=done.written, seconds=round(done.seconds, 3), cost=round(done.cost), **facts
        )


def _end(job: _Job, postponed: int) -> None:
    out, process = job.order.out, job.process
    if process.part is not None:
        if not process.sole_machine:
            say(f"{process.said}ended; when all have, join their files: clinicnum merge --out {out}")
            return
        merged = merge_if_last(out)
        if merged is None:
            say(f"{process.said}ended; the last one joins the files")
            return
        say(f"{process.said}joined {merged.shards} shards: {merged.total} generations")
    say(f"{out}: run {job.identity['run_id']}")
    # Under torchrun a failing rank would end the others, which may still be generating.
    if postponed and process.part is None:
        raise typer.Exit(1)
