"""Runs in a process of Ray's, perhaps on another machine: loads a model once, then answers requests."""

import importlib
import socket
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from clinicnum.errors import InputError
from clinicnum.inference.client_interface import Completion, Decoding, Request
from clinicnum.scripts.commands.inference.client_plan import DescribedClient, Plan
from clinicnum.scripts.commands.inference.options import RunOptions
from clinicnum.scripts.commands.inference.process_rank import Process

SEND_EVERY_S = 0.2
"""Seconds for which completions are gathered before they are sent together."""


def plan_of_worker(order: RunOptions, benchmark: Any = None) -> Plan:
    """The plan of a single process that runs `order` without Ray: by the local client, or by an engine."""
    module = "engines.client" if order.engine else "plan_local_run"
    plan: Plan = importlib.import_module(f"clinicnum.scripts.commands.inference.{module}").plan(
        order, Process(None), benchmark
    )
    return plan


class Worker:
    """A Ray actor. Returns errors as text for the user, after which it is ended."""

    def __init__(self, order: RunOptions, number: int) -> None:
        name = f"{order.out.stem}.worker-{number}.jsonl"
        # Its folder, where an engine's log goes, is on another machine only if the machines share it.
        folder = order.out.parent if order.out.parent.is_dir() else Path(tempfile.mkdtemp())
        self._order = replace(order, out=folder / name)
        self._client: DescribedClient | None = None

    def load(self, fingerprint: str, identity: Mapping[str, Any]) -> dict[str, Any] | str:
        """Load the model or start its engine; returns its facts, or an error."""
        try:
            plan = plan_of_worker(self._order)
            here = plan.identity | {"model files": plan.fingerprint}
            there = {**identity, "model files": fingerprint}
            for key, value in there.items():
                if here[key] != value:
                    return (
                        f"{key} is {here[key]!r} on {socket.gethostname()} and {value!r} where the command "
                        "was given; expected the same: install the same versions and files, or name "
                        "what is to be used (--dtype, --engine-path)"
                    )
            self._client = plan.start()
        except InputError as error:
            return str(error)
        return self._client.describe()

    def complete(self, requests: Sequence[Request], decoding: Decoding) -> Iterator[list[Completion] | str]:
        """Yield lists of completions soon after they finish, or an error."""
        assert self._client is not None  # it is loaded first
        finished: list[Completion] = []
        sent = time.monotonic()
        try:
            for completion in self._client.complete(requests, decoding=decoding):
                finished.append(completion)
                if time.monotonic() - sent >= SEND_EVERY_S:
                    yield finished
                    finished, sent = [], time.monotonic()
        except InputError as error:
            yield finished
            yield str(error)
            return
        yield finished
