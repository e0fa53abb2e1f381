"""Queue a run, or the dry run before it, after checking the request; and what the form for it needs to
know.
"""

import re
from pathlib import PurePath
from urllib.parse import urlsplit

from sqlalchemy import func, select
from sqlmodel import Session, col

from clinicnum.annotations.run_names import read_label
from clinicnum.annotations.worker_jobs import KEY_NAME, RunArguments
from clinicnum.db.rows import BenchmarkRow, InstanceRow, RunRow
from clinicnum.db.work.benchmarks.benchmark_list import benchmark_name
from clinicnum.db.work.benchmarks.benchmark_storage import benchmark_instances
from clinicnum.db.work.jobs.job_store import enqueue, evaluator
from clinicnum.db.work.runs.stored_runs import model_of
from clinicnum.errors import InputError
from clinicnum.inference.client_interface import check_sampling
from clinicnum.inference.openai.server_address import api_url, is_local
from clinicnum.translatable_text import Translatable
from clinicnum.types import Frozen, Instance


class RunnableBenchmark(Frozen):
    """A stored benchmark that a model can be run on."""

    benchmark_id: str
    name: str
    """Display name; its id if it has none."""
    open_data: bool
    """Whether its records are known to be open, so that any server may be sent them."""


def runnable_benchmarks(session: Session, *, user_id: str) -> tuple[RunnableBenchmark, ...]:
    """All stored benchmarks, by name. Raises NotAllowed for an account that may not evaluate."""
    evaluator(session, user_id)
    rows = session.scalars(select(BenchmarkRow))
    found = (
        RunnableBenchmark(
            benchmark_id=row.id,
            name=benchmark_name(row),
            open_data=row.meta.get("credentialed") is False,
        )
        for row in rows
    )
    return tuple(sorted(found, key=lambda one: (one.name, one.benchmark_id)))


def questions_to_match(
    session: Session, *, user_id: str, benchmark_id: str, most: int
) -> dict[str, Instance] | None:
    """Id -> instance of a benchmark, to find the questions that uploaded answers belong to; None for an
    unknown benchmark and for one of more than `most` instances.

    Raises NotAllowed for an account that may not evaluate.
    """
    evaluator(session, user_id)
    count = select(func.count()).where(col(InstanceRow.benchmark_id) == benchmark_id)
    if session.get(BenchmarkRow, benchmark_id) is None or session.execute(count).scalar_one() > most:
        return None
    return {one.instance_id: one for one in benchmark_instances(session, benchmark_id)}


class LaunchOutlook(Frozen):
    """What launching a model on a benchmark asks of it, and what is there already."""

    benchmark: str
    """Display name."""
    instances: int
    """Number of answers to all of its questions."""
    runs: int
    """Number of stored runs of a model of this name on the benchmark, with whatever settings; of a path, the
    last part is the name."""


def launch_outlook(session: Session, *, user_id: str, benchmark_id: str, model: str) -> LaunchOutlook | None:
    """What launching `model`, a folder or a name on a server, would ask; None for an unknown benchmark.

    Raises NotAllowed for an account that may not evaluate.
    """
    evaluator(session, user_id)
    row = session.get(BenchmarkRow, benchmark_id)
    if row is None:
        return None
    of_it = select(func.count()).where(col(InstanceRow.benchmark_id) == benchmark_id)
    name = PurePath(model.strip()).name
    runs = session.scalars(select(RunRow).where(col(RunRow.benchmark_id) == benchmark_id))
    return LaunchOutlook(
        benchmark=benchmark_name(row),
        instances=session.scalar(of_it) or 0,
        runs=sum(PurePath(model_of(run.meta) or "").name == name for run in runs),
    )


def consent_needed(benchmark: RunnableBenchmark, base_url: str) -> str | None:
    """The text `BENCHMARK HOST` that a user must agree to before records are sent; None if none is needed:
    the records are open, or the server is the worker's own machine.
    """
    if benchmark.open_data or is_local(base_url):
        return None
    return f"{benchmark.benchmark_id} {urlsplit(base_url).hostname}"


def launch_run(session: Session, *, user_id: str, asked: RunArguments, consent: str = "") -> str:
    """Store a job that runs a model; return its id.

    `consent` is the text of `consent_needed`, if a user agreed to it. Raises NotAllowed for an account that
    may not evaluate, InputError for an unknown benchmark, a missing model, a label that no list can show, an
    invalid server address, records that may not be sent there, and as `check_sampling` and `enqueue` do.
    """
    evaluator(session, user_id)
    known = {one.benchmark_id: one for one in runnable_benchmarks(session, user_id=user_id)}
    if asked.benchmark_id not in known:
        raise InputError(Translatable("Choose a benchmark to run the model on."))
    if not asked.model.strip():
        raise InputError(Translatable("No model is named; choose a folder, or name a model of the server."))
    check_sampling(asked.temperature, asked.samples)
    changed = {"label": read_label(asked.label) or "", "allow_remote": False}
    if asked.client == "openai":
        changed |= _server(known[asked.benchmark_id], asked.base_url or "", consent)
    else:
        changed |= {"base_url": None, "api_key_env": None}
    arguments = asked.model_copy(update=changed).model_dump()
    return enqueue(session, user_id=user_id, kind="run", arguments=arguments)


def _server(benchmark: RunnableBenchmark, base_url: str, consent: str) -> dict[str, object]:
    """The server's fields of the arguments, checked."""
    address = api_url(base_url)
    needed = consent_needed(benchmark, address)
    if needed is not None and consent != needed:
        raise InputError(
            Translatable(
                "The records of {benchmark} are not known to be open, and {host} is not the worker's own "
                "machine: nothing was started. Use a server on that machine, or, if you may send these "
                "records there, tick the box that says so.",
                benchmark=benchmark.name,
                host=urlsplit(address).hostname,
            )
        )
    return {"base_url": address, "allow_remote": needed is not None}


def check_key_name(text: str) -> str | None:
    """The name of the environment variable that holds a key, None for an empty text.

    Raises InputError, without the text, for one that could be a key itself.
    """
    name = text.strip()
    if name and not re.fullmatch(KEY_NAME, name):
        raise InputError(
            Translatable(
                "The key itself must not be entered here, where it would be stored; nothing was kept. "
                "Expected the name of an environment variable that ends in API_KEY, such as OPENAI_API_KEY, "
                "which is set where the worker runs.",
            )
        )
    return name or None
