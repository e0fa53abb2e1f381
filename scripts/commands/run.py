"""`clinicnum run`: generate a model's answers to a benchmark; can be interrupted and resumed at any time."""

import os

from clinicnum.scripts.commands.inference.options import (
    AllowRemoteOption,
    ApiKeyEnvOption,
    BaseUrlOption,
    BatchTokensOption,
    BenchmarkOption,
    ClientOption,
    ConcurrencyOption,
    DryRunOption,
    DtypeOption,
    EngineArgOption,
    EngineOption,
    EnginePathOption,
    EngineStartTimeoutOption,
    GpuMemoryOption,
    LimitOption,
    MaxModelLenOption,
    MaxNewTokensOption,
    ModelOption,
    OutOption,
    PipelineParallelOption,
    QuantizationOption,
    QuantizeOption,
    RetriesOption,
    RunOptions,
    SamplesOption,
    SeedOption,
    TemperatureOption,
    TemplateArgOption,
    TensorParallelOption,
    ThinkingOption,
    ThreadsOption,
    TimeoutOption,
    TokenizerOption,
)


def run(
    benchmark: BenchmarkOption,
    model: ModelOption,
    out: OutOption,
    client: ClientOption = "local",
    dtype: DtypeOption = None,
    quantize: QuantizeOption = None,
    batch_tokens: BatchTokensOption = None,
    threads: ThreadsOption = None,
    base_url: BaseUrlOption = None,
    api_key_env: ApiKeyEnvOption = None,
    concurrency: ConcurrencyOption = None,
    timeout_s: TimeoutOption = None,
    retries: RetriesOption = None,
    allow_remote: AllowRemoteOption = False,
    tokenizer: TokenizerOption = None,
    max_new_tokens: MaxNewTokensOption = 256,
    limit: LimitOption = None,
    temperature: TemperatureOption = 0.0,
    samples: SamplesOption = 1,
    seed: SeedOption = 0,
    template_arg: TemplateArgOption = None,
    thinking: ThinkingOption = None,
    dry_run: DryRunOption = False,
    engine: EngineOption = None,
    engine_path: EnginePathOption = None,
    engine_arg: EngineArgOption = None,
    engine_start_timeout: EngineStartTimeoutOption = None,
    tensor_parallel: TensorParallelOption = None,
    pipeline_parallel: PipelineParallelOption = None,
    gpu_memory: GpuMemoryOption = None,
    max_model_len: MaxModelLenOption = None,
    quantization: QuantizationOption = None,
) -> None:
    """Run a model over a benchmark, one line of JSONL per instance.

    Interrupt it whenever you like: the same command goes on where it stopped. Under torchrun or accelerate
    launch each process takes its share of the instances, and the last one to end joins their files. With
    --engine the server of vLLM, SGLang or llama.cpp is started, asked and stopped.

    Example: clinicnum run --benchmark bench.jsonl --model ./smollm2 --out generations.jsonl
    """
    os.environ.setdefault("HF_HUB_OFFLINE", "1")  # a model folder is complete, so nothing is downloaded
    from clinicnum.scripts.commands.inference.execute import execute

    execute(
        RunOptions(
            benchmark=benchmark,
            model=model,
            out=out,
            client=client,
            dtype=dtype,
            quantize=quantize,
            batch_tokens=batch_tokens,
            threads=threads,
            base_url=base_url,
            api_key_env=api_key_env,
            concurrency=concurrency,
            timeout_s=timeout_s,
            retries=retries,
            allow_remote=allow_remote,
            tokenizer=tokenizer,
            max_new_tokens=max_new_tokens,
            limit=limit,
            seed=seed,
            temperature=temperature,
            samples=samples,
            template_args=tuple(template_arg or ()),
            thinking=thinking,
            dry_run=dry_run,
            engine=engine,
            engine_path=engine_path,
            engine_args=tuple(engine_arg or ()),
            engine_start_timeout=engine_start_timeout,
            tensor_parallel=tensor_parallel,
            pipeline_parallel=pipeline_parallel,
            gpu_memory=gpu_memory,
            max_model_len=max_model_len,
            quantization=quantization,
        )
    )
