"""`clinicnum run`: a model's generations for a benchmark, resumable at any instant."""

import os
import platform
import sys
import time
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

if TYPE_CHECKING:
    from clinicnum.inference.client import Decoding
    from clinicnum.inference.journal import Journal
    from clinicnum.types import Instance

_PACKAGES = ("clinicnum", "transformers", "torch", "accelerate", "tokenizers")


def run(
    benchmark: Annotated[Path, typer.Option(help="Instances, as `clinicnum generate` writes them.")],
    model: Annotated[Path, typer.Option(help="A transformers model folder on this machine.")],
    out: Annotated[
        Path, typer.Option(help="Generations file; an unfinished one of the same run is continued.")
    ],
    client: Annotated[Literal["local"], typer.Option(help="How the model is run.")] = "local",
    dtype: Annotated[
        Literal["auto", "float32", "bfloat16", "float16"],
        typer.Option(help="Number type. auto: bfloat16 where the hardware has it."),
    ] = "auto",
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first N instances.")] = None,
    batch_tokens: Annotated[
        int | None, typer.Option(min=1, help="Padded tokens a batch may hold; 8192 on CPU, 65536 on a GPU.")
    ] = None,
    max_new_tokens: Annotated[int, typer.Option(min=1, help="Longest generation.")] = 256,
    seed: Annotated[
        int, typer.Option(min=0, help="Recorded with the run; greedy decoding draws nothing.")
    ] = 0,
) -> None:
    """Run a model over a benchmark, one line of JSONL per instance.

    Interrupt it whenever you like: the same command goes on where it stopped.

    Example: clinicnum run --benchmark bench.jsonl --model ./smollm2 --out generations.jsonl
    """
    os.environ.setdefault("HF_HUB_OFFLINE", "1")  # a model folder is complete: nothing is fetched
    from clinicnum.benchmark import read_benchmark
    from clinicnum.inference.client import Decoding
    from clinicnum.inference.journal import check_continues, opened
    from clinicnum.inference.model_folder import check_model_folder, model_fingerprint
    from clinicnum.inference.runner import run_identity
    from clinicnum.jsonl import sha256_file

    check_model_folder(model)
    known = read_benchmark(benchmark)
    instances = list(known.values())
    decoding = Decoding(max_new_tokens=max_new_tokens, seed=seed)
    identity = run_identity(
        model_fingerprint=model_fingerprint(model),
        prompt_ids=[instance.prompt_id for instance in instances],
        decoding=decoding,
        benchmark_sha256=sha256_file(benchmark),
    )
    from clinicnum.inference.local import compute_device, default_batch_tokens, resolve_dtype

    name, why = resolve_dtype(dtype)
    identity |= {"dtype": name, "model": model.resolve().name}
    check_continues(out, identity)
    session = {
        "client": client,
        "device": compute_device(),
        "batch_tokens": batch_tokens or default_batch_tokens(),
        "versions": {package: version(package) for package in _PACKAGES}
        | {"python": platform.python_version()},
    }
    _say(f"{identity['model']} on {session['device']} in {name} ({why})")
    with opened(out, identity=identity, session=session, known=known) as journal:
        _complete(instances[:limit], model, name, batch_tokens, decoding, journal, str(identity["run_id"]))
    _say(f"{out}: run {identity['run_id']}")


def _complete(
    instances: "list[Instance]",
    model: Path,
    dtype: Any,
    batch_tokens: int | None,
    decoding: "Decoding",
    journal: "Journal",
    run_id: str,
) -> None:
    """Load the model if anything is left to do, and write what it makes of it."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    from clinicnum.inference.local import LocalClient
    from clinicnum.inference.runner import run_instances
    from clinicnum.types import Generation

    already = sum(instance.instance_id in journal.done for instance in instances)
    if already:
        _say(f"{already} of {len(instances)} are done already")
    if already == len(instances):
        return
    loaded = LocalClient.load(model, dtype=dtype, batch_tokens=batch_tokens)
    reasons = {"stop": 0, "length": 0, "error": 0}
    columns = (TextColumn("generating"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[left]}"))
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task("", total=len(instances), completed=already, left="")
        started = time.monotonic()

        def advance(generation: Generation) -> None:
            reasons[generation.finish_reason] += 1
            done = sum(reasons.values())
            seconds = time.monotonic() - started
            to_go = round((len(instances) - already - done) * seconds / done)
            left = f"{done / seconds:.2f} a second, {to_go // 60}:{to_go % 60:02d} left"
            bar.update(task, completed=already + done, left=left)

        written = run_instances(
            instances,
            client=loaded,
            run_id=run_id,
            decoding=decoding,
            done=journal.done,
            write=journal.write,
            progress=advance,
        )
    _say(
        f"{written} generated: {reasons['stop']} ended, {reasons['length']} cut off, "
        f"{reasons['error']} did not fit"
    )


def _say(line: str) -> None:
    print(line, file=sys.stderr)
