"""`clinicnum study`: labelling projects."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scripts.database import DatabaseOption

if TYPE_CHECKING:
    from annotations.material import Material
    from annotations.types import StudySummary

JsonOption = Annotated[bool, typer.Option("--json", help="Print only JSON.")]


def create(
    name: Annotated[str, typer.Option(help="Name of the study.")],
    benchmark: Annotated[Path, typer.Option(help="Instances, JSONL.")],
    generations: Annotated[list[Path], typer.Option(help="Generations, JSONL; several files, one a run.")],
    scores: Annotated[list[Path], typer.Option(help="Scores of these generations, JSONL.")],
    annotators: Annotated[str, typer.Option(help="Account names, joined by commas.")],
    overlap: Annotated[int, typer.Option(help="Annotators of each generation.")] = 3,
    include: Annotated[
        str,
        typer.Option(
            help="incorrect: failures only; all: everything; mixed: failures and 15 % scored-correct."
        ),
    ] = "mixed",
    suggestions: Annotated[
        list[Path] | None, typer.Option(help="Suggested causes of these failures, JSONL.")
    ] = None,
    taxonomy: Annotated[Path | None, typer.Option(help="Taxonomy, YAML; default: clinical-numeracy.")] = None,
    seed: Annotated[int, typer.Option(help="Decides sample, assignment and order.")] = 0,
    more: Annotated[
        list[Path] | None, typer.Argument(metavar="[GENERATIONS]...", help="Further generations files.")
    ] = None,
    db: DatabaseOption = None,
    json_output: JsonOption = False,
) -> None:
    """Load a benchmark, its generations and scores, draw a sample, and assign it to annotators.

    Example: clinicnum study create --name first --benchmark bench.jsonl --generations generations.jsonl
    --scores scores.jsonl --annotators ann,ben,eve --overlap 3
    """
    from annotations.design import read_design
    from annotations.sampling import INCLUDES
    from annotations.taxonomy import load_taxonomy
    from clinicnum.errors import InputError
    from db.engine import writing
    from db.work.study import create_study
    from scripts.database import using_database

    if include not in INCLUDES:
        raise InputError(f"--include {include!r} does not exist; expected one of {', '.join(INCLUDES)}")
    chosen = load_taxonomy(taxonomy)
    material = _read_material(benchmark, [*generations, *(more or [])], scores, suggestions or [])
    with using_database(db) as engine, writing(engine) as session:
        summary = create_study(
            session,
            name=name,
            material=material,
            annotators=[part.strip() for part in annotators.split(",") if part.strip()],
            design=read_design({"overlap": overlap, "include": include}),
            seed=seed,
            taxonomy=chosen,
        )
    _print([summary], json_output)


def _read_material(
    benchmark: Path, generations: list[Path], scores: list[Path], suggestions: list[Path]
) -> "Material":
    from annotations.material import Material, Run
    from clinicnum.benchmark import read_benchmark
    from clinicnum.jsonl import checked_meta, read_jsonl
    from clinicnum.types import Generation, Score, Suggestion

    _check_origin(scores, "generations_sha256", generations, "generations")
    _check_origin(suggestions, "scores_sha256", scores, "scores")
    return Material(
        benchmark_meta=checked_meta(benchmark),
        instances=tuple(read_benchmark(benchmark).values()),
        runs=tuple(
            Run(meta=checked_meta(path), generations=tuple(read_jsonl(path, Generation)))
            for path in generations
        ),
        scores=tuple(score for path in scores for score in read_jsonl(path, Score)),
        suggestions=tuple(one for path in suggestions for one in read_jsonl(path, Suggestion)),
    )


def _check_origin(paths: list[Path], key: str, origins: list[Path], what: str) -> None:
    """Raise InputError for a file that was made from other files than those given."""
    from clinicnum.errors import InputError
    from clinicnum.jsonl import checked_meta, sha256_file

    known = {sha256_file(origin) for origin in origins if origin.is_file()}
    for path in paths:
        made_from = checked_meta(path).get(key)
        if made_from is not None and made_from not in known:
            raise InputError(
                f"{path}: was made from other {what} (sha256 {str(made_from)[:12]}) than those given; "
                f"score these {what} anew, or give those"
            )


def list_all(db: DatabaseOption = None, json_output: JsonOption = False) -> None:
    """List the studies with their progress.

    Example: clinicnum study list --json
    """
    from db.engine import reading
    from db.work.study import list_studies
    from scripts.database import using_database

    with using_database(db) as engine, reading(engine) as session:
        summaries = list_studies(session)
    _print(summaries, json_output)


def close(
    name: Annotated[str, typer.Argument(help="Name of the study.")],
    db: DatabaseOption = None,
    json_output: JsonOption = False,
) -> None:
    """Close a study: nothing in it can be changed any more.

    Example: clinicnum study close first
    """
    from db.engine import writing
    from db.work.study import close_study
    from scripts.database import using_database

    with using_database(db) as engine, writing(engine) as session:
        summary = close_study(session, name=name)
    _print([summary], json_output)


def _print(summaries: "list[StudySummary] | tuple[StudySummary, ...]", json_output: bool) -> None:
    if json_output:
        import json

        typer.echo(json.dumps([summary.model_dump(mode="json") for summary in summaries], indent=2))
        return
    if not summaries:
        typer.echo("no study yet; make one: clinicnum study create --help")
    for summary in summaries:
        scripted = (
            f", {summary.simulated_annotators} of them simulated" if summary.simulated_annotators else ""
        )
        typer.echo(
            f"{summary.name} ({summary.status}): {summary.generations} generations, {summary.annotators} "
            f"annotators{scripted}, overlap {summary.overlap}, {summary.submitted} of "
            f"{summary.assignments} submitted, {summary.skipped} skipped"
        )
