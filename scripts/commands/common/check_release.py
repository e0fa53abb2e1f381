"""Check a release of the bank, and print the result."""

import json
from pathlib import Path

import typer


def check_release(folder: Path, *, as_json: bool) -> int:
    """Print whether every file of a release is as published; returns the exit code: 0, or 1 if one is not."""
    from clinicnum.release import check_folder, read_release

    faults = check_folder(folder)
    if as_json:
        told = {"whole": not faults, "faults": [one.model_dump() for one in faults]}
        typer.echo(json.dumps(told, indent=1))
        return 1 if faults else 0
    for fault in faults:
        typer.echo(f"{folder}: {fault}")
    if faults:
        return 1
    release = read_release(folder)
    typer.echo(f"{folder}: release {release.name} is as it was published, sha256 {release.sha256}")
    return 0
