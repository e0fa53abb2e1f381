"""`clinicnum jobs`: list jobs, cancel or retry one, and print its log."""

import json
from typing import Annotated

import typer

from clinicnum.scripts.commands.common.json_option import JsonOption
from clinicnum.scripts.commands.common.open_database import DatabaseOption

JobArgument = Annotated[str, typer.Argument(metavar="JOB", help="Its id, as `clinicnum jobs list` shows it.")]


def list_all(db: DatabaseOption = None, json_output: JsonOption = False) -> None:
    """List the jobs, newest first.

    Example: clinicnum jobs list --json
    """
    from clinicnum.db.engine import reading
    from clinicnum.db.work.jobs import job_store
    from clinicnum.inference.run_time_estimate import duration
    from clinicnum.scripts.commands.common.open_database import existing_database

    with existing_database(db) as engine, reading(engine) as session:
        found = job_store.list_jobs(session, user_id=None)
        no_worker = job_store.waiting_without_worker(session)
    if json_output:
        typer.echo(json.dumps([one.model_dump(mode="json") for one in found], indent=2))
        return
    for one in found:
        counted, left = one.progress, one.progress.seconds_left
        far = f", {counted.done} of {counted.total} {counted.unit}" if counted.total else ""
        time = f", {duration(left)} left" if one.status == "running" and left is not None else ""
        status = one.status if one.alive else "running, but its worker is gone: will be taken over"
        error = f": {one.error}" if one.error else ""
        typer.echo(f"{one.job_id} {one.kind} by {one.requested_by}: {status}{far}{time}{error}")
    if not found:
        typer.echo("no job yet; people ask for them in the pages")
    if no_worker:
        typer.echo("no worker runs; start one: clinicnum worker", err=True)


def cancel(job: JobArgument, db: DatabaseOption = None) -> None:
    """Cancel a job that waits or runs.

    Example: clinicnum jobs cancel 0f3a5c7e9b1d2f40
    """
    from clinicnum.db.engine import writing
    from clinicnum.db.work.jobs import job_store
    from clinicnum.scripts.commands.common.open_database import using_database

    with using_database(db) as engine, writing(engine) as session:
        status = job_store.cancel_job(session, user_id=None, job_id=job)
    typer.echo("cancelled" if status == "cancelled" else "its worker will end it in a moment")


def retry(job: JobArgument, db: DatabaseOption = None) -> None:
    """Try a job again that failed or was cancelled; it goes on where it stopped.

    Example: clinicnum jobs retry 0f3a5c7e9b1d2f40
    """
    from clinicnum.db.engine import writing
    from clinicnum.db.work.jobs import job_store
    from clinicnum.scripts.commands.common.open_database import using_database

    with using_database(db) as engine, writing(engine) as session:
        job_store.retry_job(session, user_id=None, job_id=job)
    typer.echo("it waits for a worker")


def log(job: JobArgument, db: DatabaseOption = None) -> None:
    """Print the end of what a job wrote.

    Example: clinicnum jobs log 0f3a5c7e9b1d2f40
    """
    from clinicnum.db.engine import reading
    from clinicnum.db.work.jobs import job_store
    from clinicnum.scripts.commands.common.open_database import existing_database

    with existing_database(db) as engine, reading(engine) as session:
        typer.echo(job_store.job_log(session, user_id=None, job_id=job))
