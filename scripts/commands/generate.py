"""`clinicnum generate`: records and templates in, a benchmark out."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from clinicnum.generation.benchmark import Benchmark
    from clinicnum.generation.presets import Preset
    from clinicnum.records.contexts import Scope
    from clinicnum.release import Release
    from clinicnum.representations.note_frames import Frame
    from clinicnum.scripts.commands.common.record_sources import Source, Wanted
    from clinicnum.templates.template import Template
    from clinicnum.types import RepresentationName
    from clinicnum.variants import VariantSpec


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
    """Generate a benchmark whose every gold is proven.

    Example: clinicnum generate --source synthetic --preset small --seed 0 --out bench.jsonl
    """
    from clinicnum.errors import InputError
    from clinicnum.io.jsonl import read_jsonl
    from clinicnum.scripts.commands.common.record_sources import Wanted
    from clinicnum.scripts.commands.common.warnings import warn
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
    order = _order(wanted, preset, quota, representation, scope, bank, notes, variants, seed)
    benchmark = _benchmark(order)
    if out is None or explain is not None:
        typer.echo(explanation(benchmark.instances, str(explain)))
        return
    meta = _write(out, order, benchmark)
    for line in summary(meta, str(out)):
        typer.echo(line, err=True)
    warn(meta.get("data_use"))
    if as_json:
        typer.echo(json.dumps(meta, sort_keys=True))


@dataclass(frozen=True)
class _Order:
    """What is to be made, checked."""

    source: Source
    templates: tuple[Template, ...]
    release: Release | None
    """The bank release that these are; None for other banks."""
    preset: Preset
    representations: list[RepresentationName]
    scope: Scope
    frames: tuple[Frame, ...]
    notes: dict[str, Any]
    """What the meta says of the user's notes; empty without."""
    variants: tuple[VariantSpec, ...]
    seed: int


def _order(
    wanted: Wanted,
    preset: str,
    quota: str,
    representation: str,
    scope: str | None,
    bank: str,
    notes: Path | None,
    variants: str,
    seed: int,
) -> _Order:
    from clinicnum.generation.presets import preset as preset_named
    from clinicnum.generation.presets import with_quota
    from clinicnum.scripts.commands.common.banks import bank_at
    from clinicnum.scripts.commands.common.record_sources import open_source
    from clinicnum.variants import parse_variants

    chosen = with_quota(preset_named(preset), quota)
    if bank != "base":
        # A trend over four records asks for more than the three that keep the small preset quick.
        chosen = replace(chosen, max_records=None)
    names = _representations(representation)
    reach = _scope(scope, chosen, notes=notes is not None)
    frames, about_notes = _notes(notes)
    specs = parse_variants(variants) if variants.strip() else ()
    templates, release = bank_at(bank)
    _refuse_contradictions(templates)
    return _Order(
        source=open_source(wanted, seed=seed, stays=chosen.synthetic_stays, scope=reach),
        templates=templates,
        release=release,
        preset=chosen,
        representations=names,
        scope=reach,
        frames=frames,
        notes=about_notes,
        variants=specs,
        seed=seed,
    )


def _refuse_contradictions(templates: Sequence[Template]) -> None:
    """A release was published as it is: what its wordings say is read here, as `load_bank` does for files."""
    from clinicnum.errors import InputError
    from clinicnum.templates.checks.wording_proofs import contradictions
    from clinicnum.templates.template import ASKABLE

    for template in templates:
        fault = next(contradictions(template), None) if template.status in ASKABLE else None
        if fault is not None:
            raise InputError(f"--bank: {template.id} version {template.version}: {fault.text()}")


def _representations(text: str) -> list[RepresentationName]:
    from clinicnum.errors import InputError
    from clinicnum.types import REPRESENTATIONS

    wanted = set(REPRESENTATIONS) if text == "all" else {part.strip() for part in text.split(",")}
    if not wanted <= set(REPRESENTATIONS):
        raise InputError(
            f"--representation: got {text!r}; expected all or some of {','.join(REPRESENTATIONS)}"
        )
    return [name for name in REPRESENTATIONS if name in wanted]


def _scope(text: str | None, preset: Preset, *, notes: bool) -> Scope:
    from clinicnum.errors import InputError

    if notes and text == "subject":
        raise InputError("--scope subject: a note tells of one visit; leave out --scope or --notes")
    if text == "stay" or notes:
        return "stay"
    if text is None:
        return preset.scope
    if text == "subject":
        return "subject"
    raise InputError(f"--scope: got {text!r}; expected stay or subject")


def _notes(path: Path | None) -> tuple[tuple[Frame, ...], dict[str, Any]]:
    from clinicnum.io.jsonl import sha256_file
    from clinicnum.representations.note_frames import load_frames

    if path is None:
        return (), {}
    left_out: Counter[str] = Counter()
    frames = load_frames(path, left_out)
    about = {"sha256": sha256_file(path), "frames": len(frames), "left_out": dict(sorted(left_out.items()))}
    return frames, about


def _benchmark(order: _Order) -> Benchmark:
    from clinicnum.generation.benchmark import generate as build

    return build(
        contexts=order.source.supply,
        templates=order.templates,
        representations=order.representations,
        quotas=order.preset.quotas,
        seed=order.seed,
        scope=order.scope,
        max_records=order.preset.max_records,
        decimals=order.preset.decimals,
        frames=order.frames,
        variants=order.variants,
    )


def _write(out: Path, order: _Order, benchmark: Benchmark) -> dict[str, Any]:
    from rich.console import Console
    from rich.progress import track

    from clinicnum.errors import InputError
    from clinicnum.io.jsonl import read_meta, write_lines
    from clinicnum.scripts.commands.common.garbage_collection import seldom_collecting

    def some() -> Iterator[bytes]:
        total = sum(order.preset.quotas.values())
        console = Console(stderr=True)
        asked = track(
            benchmark.groups,
            "questions",
            total=total,
            console=console,
            transient=True,
            disable=not console.is_interactive,  # in a pipe it would print an empty line
        )
        for group in asked:
            yield from benchmark.lines_of(group)
        # Raised before the file takes its name, so an empty benchmark leaves nothing behind.
        if not benchmark.counts.groups:
            raise InputError(
                f"{order.source.name}: no valid question in {order.source.records} records; "
                "it takes stays with 2 records or more that document the vitals asked"
            )

    with seldom_collecting():
        write_lines(out, some(), lambda written: _marked(_meta(order, benchmark, written)))
    return read_meta(out) or {}


def _marked(meta: dict[str, Any]) -> dict[str, Any]:
    from clinicnum.credentialed import data_use, mark

    return meta | mark(data_use(meta))


def _never_asked(order: _Order, benchmark: Benchmark) -> list[str]:
    """Templates of a wanted operation that gave no question: for want of quota, or of records that fit."""
    from clinicnum.templates.template import ASKABLE

    made, quotas = benchmark.counts.templates, order.preset.quotas
    wanted = (t for t in order.templates if t.status in ASKABLE and quotas.get(t.operation))
    return sorted(t.id for t in wanted if t.id not in made)


def _release(release: Release | None, benchmark: Benchmark) -> dict[str, Any] | None:
    """The release that the benchmark is made from, and what it says of the templates that are asked."""
    if release is None:
        return None
    asked = [one for one in release.manifest.templates if one.id in benchmark.counts.templates]
    told = {one.id: one.model_dump(mode="json", include={"version", "status", "origins"}) for one in asked}
    return {"name": release.name, "sha256": release.sha256, "templates": told}


def _doubts(order: _Order, benchmark: Benchmark) -> dict[str, list[str]]:
    """Templates that were asked though a wording is not proven, or no expert has reviewed them."""
    from clinicnum.templates.checks.wording_proofs import unproven_ids

    asked = [t for t in order.templates if t.id in benchmark.counts.templates]
    unreviewed = sorted(t.id for t in asked if t.status != "validated")
    return {"unproven": unproven_ids(asked), "unreviewed": unreviewed}


def _meta(order: _Order, benchmark: Benchmark, written: int) -> dict[str, Any]:
    from clinicnum import __version__
    from clinicnum.templates.bank import bank_sha256

    counts, source, tallies = benchmark.counts, order.source, sorted(benchmark.counts.templates.items())
    return {
        "kind": "benchmark",
        "benchmark_id": benchmark.benchmark_id,
        "clinicnum_version": __version__,
        "seed": order.seed,
        "preset": order.preset.name,
        "quotas": dict(order.preset.quotas),
        "representations": order.representations,
        "scope": order.scope,
        "source": source.name,
        # Notes of the user's are taken to be patients' notes, whatever the records are.
        "credentialed": source.credentialed or bool(order.frames),
        "records": source.records,
        "cleaning": dict(source.cleaning),
        "dropped_rows": {f"lacks.{vital}": n for vital, n in sorted(source.lacking.items()) if n},
        "notes": order.notes,
        "bank_sha256": bank_sha256(order.templates),
        "bank_release": _release(order.release, benchmark),
        "doubts": _doubts(order, benchmark),
        "counts": {
            "instances": written,
            "questions": dict(sorted(counts.groups.items())),
            "templates": {name: tally.questions for name, tally in tallies},
            "never_asked": _never_asked(order, benchmark),
            "flagged": {name: tally.flagged for name, tally in tallies if tally.flagged},
        },
        "baselines": {name: tally.shares() for name, tally in tallies},
        "rejected": dict(sorted(counts.rejected.items())),
        "variants": {
            "asked": [spec.name for spec in order.variants],
            "made": dict(sorted(counts.variants.items())),
            "rejected": dict(sorted(counts.variants_rejected.items())),
            "not_applicable": dict(sorted(counts.not_applicable.items())),
        },
    }
