"""`clinicnum robustness`: effects of variants, prompts and representations on a model, and its
calibration.
"""

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from clinicnum.scripts.commands.common.run_files import RunFiles


def robustness(
    benchmark: Annotated[Path, typer.Option(help="Instances with variants, as `clinicnum generate` writes.")],
    generations: Annotated[list[Path], typer.Option(help="Generations; once more for each further model.")],
    scores: Annotated[list[Path], typer.Option(help="Their scores, in the same order.")],
    rerun_generations: Annotated[
        Path | None, typer.Option(help="The first model's answers to the same prompts, asked again.")
    ] = None,
    rerun_scores: Annotated[Path | None, typer.Option(help="Their scores.")] = None,
    hidden_states: Annotated[
        Path | None, typer.Option(help="Hidden states, as `clinicnum hidden-states` writes them.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of bootstraps and nulls.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON only.")] = False,
) -> None:
    """Measure how variants, prompts and representations change a model's answers, and its calibration.

    Every figure has an interval, and each rate stands beside that of an identical re-run, if you give one.
    Several models are compared in pairs, on the instances that both answered, corrected for the number of
    comparisons.

    Example: clinicnum robustness --benchmark bench.jsonl --generations g.jsonl --scores scores.jsonl
    """
    from clinicnum.credentialed_data import data_use, mark
    from clinicnum.errors import InputError
    from clinicnum.io.benchmark import read_benchmark
    from clinicnum.io.jsonl import read_meta, sha256_file
    from clinicnum.robustness import robustness as compute
    from clinicnum.scripts.commands.common.credentialed_warning import warn
    from clinicnum.scripts.commands.common.run_files import RunFiles

    if (rerun_generations is None) != (rerun_scores is None):
        raise InputError("--rerun-generations and --rerun-scores go together; give both or neither")
    instances = read_benchmark(benchmark)
    said = data_use(
        read_meta(benchmark) or {}, instances.values(), *(read_meta(one) or {} for one in generations)
    )
    asked = RunFiles(benchmark, sha256_file(benchmark), instances)
    runs = asked.runs(generations, scores)
    again = None
    if rerun_generations is not None and rerun_scores is not None:
        again = asked.run(rerun_generations, rerun_scores)
    found: dict[str, Any] = asdict(compute(runs, rerun=again, seed=seed))
    found["latent"] = [] if hidden_states is None else _latent(hidden_states, asked)
    found |= mark(said)
    warn(said)
    if as_json:
        typer.echo(json.dumps(found, indent=2, ensure_ascii=False, allow_nan=False))
    else:
        from clinicnum.scripts.commands.text.robustness import robustness_text

        typer.echo(robustness_text(found))


def _latent(hidden_states: Path, asked: "RunFiles") -> list[dict[str, Any]]:
    from clinicnum.robustness.hidden_and_clinical_states import read_hidden
    from clinicnum.robustness.latent_flip_rate import latent_rows

    hidden = read_hidden(hidden_states, benchmark_sha256=asked.sha256)
    return [asdict(row) for row in latent_rows(asked.instances, hidden)]
