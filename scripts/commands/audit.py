"""`clinicnum audit`: whether the log of changes is whole."""

from pathlib import Path
from typing import Annotated

import typer

from scripts.database import DatabaseOption
from scripts.study_text import JsonOption


def verify(
    since: Annotated[
        Path | None,
        typer.Option(help="What --json printed before: those rows must still be there, unchanged."),
    ] = None,
    db: DatabaseOption = None,
    json_output: JsonOption = False,
) -> int:
    """Recompute every hash of the audit log; exit 1 if a row was changed, removed or put in.

    Rows cut off at the end leave no trace in the log itself: keep what --json prints somewhere else, and give
    it with --since.

    Example: clinicnum audit verify --json > audit.json
    """
    import json

    from db.engine import reading
    from db.work.audit import verify_chain
    from db.work.audit_since import read_heads, verify_since
    from scripts.database import using_database

    heads = read_heads(since) if since else ()
    with using_database(db) as engine, reading(engine) as session:
        chains = verify_chain(session)
        lost = verify_since(session, heads)
    whole = not lost and all(one.broken_at is None for one in chains)
    if json_output:
        typer.echo(json.dumps([one.model_dump(mode="json") for one in chains], indent=2))
    else:
        for one in chains:
            state = "whole" if one.broken_at is None else f"BROKEN at row {one.broken_at}: {one.reason}"
            typer.echo(f"{one.chain}: {one.rows} rows, {state}, last hash {one.last_hash}")
        if not chains:
            typer.echo("nothing was logged yet")
    for said in lost:
        typer.echo(said, err=True)
    return 0 if whole else 1
