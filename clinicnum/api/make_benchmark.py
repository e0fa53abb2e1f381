"""Check the options for a benchmark, generate it, and describe it in its meta file.

The command `generate` and the function `clinicnum.generate` both use this module, so every tool accepts a
file made in a notebook.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from clinicnum.api.record_sources import Source, Wanted, open_source
from clinicnum.credentialed_data import data_use, mark
from clinicnum.errors import InputError
from clinicnum.generation.benchmark import Benchmark
from clinicnum.generation.benchmark import generate as build
from clinicnum.generation.instance_writer import QuestionInstances
from clinicnum.generation.presets import Preset, with_quota
from clinicnum.generation.presets import preset as preset_named
from clinicnum.io.jsonl import read_meta, sha256_file, write_lines
from clinicnum.records.loaded_records import Scope
from clinicnum.release import Release, is_release, read_release
from clinicnum.representations.note_frames import Frame, load_frames
from clinicnum.templates.bank import bank_sha256
from clinicnum.templates.checks.wording_proofs import contradictions, unproven_ids
from clinicnum.templates.packaged_banks import BANKS, named_bank
from clinicnum.templates.template import ASKABLE, Template
from clinicnum.types import REPRESENTATIONS, Instance, RepresentationName
from clinicnum.variants import VariantSpec, parse_variants

Watch = Callable[[Iterable[QuestionInstances]], Iterable[QuestionInstances]]


@dataclass(frozen=True)
class Plan:
    """The checked options for a benchmark."""

    source: Source
    templates: tuple[Template, ...]
    release: Release | None
    """The bank release that the templates come from; None for other banks."""
    preset: Preset
    representations: list[RepresentationName]
    scope: Scope
    frames: tuple[Frame, ...]
    notes: dict[str, Any]
    """The meta's entry on the user's notes; empty without notes."""
    variants: tuple[VariantSpec, ...]
    seed: int

    def benchmark(self) -> Benchmark:
        """The planned benchmark: its groups of instances as an iterator that can be consumed once."""
        return build(
            contexts=self.source.supply,
            templates=self.templates,
            representations=self.representations,
            quotas=self.preset.quotas,
            seed=self.seed,
            scope=self.scope,
            max_records=self.preset.max_records,
            decimals=self.preset.decimals,
            frames=self.frames,
            variants=self.variants,
        )


def plan_benchmark(
    wanted: Wanted,
    *,
    preset: str,
    quota: str,
    representation: str,
    scope: str | None,
    bank: str | Release,
    notes: Path | None,
    variants: str,
    seed: int,
) -> Plan:
    """Check the options of `clinicnum generate` and return the plan.

    Raises InputError for an unknown option, options that contradict each other, and a faulty file.
    """
    chosen = with_quota(preset_named(preset), quota)
    if bank != "base":
        # The small preset is limited to three records, but trends of the other banks need four.
        chosen = replace(chosen, max_records=None)
    names = _representations(representation)
    reach = _scope(scope, chosen, notes=notes is not None)
    frames, about_notes = _notes(notes)
    specs = parse_variants(variants) if variants.strip() else ()
    templates, release = bank_at(bank)
    for template in templates:
        # `load_bank` checks the wordings of files; those of a release are checked here.
        fault = next(contradictions(template), None) if template.status in ASKABLE else None
        if fault is not None:
            raise InputError(f"--bank: {template.id} version {template.version}: {fault.text()}")
    return Plan(
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


def bank_at(bank: str | Release) -> tuple[tuple[Template, ...], Release | None]:
    """Templates of a bank (`base`, `extended`, `all`, a folder of YAML, a release or its folder), and its
    release or None.

    Raises InputError for a release changed after publication.
    """
    if isinstance(bank, Release):
        return bank.templates, bank
    if bank in BANKS or not is_release(Path(bank)):
        return named_bank(bank), None
    release = read_release(Path(bank))
    return release.templates, release


def write_benchmark(plan: Plan, out: Path, *, watch: Watch = iter) -> dict[str, Any]:
    """Write the planned benchmark and its meta file; return the meta.

    `watch` wraps the iterator over groups of instances, to show progress. Raises InputError, and writes
    nothing, if no record gives a valid question.
    """
    benchmark = plan.benchmark()

    def lines() -> Iterator[bytes]:
        for group in watch(benchmark.groups):
            yield from benchmark.lines_of(group)
        # Raised before the file takes its name, so an empty benchmark leaves nothing behind.
        _check_not_empty(plan, benchmark)

    write_lines(out, lines(), lambda written: benchmark_meta(plan, benchmark, written))
    return read_meta(out) or {}


def make_benchmark(plan: Plan) -> tuple[list[Instance], dict[str, Any]]:
    """Instances of the planned benchmark, and the content of its meta file.

    Raises InputError if no record gives a valid question.
    """
    benchmark = plan.benchmark()
    instances = list(benchmark.instances)
    _check_not_empty(plan, benchmark)
    return instances, benchmark_meta(plan, benchmark, len(instances))


def _check_not_empty(plan: Plan, benchmark: Benchmark) -> None:
    if not benchmark.counts.groups:
        raise InputError(
            f"{plan.source.name}: no valid question in {plan.source.records} records; "
            "it takes stays with 2 records or more that document the vitals asked"
        )


def _representations(text: str) -> list[RepresentationName]:
    wanted = set(REPRESENTATIONS) if text == "all" else {part.strip() for part in text.split(",")}
    if not wanted <= set(REPRESENTATIONS):
        raise InputError(
            f"--representation: got {text!r}; expected all or some of {','.join(REPRESENTATIONS)}"
        )
    return [name for name in REPRESENTATIONS if name in wanted]


def _scope(text: str | None, preset: Preset, *, notes: bool) -> Scope:
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
    if path is None:
        return (), {}
    left_out: Counter[str] = Counter()
    frames = load_frames(path, left_out)
    about = {"sha256": sha256_file(path), "frames": len(frames), "left_out": dict(sorted(left_out.items()))}
    return frames, about


def benchmark_meta(plan: Plan, benchmark: Benchmark, written: int) -> dict[str, Any]:
    """Content of `FILE.meta.json` for a `benchmark` consumed to its end, with `written` instances."""
    from clinicnum import __version__

    counts, source, tallies = benchmark.counts, plan.source, sorted(benchmark.counts.templates.items())
    meta = {
        "kind": "benchmark",
        "benchmark_id": benchmark.benchmark_id,
        "clinicnum_version": __version__,
        "seed": plan.seed,
        "preset": plan.preset.name,
        "quotas": dict(plan.preset.quotas),
        "representations": plan.representations,
        "scope": plan.scope,
        "source": source.name,
        # The user's notes are taken for patients' notes, even if the records are open.
        "credentialed": source.credentialed or bool(plan.frames),
        "records": source.records,
        "cleaning": dict(source.cleaning),
        "dropped_rows": {f"lacks.{vital}": n for vital, n in sorted(source.lacking.items()) if n},
        "notes": plan.notes,
        "bank_sha256": bank_sha256(plan.templates),
        "bank_release": _release(plan.release, benchmark),
        "doubts": _doubts(plan, benchmark),
        "counts": {
            "instances": written,
            "questions": dict(sorted(counts.groups.items())),
            "templates": {name: tally.questions for name, tally in tallies},
            "never_asked": _never_asked(plan, benchmark),
            "flagged": {name: tally.flagged for name, tally in tallies if tally.flagged},
        },
        "baselines": {name: tally.shares() for name, tally in tallies},
        "rejected": dict(sorted(counts.rejected.items())),
        "variants": {
            "asked": [spec.name for spec in plan.variants],
            "made": dict(sorted(counts.variants.items())),
            "rejected": dict(sorted(counts.variants_rejected.items())),
            "not_applicable": dict(sorted(counts.not_applicable.items())),
        },
    }
    return meta | mark(data_use(meta))


def _never_asked(plan: Plan, benchmark: Benchmark) -> list[str]:
    """Templates of a wanted operation that gave no question, since the quota was full or no records fit."""
    made, quotas = benchmark.counts.templates, plan.preset.quotas
    wanted = (t for t in plan.templates if t.status in ASKABLE and quotas.get(t.operation))
    return sorted(t.id for t in wanted if t.id not in made)


def _release(release: Release | None, benchmark: Benchmark) -> dict[str, Any] | None:
    """The release that the benchmark is made from, with the version, status and origins of each template
    asked; None without one.
    """
    if release is None:
        return None
    asked = [one for one in release.manifest.templates if one.id in benchmark.counts.templates]
    told = {one.id: one.model_dump(mode="json", include={"version", "status", "origins"}) for one in asked}
    return {"name": release.name, "sha256": release.sha256, "templates": told}


def _doubts(plan: Plan, benchmark: Benchmark) -> dict[str, list[str]]:
    """Templates that were asked though a wording is not proven, or no expert has reviewed them."""
    asked = [t for t in plan.templates if t.id in benchmark.counts.templates]
    unreviewed = sorted(t.id for t in asked if t.status != "validated")
    return {"unproven": unproven_ids(asked), "unreviewed": unreviewed}
