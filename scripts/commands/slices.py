"""`clinicnum slices`: where models do worst, found in half of the patients and confirmed on the others."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from clinicnum.scripts.commands.common.json_option import JsonOption
from clinicnum.scripts.commands.common.open_database import DatabaseOption

if TYPE_CHECKING:
    from clinicnum.annotations.explore.generation_frame import AnswerTable, Frame
    from clinicnum.robustness import Run


def slices(
    runs: Annotated[
        list[str] | None, typer.Option(help="A run of the database, as in `runs show`; once more for each.")
    ] = None,
    benchmark: Annotated[Path | None, typer.Option(help="Or files: instances, JSONL.")] = None,
    generations: Annotated[
        list[Path] | None, typer.Option(help="Generations; once more for each further run.")
    ] = None,
    scores: Annotated[list[Path] | None, typer.Option(help="Their scores, in the same order.")] = None,
    db: DatabaseOption = None,
    json_output: JsonOption = False,
) -> None:
    """Find the slices in which answers are wrong most often, such as one vital sign in long contexts.

    Half of the patients are searched, and what is found is tested on the others, corrected for the number of
    tests. Variants and instances flagged as not discriminating are left out.

    Example: clinicnum slices --benchmark bench.jsonl --generations generations.jsonl --scores scores.jsonl
    """
    from clinicnum.annotations.explore.worst_slices import find_worst
    from clinicnum.errors import InputError
    from clinicnum.scripts.commands.text.slices import slices_json, slices_text

    if bool(runs) == (benchmark is not None):
        raise InputError("expected either --runs, or --benchmark with --generations and --scores")
    if benchmark is not None:
        frame, names = _files(benchmark, generations or [], scores or []), dict[str, str]()
    else:
        frame, names = _stored(runs or [], db)
    found = find_worst(frame, frame.choose({"headline": ("yes",)}))
    if json_output:
        typer.echo(json.dumps(slices_json(found, names), indent=2, ensure_ascii=False, allow_nan=False))
    else:
        typer.echo(slices_text(found, names))


def _stored(runs: list[str], db: str | None) -> "tuple[Frame, dict[str, str]]":
    """Runs of the database as a frame, with their display names."""
    from clinicnum.db.engine import reading
    from clinicnum.db.work.explore.run_table_cache import RunTables
    from clinicnum.db.work.runs.run_names import run_names
    from clinicnum.db.work.runs.stored_runs import find_runs
    from clinicnum.scripts.commands.common.open_database import existing_database

    with existing_database(db) as engine, reading(engine) as session:
        return RunTables().load(session, find_runs(session, runs)).frame, run_names(session)


def _files(benchmark: Path, generations: list[Path], scores: list[Path]) -> "Frame":
    """Runs of files as a frame, named by their models."""
    from clinicnum.annotations.explore.generation_frame import QuestionTable, make_frame
    from clinicnum.io.benchmark import read_benchmark
    from clinicnum.io.jsonl import sha256_file
    from clinicnum.scripts.commands.common.run_files import RunFiles

    instances = read_benchmark(benchmark)
    asked = QuestionTable.of((key, one.model_dump(mode="json")) for key, one in instances.items())
    place = {key: at for at, key in enumerate(instances)}
    runs = RunFiles(benchmark, sha256_file(benchmark), instances).runs(generations, scores)
    return make_frame([(asked, _answers(run, place)) for run in runs])


def _answers(run: "Run", place: dict[str, int]) -> "AnswerTable":
    from clinicnum.annotations.explore.generation_frame import AnswerTable

    rows = (
        (
            one.generation.generation_id,
            place[key],
            one.generation.model_dump(mode="json"),
            one.score.model_dump(mode="json"),
        )
        for key, one in run.answers.items()
    )
    return AnswerTable.of(rows, run=run.name, model=run.name)
