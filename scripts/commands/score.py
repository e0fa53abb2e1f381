"""`clinicnum score`: judge generations against their benchmark."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from clinicnum.metrics import AccuracyTable
    from clinicnum.types import Generation, Instance


def score(
    benchmark: Annotated[Path, typer.Option(help="Instances, as `clinicnum generate` writes them.")],
    generations: Annotated[Path, typer.Option(help="Generations, as `clinicnum run` writes them.")],
    out: Annotated[Path, typer.Option(help="Scores file to write.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print the table as JSON on stdout.")] = False,
) -> None:
    """Score every generation and print accuracy and statuses by operation and representation.

    Example: clinicnum score --benchmark bench.jsonl --generations generations.jsonl --out scores.jsonl
    """
    from clinicnum.benchmark import read_benchmark
    from clinicnum.jsonl import sha256_file, write_jsonl
    from clinicnum.metrics import accuracy_table
    from clinicnum.scoring import check_scorable
    from clinicnum.scoring import score as judge

    instances = read_benchmark(benchmark)
    for instance in instances.values():
        check_scorable(instance)
    answered = _generations(generations, benchmark, instances)
    scores = [judge(instance=instances[g.instance_id], generation=g) for g in answered]
    meta = {
        "benchmark_sha256": sha256_file(benchmark),
        "generations_sha256": sha256_file(generations),
        "n_scores": len(scores),
        "n_unanswered": len(instances) - len(answered),
    }
    write_jsonl(out, scores, meta)
    table = accuracy_table((instances[g.instance_id], s) for g, s in zip(answered, scores, strict=True))
    if as_json:
        typer.echo(json.dumps({"n_unanswered": meta["n_unanswered"], **asdict(table)}, indent=2))
    else:
        typer.echo(_text(table, len(instances) - len(answered), out))


def _generations(path: Path, benchmark: Path, instances: "dict[str, Instance]") -> "Sequence[Generation]":
    """The generations, checked: of this benchmark, each instance once, no id twice."""
    from clinicnum.errors import InputError
    from clinicnum.jsonl import read_jsonl, read_meta, sha256_file
    from clinicnum.types import Generation

    made_for = (read_meta(path) or {}).get("benchmark_sha256")
    if made_for is not None and made_for != sha256_file(benchmark):
        raise InputError(
            f"{path}: was generated for another benchmark (sha256 {made_for}) than {benchmark}; "
            "name that benchmark, or run this one"
        )
    found: list[Generation] = []
    seen: dict[str, int] = {}
    for number, generation in enumerate(read_jsonl(path, Generation), start=1):
        if generation.instance_id not in instances:
            raise InputError(
                f"{path}:{number}: instance {generation.instance_id} is not in {benchmark}; "
                "name the benchmark it was made for"
            )
        for kind, name in (("instance", generation.instance_id), ("generation", generation.generation_id)):
            first = seen.setdefault(f"{kind} {name}", number)
            if first != number:
                raise InputError(f"{path}:{number}: {kind} {name} again, first in line {first}; remove one")
        found.append(generation)
    return found


def _text(table: "AccuracyTable", unanswered: int, out: Path) -> str:
    """Accuracy by operation and representation, and why what is not correct is not."""
    wrong = ("incorrect", "unparsable", "abstained", "empty", "truncated")
    head = ("operation", "representation", "n", "accuracy", "95 % interval", "strict")
    lines: list[Sequence[str]] = [(*head, *wrong)]
    for row in table.rows:
        counts = {str(status): str(count) for status, count in row.statuses.items()}
        low, high = row.interval.low, row.interval.high
        between = "-" if low is None else f"{_percent(low)} to {_percent(high)}"
        shares = (_percent(row.accuracy), between, _percent(row.strict_accuracy))
        lines.append((row.operation, row.representation, str(row.n), *shares, *(counts[w] for w in wrong)))
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    said = [f"{table.n_scored} scored, {unanswered} instances without a generation"]
    said.append(f"{table.n_flagged} flagged as not discriminating (V7) and left out above")
    if table.n_variants:
        said.append(f"{table.n_variants} variants, which are for robustness and left out above")
    missing = {row.interval.undefined for row in table.rows if row.interval.undefined}
    said += [f"no interval: {reason}" for reason in sorted(missing)]
    return "\n".join([*(_line(line, widths) for line in lines), "", *said, f"scores in {out}"])


def _line(cells: Sequence[Any], widths: Sequence[int]) -> str:
    """Words to the left, figures to the right."""
    return "  ".join(
        cell.ljust(width) if i < 2 else cell.rjust(width)
        for i, (cell, width) in enumerate(zip(cells, widths, strict=True))
    ).rstrip()


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.1f} %"
