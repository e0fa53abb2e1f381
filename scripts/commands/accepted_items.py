"""`clinicnum items list` and `write`: accepted items, and the next version of their benchmark."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from clinicnum.scripts.commands.common.json_option import JsonOption
from clinicnum.scripts.commands.common.open_database import DatabaseOption


def list_all(db: DatabaseOption = None, json_output: JsonOption = False) -> None:
    """List the benchmarks for which items made from failures were accepted.

    Example: clinicnum items list
    """
    from clinicnum.db.engine import reading
    from clinicnum.db.work.release.next_benchmark_version import benchmarks_with_items
    from clinicnum.scripts.commands.common.open_database import existing_database

    with existing_database(db) as engine, reading(engine) as session:
        found = benchmarks_with_items(session)
    if json_output:
        typer.echo(json.dumps(found))
        return
    for benchmark_id, n in found.items():
        typer.echo(f"{benchmark_id}  {n} accepted")
    typer.echo(f"{len(found)} benchmark{'' if len(found) == 1 else 's'} with accepted items")


def write(
    benchmark: Annotated[str, typer.Option(help="Id of the benchmark, as `clinicnum items list` names it.")],
    out: Annotated[Path, typer.Option(help="JSONL file to write; its .meta.json is put beside it.")],
    db: DatabaseOption = None,
    json_output: JsonOption = False,
) -> None:
    """Write the next version of a benchmark: its items and the accepted ones made from its failures.

    Items that upheld contests took out are left out, with their variants and what was made from them.

    Example: clinicnum items write --benchmark 0123456789abcdef --out next.jsonl
    """
    from clinicnum.db.engine import reading
    from clinicnum.db.work.release.next_benchmark_version import next_benchmark
    from clinicnum.io.jsonl import write_jsonl
    from clinicnum.scripts.commands.common.open_database import existing_database

    with existing_database(db) as engine, reading(engine) as session:
        made = next_benchmark(session, benchmark)
    write_jsonl(out, made.instances, made.meta)
    told = {
        "benchmark_id": made.meta["benchmark_id"],
        "instances": len(made.instances),
        "added": len(made.added),
        "left_out": list(made.left_out),
        "credentialed": bool(made.meta.get("credentialed")),
    }
    if json_output:
        typer.echo(json.dumps(told))
        return
    typer.echo(
        f"{out}: benchmark {told['benchmark_id']}, {told['instances']} instances, "
        f"{told['added']} of them new, {len(made.left_out)} left out"
    )
    if "data_use" in made.meta and told["credentialed"]:
        typer.echo(made.meta["data_use"])
