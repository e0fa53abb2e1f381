"""Studies and previews as lines of text, and the files of `clinicnum study` options: guideline, fields, axes,
criteria.
"""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from clinicnum.annotations.criteria.criterion import Criterion
    from clinicnum.annotations.custom_fields import CustomField
    from clinicnum.annotations.study_preview import Preview
    from clinicnum.annotations.study_seed import Seed
    from clinicnum.annotations.types import StudySummary
    from clinicnum.types import Instance

JsonOption = Annotated[bool, typer.Option("--json", help="Print only JSON.")]


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


def read_axes_option(given: str, fields: Path | None) -> "tuple[CustomField, ...]":
    """The rating axes that the file `given` declares, or the built-in ones if `given` is `built-in`. Raises
    InputError if a file of fields is given as well, and for a file that is missing or wrong.
    """
    from clinicnum.annotations.ratings.rating_axes import BUILT_IN, read_axes
    from clinicnum.errors import InputError

    if fields is not None:
        raise InputError("--fields and --ratings were both given; a ratings study asks its axes only")
    return BUILT_IN if given == "built-in" else _declared(Path(given), read_axes)


def read_fields(path: Path) -> "tuple[CustomField, ...]":
    """The fields that a file declares. Raises InputError naming the file and what is wrong in it."""
    from clinicnum.annotations.custom_fields import read_custom_fields

    return _declared(path, read_custom_fields)


def _declared(path: Path, read: "Callable[[str], tuple[CustomField, ...]]") -> "tuple[CustomField, ...]":
    from clinicnum.errors import InputError

    try:
        return read(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise InputError(f"{path}: no such file; expected the fields of a study, YAML") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 text at byte {error.start}; expected YAML") from error
    except InputError as error:
        raise InputError(f"{path}: {error}") from error


def read_criteria_option(given: str | None, instances: "Sequence[Instance]") -> "tuple[Criterion, ...]":
    """The criteria in the file `given`, or the items' answer points for `points`; none for None.

    Raises InputError for an unreadable file, and if no item has answer points.
    """
    from clinicnum.annotations.criteria.read import criteria_of_points, read_criteria

    if given is None:
        return ()
    return criteria_of_points(instances) if given == "points" else read_criteria(Path(given))


def read_guideline(path: Path) -> str:
    """The text of a guideline file. Raises InputError if it cannot be read."""
    from clinicnum.errors import InputError

    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 text at byte {error.start}; expected Markdown") from error
