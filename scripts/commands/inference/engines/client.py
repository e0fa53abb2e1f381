"""Plan a run that starts an engine and stops it afterwards."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
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
from clinicnum.inference.client_interface import Completion, Decoding, Request
from clinicnum.inference.local import ends_and_window, load_tokenizer
from clinicnum.inference.model_folder import check_model_folder, gguf_file, model_fingerprint
from clinicnum.inference.model_metadata import chat_template, folder_revision, generation_settings
from clinicnum.inference.openai import OpenAIClient
from clinicnum.inference.openai.token_prompts import TokenPrompts, settings_that_stay
from clinicnum.inference.shards import shard_path
from clinicnum.scripts.commands.inference.client_plan import Plan
from clinicnum.scripts.commands.inference.engines.arguments import (
    ENGINES,
    SERVED_NAME,
    Engine,
    EngineSettings,
    engine_arguments,
)
from clinicnum.scripts.commands.inference.engines.find_engine import Installed, find_engine
from clinicnum.scripts.commands.inference.engines.process import EngineProcess
from clinicnum.scripts.commands.inference.file_hashes import cached_sha256
from clinicnum.scripts.commands.inference.options import RunOptions
from clinicnum.scripts.commands.inference.plan_local_run import count_tokens
from clinicnum.scripts.commands.inference.process_rank import Process, claim_gpus

RETRIES = 2
"""Per request: a local engine that fails is watched, and does not recover."""
TIMEOUT_S = 3_600.0
"""Seconds for one request, including its wait in the engine's queue."""


class EngineClient:
    """Client of an engine started for one run."""

    def __init__(self, process: EngineProcess, client: OpenAIClient, facts: dict[str, Any]) -> None:
        self._process, self._client, self._facts = process, client, facts

    @property
    def counts(self) -> dict[str, int]:
        """As `OpenAIClient.counts`."""
        return self._client.counts

    def describe(self) -> dict[str, Any]:
        """What identifies the engine, and of the client its request limits, refused options and counts."""
        described = self._client.describe()
        kept = ("concurrency", "timeout_s", "retries", "not_taken", "counts")
        return self._facts | {key: described[key] for key in kept}

    def complete(self, requests: Iterable[Request], *, decoding: Decoding) -> Iterator[Completion]:
        """As `OpenAIClient.complete`; an error due to the engine's end says why it ended."""
        try:
            yield from self._client.complete(requests, decoding=decoding)
        except InputError as error:
            ended = self._process.ended()
            raise (error if ended is None else InputError(ended)) from error


def plan(order: RunOptions, process: Process, benchmark: BenchmarkIndex) -> Plan:
    """Plan the run after looking for the engine and inspecting the model's folder.

    Raises InputError for a model or settings that the engine does not take, and where it is not installed.
    """
    engine = ENGINES[order.engine or "vllm"]
    _check_options(order, process, engine)
    folder = Path(order.model)
    _check_model(folder, engine)
    arguments = template_arguments(order.template_args, order.thinking)
    template = chat_template(order.tokenizer or folder)
    check_arguments(template, arguments)
    installed = find_engine(engine, order.engine_path)
    claim_gpus(process, order.gpus_per_rank)
    out = order.out if process.part is None else shard_path(order.out, process.part)
    log = out.with_name(f"{out.stem}.{engine.name}.log")
    server, client, facts, window = _engine_and_client(order, engine, installed, folder.resolve(), log)
    return Plan(
        model=folder.resolve().name,
        fingerprint=model_fingerprint(folder, cached_sha256),
        identity={
            # Not the division among GPUs nor the memory: a run that ran out of it goes on with others.
            "server_says": {
                "engine": engine.name,
                "version": installed.version,
                "arguments": list(order.engine_args),
            },
            "dtype": order.dtype,
            "quantize": order.quantization,
            "template_date": f"{TEMPLATE_DATE:%Y-%m-%d}" if prints_date(template) else None,
        },
        facts=facts,
        said=f"{folder.resolve().name} by {engine.name} {installed.version}",
        start=lambda: _start(server, client, facts),
        stop=server.stop,
        count_tokens=lambda requests: replace(
            count_tokens(order.tokenizer or folder, requests, arguments), window=window
        ),
        floor_s=lambda prompt_tokens, new_tokens: None,
    )


def _engine_and_client(
    order: RunOptions, engine: Engine, installed: Installed, model: Path, log: Path
) -> tuple[EngineProcess, OpenAIClient, dict[str, Any], int]:
    """The server, not started; its client; what the run's meta says of both; and the window in tokens."""
    settings = _settings(order, engine)
    at_once = order.concurrency or engine.at_once
    tokenizer = load_tokenizer(order.tokenizer or model)
    ends, window = ends_and_window(model, tokenizer)
    window = min(window, settings.max_model_len or window)
    # llama.cpp starts with a file only; the others take a folder, and vLLM knows the file in it by itself.
    served = gguf_file(model) or model if engine.name == "llama.cpp" else model
    command = engine_arguments(engine, installed.program, served, settings, at_once=at_once, window=window)
    server = EngineProcess(engine, command, log=log, start_s=order.engine_start_timeout)
    client = OpenAIClient(
        server.address,
        SERVED_NAME if SERVED_NAME in engine.settings else str(model),
        api_key=server.key,
        concurrency=at_once,
        timeout_s=order.timeout_s or TIMEOUT_S,
        retries=RETRIES if order.retries is None else order.retries,
        dialect=TokenPrompts(tokenizer, ends=ends, window=window, form=engine.prompts),
    )
    facts = {
        "client": "engine",
        "engine": engine.name,
        "engine_version": installed.version,
        "engine_arguments": command[len(engine.start) + 2 :],
        "prompts": engine.prompts,
        "model_revision": folder_revision(model),
    }
    return server, client, facts, window


def _start(server: EngineProcess, client: OpenAIClient, facts: dict[str, Any]) -> EngineClient:
    server.start()
    return EngineClient(server, client, facts)


def _settings(order: RunOptions, engine: Engine) -> EngineSettings:
    tensor_parallel = order.tensor_parallel
    if tensor_parallel is None and "tensor_parallel" in engine.flags:
        # The others divide a model among the GPUs that they see by themselves.
        own = (order.gpus_per_rank or 1) // (order.pipeline_parallel or 1)
        tensor_parallel = own if own > 1 else None
    return EngineSettings(
        tensor_parallel=tensor_parallel,
        pipeline_parallel=order.pipeline_parallel,
        gpu_memory=order.gpu_memory,
        max_model_len=order.max_model_len,
        quantization=order.quantization,
        dtype=order.dtype,
        arguments=order.engine_args,
    )


def _check_options(order: RunOptions, process: Process, engine: Engine) -> None:
    for name, value in (
        ("--base-url", order.base_url),
        ("--api-key-env", order.api_key_env),
        ("--quantize", order.quantize),
        ("--batch-tokens", order.batch_tokens),
        ("--threads", order.threads),
    ):
        if value is not None:
            raise InputError(f"{name}: does not belong to --engine {engine.name}; leave it out")
    if order.client != "local":
        raise InputError("--client openai and --engine: the engine is started here; give one of them")
    if process.local_world > 1 and order.gpus_per_rank is None:
        raise InputError(
            f"--engine {engine.name}: {process.local_world} processes on this machine would each start one; "
            "start a single process, and divide the model with --tensor-parallel, or say with "
            "--gpus-per-rank how many GPUs each of them has"
        )


def _check_model(folder: Path, engine: Engine) -> None:
    check_model_folder(folder)
    stubborn = settings_that_stay(generation_settings(folder)) if engine.prompts == "text" else []
    if stubborn:
        raise InputError(
            f"--engine {engine.name}: {folder}/generation_config.json sets {', '.join(stubborn)}, which this "
            "engine would apply to every text; take another engine, or leave --engine out"
        )
    if engine.name == "llama.cpp" and gguf_file(folder) is None:
        raise InputError(
            f"--model {folder}: llama.cpp takes a GGUF file; convert the folder with "
            f"`scripts/dev/llama_server --gguf {folder}`, and give --tokenizer {folder} too"
        )
