"""`clinicnum worker`: runs the jobs that people ask for in the pages."""

from typing import Annotated, Literal

import typer

from clinicnum.scripts.commands.common.open_database import DatabaseOption
from clinicnum.scripts.commands.common.uploads_folder import FilesOption
from clinicnum.scripts.commands.jobs.readable_paths import DataOption


def worker(
    db: DatabaseOption = None,
    files: FilesOption = None,
    data: DataOption = None,
    take: Annotated[
        Literal["all", "models", "others"],
        typer.Option(help="Which jobs: all, models (runs of models, for a machine with a GPU), or others."),
    ] = "all",
    with_parent: Annotated[
        bool, typer.Option("--with-parent", hidden=True, help="End when standard input does.")
    ] = False,
) -> None:
    """Run jobs until interrupted; `clinicnum serve` starts a worker of its own unless told otherwise.

    A job that was interrupted waits, and goes on where it stopped when a worker is there again.

    Example: clinicnum worker --db postgresql://clinicnum@db.example.org/clinicnum --take models
    """
    import os
    import signal
    import sys

    from clinicnum.scripts.commands.common.open_database import using_database
    from clinicnum.scripts.commands.common.uploads_folder import files_folder
    from clinicnum.scripts.commands.jobs import readable_paths
    from clinicnum.scripts.commands.jobs.end_with_parent import when_parent_ends
    from clinicnum.scripts.commands.jobs.worker import LANES, NICENESS, Worker

    os.nice(NICENESS)
    if data is not None:
        os.environ[readable_paths.ENVIRONMENT] = str(data.resolve())
    with using_database(db) as engine:
        made = Worker(engine, files_folder(engine, files), lanes=LANES[take])
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: made.stop.set())
        if with_parent:
            when_parent_ends(made.stop.set)
        print(f"worker {made.name} waits for jobs in {made.files} (stop with Ctrl+C)", file=sys.stderr)
        made.work()
