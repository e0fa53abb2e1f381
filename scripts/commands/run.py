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
    LimitOption,
    MaxNewTokensOption,
    ModelOption,
    OutOption,
    QuantizeOption,
    RetriesOption,
    RunOptions,
    SeedOption,
    TemplateArgOption,
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
    seed: SeedOption = 0,
    template_arg: TemplateArgOption = None,
    thinking: ThinkingOption = None,
    dry_run: DryRunOption = False,
) -> None:
    """Run a model over a benchmark, one line of JSONL per instance.

    Interrupt it whenever you like: the same command goes on where it stopped. Under torchrun or accelerate
    launch each process takes its share of the instances, and the last one to end joins their files.

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
            template_args=tuple(template_arg or ()),
            thinking=thinking,
            dry_run=dry_run,
        )
    )
