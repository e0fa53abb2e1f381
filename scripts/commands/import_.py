"""`clinicnum import`: import items, generations and labels made by other programs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from clinicnum.imports.import_generations import Answers
    from clinicnum.imports.import_labels import Labels
    from clinicnum.io.text_lines import Progress


def items(
    name: Annotated[
        str,
        typer.Option(
            "--format",
            help="medcalc, medec, choice, text, healthbench, clinicnumrobbench, csv-number, csv-choice or "
            "csv-text.",
        ),
    ],
    source: Annotated[Path, typer.Option("--from", help="The file; docs/imports.md shows each format.")],
    out: Annotated[Path, typer.Option(help="Benchmark to write, as JSONL.")],
    prompt: Annotated[
        str | None,
        typer.Option(help="Prompt that asks them: medcalc (the default of its format), medcalc.direct, ..."),
    ] = None,
    open_data: Annotated[
        bool, typer.Option("--open-data", help="The items are open: any server may be sent them.")
    ] = False,
    columns: Annotated[
        str,
        typer.Option(
            help="For csv-...: which column is what, if its name does not tell: question=Frage,answer=Gold."
        ),
    ] = "",
    variants: Annotated[
        str,
        typer.Option(
            help="Variants of every item: options.shuffle.1,input.typo,input.distractor,prompt.direct, ..."
        ),
    ] = "",
    seed: Annotated[int, typer.Option(help="For variants: same seed, same variants.")] = 0,
) -> None:
    """Make a benchmark from items made elsewhere. Every row is checked; if one is wrong, nothing is written.

    Example: clinicnum import items --format medcalc --from test_data.csv --out bench.jsonl
    """
    from clinicnum.credentialed_data import data_use, mark
    from clinicnum.imports.import_items import Items
    from clinicnum.imports.question_csv import parse_columns
    from clinicnum.io.jsonl import write_jsonl
    from clinicnum.scripts.commands.common.credentialed_warning import warn
    from clinicnum.scripts.commands.text.benchmark import tallies
    from clinicnum.variants import parse_variants
    from clinicnum.variants.imported import IMPORTED_ATTACK

    _check_out(out, source)
    found = Items(
        source,
        name,
        prompt_id=prompt,
        open_data=open_data,
        columns=parse_columns(columns),
        variants=parse_variants(variants, IMPORTED_ATTACK) if variants.strip() else (),
        seed=seed,
    )
    with _progress(source) as progress:
        count = write_jsonl(out, found.read(progress))
    meta = found.meta()
    meta |= mark(data_use(meta))
    _write_meta(out, meta)
    items = sum(meta["counts"]["templates"].values())
    varied = f" and {count - items} variants of them" if variants.strip() else ""
    typer.echo(f"{out}: {items} items{varied}, benchmark {meta['benchmark_id']}", err=True)
    for line in tallies(meta.get("variants", {})):
        typer.echo(line, err=True)
    if meta["credentialed"]:
        typer.echo("not known to be open; --open-data says that they are", err=True)
    warn(meta.get("data_use"))


def generations(
    name: Annotated[
        str, typer.Option("--format", help="clinicnumrobbench, lm-eval, inspect, jsonl, csv or medcalc.")
    ],
    source: Annotated[Path, typer.Option("--from", help="The file; docs/imports.md shows each format.")],
    benchmark: Annotated[Path, typer.Option(help="The instances that were answered, JSONL.")],
    model_name: Annotated[str, typer.Option(help="The model that answered.")],
    out: Annotated[Path, typer.Option(help="Generations to write, as JSONL.")],
    id_field: Annotated[
        str | None,
        typer.Option(
            help="Field of the instance id, such as doc.id, or of the whole question; else found by names."
        ),
    ] = None,
    text_field: Annotated[
        str | None,
        typer.Option(help="For jsonl, csv: field that holds the generated text; text if absent."),
    ] = None,
    epoch: Annotated[
        int | None, typer.Option(min=1, help="For inspect and lm-eval: which of several answers to an item.")
    ] = None,
    thinking_tags: Annotated[
        list[str] | None,
        typer.Option(
            help='Tags that mark thinking, besides the known ones: "<scratch> </scratch>"; may be repeated.'
        ),
    ] = None,
    own_prompts: Annotated[
        bool,
        typer.Option(
            "--own-prompts",
            help="The model was sent clinicnum's prompts word for word: annotators see them, and the form of "
            "answers is judged.",
        ),
    ] = False,
    scores: Annotated[
        Path | None,
        typer.Option(
            help="For medcalc: scores file to write, with the judgements stored beside the answers."
        ),
    ] = None,
) -> None:
    """Make a run from generations made elsewhere. Every row is checked; if one is wrong, nothing is written.

    Example: clinicnum import generations --format medcalc --from gpt-4o-mini.jsonl
    --benchmark bench.jsonl --model-name gpt-4o-mini --out generations.jsonl
    """
    from clinicnum.credentialed_data import data_use, mark
    from clinicnum.errors import InputError
    from clinicnum.imports.import_generations import ANSWER_FORMATS, Answers
    from clinicnum.io.benchmark import read_benchmark
    from clinicnum.io.jsonl import checked_meta, sha256_file
    from clinicnum.scripts.commands.common.credentialed_warning import warn

    _check_out(out, source, benchmark)
    if scores is not None:
        _check_out(scores, source, benchmark, out)
        keeping = [known for known, kind in ANSWER_FORMATS.items() if kind.keeps_results]
        if name not in keeping:
            raise InputError(f"--scores: {name} keeps no judgements; leave it out (it is for {keeping[0]})")
    about = checked_meta(benchmark)
    known = read_benchmark(benchmark)
    said = data_use(about, known.values())
    found = Answers(
        source,
        name,
        known=known,
        benchmark_sha256=sha256_file(benchmark),
        model_name=model_name,
        options={"id_field": id_field, "text_field": text_field, "epoch": epoch},
        thinking_tags=thinking_tags or (),
        own_prompts=own_prompts,
    )
    with _progress(source) as progress:
        _write(found, out, scores, progress, mark(said))
    meta = found.meta()
    typer.echo(f"{out}: {meta['n_generations']} generations, run {found.run_id}", err=True)
    if meta["n_without"]:
        typer.echo(f"{meta['n_without']} of {len(known)} instances have no generation", err=True)
    warn(said)


def labels(
    name: Annotated[str, typer.Option("--format", help="long, label-studio or potato.")],
    source: Annotated[
        Path, typer.Option("--from", help="The file or folder; docs/imports.md shows each format.")
    ],
    out: Annotated[Path, typer.Option(help="CSV to write, for clinicnum agreement --from.")],
    item: Annotated[
        str | None, typer.Option(help="Column, or field of a task such as data.id, that names the item.")
    ] = None,
    annotator: Annotated[str | None, typer.Option(help="Column or tag that names the annotator.")] = None,
    label: Annotated[
        str | None, typer.Option(help="Column, tag (from_name) or schema that holds the label.")
    ] = None,
    cluster: Annotated[
        str | None, typer.Option(help="Column or field of what items share, such as the patient.")
    ] = None,
) -> None:
    """Make a CSV from labels made elsewhere. Every row is checked; if one is wrong, nothing is written.

    Example: clinicnum import labels --format label-studio --from project.json --label cause --out labels.csv
    """
    from clinicnum.imports.import_labels import Labels

    if source.is_file():
        _check_out(out, source)
    else:
        _check_out(out)
    found = Labels(
        source,
        name,
        options={"item": item, "annotator": annotator, "label": label, "cluster": cluster},
    )
    with _progress(source) as progress:
        _write_labels(found, out, progress)
    meta = found.meta()
    _write_meta(out, meta)
    blank = f", {meta['n_blank']} blank" if meta["n_blank"] else ""
    repeats = f", {meta['n_repeats']} of them repeats" if meta["n_repeats"] else ""
    typer.echo(
        f"{out}: {meta['n_labels']} labels{blank}{repeats}, {meta['n_items']} items, "
        f"{meta['n_annotators']} annotators",
        err=True,
    )


def _write_labels(found: Labels, out: Path, progress: Progress) -> None:
    from clinicnum.annotations.report.csv_without_formulas import csv_text
    from clinicnum.io.jsonl import replacing

    names = ["item", "annotator", "label", "repeat", *(["cluster"] if found.has_clusters else [])]
    with replacing(out) as lines:
        rows = ([getattr(given, name) for name in names] for given in found.read(progress))
        lines.write(csv_text(names, rows))


def _check_out(out: Path, *read: Path) -> None:
    """Raise InputError for an output that cannot be written, or that would overwrite the input."""
    from clinicnum.errors import InputError

    if out.is_dir() or not out.parent.is_dir():
        raise InputError(f"{out}: expected a file in a folder that exists; make the folder first")
    if any(out.resolve() == path.resolve() for path in read):
        raise InputError(f"{out}: is given twice; expected a file of its own to write to")


def _write(
    found: Answers, out: Path, scores: Path | None, progress: Progress, marked: dict[str, object]
) -> None:
    """Write the generations and, if `scores` is given, their scores, with meta files; the two JSONL files
    appear at the end, or neither.
    """
    from clinicnum.io.jsonl import replacing, sha256_file

    with ExitStack() as files:
        kept = files.enter_context(replacing(scores)) if scores is not None else None
        lines = files.enter_context(replacing(out))
        for generation, score in found.read(progress):
            lines.write(generation.model_dump_json() + "\n")
            if kept is not None and score is not None:
                kept.write(score.model_dump_json() + "\n")
    meta = found.meta() | marked
    _write_meta(out, meta)
    if scores is not None:
        made_of = marked | {
            key: meta[key] for key in ("benchmark_sha256", "source", "source_format", "source_sha256")
        }
        _write_meta(scores, made_of | {"kind": "scores", "generations_sha256": sha256_file(out)})


def _write_meta(path: Path, meta: dict[str, object]) -> None:
    from clinicnum.io.jsonl import sha256_file, write_meta

    write_meta(path, meta | {"sha256": sha256_file(path)})


@contextmanager
def _progress(source: Path) -> Iterator[Progress]:
    """A progress bar of the bytes read, on a terminal only, removed at the end; yields a function that
    advances it by a number of bytes.
    """
    from rich.console import Console
    from rich.progress import Progress as Bar

    console = Console(stderr=True)
    with Bar(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("read", total=source.stat().st_size if source.is_file() else None)
        yield lambda count: bar.advance(task, count)
