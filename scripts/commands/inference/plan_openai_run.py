"""Plan a run with an OpenAI-compatible server."""

import os
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlsplit

from clinicnum.errors import InputError
from clinicnum.inference.benchmark_index import BenchmarkIndex
from clinicnum.inference.client_interface import Request
from clinicnum.inference.openai import OpenAIClient, is_local
from clinicnum.inference.shards import CHARACTERS_PER_TOKEN
from clinicnum.scripts.commands.inference.check_data_may_leave import check_may_leave
from clinicnum.scripts.commands.inference.client_plan import Plan, TokenCounts
from clinicnum.scripts.commands.inference.options import RunOptions
from clinicnum.scripts.commands.inference.process_rank import Process

CONCURRENCY = 32
TIMEOUT_S = 600.0
RETRIES = 6


def plan(order: RunOptions, process: Process, benchmark: BenchmarkIndex) -> Plan:
    """Plan the run after asking the server for its model.

    Raises InputError if the server may not be used or is down, if it lacks the model, or if an option is for
    local models only.
    """
    for name, value in (
        ("--dtype", order.dtype),
        ("--quantize", order.quantize),
        ("--batch-tokens", order.batch_tokens),
        ("--threads", order.threads),
        ("--gpus-per-rank", order.gpus_per_rank),
    ):
        if value is not None:
            raise InputError(f"{name}: is the server's own choice with --client openai; leave it out")
    if order.base_url is None:
        raise InputError(
            "--base-url: missing; --client openai takes a server's address such as http://127.0.0.1:8000/v1"
        )
    client = OpenAIClient(
        order.base_url,
        order.model,
        api_key=_key(order.api_key_env),
        concurrency=order.concurrency or CONCURRENCY,
        timeout_s=order.timeout_s or TIMEOUT_S,
        retries=RETRIES if order.retries is None else order.retries,
    )
    host = urlsplit(order.base_url).hostname or "the server"
    elsewhere = not is_local(order.base_url)
    if elsewhere and not order.allow_remote:
        check_may_leave(order.benchmark, benchmark, elsewhere=f"--base-url: {host} is not this machine")
    served = client.check()
    if client.gateway and not order.allow_remote:
        check_may_leave(order.benchmark, benchmark, elsewhere=f"--base-url: {host} is {client.gateway}")
    described = client.describe()
    return Plan(
        model=served,
        fingerprint=f"server:{served}",
        identity={"dtype": None, "quantize": None, "template_date": None, "server_says": client.says},
        facts={"client": "openai", "remote": elsewhere or client.gateway is not None, **described},
        said=f"{served} on {described['base_url']}",
        start=lambda: client,
        count_tokens=lambda requests: _count(requests, order.tokenizer),
        floor_s=lambda prompt_tokens, new_tokens: None,
    )


def _key(variable: str | None) -> str | None:
    if variable is None:
        return None
    key = os.environ.get(variable, "").strip()
    if not key:
        raise InputError(
            f"--api-key-env {variable}: not set in the environment; set it, or leave the option out"
        )
    return key


def _count(requests: Sequence[Request], tokenizer: Path | None) -> TokenCounts:
    if tokenizer is not None:
        from clinicnum.scripts.commands.inference.plan_local_run import count_tokens

        return count_tokens(tokenizer, requests)
    each = [
        sum(len(message["content"]) for message in request.messages) // CHARACTERS_PER_TOKEN
        for request in requests
    ]
    return TokenCounts(
        each, f"estimated: characters / {CHARACTERS_PER_TOKEN}; --tokenizer FOLDER counts them"
    )
