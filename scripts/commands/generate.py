"""`clinicnum generate`: records and templates in, a benchmark out."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from clinicnum.generate import Benchmark
    from clinicnum.presets import Preset
    from clinicnum.records.loaded import Loaded, Scope
    from clinicnum.templates.template import Template
    from clinicnum.types import Instance, RepresentationName

SOURCES = ("synthetic", "mimic-iv-ed", "csv")


def generate(
    source: Annotated[str, typer.Option(help="synthetic, mimic-iv-ed or csv.")] = "synthetic",
    path: Annotated[
        Path | None, typer.Option(help="Folder with vitalsign, edstays and patients; or the CSV.")
    ] = None,
    columns: Annotated[
        str, typer.Option(help="For csv: ours=theirs,... such as heart_rate_bpm=HR,sbp_mmhg=SBP.")
    ] = "",
    preset: Annotated[str, typer.Option(help="small (24 questions) or paper (1,424).")] = "small",
    representation: Annotated[str, typer.Option(help="all, or some of structured,templated,note.")] = "all",
    scope: Annotated[
        str | None, typer.Option(help="stay, or subject to pool a patient's stays; the preset's if absent.")
    ] = None,
    bank: Annotated[Path | None, typer.Option(help="Folder of templates instead of the base bank.")] = None,
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
    """Generate a benchmark whose every gold is proven.

    Example: clinicnum generate --source synthetic --preset small --seed 0 --out bench.jsonl
    """
    from clinicnum.errors import InputError
    from clinicnum.jsonl import read_jsonl
    from clinicnum.presets import preset as preset_named
    from clinicnum.templates.bank import BASE_BANK, load_bank
    from clinicnum.types import Instance

    chosen = preset_named(preset)
    names = _representations(representation)
    if out is None and explain is None:
        raise InputError("--out is missing; name the benchmark to write, such as --out bench.jsonl")
    if explain is None and out is not None and (out.is_dir() or not out.parent.is_dir()):
        raise InputError(f"--out {out}: expected a file in a folder that exists; make the folder first")
    if explain is not None and out is not None and out.exists():
        typer.echo(_explanation(read_jsonl(out, Instance), explain))
        return
    order = _Order(
        loaded=_load(source, path, columns, chosen, seed),
        templates=load_bank(bank or BASE_BANK),
        preset=chosen,
        representations=names,
        scope=_scope(scope, chosen),
        seed=seed,
    )
    benchmark = _benchmark(order)
    if out is None or explain is not None:
        typer.echo(_explanation(benchmark.instances, str(explain)))
        return
    meta = _write(out, order, benchmark)
    _summary(meta, out)
    if as_json:
        typer.echo(json.dumps(meta, sort_keys=True))


@dataclass(frozen=True)
class _Order:
    """What is to be made, checked."""

    loaded: Loaded
    templates: tuple[Template, ...]
    preset: Preset
    representations: list[RepresentationName]
    scope: Scope
    seed: int


def _representations(text: str) -> list[RepresentationName]:
    from clinicnum.errors import InputError
    from clinicnum.types import REPRESENTATIONS

    wanted = set(REPRESENTATIONS) if text == "all" else {part.strip() for part in text.split(",")}
    if not wanted <= set(REPRESENTATIONS):
        raise InputError(
            f"--representation: got {text!r}; expected all or some of {','.join(REPRESENTATIONS)}"
        )
    return [name for name in REPRESENTATIONS if name in wanted]


def _scope(text: str | None, preset: Preset) -> Scope:
    from clinicnum.errors import InputError

    if text is None:
        return preset.scope
    if text == "stay":
        return "stay"
    if text == "subject":
        return "subject"
    raise InputError(f"--scope: got {text!r}; expected stay or subject")


def _load(source: str, path: Path | None, columns: str, preset: Preset, seed: int) -> Loaded:
    from clinicnum.errors import InputError
    from clinicnum.records.csv_source import load_csv, parse_columns
    from clinicnum.records.mimic import load_mimic_iv_ed
    from clinicnum.records.synthetic import synthetic

    if source not in SOURCES:
        raise InputError(f"--source: got {source!r}; expected one of {', '.join(SOURCES)}")
    if columns and source != "csv":
        raise InputError(f"--columns is for --source csv, not {source}; leave it out")
    if source == "synthetic":
        if path is not None:
            raise InputError("--path is for mimic-iv-ed and csv; leave it out or name that --source")
        return synthetic(seed=seed, stays=preset.synthetic_stays)
    if path is None:
        raise InputError(f"--path is missing; --source {source} reads its records from there")
    return load_mimic_iv_ed(path) if source == "mimic-iv-ed" else load_csv(path, parse_columns(columns))


def _benchmark(order: _Order) -> Benchmark:
    from clinicnum.generate import generate as build
    from clinicnum.records.loaded import contexts

    return build(
        contexts=contexts(order.loaded.records, order.scope),
        templates=order.templates,
        representations=order.representations,
        quotas=order.preset.quotas,
        seed=order.seed,
        scope=order.scope,
        max_records=order.preset.max_records,
        decimals=order.preset.decimals,
    )


def _write(out: Path, order: _Order, benchmark: Benchmark) -> dict[str, Any]:
    from rich.console import Console
    from rich.progress import track

    from clinicnum.errors import InputError
    from clinicnum.jsonl import sha256_file, write_jsonl, write_meta

    def some() -> Iterator[Instance]:
        total = sum(order.preset.quotas.values()) * len(order.representations)
        console = Console(stderr=True)
        yield from track(benchmark.instances, "questions", total=total, console=console, transient=True)
        # Raised before the file takes its name, so an empty benchmark leaves nothing behind.
        if not benchmark.counts.groups:
            raise InputError(
                f"{order.loaded.source}: no valid question in {len(order.loaded.records)} records; "
                "it takes stays with 2 records or more that document the vitals asked"
            )

    written = write_jsonl(out, some())
    meta = _meta(order, benchmark, written) | {"sha256": sha256_file(out)}
    write_meta(out, meta)
    return meta


def _meta(order: _Order, benchmark: Benchmark, written: int) -> dict[str, Any]:
    from clinicnum import __version__
    from clinicnum.templates.bank import bank_sha256

    counts, loaded = benchmark.counts, order.loaded
    return {
        "kind": "benchmark",
        "benchmark_id": benchmark.benchmark_id,
        "clinicnum_version": __version__,
        "seed": order.seed,
        "preset": order.preset.name,
        "quotas": dict(order.preset.quotas),
        "representations": order.representations,
        "scope": order.scope,
        "source": loaded.source,
        "credentialed": loaded.credentialed,
        "records": len(loaded.records),
        "cleaning": dict(loaded.counts),
        "dropped_rows": {f"lacks.{vital}": n for vital, n in loaded.rows_lacking().items() if n},
        "bank_sha256": bank_sha256(order.templates),
        "counts": {
            "instances": written,
            "questions": dict(sorted(counts.groups.items())),
            "templates": dict(sorted(counts.templates.items())),
            "flagged": dict(sorted((+counts.flagged).items())),
        },
        "rejected": dict(sorted(counts.rejected.items())),
    }


def _summary(meta: dict[str, Any], out: Path) -> None:
    from clinicnum.presets import PUBLISHED_PER_REPRESENTATION

    made, asked, flagged = meta["counts"]["questions"], meta["quotas"], meta["counts"]["flagged"]

    def say(text: str) -> None:
        typer.echo(text, err=True)

    say(f"{out}: {meta['counts']['instances']} instances, {len(meta['representations'])} representations")
    say(f"source {meta['source']}, {meta['records']} records{', credentialed' * meta['credentialed']}")
    say(f"{'operation':<14}{'asked':>7}{'made':>7}{'flagged':>9}")
    for operation, quota in asked.items():
        of_it = sum(n for name, n in flagged.items() if name.split(".")[0] == operation)
        say(f"{operation:<14}{quota:>7}{made.get(operation, 0):>7}{of_it:>9}")
    for title, table in (
        ("values cleaned", meta["cleaning"]),
        ("rows left out where the vital is needed", meta["dropped_rows"]),
        ("candidates rejected", meta["rejected"]),
    ):
        if table:
            say(f"{title}: " + ", ".join(f"{rule} {n}" for rule, n in table.items()))
    if meta["preset"] == "paper":
        total = sum(made.values())
        say(
            f"per representation: {total} made of {sum(asked.values())} asked; the published benchmark has "
            f"{PUBLISHED_PER_REPRESENTATION:,}, {PUBLISHED_PER_REPRESENTATION - total} more than this one"
        )


def _explanation(instances: Iterator[Instance], wanted: str) -> str:
    from clinicnum.errors import InputError

    found = next((i for i in instances if wanted in (i.instance_id, i.group_id)), None)
    if found is None:
        raise InputError(
            f"--explain: no instance {wanted!r}; give an id of this benchmark, with its own flags"
        )
    unit = f" {found.unit}" if found.unit else ""
    lines = [
        f"instance {found.instance_id}, template {found.template_id} version {found.template_version}",
        "",
        found.context,
        "",
        f"question: {found.question}",
        "",
        *(f"{number}. {step}" for number, step in enumerate(found.worked, start=1)),
        "",
        f"answer: {found.answer}{unit}" + (f" (exactly {found.answer_exact})" if found.answer_exact else ""),
        f"flags: {', '.join(found.flags) or 'none'}",
        *(f"mistake {d.value}: {d.rule} ({d.code})" for d in found.distractors),
    ]
    return "\n".join(lines)
