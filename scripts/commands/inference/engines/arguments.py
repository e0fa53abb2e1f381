"""Command line of each engine's server, for the options of `clinicnum run`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Literal

from clinicnum.errors import InputError

EngineName = Literal["vllm", "sglang", "llama.cpp", "transformers"]
SERVED_NAME = "model"
"""Model name given to the server, if it takes one."""


@dataclass(frozen=True)
class EngineSettings:
    """Settings of an engine; None leaves the choice to it."""

    tensor_parallel: int | None = None
    """GPUs among which each layer is divided."""
    pipeline_parallel: int | None = None
    """Stages among which the layers are divided."""
    gpu_memory: float | None = None
    """Share of each GPU's memory, above 0 to 1."""
    max_model_len: int | None = None
    """Most tokens of a prompt and its answer together."""
    quantization: str | None = None
    """The engine's own name of a quantisation, such as `fp8`."""
    dtype: str | None = None
    """The number type of the weights, such as `bfloat16`."""
    arguments: tuple[str, ...] = ()
    """Further arguments, passed on unchanged."""


@dataclass(frozen=True)
class Engine:
    """How the server of one engine is found, installed, started and asked."""

    name: EngineName
    package: str | None
    """Python package that gives the version; None for a program of another kind."""
    program: str
    """The program's name in its environment."""
    start: tuple[str, ...]
    """Arguments between the program and the model."""
    settings: tuple[str, ...]
    """Arguments that keep the server from taking settings from the model's folder."""
    flags: Mapping[str, str]
    """`EngineSettings` field -> the engine's own option."""
    install: str
    """Command that installs it."""
    at_once: int
    """Concurrent requests by default."""
    key_variable: str | None = None
    """Environment variable from which the server takes the key it will require."""
    prompts: Literal["ids", "text"] = "ids"
    """Form in which it takes prompts: as token ids, or as text only."""
    environment: Mapping[str, str] = field(default_factory=dict)
    """Environment variables with which its server is started."""


_PARALLEL = {
    "tensor_parallel": "--tensor-parallel-size",
    "pipeline_parallel": "--pipeline-parallel-size",
    "quantization": "--quantization",
    "dtype": "--dtype",
}
ENGINES: Mapping[str, Engine] = {
    "vllm": Engine(
        name="vllm",
        package="vllm",
        program="vllm",
        start=("serve",),
        settings=("--served-model-name", SERVED_NAME, "--generation-config", "vllm"),
        flags=_PARALLEL | {"gpu_memory": "--gpu-memory-utilization", "max_model_len": "--max-model-len"},
        install="python3 -m venv {folder} && {folder}/bin/pip install vllm",
        at_once=256,
        key_variable="VLLM_API_KEY",
        environment={"VLLM_NO_USAGE_STATS": "1", "HF_HUB_OFFLINE": "1"},
    ),
    "sglang": Engine(
        name="sglang",
        package="sglang",
        program="python",
        start=("-m", "sglang.launch_server", "--model-path"),
        settings=("--served-model-name", SERVED_NAME, "--sampling-defaults", "openai"),
        flags=_PARALLEL | {"gpu_memory": "--mem-fraction-static", "max_model_len": "--context-length"},
        install="python3 -m venv {folder} && {folder}/bin/pip install sglang",
        at_once=256,
        # Log-probabilities before the temperature, as the others give them.
        environment={"HF_HUB_OFFLINE": "1", "SGLANG_RETURN_ORIGINAL_LOGPROB": "1"},
    ),
    "llama.cpp": Engine(
        name="llama.cpp",
        package=None,
        program="llama-server",
        start=("-m",),
        # A GGUF file carries the model's repetition penalty, and a request's word for it is another here.
        settings=("--alias", SERVED_NAME, "--offline", "--repeat-penalty", "1"),
        flags={},
        install="scripts/dev/llama_server",
        at_once=8,
        key_variable="LLAMA_API_KEY",
    ),
    "transformers": Engine(
        name="transformers",
        package="transformers",
        program="transformers",
        start=("serve",),
        settings=(),
        flags={"quantization": "--quantization", "dtype": "--dtype"},
        install='pip install "transformers[serving]"',
        at_once=4,
        prompts="text",
        environment={"HF_HUB_OFFLINE": "1"},
    ),
}


def engine_arguments(
    engine: Engine, program: Path, model: Path, settings: EngineSettings, *, at_once: int, window: int | None
) -> list[str]:
    """The command line of the server, without address and port.

    `at_once` is the number of requests that it serves together, `window` the model's context length in
    tokens, None if unknown. Raises InputError for a setting that the engine lacks.
    """
    command = [str(program), *engine.start, str(model), *engine.settings]
    if engine.name == "llama.cpp":
        length = settings.max_model_len or window
        command += ["-np", str(at_once)] + (["-c", str(at_once * length)] if length else [])
    for one in fields(settings):
        value = getattr(settings, one.name)
        if one.name == "arguments" or value is None:
            continue
        if one.name in engine.flags:
            command += [engine.flags[one.name], str(value)]
        elif (engine.name, one.name) != ("llama.cpp", "max_model_len"):
            raise InputError(
                f"--{one.name.replace('_', '-')}: {engine.name} has no such setting here; leave it out, or "
                "give the engine's own option with --engine-arg"
            )
    return [*command, *settings.arguments]


def address_arguments(port: int) -> Sequence[str]:
    """Address options: this machine only."""
    return ("--host", "127.0.0.1", "--port", str(port))
