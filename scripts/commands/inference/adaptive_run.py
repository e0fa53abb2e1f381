"""A run whose instances are chosen round by round, depending on answers."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache

import typer

from clinicnum.errors import InputError
from clinicnum.inference.generations_journal import complete_lines
from clinicnum.scripts.commands.inference.execute import generate_left, jobs_of
from clinicnum.scripts.commands.inference.options import RunOptions
from clinicnum.scripts.commands.inference.process_rank import this_process
from clinicnum.types import Generation

Ask = Callable[[Sequence[str]], dict[str, Generation]]
"""Instance ids -> the generation of each."""


@contextmanager
def asked_in_rounds(order: RunOptions) -> Iterator[Ask]:
    """Yield a function that asks the model; generations in the file of `order` are not asked again.

    The model is loaded at the first question. Raises InputError as `execute` does, and under several
    processes; exits with code 1 if requests failed temporarily.
    """
    process = this_process()
    if process.part is not None:
        raise InputError("each round rests on all answers before it; start one process, without torchrun")
    (job,) = jobs_of(order, process)
    job.done()
    known = {line.generation.instance_id: line.generation for line in complete_lines(job.out)}
    start = cache(job.plan.start)

    def keep(generation: Generation) -> None:
        known[generation.instance_id] = generation

    def ask(ids: Sequence[str]) -> dict[str, Generation]:
        left = [job.benchmark.places[one] for one in ids if one not in known]
        if left and generate_left(replace(job, places=left), start(), lambda _: None, keep):
            raise typer.Exit(1)
        return {one: known[one] for one in ids}

    try:
        yield ask
    finally:
        job.plan.stop()
