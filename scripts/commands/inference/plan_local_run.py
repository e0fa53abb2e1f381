"""Plan a run with a model on this machine: check its folder and the options, and choose device, number type,
threads and GPUs. The weights are loaded when the run starts.
"""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from clinicnum.errors import InputError
from clinicnum.inference.benchmark_index import BenchmarkIndex
from clinicnum.inference.chat_template_inputs import (
    TEMPLATE_DATE,
    check_arguments,
    prints_date,
    template_arguments,
)
from clinicnum.inference.client_interface import Request
from clinicnum.inference.local import (
    LocalClient,
    compute_device,
    default_batch_tokens,
    resolve_dtype,
    token_counts,
)
from clinicnum.inference.model_folder import check_model_folder, model_fingerprint
from clinicnum.inference.model_metadata import (
    chat_template,
    checkpoint_dtype,
    context_window,
    folder_revision,
)
from clinicnum.scripts.commands.inference.client_plan import Plan, TokenCounts
from clinicnum.scripts.commands.inference.file_hashes import cached_sha256
from clinicnum.scripts.commands.inference.options import RunOptions
from clinicnum.scripts.commands.inference.process_rank import Process, claim_gpus, share_threads
from clinicnum.scripts.commands.inference.progress import say
from clinicnum.scripts.commands.inference.run_time_lower_bound import least_seconds


def plan(order: RunOptions, process: Process, benchmark: BenchmarkIndex) -> Plan:
    """Plan the run after inspecting the model's folder.

    Raises InputError if the folder holds no model, if an option is for servers only, or if torch sees fewer
    GPUs than were claimed.
    """
    for name, value in (
        ("--base-url", order.base_url),
        ("--api-key-env", order.api_key_env),
        ("--concurrency", order.concurrency),
        ("--timeout", order.timeout_s),
        ("--retries", order.retries),
        ("--tokenizer", order.tokenizer),
    ):
        if value is not None:
            raise InputError(f"{name}: belongs to a server; give --client openai too, or leave it out")
    folder = Path(order.model)
    check_model_folder(folder)
    arguments = template_arguments(order.template_args, order.thinking)
    template = chat_template(folder)
    check_arguments(template, arguments)
    threads = share_threads(process, order.threads)
    claim_gpus(process, order.gpus_per_rank)
    dtype, why = resolve_dtype(order.dtype or "auto", checkpoint_dtype(folder))
    device = _device(process, order.gpus_per_rank)
    budget = order.batch_tokens or default_batch_tokens()
    if device != "cpu":
        say("on a GPU an engine is several times faster: --engine vllm (`clinicnum engines` lists them)")
    return Plan(
        model=folder.resolve().name,
        fingerprint=model_fingerprint(folder, cached_sha256),
        identity={
            "server_says": None,
            "dtype": dtype,
            "quantize": order.quantize,
            "template_date": f"{TEMPLATE_DATE:%Y-%m-%d}" if prints_date(template) else None,
        },
        facts={
            "client": "local",
            "device": device,
            "threads": threads,
            "model_revision": folder_revision(folder),
        },
        said=f"{folder.resolve().name} on {device} in {dtype} ({why})",
        start=lambda: _load(folder, order, device),
        count_tokens=lambda requests: count_tokens(folder, requests, arguments),
        floor_s=lambda prompt, new: least_seconds(folder, device, dtype, budget, prompt, new),
    )


def _load(folder: Path, order: RunOptions, device: str) -> LocalClient:
    client = LocalClient.load(
        folder,
        dtype=order.dtype or "auto",
        batch_tokens=order.batch_tokens,
        quantize=order.quantize,
        device=device,
    )
    if not client.tokenizer.chat_template:
        say(f"{folder.resolve().name} has no chat template: it is given the prompts as plain text")
    return client


def count_tokens(
    folder: Path, requests: Sequence[Request], arguments: Mapping[str, Any] | None = None
) -> TokenCounts:
    """Prompt tokens, counted with the model's own tokenizer and chat template.

    Raises InputError if the folder holds no model, or no tokenizer that can be read.
    """
    check_model_folder(folder)
    return TokenCounts(
        token_counts(folder, requests, arguments), "counted by the model's tokenizer", context_window(folder)
    )


def _device(process: Process, claimed: int | None) -> str:
    """The device as `LocalClient.load` takes it: `cuda:N`, the GPU of this process's rank (ranks share GPUs
    if there are too few); the default device if GPUs were claimed, torch then seeing these alone, or if the
    process has no rank or there is no GPU.

    Raises InputError if torch sees fewer GPUs than were claimed.
    """
    import torch

    chosen, gpus = compute_device(), torch.cuda.device_count()
    if claimed and gpus < claimed:
        raise InputError(
            f"--gpus-per-rank {claimed}: torch sees {gpus} of GPUs {os.environ['CUDA_VISIBLE_DEVICES']}; "
            "correct CUDA_VISIBLE_DEVICES, or leave the option out"
        )
    if claimed or process.part is None or chosen == "cpu":
        return chosen
    return f"cuda:{process.local_rank % gpus}"
