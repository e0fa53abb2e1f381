"""`clinicnum attack`: for each item that a model answers rightly, search for a variant that it answers
wrongly.
"""

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from clinicnum.scripts.commands.inference.options import (
    AllowRemoteOption,
    ApiKeyEnvOption,
    BaseUrlOption,
    BatchTokensOption,
    ClientOption,
    ConcurrencyOption,
    DtypeOption,
    EngineArgOption,
    EnginePathOption,
    EngineStartTimeoutOption,
    GpuMemoryOption,
    MaxModelLenOption,
    MaxNewTokensOption,
    ModelOption,
    OneEngineOption,
    PipelineParallelOption,
    PromptOption,
    QuantizationOption,
    QuantizeOption,
    RetriesOption,
    RunOptions,
    TemplateArgOption,
    TensorParallelOption,
    ThinkingOption,
    ThreadsOption,
    TimeoutOption,
)

if TYPE_CHECKING:
    from clinicnum.robustness import Answer
    from clinicnum.robustness.attack_strategy import Attack
    from clinicnum.scripts.commands.inference.adaptive_run import Ask
    from clinicnum.types import Instance


def attack(
    benchmark: Annotated[
        Path, typer.Option(help="Items with variants, as `clinicnum generate --variants attack` writes them.")
    ],
    model: ModelOption,
    out: Annotated[Path, typer.Option(help="Folder to write; an unfinished attack in it is continued.")],
    budget: Annotated[int, typer.Option(help="Variants asked an item, at most on average.", min=1)] = 5,
    order: Annotated[
        Literal["adaptive", "static"],
        typer.Option(help="adaptive: kinds that broke other items first. static: as in the benchmark."),
    ] = "adaptive",
    per_round: Annotated[
        int, typer.Option(help="Items asked at a time; their answers decide about the next.", min=1)
    ] = 64,
    seed: Annotated[int, typer.Option(help="Of the choices: same seed and answers, same attack.")] = 0,
    bank: Annotated[
        Path | None, typer.Option(help="Folder of templates that the benchmark was made from.")
    ] = None,
    client: ClientOption = "local",
    max_new_tokens: MaxNewTokensOption = 256,
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
    prompt: PromptOption = None,
    template_arg: TemplateArgOption = None,
    thinking: ThinkingOption = None,
    engine: OneEngineOption = None,
    engine_path: EnginePathOption = None,
    engine_arg: EngineArgOption = None,
    engine_start_timeout: EngineStartTimeoutOption = None,
    tensor_parallel: TensorParallelOption = None,
    pipeline_parallel: PipelineParallelOption = None,
    gpu_memory: GpuMemoryOption = None,
    max_model_len: MaxModelLenOption = None,
    quantization: QuantizationOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
) -> None:
    """Ask variants of each rightly answered item until one is answered wrongly or the budget is spent.

    Every gold is recomputed before anything is asked; a benchmark with a finding is refused. Interrupt it
    whenever you like: the same command goes on where it stopped. With --engine the server of vLLM, SGLang or
    llama.cpp is started once for all rounds, and stopped at the end.

    Example: clinicnum attack --benchmark bench.jsonl --model ./smollm2 --budget 5 --out attack
    """
    os.environ.setdefault("HF_HUB_OFFLINE", "1")  # a model folder is complete, so nothing is downloaded
    from clinicnum.errors import InputError
    from clinicnum.io.benchmark import read_benchmark
    from clinicnum.robustness.attack_strategy import Attack
    from clinicnum.scripts.commands.inference.adaptive_run import asked_in_rounds

    run = RunOptions(
        benchmark=benchmark,
        model=model,
        out=out / "run.jsonl",
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
        max_new_tokens=max_new_tokens,
        prompt=prompt,
        template_args=tuple(template_arg or ()),
        thinking=thinking,
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
    instances = read_benchmark(benchmark)
    _check_golds(benchmark, list(instances.values()), bank)
    candidates = _candidates(benchmark, list(instances.values()))
    _make_folder(out)
    with asked_in_rounds(run) as ask:
        answers = _answers(instances, list(candidates), ask)
        right = {base: variants for base, variants in candidates.items() if answers[base].right}
        if not right:
            raise InputError(
                f"{model}: answered none of {len(candidates)} items rightly, so there is nothing to attack; "
                f"its answers are in {run.out}"
            )
        search = Attack(right, budget=budget, order=order, seed=seed, per_round=per_round)
        while chosen := search.next_round():
            found = _answers(instances, [one.instance_id for one in chosen.values()], ask)
            answers |= found
            told = {base: found[one.instance_id] for base, one in chosen.items()}
            search.learn({base: None if one.failed else not one.right for base, one in told.items()})
    _write(out, benchmark, search, answers, len(candidates), as_json=as_json)


def _check_golds(benchmark: Path, instances: "Sequence[Instance]", bank: Path | None) -> None:
    """Raise InputError if a gold of the benchmark is not what lint computes, or cannot be computed."""
    from clinicnum.errors import InputError
    from clinicnum.lint.instance_check import NO_TEMPLATE
    from clinicnum.lint.lint_file import lint
    from clinicnum.lint.lint_results import Finding
    from clinicnum.scripts.commands.lint import templates_of

    for said in lint(benchmark, templates_of(benchmark, bank)).said:
        where = f"{benchmark}:{said.place.line}"
        if isinstance(said, Finding):
            raise InputError(
                f"{where}: {said.text()}; nothing was asked: see `clinicnum lint`, and make the file anew"
            )
        # Of items made elsewhere nothing can be recomputed: each variant was compared with its base.
        if said.reason == NO_TEMPLATE and instances[said.place.row - 1].operation != "external":
            raise InputError(f"{where}: the gold of {said.template} cannot be recomputed; give its --bank")


def _candidates(benchmark: Path, instances: "Sequence[Instance]") -> "dict[str, list[Instance]]":
    from clinicnum.errors import InputError
    from clinicnum.robustness.attack_strategy import candidates_of
    from clinicnum.scoring import check_scorable

    found = candidates_of(instances)
    if not found:
        raise InputError(
            f"{benchmark}: holds no variants to attack with; make it anew with --variants attack, or with "
            "--variants attack,attack+attack for pairs too"
        )
    for one in instances:
        check_scorable(one)
    return found


def _make_folder(out: Path) -> None:
    from clinicnum.errors import InputError

    if out.is_file() or not out.parent.is_dir():
        raise InputError(f"--out {out}: expected a folder, new or of an attack, in a folder that exists")
    out.mkdir(exist_ok=True)


def _answers(instances: "Mapping[str, Instance]", ids: Sequence[str], ask: "Ask") -> "dict[str, Answer]":
    """The model's answers to these instances, scored."""
    from clinicnum.robustness import Answer
    from clinicnum.scoring import score

    return {
        name: Answer(instances[name], one, score(instance=instances[name], generation=one))
        for name, one in ask(ids).items()
    }


def _write(
    out: Path,
    benchmark: Path,
    search: "Attack",
    answers: "Mapping[str, Answer]",
    asked_bases: int,
    *,
    as_json: bool,
) -> None:
    """Write what was asked as a benchmark, its generations and scores, and the figures; print the last."""
    from dataclasses import asdict

    from clinicnum.credentialed_data import data_use, mark
    from clinicnum.io.jsonl import read_meta, replacing, sha256_file, write_jsonl
    from clinicnum.robustness.attack_success import attack_figures
    from clinicnum.scripts.commands.common.credentialed_warning import warn
    from clinicnum.scripts.commands.text.attack import attack_text

    found = attack_figures(search)
    ids = [
        name
        for base, item in search.items.items()
        for name in (base, *(one.instance_id for one in item.asked))
    ]
    kept = [answers[name] for name in ids]
    made_from, run = read_meta(benchmark) or {}, read_meta(out / "run.jsonl") or {}
    marked = mark(data_use(made_from, (one.instance for one in kept), run))
    names = {name: out / f"{name}.jsonl" for name in ("benchmark", "generations", "scores")}
    told = {"attacked_sha256": sha256_file(benchmark), "budget": found.budget, "order": found.order}
    counts = {"counts": {"instances": len(kept)}, "attack": told | {"seed": found.seed}}
    write_jsonl(names["benchmark"], [one.instance for one in kept], made_from | counts | marked)
    of_benchmark = {"benchmark_sha256": sha256_file(names["benchmark"])}
    write_jsonl(names["generations"], [one.generation for one in kept], run | of_benchmark | marked)
    of_generations = of_benchmark | {"generations_sha256": sha256_file(names["generations"])}
    write_jsonl(names["scores"], [one.score for one in kept], of_generations | marked)
    figures: dict[str, Any] = {"model": run.get("model"), "n_bases_asked": asked_bases, **asdict(found)}
    figures["broken_by"] = {
        base: item.broken_by.instance_id for base, item in search.items.items() if item.broken_by
    }
    figures |= marked
    with replacing(out / "attack.json") as handle:
        json.dump(figures, handle, indent=2, ensure_ascii=False, allow_nan=False)
        handle.write("\n")
    warn(marked.get("data_use"))
    typer.echo(json.dumps(figures, allow_nan=False) if as_json else attack_text(figures, str(out)))
