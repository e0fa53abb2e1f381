"""The options of `clinicnum run`."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from clinicnum.errors import InputError
from clinicnum.scripts.commands.inference.engines.arguments import EngineName
from clinicnum.scripts.commands.inference.prices import Prices

ClientName = Literal["local", "openai"]
QuantizeName = Literal["4bit", "8bit"]
DtypeName = Literal["auto", "float32", "bfloat16", "float16"]


@dataclass(frozen=True)
class RunOptions:
    """The options of `clinicnum run`; None means not given."""

    benchmark: Path
    model: str
    out: Path
    client: ClientName = "local"
    dtype: DtypeName | None = None
    quantize: QuantizeName | None = None
    batch_tokens: int | None = None
    threads: int | None = None
    base_url: str | None = None
    api_key_env: str | None = None
    concurrency: int | None = None
    timeout_s: float | None = None
    retries: int | None = None
    allow_remote: bool = False
    tokenizer: Path | None = None
    max_new_tokens: int = 256
    limit: int | None = None
    seed: int = 0
    temperature: float = 0.0
    samples: int = 1
    template_args: tuple[str, ...] = ()
    thinking: Literal["on", "off"] | None = None
    dry_run: bool = False
    engine: Literal[EngineName, "ray"] | None = None
    engine_path: Path | None = None
    engine_args: tuple[str, ...] = ()
    engine_start_timeout: float | None = None
    tensor_parallel: int | None = None
    pipeline_parallel: int | None = None
    gpu_memory: float | None = None
    max_model_len: int | None = None
    quantization: str | None = None
    ray_engine: EngineName | None = None
    ray_workers: int | None = None
    ray_gpus: int | None = None
    ray_address: str | None = None
    gpus_per_rank: int | None = None
    prices: Prices | None = None
    prompt: Path | None = None


_OF_ENGINES = (
    *("engine_path", "engine_args", "engine_start_timeout", "tensor_parallel", "pipeline_parallel"),
    *("gpu_memory", "max_model_len", "quantization"),
)


def check_engine_options(order: RunOptions) -> None:
    """Raise InputError for an option of engines, or of Ray, where none is to be started."""
    on_ray = order.engine == "ray"
    for names, belongs, option, wanted in (
        (
            _OF_ENGINES,
            "an engine",
            "--ray-engine" if on_ray else "--engine",
            order.ray_engine if on_ray else order.engine,
        ),
        (_OF_RAY, "Ray", "--engine ray", on_ray),
    ):
        given = [name for name in names if getattr(order, name) not in (None, ())]
        if given and not wanted:
            name = "engine-arg" if given[0] == "engine_args" else given[0].replace("_", "-")
            raise InputError(f"--{name}: belongs to {belongs}; give {option} too, or leave it out")


_OF_RAY = ("ray_engine", "ray_workers", "ray_gpus", "ray_address")
_LOCAL, _SERVER = "Model on this machine", "Model behind a server"
_ENGINE = "Engine that is started for the run"
_RAY = "Workers that Ray starts"


def _option(help_text: str, *names: str, panel: str | None = None, **settings: Any) -> Any:
    return typer.Option(*names, help=help_text, rich_help_panel=panel, **settings)


BenchmarkOption = Annotated[Path, _option("Instances, as `clinicnum generate` writes them.")]
ModelOption = Annotated[
    str,
    _option(
        "A transformers model folder or GGUF file on this machine; for a server, the model's name there."
    ),
]
OutOption = Annotated[Path, _option("Generations file; an unfinished one of the same run is continued.")]
ClientOption = Annotated[
    ClientName, _option("How the model is run: here, or by an OpenAI-compatible server.")
]
DtypeOption = Annotated[
    DtypeName | None,
    _option("local: number type. auto (default): bfloat16 where the hardware has it.", panel=_LOCAL),
]
QuantizeOption = Annotated[
    QuantizeName | None, _option("local: load the weights quantised (bitsandbytes).", panel=_LOCAL)
]
BatchTokensOption = Annotated[
    int | None,
    _option(
        "local: most tokens in a batch; if not given, what memory holds.",
        min=1,
        panel=_LOCAL,
    ),
]
ThreadsOption = Annotated[
    int | None,
    _option("local: CPU threads of this process; each rank has an equal share of the cores.", min=1),
]
BaseUrlOption = Annotated[
    str | None, _option("openai: address of the server, such as http://127.0.0.1:8000/v1.", panel=_SERVER)
]
ApiKeyEnvOption = Annotated[
    str | None, _option("openai: environment variable that holds the server's key.", panel=_SERVER)
]
ConcurrencyOption = Annotated[
    int | None, _option("openai: requests at a time; 32 if not given.", min=1, panel=_SERVER)
]
TimeoutOption = Annotated[
    float | None,
    _option("openai: seconds to wait for an answer; 600 if not given.", "--timeout", min=1, panel=_SERVER),
]
RetriesOption = Annotated[
    int | None,
    _option("openai: further attempts after one that failed; 6 if not given.", min=0, panel=_SERVER),
]
AllowRemoteOption = Annotated[
    bool,
    _option(
        "openai, ray: the data may leave this machine; needed for a server or cluster elsewhere unless they "
        "are open.",
        "--allow-remote",
        panel=_SERVER,
    ),
]
TokenizerOption = Annotated[
    Path | None, _option("openai: the model's folder, to count tokens in a dry run.", panel=_SERVER)
]
MaxNewTokensOption = Annotated[int, _option("Longest generation.", min=1)]
LimitOption = Annotated[int | None, _option("Only the first N instances.", min=1)]
PromptOption = Annotated[
    Path | None,
    _option("Prompt of your own for all instances, YAML (docs/prompts.md); else the one that each names."),
]
SeedOption = Annotated[int, _option("Of the draws; at temperature 0 it is recorded only.", min=0)]
TemperatureOption = Annotated[
    float, _option("0: the likeliest token each time. Above: tokens are drawn, 1 as the model has them.")
]
SamplesOption = Annotated[
    int,
    _option("Answers drawn for each instance; the second and later go to OUT.sample-2 and so on.", min=1),
]
TemplateArgOption = Annotated[
    list[str] | None,
    _option(
        "KEY=VALUE for the model's chat template, such as reasoning_effort=low; may be repeated.",
        "--template-arg",
    ),
]
ThinkingOption = Annotated[
    Literal["on", "off"] | None,
    _option("Switch the thinking of a model whose chat template can; the template decides if not given."),
]
EngineOption = Annotated[
    Literal[EngineName, "ray"] | None,
    _option(
        "Start this engine's server with the model, ask it, and stop it; `clinicnum engines` lists them. "
        "ray: many workers with a model each.",
        panel=_ENGINE,
    ),
]
OneEngineOption = Annotated[
    EngineName | None,
    _option(
        "Start this engine's server with the model, ask it, and stop it; `clinicnum engines` lists them.",
        panel=_ENGINE,
    ),
]
EnginePathOption = Annotated[
    Path | None, _option("The engine's program, or the folder of its environment.", panel=_ENGINE)
]
EngineArgOption = Annotated[
    list[str] | None,
    _option(
        "An argument that the engine is given as it is, such as --engine-arg=--enforce-eager; repeatable.",
        "--engine-arg",
        panel=_ENGINE,
    ),
]
EngineStartTimeoutOption = Annotated[
    float | None,
    _option(
        "Seconds that the engine, or a first worker of Ray, may take to load the model; 1800 if not given.",
        min=1,
        panel=_ENGINE,
    ),
]
TensorParallelOption = Annotated[
    int | None, _option("GPUs among which each layer is divided.", min=1, panel=_ENGINE)
]
PipelineParallelOption = Annotated[
    int | None, _option("Stages among which the layers are divided.", min=1, panel=_ENGINE)
]
GpuMemoryOption = Annotated[
    float | None, _option("Share of each GPU's memory that the engine takes.", min=0.05, max=1, panel=_ENGINE)
]
MaxModelLenOption = Annotated[
    int | None, _option("Most tokens of a prompt and its answer together.", min=1, panel=_ENGINE)
]
QuantizationOption = Annotated[
    str | None, _option("The engine's own word for a quantisation, such as fp8 or awq.", panel=_ENGINE)
]
RayEngineOption = Annotated[
    EngineName | None,
    _option(
        "ray: the engine that each worker starts; the model is run without one if not given.", panel=_RAY
    ),
]
RayWorkersOption = Annotated[
    int | None,
    _option("ray: workers; as many as fit if not given, on CPUs one a machine.", min=1, panel=_RAY),
]
RayGpusOption = Annotated[
    int | None,
    _option(
        "ray: GPUs of a worker, among which its model is divided; 1 if not given and there are any.",
        min=0,
        panel=_RAY,
    ),
]
RayAddressOption = Annotated[
    str | None,
    _option(
        "ray: the cluster, or auto for the one that runs here; RAY_ADDRESS if not given, else a Ray of this "
        "machine is started for the run.",
        panel=_RAY,
    ),
]
GpusPerRankOption = Annotated[
    int | None,
    _option(
        "GPUs of each process where several share the run; one, and with --engine all, if not given.",
        min=1,
    ),
]
PriceInputOption = Annotated[
    float | None, _option("US dollars for a million tokens of prompts, to be told the costs.", min=0)
]
PriceOutputOption = Annotated[
    float | None, _option("US dollars for a million generated tokens, to be told the costs.", min=0)
]
DryRunOption = Annotated[
    bool, _option("Print tokens, costs and an estimate of the time; write nothing.", "--dry-run")
]
