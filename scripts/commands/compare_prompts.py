"""`clinicnum compare-prompts`: two runs that differ in their prompt alone, side by side."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from clinicnum.robustness import Run
    from clinicnum.robustness.prompt_comparison import PromptComparison

_SAME = ("model_fingerprint", "decoding", "dtype", "quantize", "template_date", "server_says")
"""Meta entries that both runs must share, besides the benchmark."""


def compare_prompts(
    first: Annotated[Path, typer.Argument(help="Generations of a run, as `clinicnum run` writes them.")],
    second: Annotated[Path, typer.Argument(help="Generations of the same model, asked by another prompt.")],
    benchmark: Annotated[Path, typer.Option(help="The instances that both answered, JSONL.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON only.")] = False,
) -> None:
    """Compare two prompts, paired by question: accuracy, omissions, hallucinations, and the answers' form.

    The answers are scored here, and causes suggested. The runs must differ in nothing but the prompt.

    Example: clinicnum compare-prompts brief.jsonl stepwise.jsonl --benchmark bench.jsonl
    """
    from dataclasses import asdict

    from clinicnum.credentialed_data import data_use, mark
    from clinicnum.inference.model_metadata import asks_form
    from clinicnum.io.benchmark import read_benchmark
    from clinicnum.io.jsonl import checked_meta, sha256_file
    from clinicnum.robustness.prompt_comparison import compare_prompts as compare
    from clinicnum.scripts.commands.common.credentialed_warning import warn
    from clinicnum.scripts.commands.common.run_files import RunFiles
    from clinicnum.scripts.commands.text.prompt_comparison import prompt_comparison_text

    metas = [checked_meta(first), checked_meta(second)]
    _check_prompt_alone(first, second, metas)
    instances = read_benchmark(benchmark)
    said = data_use(checked_meta(benchmark), instances.values(), *metas)
    files = RunFiles(benchmark, sha256_file(benchmark), instances)
    runs = [files.scored(path) for path in (first, second)]
    judged = all(map(asks_form, metas))
    suggested: dict[str, set[str]] = {}
    for run in runs:
        _suggest(run, suggested, form_asked=judged)
    found: PromptComparison = compare(runs[0], runs[1], suggested=suggested, form_judged=judged)
    warn(said)
    if as_json:
        prompts = {"first_prompt": _prompt(metas[0]), "second_prompt": _prompt(metas[1])}
        typer.echo(json.dumps(asdict(found) | prompts | mark(said), indent=2, allow_nan=False))
    else:
        typer.echo(prompt_comparison_text(found, _prompt(metas[0]), _prompt(metas[1]), runs[0].name))


def _check_prompt_alone(first: Path, second: Path, metas: list[dict[str, Any]]) -> None:
    """Raise InputError unless the runs are known to differ in their prompt and in nothing else."""
    from clinicnum.errors import InputError

    for path, meta in zip((first, second), metas, strict=True):
        if not meta.get("prompt_hash"):
            raise InputError(
                f"{path}: does not record by which prompt it was asked; expected a run of `clinicnum run`"
            )
    one, other = metas
    if one["prompt_hash"] == other["prompt_hash"]:
        raise InputError(
            f"{first} and {second} were asked by the same prompt, {_prompt(one)}; give runs by two prompts "
            "(`clinicnum run --prompt`)"
        )
    differs = next((key for key in _SAME if one.get(key) != other.get(key)), None)
    if differs is not None:
        raise InputError(
            f"{first} and {second} differ in {differs}, too ({one.get(differs)} and {other.get(differs)}), "
            "so no difference could be told to be the prompt's; run both alike"
        )


def _prompt(meta: dict[str, Any]) -> str:
    """The names of a run's prompts, joined by commas; the beginning of their hash if it records no names."""
    named = meta.get("prompt_ids")
    return ", ".join(map(str, named)) if isinstance(named, list) else str(meta.get("prompt_hash"))[:12]


def _suggest(run: "Run", suggested: dict[str, set[str]], *, form_asked: bool) -> None:
    """Add the classes of the causes suggested for the run's failures to `suggested`, by generation id."""
    from clinicnum.diagnosis import calls_for_cause, rates_for, suggest_all

    answers = [one for one in run.answers.values() if calls_for_cause(one.score, form_asked=form_asked)]
    rates = rates_for([one.instance for one in run.answers.values()])
    for one in suggest_all([(a.instance, a.generation, a.score) for a in answers], rates=rates):
        suggested.setdefault(one.generation_id, set()).add(one.code.partition(".")[0])
