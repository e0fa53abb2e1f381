"""Plan a run whose workers Ray starts: here, or on the machines of a cluster."""

import io
import os
from contextlib import ExitStack, redirect_stdout
from dataclasses import replace
from pathlib import Path
from typing import Any

from clinicnum.errors import InputError
from clinicnum.inference.benchmark_index import BenchmarkIndex
from clinicnum.scripts.commands.inference.check_data_may_leave import check_may_leave
from clinicnum.scripts.commands.inference.client_plan import DescribedClient, Plan
from clinicnum.scripts.commands.inference.engines.process import START_S
from clinicnum.scripts.commands.inference.options import RunOptions
from clinicnum.scripts.commands.inference.process_rank import Process
from clinicnum.scripts.commands.inference.progress import say
from clinicnum.scripts.commands.inference.ray_cluster.client import RayClient
from clinicnum.scripts.commands.inference.ray_cluster.cluster import Cluster, import_ray
from clinicnum.scripts.commands.inference.ray_cluster.worker import Worker, plan_of_worker


def plan(order: RunOptions, process: Process, benchmark: BenchmarkIndex) -> Plan:
    """Plan the run without starting anything. The plan is that of a single process without Ray, as each
    worker runs like one.

    Raises InputError if Ray is missing, if its machines may not get the data, and where the plan of a single
    process does.
    """
    _check_options(order, process)
    address = _address(order)
    import_ray(local=address is None)
    if address is not None and not order.allow_remote:
        check_may_leave(
            order.benchmark,
            benchmark,
            elsewhere=f"--ray-address: the Ray cluster at {address} was not started here",
        )
    worker_order = _order_of_worker(order)
    single = plan_of_worker(worker_order, benchmark)
    run = _Run(order, worker_order, single, address, total=min(len(benchmark), order.limit or len(benchmark)))
    where = "a Ray of this machine" if address is None else f"Ray at {address}"
    return replace(
        single,
        facts=single.facts | {"client": "ray", "remote": address is not None},
        said=f"{single.model} by workers of {where}",
        start=run.start,
        stop=run.stop,
        floor_s=lambda prompt_tokens, new_tokens: None,
    )


class _Run:
    """The connection to Ray, from the start to the end of a run."""

    def __init__(
        self, order: RunOptions, worker_order: RunOptions, single: Plan, address: str | None, *, total: int
    ) -> None:
        self._order, self._worker_order, self._single = order, worker_order, single
        self._address, self._total = address, total
        self._open = ExitStack()

    def start(self) -> DescribedClient:
        """Connect, and wait for the first worker."""
        order = self._order
        # Ray prints there, in many lines, what this program says in one.
        self._open.enter_context(redirect_stdout(io.StringIO()))
        cluster = Cluster(self._address, at_least_cpus=(order.ray_workers or 1) * (order.threads or 1))
        self._open.callback(cluster.close)
        size = cluster.size(order.ray_workers, order.ray_gpus, order.threads)
        say(f"Ray: {size.workers} workers, each with {size.gpus} GPUs and {size.cpus} CPUs")
        worker_order = replace(self._worker_order, gpus_per_rank=size.gpus or None)

        def start_worker(number: int) -> tuple[Any, Any]:
            worker = cluster.start(Worker, size, worker_order, number)
            return worker, worker.load.remote(self._single.fingerprint, self._single.identity)

        client = RayClient(cluster, start_worker, patience_s=order.engine_start_timeout or START_S)
        client.start(size.workers, total=self._total)
        client.facts |= {"client": "ray", "ray": cluster.facts(size), "threads": size.cpus}
        return client

    def stop(self) -> None:
        """End the workers, and a Ray that was started here."""
        self._open.close()


def _order_of_worker(order: RunOptions) -> RunOptions:
    """The options of a worker: the run's, with absolute paths, as its current folder is another."""
    model, out = str(Path(order.model).resolve()), order.out.resolve()
    given = (order.tokenizer, order.engine_path)
    tokenizer, engine_path = (None if path is None else path.resolve() for path in given)
    return replace(
        order, engine=order.ray_engine, model=model, out=out, tokenizer=tokenizer, engine_path=engine_path
    )


def _address(order: RunOptions) -> str | None:
    """The cluster's address, or `auto`, by --ray-address or else RAY_ADDRESS; None for a Ray that is started
    here, for this run.

    Raises InputError for an address of Ray Client (`ray://`).
    """
    address = order.ray_address or os.environ.get("RAY_ADDRESS", "").strip() or "local"
    if address.startswith("ray://"):
        raise InputError(
            f"--ray-address {address}: is of Ray Client; give the command on a machine of the cluster, with "
            "auto or its address without ray://"
        )
    return None if address == "local" else address


def _check_options(order: RunOptions, process: Process) -> None:
    if order.client != "local":
        raise InputError("--client openai and --engine ray: the workers run the model; give one of them")
    for name, value in (
        ("--tensor-parallel", order.tensor_parallel),
        ("--pipeline-parallel", order.pipeline_parallel),
        ("--gpus-per-rank", order.gpus_per_rank),
    ):
        if value is not None:
            raise InputError(f"{name}: --ray-gpus divides the model among the GPUs of a worker; leave it out")
    if process.part is not None:
        raise InputError(
            f"--engine ray: {process.part.world} processes share this run already; start a single one, and "
            "give --ray-workers"
        )
