"""`clinicnum runs`: store model runs in the database for studies, and list them."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from clinicnum.scripts.commands.common.database import DatabaseOption
from clinicnum.scripts.commands.text.study import JsonOption

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clinicnum.annotations.study_summary import RunSummary


def add(
    benchmark: Annotated[Path, typer.Option(help="Instances, JSONL.")],
    generations: Annotated[list[Path], typer.Option(help="Generations, JSONL; several files, one a run.")],
    scores: Annotated[list[Path], typer.Option(help="Scores of these generations, JSONL.")],
    db: DatabaseOption = None,
    json_output: JsonOption = False,
) -> None:
    """Load runs with their benchmark and scores; a longer run is completed, and newer scores replace older
    ones.

    Example: clinicnum runs add --benchmark bench.jsonl --generations generations.jsonl --scores scores.jsonl
    """
    from clinicnum.db.engine import writing
    from clinicnum.db.work.runs.stored_runs import add_runs
    from clinicnum.scripts.commands.common.database import using_database
    from clinicnum.scripts.commands.common.study_material_files import read_material

    material = read_material(benchmark, generations, scores)
    with using_database(db) as engine, writing(engine) as session:
        added = add_runs(session, material=material)
    _print(added, json_output)


def list_all(db: DatabaseOption = None, json_output: JsonOption = False) -> None:
    """List the runs in the database with their statuses and the studies that use them.

    Example: clinicnum runs list --json
    """
    from clinicnum.db.engine import reading
    from clinicnum.db.work.runs.stored_runs import list_runs
    from clinicnum.scripts.commands.common.database import using_database

    with using_database(db) as engine, reading(engine) as session:
        found = list_runs(session)
    _print(found, json_output)


def show(
    run: Annotated[str, typer.Argument(help="Its run_id, or its key where several benchmarks have it.")],
    db: DatabaseOption = None,
    json_output: JsonOption = False,
) -> None:
    """Show a run's accuracy by operation and representation, by its current scores.

    Example: clinicnum runs show run-of-smollm2
    """
    from dataclasses import asdict

    from clinicnum.db.engine import reading
    from clinicnum.db.work.runs.stored_runs import run_accuracy
    from clinicnum.scripts.commands.common.database import using_database
    from clinicnum.scripts.commands.text.accuracy import accuracy_text

    with using_database(db) as engine, reading(engine) as session:
        table = run_accuracy(session, run=run)
    typer.echo(json.dumps(asdict(table), indent=2) if json_output else accuracy_text(table))


def _print(runs: "Sequence[RunSummary]", json_output: bool) -> None:
    if json_output:
        typer.echo(json.dumps([one.model_dump(mode="json") for one in runs], indent=2))
        return
    if not runs:
        typer.echo("no run yet; load some: clinicnum runs add --help")
    for one in runs:
        statuses = ", ".join(f"{n} {status}" for status, n in one.statuses.items()) or "none scored"
        used = f"; used by {', '.join(one.studies)}" if one.studies else ""
        typer.echo(
            f"{one.run_id} on {one.benchmark_id} ({one.model or 'model not named'}, key {one.run}): "
            f"{one.generations} generations: {statuses}{used}"
        )
