"""`clinicnum verify`: check a bundle's hashes, figures and derived files against its own raw rows."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from clinicnum.annotations.bundle.verify import Verification


def verify(
    bundle: Annotated[Path, typer.Argument(help="The bundle, or the folder it was unpacked into.")],
    json_output: Annotated[bool, typer.Option("--json", help="Print only JSON.")] = False,
) -> None:
    """Check a bundle: every hash, every figure of its report against the raw rows, every derived file.

    Needs no database. Names the files that differ, with exit code 1. Example: clinicnum verify first.zip
    """
    from clinicnum.annotations.bundle.archive import unpack
    from clinicnum.annotations.bundle.verify import verify_bundle
    from clinicnum.scripts.commands.report import this_program

    found = verify_bundle(unpack(bundle), generated_by=this_program())
    if json_output:
        _print_json(bundle, found)
    else:
        _print(bundle, found)
    if not found.whole:
        raise typer.Exit(1)


def _print(bundle: Path, found: "Verification") -> None:
    for fault in found.faults:
        typer.echo(f"error: {bundle}: {fault}", err=True)
    if found.whole:
        typer.echo(
            f"{bundle}: study {found.study}: {found.files} files as their hashes say, {found.figures} "
            "figures recomputed from the raw rows and equal"
        )
    for note in found.notes:
        typer.echo(f"  {note}")


def _print_json(bundle: Path, found: "Verification") -> None:
    import json

    payload = {
        "bundle": str(bundle),
        "whole": found.whole,
        "study": found.study,
        "files": found.files,
        "figures": found.figures,
        "faults": [fault.model_dump() for fault in found.faults],
        "notes": list(found.notes),
    }
    typer.echo(json.dumps(payload, indent=2, ensure_ascii=False))
