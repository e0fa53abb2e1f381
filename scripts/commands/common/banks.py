"""A bank as `--bank` names it: one of the program's, a folder of YAML, or a release found whole."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from clinicnum.release import Release
    from clinicnum.templates.template import Template


def bank_at(name: str) -> tuple[tuple[Template, ...], Release | None]:
    """The templates that `--bank` names, and the release that they are, found whole.

    Raises InputError for a release that is not as it was published.
    """
    from clinicnum.release import is_release, read_release
    from clinicnum.templates.banks import BANKS, named_bank

    if name in BANKS or not is_release(Path(name)):
        return named_bank(name), None
    release = read_release(Path(name))
    return release.templates, release


def check_release(folder: Path, *, as_json: bool) -> int:
    """Say of a release whether every file is as it was published; exit code 1 if one is not."""
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
