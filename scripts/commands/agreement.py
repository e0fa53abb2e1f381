"""`clinicnum agreement`: how far annotators agree, from a labels file."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from scripts.database import DatabaseOption

if TYPE_CHECKING:
    from rich.console import Console

    from annotations.agreement import AgreementResult
    from annotations.agreement.layers import StudyAgreement


def agreement(
    labels: Annotated[
        Path | None, typer.Option("--from", help="CSV with item,annotator,label, one label a row.")
    ] = None,
    scale: Annotated[str | None, typer.Option(help="nominal, ordinal, interval or set.")] = None,
    categories: Annotated[
        str | None, typer.Option(help="All categories in order, joined by commas, seen or not.")
    ] = None,
    cluster: Annotated[
        str | None, typer.Option(help="Column of what items share, usually the subject.")
    ] = None,
    json_output: Annotated[bool, typer.Option("--json", help="Print JSON only.")] = False,
    study: Annotated[str | None, typer.Option(help="A study's name, instead of --from.")] = None,
    db: DatabaseOption = None,
    out: Annotated[
        Path | None, typer.Option(help="Folder that takes agreement.json and agreement.csv.")
    ] = None,
) -> None:
    """Agreement between annotators: every coefficient with its interval, or the reason why there is none.

    Example: clinicnum agreement --from labels.csv --scale nominal --categories yes,no,unclear --json
    """
    from clinicnum.errors import InputError

    if study is not None:
        if labels or scale or categories or cluster:
            raise InputError(
                "--study names its own labels, scale and subjects; leave out --from and its flags"
            )
        show_study(from_study(study, db), json_output=json_output, out=out)
        return
    if labels is None or scale is None:
        raise InputError(
            "agreement needs --study NAME, or --from FILE and --scale; for instance --from labels.csv "
            "--scale nominal --categories yes,no"
        )
    show_result(from_labels(labels, scale, categories, cluster), json_output=json_output, out=out)


def from_labels(labels: Path, scale: str, categories: str | None, cluster: str | None) -> "AgreementResult":
    """The agreement of a labels file. Raises InputError for a file, column, scale or label amiss."""
    from annotations.agreement import agreement as compute
    from annotations.agreement.labels import label_reader
    from annotations.agreement.labels_csv import read_labels

    declared = [part.strip() for part in categories.split(",")] if categories else None
    label_reader(scale, declared)  # a wrong flag is named before a long file is read
    return compute(read_labels(labels, cluster=cluster), scale=scale, categories=declared)


def from_study(name: str, db: str | None) -> "StudyAgreement":
    """The agreement of a study in its layers. Raises InputError for an unknown study."""
    from db.engine import reading
    from db.work.reporting import load_study_agreement
    from scripts.database import using_database

    with using_database(db) as engine, reading(engine) as session:
        return load_study_agreement(session, name).agreement


def show_result(result: "AgreementResult", *, json_output: bool, out: Path | None) -> None:
    """Print one result, and write it to `out` if given."""
    _write(result.to_json(), {"": result}, "", out)
    if json_output:
        _print_json(result.to_json())
    else:
        _print_result(_console(), "Agreement", result)


def show_study(study: "StudyAgreement", *, json_output: bool, out: Path | None) -> None:
    """Print the layers of a study, and write them to `out` if given."""
    kinds = "+".join(study.annotator_kinds)
    results = {layer.name: layer.result for layer in study.layers if layer.result is not None}
    _write(study.to_json(), results, kinds, out)
    if json_output:
        _print_json(study.to_json())
        return
    console = _console()
    if "simulated" in study.annotator_kinds:
        console.print("simulated: labels by scripted stand-ins, not by people", style="bold red")
    for layer in study.layers:
        if layer.result is None:
            console.print(f"\n{layer.title}: {layer.undefined}", markup=False)
        else:
            _print_result(console, layer.title, layer.result)


def _console() -> "Console":
    from rich.console import Console

    return Console(highlight=False)


def _print_json(payload: dict[str, Any]) -> None:
    import json

    typer.echo(json.dumps(payload, indent=2, ensure_ascii=False, allow_nan=False))


def _print_result(console: "Console", title: str, result: "AgreementResult") -> None:
    population = result.population
    subjects = f", {population.clusters} subjects" if population.clusters is not None else ""
    console.print(
        f"\n{title}: {population.items} items, {population.annotators} annotators, "
        f"{population.labels} labels, {population.pairs} pairs{subjects}; {population.scale} scale; "
        f"{population.rule}",
        markup=False,
    )
    for gap in population.left_out:
        console.print(f"left out: {gap.n} {gap.what}: {gap.why}", markup=False)
    for note in population.notes:
        console.print(f"note: {note}", markup=False)
    _print_coefficients(console, result)


def _print_coefficients(console: "Console", result: "AgreementResult") -> None:
    from rich import box
    from rich.table import Column, Table
    from rich.text import Text

    from annotations.agreement.display import interval_text, value_text

    table = Table(
        Column("coefficient", no_wrap=True),
        Column("value", justify="right", no_wrap=True),
        Column("95 % interval", no_wrap=True),
        Column("n", justify="right"),
        Column("note"),
        box=box.SIMPLE_HEAD,
        pad_edge=False,
    )
    notes: dict[str, int] = {}
    for row in result.coefficients:
        why = row.undefined or row.ci_method or ""
        note = notes.setdefault(why, len(notes) + 1)
        cells = (row.name, value_text(row), interval_text(row), str(row.n_items), f"({note})")
        table.add_row(*(Text(cell) for cell in cells))
    console.print(table)
    for why, note in notes.items():
        console.print(f"({note}) {why}", markup=False)


def _write(
    payload: dict[str, Any], results: "dict[str, AgreementResult]", kinds: str, out: Path | None
) -> None:
    import csv
    import json

    from annotations.agreement import CoefficientValue
    from clinicnum.jsonl import replacing

    if out is None:
        return
    out.mkdir(parents=True, exist_ok=True)
    with replacing(out / "agreement.json") as handle:
        json.dump(payload, handle, indent=2, ensure_ascii=False, allow_nan=False)
        handle.write("\n")
    with replacing(out / "agreement.csv") as handle:
        writer = csv.writer(handle, lineterminator="\n")
        writer.writerow(["layer", *CoefficientValue.COLUMNS, "annotator_kind"])
        for layer, result in results.items():
            writer.writerows([layer, *row.cells(), kinds] for row in result.coefficients)
