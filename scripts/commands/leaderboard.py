"""`clinicnum leaderboard`: models compared over studies, or over all stored runs."""

from typing import Annotated

import typer

from clinicnum.scripts.commands.common.json_option import JsonOption
from clinicnum.scripts.commands.common.open_database import DatabaseOption


def leaderboard(
    study: Annotated[
        list[str] | None,
        typer.Option("--study", help="Name of a study; without, all stored runs are ranked."),
    ] = None,
    json_output: JsonOption = False,
    db: DatabaseOption = None,
) -> None:
    """Compare models over studies: accuracy by benchmark, failures per 100 answers, severity and classes.

    `clinicnum report` with several studies writes these tables with all other figures. Example: clinicnum
    leaderboard --study first --study second
    """
    from clinicnum.annotations.exports.report_files import report_json
    from clinicnum.annotations.report.markdown import render_markdown
    from clinicnum.db.engine import reading
    from clinicnum.db.work.reports.leaderboard import load_leaderboard
    from clinicnum.scripts.commands.common.open_database import existing_database
    from clinicnum.scripts.commands.report import this_program

    with existing_database(db) as engine, reading(engine) as session:
        report = load_leaderboard(session, study or (), generated_by=this_program())
    typer.echo(report_json(report) if json_output else render_markdown(report), nl=False)
