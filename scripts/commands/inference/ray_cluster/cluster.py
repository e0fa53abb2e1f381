"""The only module that imports Ray: connection, resources of the machines, and workers."""

import math
import os
import socket
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from clinicnum.errors import InputError
from clinicnum.optional_dependencies import explain_missing

_STORE_BYTES = 128 * 2**20
"""Object store of a local Ray, which carries prompts and texts: those in transit are a few megabytes."""

_CONNECT_S = 30.0


def import_ray(*, local: bool) -> Any:
    """The module, without usage statistics; `local`: this machine only.

    Raises MissingExtra if it is not installed.
    """
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    if local:
        # Read at the import: where Ray runs no clusters it listens on the loopback address alone.
        os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"
    with explain_missing():
        import ray
    return ray


@dataclass(frozen=True)
class Size:
    """Number of workers, and GPUs and CPUs of each."""

    workers: int
    gpus: int
    cpus: int


class Cluster:
    """A connection to Ray."""

    def __init__(self, address: str | None, *, at_least_cpus: int) -> None:
        """`address` None starts a Ray of this machine alone, which ends with this process.

        Raises InputError if there is no Ray, or none that can be reached.
        """
        own: dict[str, Any] = {}
        if address is None:
            own = {"include_dashboard": False, "object_store_memory": _STORE_BYTES}
            own["num_cpus"] = max(len(os.sched_getaffinity(0)), at_least_cpus)
        self._local = address is None
        self._ray = import_ray(local=self._local)
        try:
            _check_answers(address or "")
            self._ray.init(address=address or "local", log_to_driver=False, logging_level="CRITICAL", **own)
        except (OSError, OverflowError, RuntimeError, ValueError) as error:
            raise InputError(
                f"--engine ray: {address or 'a Ray of this machine'} did not answer ({error}); expected a "
                "cluster that was started with `ray start --head`, or no --ray-address"
            ) from error

    def size(self, workers: int | None, gpus: int | None, threads: int | None) -> Size:
        """The requested number of workers, and of GPUs and CPU threads of each; None is filled in from the
        machines.

        Raises InputError for more than a local Ray can provide.
        """
        all_machines = [one["Resources"] for one in self._ray.nodes() if one["Alive"]]
        if gpus is None:
            gpus = int(any(one.get("GPU") for one in all_machines))
        machines = [one for one in all_machines if one.get("GPU" if gpus else "CPU", 0) >= max(1, gpus)]
        room = sum(int(one["GPU"]) // gpus for one in machines) if gpus else len(machines)
        workers = workers or max(1, room)
        if gpus and self._local and workers > room:
            raise InputError(
                f"--ray-workers {workers} with {gpus} GPUs each: this machine has room for {room}; "
                "ask for fewer"
            )
        on_each = math.ceil(workers / max(1, len(machines)))
        least = min((one.get("CPU", 1) for one in machines), default=1)
        return Size(workers, gpus, threads or (1 if gpus else max(1, int(least // on_each))))

    def facts(self, size: Size) -> dict[str, Any]:
        """Ray's version, number of machines, number and size of workers, for the run's meta data."""
        machines = sum(one["Alive"] for one in self._ray.nodes())
        return {"version": self._ray.__version__, "machines": machines, **vars(size)}

    def start(self, kind: type, size: Size, *arguments: Any) -> Any:
        """Start a worker, an actor of the class `kind`; Ray waits until there is room for it."""
        actor = self._ray.remote(kind)
        return actor.options(
            num_cpus=size.cpus, num_gpus=size.gpus, max_restarts=0, max_task_retries=0
        ).remote(*arguments)

    def ready(self, answers: Sequence[Any], timeout_s: float) -> list[Any]:
        """The answers available after waiting up to `timeout_s`."""
        if self._ray.wait(answers, num_returns=1, timeout=timeout_s, fetch_local=False)[0]:
            ready, _ = self._ray.wait(answers, num_returns=len(answers), timeout=0, fetch_local=False)
            return list(ready)
        return []

    def take(self, answer: Any) -> Any:
        """The next value of an answer. Raises StopIteration at its end, WorkerLost if the worker is gone."""
        errors = self._ray.exceptions.RayError
        try:
            one = next(answer) if isinstance(answer, self._ray.ObjectRefGenerator) else answer
            return self._ray.get(one)
        except errors as error:
            raise WorkerLost(_in_words(error)) from error

    def end(self, worker: Any) -> None:
        """Stop a worker at once."""
        with suppress(self._ray.exceptions.RayError):
            self._ray.kill(worker)

    def close(self) -> None:
        """Leave the cluster, which ends the workers; stops a local Ray."""
        self._ray.shutdown()


class WorkerLost(Exception):
    """A worker does not answer any more."""


def _check_answers(address: str) -> None:
    """Raise OSError if nothing listens at HOST:PORT: Ray itself would ask for minutes."""
    host, _, port = address.rpartition(":")
    if host and port.isdigit():
        socket.create_connection((host.strip("[]"), int(port)), timeout=_CONNECT_S).close()


def _in_words(error: Exception) -> str:
    """The line of Ray's long error that says what happened, in at most 300 characters."""
    cause = getattr(error, "cause", None) or error
    if type(cause).__name__ == "OutOfMemoryError":
        return "out of memory"
    lines = [line.strip() for line in str(cause).splitlines() if line.strip()] or [type(cause).__name__]
    return next((line for line in reversed(lines) if "Error: " in line), lines[0])[:300]
