"""Which folders and files of the worker's machine a job may read: those below `--data DIR`.

A person who may request jobs must not thereby read every file that the worker can.
"""

import os
from pathlib import Path
from typing import Annotated

import typer

from clinicnum.errors import InputError
from clinicnum.scripts.commands.common.install_small_model import cache_folder

ENVIRONMENT = "CLINICNUM_DATA"

DataOption = Annotated[
    Path | None,
    typer.Option(
        "--data",
        metavar="DIR",
        help="Folder with the records, banks and models that jobs may read; default: "
        f"{ENVIRONMENT}, else the current folder.",
    ),
]


def data_folder() -> Path:
    """The folder that jobs may read."""
    return Path(os.environ.get(ENVIRONMENT) or Path.cwd()).resolve()


def readable(text: str) -> Path:
    """The path `text`, relative to the folder that jobs may read, or within the small model's.

    Raises InputError for a path outside or missing.
    """
    data = data_folder()
    path = (data / text).resolve()
    if not any(path.is_relative_to(folder) for folder in (data, cache_folder().resolve())):
        raise InputError(
            f"{text}: is outside the folder that jobs may read, {data}; put it there, or start the worker "
            "with another --data"
        )
    if not path.exists():
        raise InputError(f"{text}: there is no such file or folder in {data}; see which there are")
    return path
