"""`clinicnum tables`: the tables that papers print, from scored runs."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from collections.abc import Sequence
    from decimal import Decimal

    from clinicnum.tables import PaperTable


def tables(
    benchmark: Annotated[Path, typer.Option(help="The instances, JSONL.")],
    generations: Annotated[list[Path], typer.Option(help="Generations; once more for each further model.")],
    scores: Annotated[list[Path], typer.Option(help="Their scores, in the same order.")],
    out: Annotated[
        Path | None, typer.Option(help="Folder to write tables.md into, and a CSV and a LaTeX table of each.")
    ] = None,
    only: Annotated[
        str | None, typer.Option(help="Names of the tables wanted, joined by commas; without, all.")
    ] = None,
    margin: Annotated[
        list[str] | None,
        typer.Option(help="UNIT=ERROR: the largest error without clinical consequence, such as bpm=5."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON only.")] = False,
) -> None:
    """Make the tables of papers, such as accuracy by factor, template and patient, errors, effort and
    attacks.

    Every figure has a 95 % interval, or the reason why there is none. `docs/tables.md` defines each; those
    that need labels by people are in the report of a study.

    Example: clinicnum tables --benchmark bench.jsonl --generations g.jsonl --scores s.jsonl --out tables/
    """
    from dataclasses import asdict

    from clinicnum.annotations.report.paper_tables import table_files, tables_markdown
    from clinicnum.credentialed_data import data_use, mark
    from clinicnum.io.benchmark import read_benchmark
    from clinicnum.io.jsonl import read_meta, sha256_file
    from clinicnum.scripts.commands.common.credentialed_warning import warn
    from clinicnum.scripts.commands.common.run_files import RunFiles
    from clinicnum.scripts.commands.report import write_files
    from clinicnum.tables import paper_tables

    margins = _margins(margin or ())
    instances = read_benchmark(benchmark)
    metas = [read_meta(one) or {} for one in generations]
    said = data_use(read_meta(benchmark) or {}, instances.values(), *metas)
    runs = RunFiles(benchmark, sha256_file(benchmark), instances).runs(generations, scores)
    found = _chosen(paper_tables(runs, margins=margins), only)
    if out is not None:
        write_files(out, table_files(found, said))
    warn(said)
    if as_json:
        whole = {"tables": [asdict(one) for one in found]} | mark(said)
        typer.echo(json.dumps(whole, indent=2, ensure_ascii=False, allow_nan=False))
    elif out is None:
        typer.echo(tables_markdown(found, said), nl=False)
    else:
        made = [one for one in found if one.undefined is None]
        typer.echo("\n".join(f"{out / one.name}.csv  {one.caption}: {len(one.rows)} rows" for one in made))
        missing = [one for one in found if one.undefined is not None]
        typer.echo("\n".join(f"not made: {one.name}: {one.undefined}" for one in missing))


def _chosen(found: "tuple[PaperTable, ...]", only: str | None) -> "tuple[PaperTable, ...]":
    """The tables with these names, in the order in which they are made. Raises InputError for an unknown
    name.
    """
    from clinicnum.errors import InputError

    if only is None:
        return found
    names = [part.strip() for part in only.split(",") if part.strip()]
    known = {one.name: one for one in found}
    for name in names:
        if name not in known:
            raise InputError(f"--only: no table is named {name!r}; expected some of {', '.join(known)}")
    return tuple(one for one in found if one.name in names)


def _margins(given: "Sequence[str]") -> "dict[str, Decimal]":
    """Unit -> margin, from texts as `mmHg=5`. Raises InputError for any other text."""
    from decimal import Decimal, InvalidOperation

    from clinicnum.errors import InputError

    found = {}
    for text in given:
        unit, _, size = text.rpartition("=")
        try:
            margin = Decimal(size)
        except InvalidOperation:
            margin = Decimal(-1)
        if not unit.strip() or not margin.is_finite() or margin < 0:
            raise InputError(
                f"--margin: {text!r}; expected a unit and a number of 0 or more joined by =, such as bpm=5"
            )
        found[unit.strip()] = margin
    return found
