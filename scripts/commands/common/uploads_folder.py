"""The folder of uploaded files and of unfinished jobs' files: `--files DIR`, otherwise CLINICNUM_FILES,
otherwise one beside the database.
"""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from sqlalchemy import Engine

ENVIRONMENT = "CLINICNUM_FILES"
BESIDE_POSTGRESQL = Path("clinicnum-files")

FilesOption = Annotated[
    Path | None,
    typer.Option(
        "--files",
        metavar="DIR",
        help=f"Folder of uploads and unfinished jobs; default: {ENVIRONMENT}, else one for the database.",
    ),
]


def files_folder(engine: "Engine", given: Path | None = None) -> Path:
    """The folder `given`, otherwise that of the variable CLINICNUM_FILES, otherwise `DATABASE-files` beside a
    SQLite file, or `clinicnum-files` in the current folder. The path is absolute; the folder is not created.
    """
    named = given or os.environ.get(ENVIRONMENT)
    if named:
        return Path(named).absolute()
    if engine.url.get_backend_name() == "sqlite":
        return Path(f"{engine.url.database}-files").absolute()
    return BESIDE_POSTGRESQL.absolute()


def uploads_folder(files: Path) -> Path:
    """Folder of uploaded files, named by id."""
    return files / "uploads"


def private_folder(folder: Path) -> Path:
    """Create a folder, and those of its parents that are missing, so that only their owner can read them: it
    holds patient data. Folders that exist keep their mode. Returns the folder.

    Raises InputError if it cannot be created.
    """
    from clinicnum.errors import InputError

    try:
        for one in (*reversed(folder.parents), folder):
            if not one.is_dir():
                one.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"{folder}: cannot make this folder ({error.strerror}); name another one with --files"
        ) from error
    return folder
