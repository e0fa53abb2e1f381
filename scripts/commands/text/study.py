"""Studies and previews as lines of text."""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from clinicnum.annotations.study_preview import Preview
    from clinicnum.annotations.study_seed import Seed
    from clinicnum.annotations.types import StudySummary


def print_studies(summaries: "Sequence[StudySummary]", json_output: bool) -> None:
    """Print one line per study, or with `json_output` all as one JSON array."""
    if json_output:
        typer.echo(json.dumps([summary.model_dump(mode="json") for summary in summaries], indent=2))
        return
    if not summaries:
        typer.echo("no study yet; make one: clinicnum study create --help")
    for summary in summaries:
        scripted = (
            f", {summary.simulated_annotators} of them simulated" if summary.simulated_annotators else ""
        )
        typer.echo(
            f"{summary.name} ({summary.status}): {summary.generations} generations, {summary.annotators} "
            f"annotators{scripted}, overlap {summary.overlap}, {summary.submitted} of "
            f"{summary.assignments} submitted, {summary.skipped} skipped"
            + (f", due {summary.deadline}" if summary.deadline else "")
        )


def print_preview(preview: "Preview", seed: "Seed", json_output: bool) -> None:
    """Print the strata as a table, the required work, the warnings, and the command that opens this study.

    With `json_output`, print the preview and its seed as JSON alone.
    """
    if json_output:
        typer.echo(json.dumps({**preview.model_dump(mode="json"), "seed": seed}, indent=2))
        return
    wide = max(len(one.stratum) for one in preview.strata)
    typer.echo(f"{'stratum':<{wide}}  {'available':>9}  {'drawn':>6}  {'probability':>11}")
    for one in preview.strata:
        typer.echo(f"{one.stratum:<{wide}}  {one.available:>9}  {one.drawn:>6}  {one.probability:>11.4f}")
    typer.echo(
        f"\n{preview.drawn} of {preview.available} generations of {preview.subjects} subjects, "
        f"{preview.training} training and {preview.controls} control items, {preview.judgements} judgements"
    )
    typer.echo(preview.of_variants())
    for kind in preview.variants if preview.variants_drawn else ():
        typer.echo(f"  {kind.variant}: {kind.drawn} of {kind.available}")
    if preview.left_out:
        typer.echo(preview.of_invalidated())
    typer.echo(
        f"{preview.items_an_annotator} items for each of {preview.annotators} annotators "
        f"({preview.repeats_an_annotator} blind repeats): {preview.hours_an_annotator:.1f} h at "
        f"{preview.seconds_an_item} s an item, {preview.hours_in_all:.1f} h in all"
    )
    for warning in (*preview.unmet, *preview.warnings):
        typer.echo(f"warning: {warning}")
    typer.echo(f"nothing was written; open just this study with --seed {seed} in place of --preview")
