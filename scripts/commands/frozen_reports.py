"""`clinicnum reports`: reports that were frozen on the page Reports, listed and written to disk."""

import json
from pathlib import Path
from typing import Annotated

import typer

from clinicnum.scripts.commands.common.json_option import JsonOption
from clinicnum.scripts.commands.common.open_database import DatabaseOption
from clinicnum.scripts.commands.report import OutOption, write_files


def list_all(db: DatabaseOption = None, json_output: JsonOption = False) -> None:
    """List the frozen reports, newest first, with their hashes and whether their studies changed since.

    Example: clinicnum reports list --json
    """
    from clinicnum.db.engine import reading
    from clinicnum.db.work.reports.frozen_reports import every_report
    from clinicnum.scripts.commands.common.open_database import existing_database

    with existing_database(db) as engine, reading(engine) as session:
        found = every_report(session)
    if json_output:
        typer.echo(json.dumps([one.model_dump(mode="json") for one in found], indent=2))
        return
    if not found:
        typer.echo("no report is frozen yet; the page Reports builds one")
    for one in found:
        since = f"{one.changes} changes since" if one.changes else "unchanged since"
        made = f"{one.created_at:%Y-%m-%d %H:%M} UTC by {one.created_by}"
        typer.echo(f"{one.report_id}  {one.title} ({', '.join(one.studies)}), {made}, {since}")
        typer.echo(f"  sha256 of all files {one.sha256}")


def save(
    report: Annotated[str, typer.Argument(help="Its id, as `clinicnum reports list` prints it.")],
    out: OutOption,
    db: DatabaseOption = None,
) -> None:
    """Write the files of a frozen report into a folder.

    Example: clinicnum reports save 0f2a91c4d1e6b7a8 --out before/
    """
    from clinicnum.db.engine import reading
    from clinicnum.db.work.reports.frozen_reports import report_files
    from clinicnum.scripts.commands.common.open_database import existing_database

    with existing_database(db) as engine, reading(engine) as session:
        files = report_files(session, report)
    write_files(out, files)
    typer.echo(f"{len(files)} files in {Path(out)}")
