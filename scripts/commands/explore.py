"""`clinicnum explore`: accuracy of slices of stored runs."""

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from clinicnum.scripts.commands.common.json_option import JsonOption
from clinicnum.scripts.commands.common.open_database import DatabaseOption
from clinicnum.stats.rounded_figures import rounded

if TYPE_CHECKING:
    from collections.abc import Sequence


def explore(
    runs: Annotated[
        list[str], typer.Option("--run", help="A run's run_id, label or key; several are explored together.")
    ],
    by: Annotated[list[str], typer.Option(help="Facet whose values are the slices; give several.")],
    where: Annotated[
        list[str] | None,
        typer.Option(help="FACET=VALUE that an answer must have; several of one facet: any of them."),
    ] = None,
    search: Annotated[str, typer.Option(help="Words that question or answer must contain.")] = "",
    json_output: JsonOption = False,
    db: DatabaseOption = None,
) -> None:
    """Show where models are right and wrong: accuracy of slices, with the difference from the rest.

    docs/explore.md lists the facets. Example: clinicnum explore --run run-of-smollm2 --where headline=yes
    --where operation=arithmetic --by vital --by context_length
    """
    from clinicnum.annotations.explore.slice_accuracy import accuracy_by
    from clinicnum.annotations.explore.slice_query import SliceQuery, read_conditions
    from clinicnum.annotations.explore.slice_rows import slice_rows
    from clinicnum.db.engine import reading
    from clinicnum.db.work.explore.explore_page_data import Explorer
    from clinicnum.db.work.runs.stored_runs import find_runs
    from clinicnum.scripts.commands.common.open_database import existing_database

    query = SliceQuery(where=read_conditions(where or []), search=search[:200])
    with existing_database(db) as engine, reading(engine) as session:
        found = Explorer().slice_among(session, find_runs(session, runs), query)
    rows = slice_rows(accuracy_by(found.frame, facet, within=found.chosen) for facet in by)
    typer.echo(json.dumps(rows, indent=2) if json_output else _text(rows))


def _text(rows: "Sequence[dict[str, Any]]") -> str:
    from clinicnum.scripts.commands.text.accuracy import aligned, percent

    head = ("facet", "value", "n", "subjects", "right", "95 % interval", "difference", "95 % interval")
    lines = [head]
    for row in rows:
        interval = "-" if row["low"] is None else f"{percent(row['low'])} to {percent(row['high'])}"
        low, high = row["difference_low"], row["difference_high"]
        ends = [rounded(100 * end, 1, signed=True) for end in (low, high) if end is not None]
        of_difference = " to ".join(ends) or "-"
        difference = "-" if row["difference"] is None else rounded(100 * row["difference"], 1, signed=True)
        counts = (str(row["n"]), str(row["n_subjects"]))
        named = (row["facet"], row["value"] or "none")
        lines.append((*named, *counts, percent(row["accuracy"]), interval, difference, of_difference))
    said = (
        "Differences from the rest are in points; intervals are not corrected for the number of slices. "
        "Where there is a dash, --json says why."
    )
    return "\n".join([*aligned(lines), "", said])
