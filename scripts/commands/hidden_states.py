"""`clinicnum hidden-states`: a model's mean-pooled last hidden state for each context, as an array."""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

if TYPE_CHECKING:
    from clinicnum.inference.hidden_states import Context
    from clinicnum.inference.local.loading import LoadedModel


def hidden_states(
    benchmark: Annotated[Path, typer.Option(help="Instances, as `clinicnum generate` writes them.")],
    model: Annotated[Path, typer.Option(help="A transformers model folder, or a GGUF file.")],
    out: Annotated[Path, typer.Option(help="The .npy file to write.")],
    dtype: Annotated[
        Literal["auto", "float32", "bfloat16", "float16"],
        typer.Option(help="Number type to compute in; the file is float32."),
    ] = "auto",
    batch_tokens: Annotated[int, typer.Option(min=1, help="Padded tokens a batch may hold.")] = 4_096,
) -> None:
    """Write the mean-pooled last hidden state of every distinct context, float32 [contexts, hidden size].

    The model reads the context alone, without question or chat template. OUT.rows.jsonl says which row is
    which context and which instances are about it.

    Example: clinicnum hidden-states --benchmark bench.jsonl --model ./smollm2 --out states.npy
    """
    os.environ.setdefault("HF_HUB_OFFLINE", "1")  # a model folder is complete, so nothing is downloaded
    from clinicnum.credentialed_data import data_use, mark
    from clinicnum.errors import InputError
    from clinicnum.inference.hidden_states import contexts_of, rows_path
    from clinicnum.inference.model_folder import check_model_folder, model_fingerprint
    from clinicnum.io.benchmark import read_benchmark
    from clinicnum.io.jsonl import read_meta, sha256_file
    from clinicnum.scripts.commands.common.credentialed_warning import warn

    if out.suffix != ".npy":
        raise InputError(f"{out}: --out must end in .npy, as numpy reads it")
    check_model_folder(model)
    instances = list(read_benchmark(benchmark).values())
    said = data_use(read_meta(benchmark) or {}, instances)
    contexts = contexts_of(instances)
    from clinicnum.inference.local.loading import load

    loaded = load(model, dtype=dtype)
    meta = {
        "benchmark_sha256": sha256_file(benchmark),
        "model": model.resolve().name,
        "model_fingerprint": model_fingerprint(model),
        "dtype": loaded.dtype,
        "device": loaded.device,
        **mark(said),
    }
    _say(f"{meta['model']} on {loaded.device} in {loaded.dtype} ({loaded.why_dtype})")
    written, left_out = _write(contexts, loaded, out, meta, batch_tokens)
    _say(f"{out}: {written} contexts; which is which stands in {rows_path(out).name}")
    warn(said)
    if left_out:
        _say(f"{left_out} contexts have no row: empty or longer than the model's window")


def _write(
    contexts: "list[Context]", loaded: "LoadedModel", out: Path, meta: dict[str, Any], batch_tokens: int
) -> tuple[int, int]:
    """Write the array with a progress bar; returns how many contexts have a row, and how many have none."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from clinicnum.inference.hidden_states import write_hidden_states

    columns = (TextColumn("reading"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task("", total=len(contexts))

        def advance(done: int) -> None:
            bar.update(task, completed=done)

        return write_hidden_states(
            contexts, loaded, out, meta=meta, batch_tokens=batch_tokens, progress=advance
        )


def _say(line: str) -> None:
    print(line, file=sys.stderr)
