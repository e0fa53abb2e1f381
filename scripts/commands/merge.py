"""`clinicnum merge`: merge the generations files of a run's processes into one."""

from pathlib import Path
from typing import Annotated

import typer


def merge(
    out: Annotated[Path, typer.Option(help="Generations file of the run; its shards lie beside it.")],
) -> None:
    """Merge what several processes of one run wrote, each instance once.

    Processes on one machine do this themselves when the last one ends. It is needed where they ran on
    several machines, or were killed and are not to go on. It can be interrupted and repeated.

    Example: clinicnum merge --out generations.jsonl
    """
    from clinicnum.inference.merge_shards import merge as merge_shards

    merged = merge_shards(out)
    typer.echo(f"{out}: {merged.total} generations, {merged.added} of them from {merged.shards} shards")
