"""`clinicnum runs`: store model runs in the database, list, name and compare them."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from clinicnum.scripts.commands.common.json_option import JsonOption
from clinicnum.scripts.commands.common.open_database import DatabaseOption

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
    from clinicnum.db.work.benchmarks.batched_storage import storing
    from clinicnum.db.work.runs.store_study_material import begin_material
    from clinicnum.db.work.runs.stored_runs import add_runs
    from clinicnum.scripts.commands.common.open_database import using_database
    from clinicnum.scripts.commands.common.study_material_files import read_material

    material = read_material(benchmark, generations, scores)
    with using_database(db) as engine, storing(engine) as parts:
        begun = begin_material(parts, material)
        with writing(engine) as session:
            added = add_runs(session, material=material, begun=begun)
    _print(added, json_output)


def list_all(db: DatabaseOption = None, json_output: JsonOption = False) -> None:
    """List the runs in the database with their statuses and the studies that use them.

    Example: clinicnum runs list --json
    """
    from clinicnum.db.engine import reading
    from clinicnum.db.work.runs.stored_runs import list_runs
    from clinicnum.scripts.commands.common.open_database import existing_database

    with existing_database(db) as engine, reading(engine) as session:
        found = list_runs(session)
    _print(found, json_output)


def show(
    run: Annotated[str, typer.Argument(help="Its run_id, label, or key where several runs have it.")],
    db: DatabaseOption = None,
    json_output: JsonOption = False,
) -> None:
    """Show a run's accuracy by operation and representation, by its current scores.

    Example: clinicnum runs show run-of-smollm2
    """
    from dataclasses import asdict

    from clinicnum.db.engine import reading
    from clinicnum.db.work.runs.stored_runs import run_accuracy
    from clinicnum.scripts.commands.common.open_database import existing_database
    from clinicnum.scripts.commands.text.accuracy import accuracy_text

    with existing_database(db) as engine, reading(engine) as session:
        table = run_accuracy(session, run=run)
    typer.echo(json.dumps(asdict(table), indent=2) if json_output else accuracy_text(table))


def label(
    run: Annotated[str, typer.Argument(help="Its run_id, label, or key where several runs have it.")],
    name: Annotated[str, typer.Argument(help='What to call it; "" takes the name away.')],
    db: DatabaseOption = None,
) -> None:
    """Give a run a name that pages, comparisons and reports show.

    Example: clinicnum runs label run-of-smollm2 "smollm2, second prompt"
    """
    from clinicnum.db.engine import writing
    from clinicnum.db.work.runs.run_names import label_run
    from clinicnum.scripts.commands.common.open_database import using_database

    with using_database(db) as engine, writing(engine) as session:
        now = label_run(session, run=run, label=name)
    typer.echo(f"{run} is called {now}" if now else f"{run} has no name of its own now")


def compare(
    runs: Annotated[list[str], typer.Argument(help="Two to eight runs of one benchmark, as in `runs show`.")],
    db: DatabaseOption = None,
    json_output: JsonOption = False,
) -> None:
    """Compare runs on the questions that all of them answered, with paired differences.

    Example: clinicnum runs compare run-of-smollm2 run-of-llama --json
    """
    from dataclasses import asdict

    from clinicnum.db.engine import reading
    from clinicnum.db.work.runs.compare_stored_runs import compare_stored
    from clinicnum.scripts.commands.common.open_database import existing_database
    from clinicnum.scripts.commands.text.run_comparison import comparison_text

    with existing_database(db) as engine, reading(engine) as session:
        found = compare_stored(session, runs=runs)
    typer.echo(json.dumps(asdict(found), indent=2) if json_output else comparison_text(found))


def _print(runs: "Sequence[RunSummary]", json_output: bool) -> None:
    if json_output:
        typer.echo(json.dumps([one.model_dump(mode="json") for one in runs], indent=2))
        return
    if not runs:
        typer.echo("no run yet; load some: clinicnum runs add --help")
    for one in runs:
        statuses = ", ".join(f"{n} {status}" for status, n in one.statuses.items()) or "none scored"
        called = f"{one.label}: " if one.label else ""
        used = f"; used by {', '.join(one.studies)}" if one.studies else ""
        typer.echo(
            f"{called}{one.run_id} on {one.benchmark_id} ({one.model or 'model not named'}, key {one.run}): "
            f"{one.generations} generations: {statuses}{used}"
        )
