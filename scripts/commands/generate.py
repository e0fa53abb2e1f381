"""`clinicnum generate`: make a benchmark from records and templates."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from clinicnum.api.make_benchmark import Watch
    from clinicnum.generation.instance_writer import QuestionInstances


def generate(
    source: Annotated[str, typer.Option(help="synthetic, mimic-iv-ed or csv.")] = "synthetic",
    path: Annotated[
        Path | None, typer.Option(help="Folder with vitalsign, edstays and patients; or the CSV.")
    ] = None,
    columns: Annotated[
        str,
        typer.Option(
            help="For csv: ours=theirs,... such as heart_rate_bpm=HR,temperature_c=Temp,temperature_unit=U."
        ),
    ] = "",
    open_data: Annotated[
        bool, typer.Option("--open-data", help="For csv: the data are open, not credentialed.")
    ] = False,
    preset: Annotated[str, typer.Option(help="small (16 questions) or paper (1,424).")] = "small",
    quota: Annotated[
        str, typer.Option(help="Questions instead of the preset's: retrieval=100,aggregation=50.")
    ] = "",
    representation: Annotated[str, typer.Option(help="all, or some of structured,templated,note.")] = "all",
    scope: Annotated[
        str | None, typer.Option(help="stay, or subject to pool a patient's stays; the preset's if absent.")
    ] = None,
    bank: Annotated[
        str, typer.Option(help="base, extended, all, a folder of templates, or a bank release.")
    ] = "base",
    notes: Annotated[
        Path | None, typer.Option(help="Notes whose vital signs give way to ours: .jsonl, .csv or .txt.")
    ] = None,
    variants: Annotated[
        str,
        typer.Option(help="Variants of every instance: input.typo,numeric.relevant; a+b is both at once."),
    ] = "",
    seed: Annotated[int, typer.Option(help="Same seed, same bytes.")] = 0,
    out: Annotated[Path | None, typer.Option(help="Benchmark to write, as JSONL.")] = None,
    explain: Annotated[
        str | None,
        typer.Option(help="Write nothing; show the worked solution of an instance (of --out if it exists)."),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the benchmark's description as JSON.")
    ] = False,
) -> None:
    """Generate a benchmark in which every gold is proven.

    Example: clinicnum generate --source synthetic --preset small --seed 0 --out bench.jsonl
    """
    from clinicnum.api.make_benchmark import plan_benchmark, write_benchmark
    from clinicnum.api.record_sources import Wanted
    from clinicnum.errors import InputError
    from clinicnum.io.jsonl import read_jsonl
    from clinicnum.scripts.commands.common.credentialed_warning import warn
    from clinicnum.scripts.commands.text.benchmark import explanation, summary
    from clinicnum.types import Instance

    wanted = Wanted(kind=source, path=path, columns=columns, open_data=open_data)
    if out is None and explain is None:
        raise InputError("--out is missing; name the benchmark to write, such as --out bench.jsonl")
    if explain is None and out is not None and (out.is_dir() or not out.parent.is_dir()):
        raise InputError(f"--out {out}: expected a file in a folder that exists; make the folder first")
    if explain is not None and out is not None and out.exists():
        typer.echo(explanation(read_jsonl(out, Instance), explain))
        return
    plan = plan_benchmark(
        wanted,
        preset=preset,
        quota=quota,
        representation=representation,
        scope=scope,
        bank=bank,
        notes=notes,
        variants=variants,
        seed=seed,
    )
    if out is None or explain is not None:
        typer.echo(explanation(plan.benchmark().instances, str(explain)))
        return
    meta = write_benchmark(plan, out, watch=_progress(sum(plan.preset.quotas.values())))
    for line in summary(meta, str(out)):
        typer.echo(line, err=True)
    warn(meta.get("data_use"))
    if as_json:
        typer.echo(json.dumps(meta, sort_keys=True))


def _progress(total: int) -> Watch:
    """A function that passes the generated questions on while it shows a progress bar of them, on a terminal
    only.
    """
    from rich.console import Console
    from rich.progress import track

    def watch(groups: Iterable[QuestionInstances]) -> Iterable[QuestionInstances]:
        console = Console(stderr=True)
        # Into a pipe, a progress bar would print an empty line.
        return track(
            groups,
            "questions",
            total=total,
            console=console,
            transient=True,
            disable=not console.is_interactive,
        )

    return watch
