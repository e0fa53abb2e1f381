"""`clinicnum score`: score generations against their benchmark, and suggest causes of wrong answers."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from clinicnum.scripts.commands.text.accuracy import accuracy_text, dimensions_text, parts_text, percent

if TYPE_CHECKING:
    from clinicnum.types import Generation, Instance, Score, Suggestion

NAMED = 5
"""Number of ids that an error names at most, beside their count."""


def score(
    benchmark: Annotated[Path, typer.Option(help="Instances, as `clinicnum generate` writes them.")],
    generations: Annotated[Path, typer.Option(help="Generations, as `clinicnum run` writes them.")],
    out: Annotated[Path, typer.Option(help="Scores file to write.")],
    suggestions: Annotated[
        Path | None, typer.Option(help="File to write: likely causes of each failure, with their evidence.")
    ] = None,
    steps: Annotated[
        Path | None, typer.Option(help="File to write: how sound and complete each written working is.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the table as JSON on stdout.")] = False,
) -> None:
    """Score every generation and print accuracy and statuses by operation and representation.

    For imported items, also print accuracy by dimension, and the scores of the parts that their benchmark's
    paper defines.

    Example: clinicnum score --benchmark bench.jsonl --generations generations.jsonl --out scores.jsonl
    --suggestions suggestions.jsonl
    """
    from clinicnum.credentialed_data import data_use, mark
    from clinicnum.inference.model_metadata import asks_form, asks_strict_form
    from clinicnum.io.benchmark import read_benchmark
    from clinicnum.io.jsonl import checked_meta, sha256_file, write_jsonl
    from clinicnum.scoring import check_scorable
    from clinicnum.scoring import score as judge
    from clinicnum.scoring.part_scores import part_scores
    from clinicnum.scripts.commands.common.credentialed_warning import warn
    from clinicnum.stats.accuracy import accuracy_table
    from clinicnum.stats.dimension_accuracy import accuracy_by_dimension

    _check_outputs((benchmark, generations), (out, suggestions, steps))
    about = checked_meta(benchmark)
    instances = read_benchmark(benchmark)
    said = data_use(about, instances.values(), checked_meta(generations))
    for instance in instances.values():
        check_scorable(instance)
    answered = _generations(generations, benchmark, instances)
    run_meta = checked_meta(generations)
    scores = [judge(instance=instances[g.instance_id], generation=g) for g in answered]
    causes = _causes(instances, answered, scores, form_asked=asks_form(run_meta)) if suggestions else None
    made_from = {
        "benchmark_sha256": sha256_file(benchmark),
        "generations_sha256": sha256_file(generations),
        **mark(said),
    }
    counts = {"n_scores": len(scores), "n_unanswered": len(instances) - len(answered)}
    write_jsonl(out, scores, made_from | counts)
    if suggestions and causes:
        about = made_from | {"scores_sha256": sha256_file(out)}
        write_jsonl(suggestions, causes.found, about | causes.meta)
    shares = _steps(instances, answered, steps, made_from) if steps else None
    warn(said)
    pairs = [(instances[g.instance_id], s) for g, s in zip(answered, scores, strict=True)]
    form_asked = asks_strict_form(run_meta, (instance for instance, _ in pairs))
    table, by_dimension = accuracy_table(pairs, form_asked=form_asked), accuracy_by_dimension(pairs)
    parts = part_scores((instances[g.instance_id], g) for g in answered)
    if as_json:
        told = {"n_unanswered": counts["n_unanswered"], **asdict(table)}
        told |= {"dimensions": list(map(asdict, by_dimension)), "parts": list(map(asdict, parts))}
        told |= mark(said) | ({"suggestions": causes.summary} if causes else {})
        typer.echo(json.dumps(told | ({"steps": shares} if shares else {}), indent=2))
        return
    typer.echo(accuracy_text(table, unanswered=counts["n_unanswered"]))
    for text in filter(None, (dimensions_text(by_dimension), parts_text(parts))):
        typer.echo(f"\n{text}")
    typer.echo(f"\nscores in {out}")
    if causes:
        typer.echo(f"{causes.text}\nsuggestions in {suggestions}")
    if shares:
        means = ", ".join(f"{name} {percent(share)}" for name, share in shares.items())
        typer.echo(f"\nwritten workings, mean shares: {means}\nsteps in {steps}")


def _check_outputs(inputs: Sequence[Path], outputs: Sequence[Path | None]) -> None:
    """Raise InputError for an output that would overwrite an input or cannot be written."""
    from clinicnum.errors import InputError

    taken = {path.resolve() for path in inputs}
    for path in outputs:
        if path is None:
            continue
        if path.resolve() in taken:
            raise InputError(f"{path}: is read or written already; name another file for each output")
        if path.is_dir() or not path.parent.is_dir():
            raise InputError(f"{path}: expected a file in a folder that exists; make the folder first")
        taken.add(path.resolve())


def _generations(path: Path, benchmark: Path, instances: "dict[str, Instance]") -> "Sequence[Generation]":
    """The generations, checked: all of this benchmark, one per instance, no repeated id."""
    from clinicnum.errors import InputError
    from clinicnum.io.jsonl import checked_meta, read_jsonl, sha256_file
    from clinicnum.types import Generation

    made_for = checked_meta(path).get("benchmark_sha256")
    if made_for is not None and made_for != sha256_file(benchmark):
        raise InputError(
            f"{path}: was generated for another benchmark (sha256 {made_for}) than {benchmark}; "
            "name that benchmark, or run this one"
        )
    found = list(read_jsonl(path, Generation))
    ids = Counter(generation.generation_id for generation in found)
    asked = Counter(generation.instance_id for generation in found)
    faults = [
        _named([name for name in asked if name not in instances], f"not in {benchmark}", "instance"),
        _named([name for name, times in asked.items() if times > 1], "answered more than once", "instance"),
        _named([name for name, times in ids.items() if times > 1], "given more than once", "generation"),
    ]
    if any(faults):
        raise InputError(
            f"{path}: {'; '.join(filter(None, faults))}; nothing was scored: give the benchmark that was "
            "run, and each answer once"
        )
    return found


def _named(ids: Sequence[str], what: str, kind: str) -> str:
    """A phrase such as `3 instances are not in bench.jsonl (a, b, c)`; empty if there are none."""
    if not ids:
        return ""
    shown = ", ".join(ids[:NAMED]) + (", ..." if len(ids) > NAMED else "")
    return f"{len(ids)} {kind}{' is' if len(ids) == 1 else 's are'} {what} ({shown})"


class _Causes:
    """Suggested causes of the wrong answers, and the chance match rates recorded with them."""

    def __init__(self, found: "Sequence[Suggestion]", failures: int, rates: dict[str, Any]) -> None:
        self.found = found
        self.rates = rates
        first = Counter(suggestion.code for suggestion in found if suggestion.rank == 1)
        self.summary: dict[str, Any] = {
            "n_failures": failures,
            "n_explained": sum(first.values()),
            "n_suggestions": len(found),
            "first_by_code": dict(sorted(first.items(), key=lambda pair: (-pair[1], pair[0]))),
        }

    @property
    def meta(self) -> dict[str, Any]:
        return self.summary | {"placebo": self.rates}

    @property
    def text(self) -> str:
        n, explained = self.summary["n_failures"], self.summary["n_explained"]
        silent = sum(rate["silent"] for codes in self.rates["rates"].values() for rate in codes.values())
        named = "; the likeliest:" if explained else ""
        lines = [f"\n{explained} of {n} failures (of value or form) have a likely cause{named}"]
        lines += [f"  {code:<45}{count:>6}" for code, count in self.summary["first_by_code"].items()]
        if silent:
            above = percent(self.rates["silent_above"])
            lines.append(
                f"{silent} codes of templates are silent: over {above} of answers match them by chance"
            )
        return "\n".join(lines)


def _causes(
    instances: "dict[str, Instance]",
    answered: "Sequence[Generation]",
    scores: "Sequence[Score]",
    *,
    form_asked: bool,
) -> _Causes:
    from clinicnum.diagnosis import calls_for_cause, rates_for, suggest_all

    rates = rates_for(list(instances.values()))
    triples = [
        (instances[g.instance_id], g, s)
        for g, s in zip(answered, scores, strict=True)
        if calls_for_cause(s, form_asked=form_asked)
    ]
    return _Causes(suggest_all(triples, rates=rates), len(triples), rates.meta())


def _steps(
    instances: "dict[str, Instance]", answered: "Sequence[Generation]", out: Path, made_from: dict[str, Any]
) -> dict[str, float | None]:
    """Write the step measures of every generation; returns their mean shares."""
    from clinicnum.diagnosis import mean_shares, measure_steps
    from clinicnum.io.jsonl import write_jsonl

    measures = [measure_steps(instance=instances[g.instance_id], generation=g) for g in answered]
    shares = mean_shares(measures)
    write_jsonl(out, measures, made_from | {"mean_shares": shares})
    return shares
