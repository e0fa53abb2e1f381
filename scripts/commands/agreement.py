"""`clinicnum agreement`: agreement between annotators, from a labels file or a study."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from clinicnum.scripts.commands.common.open_database import DatabaseOption

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from clinicnum.annotations.agreement import AgreementResult
    from clinicnum.annotations.agreement.study_agreement import StudyAgreement


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
    other_clusters: Annotated[
        str | None, typer.Option(help="Further columns, joined by commas: intervals by each, beside.")
    ] = None,
    json_output: Annotated[bool, typer.Option("--json", help="Print JSON only.")] = False,
    study: Annotated[str | None, typer.Option(help="A study's name, instead of --from.")] = None,
    db: DatabaseOption = None,
    out: Annotated[
        Path | None,
        typer.Option(help="Folder that takes agreement.json, agreement.csv and agreement_pairs.csv."),
    ] = None,
) -> None:
    """Agreement between annotators: every coefficient with its interval, or the reason why there is none.

    Example: clinicnum agreement --from labels.csv --scale nominal --categories yes,no,unclear --json
    """
    from clinicnum.errors import InputError

    if study is not None:
        if labels or scale or categories or cluster or other_clusters:
            raise InputError(
                "--study names its own labels, scale and subjects; leave out --from and its flags"
            )
        found, said = from_study(study, db)
        show_study(found, said, json_output=json_output, out=out)
        return
    if labels is None or scale is None:
        raise InputError(
            "agreement needs --study NAME, or --from FILE and --scale; for instance --from labels.csv "
            "--scale nominal --categories yes,no"
        )
    others = [part.strip() for part in other_clusters.split(",")] if other_clusters else []
    result = from_labels(labels, scale, categories, cluster, others)
    show_result(result, json_output=json_output, out=out)


def from_labels(
    labels: Path, scale: str, categories: str | None, cluster: str | None, others: "Sequence[str]" = ()
) -> "AgreementResult":
    """The agreement of a labels file. Raises InputError for a faulty file, column, scale or label."""
    from clinicnum.annotations.agreement import agreement as compute
    from clinicnum.annotations.agreement.labels_csv import read_label_columns
    from clinicnum.annotations.agreement.parse_label_text import label_reader

    declared = [part.strip() for part in categories.split(",")] if categories else None
    label_reader(scale, declared)  # reports a wrong option before a long file is read
    table, other_clusters = read_label_columns(labels, cluster=cluster, others=others)
    return compute(table, scale=scale, categories=declared, details=True, other_clusters=other_clusters)


def from_study(name: str, db: str | None) -> "tuple[StudyAgreement, str | None]":
    """The agreement of a study in its layers, and the notice to show if its data are credentialed.

    Raises InputError for an unknown study.
    """
    from clinicnum.db.engine import reading
    from clinicnum.db.work.common.credentialed_data_notice import data_use_of_study
    from clinicnum.db.work.studies.load_whole_study import load_study_agreement
    from clinicnum.db.work.studies.study_lifecycle import find_study
    from clinicnum.scripts.commands.common.open_database import existing_database

    with existing_database(db) as engine, reading(engine) as session:
        said = data_use_of_study(session, find_study(session, name).id)
        return load_study_agreement(session, name, details=True).agreement, said


def show_result(result: "AgreementResult", *, json_output: bool, out: Path | None) -> None:
    """Print one result, and write it to `out` if given."""
    _write(result.to_json(), {"": result}, {"annotator_kind": ""}, out)
    if json_output:
        _print_json(result.to_json())
    else:
        from clinicnum.scripts.commands.text.agreement import print_result

        print_result(_console(), "Agreement", result)


def show_study(study: "StudyAgreement", said: str | None, *, json_output: bool, out: Path | None) -> None:
    """Print the layers of a study, and write them to `out` if given; `said` is the notice on credentialed
    data.
    """
    from clinicnum.credentialed_data import COLUMN, mark
    from clinicnum.scripts.commands.common.credentialed_warning import warn

    kinds = {"annotator_kind": "+".join(study.annotator_kinds)} | ({"data_use": COLUMN} if said else {})
    payload = study.to_json() | mark(said)
    warn(said)
    results = {layer.name: layer.result for layer in study.layers if layer.result is not None}
    _write(payload, results, kinds, out)
    if json_output:
        _print_json(payload)
        return
    from clinicnum.scripts.commands.text.agreement import print_result

    console = _console()
    if "simulated" in study.annotator_kinds:
        console.print("simulated: labels by scripted stand-ins, not by people", style="bold red")
    for layer in study.layers:
        if layer.result is None:
            console.print(f"\n{layer.title}: {layer.undefined}", markup=False)
        else:
            print_result(console, layer.title, layer.result)


def _console() -> "Console":
    from rich.console import Console

    return Console(highlight=False)


def _print_json(payload: dict[str, Any]) -> None:
    import json

    typer.echo(json.dumps(payload, indent=2, ensure_ascii=False, allow_nan=False))


def _write(
    payload: dict[str, Any], results: "dict[str, AgreementResult]", marks: dict[str, str], out: Path | None
) -> None:
    import csv
    import json

    from clinicnum.annotations.agreement import CoefficientValue
    from clinicnum.io.jsonl import replacing

    if out is None:
        return
    out.mkdir(parents=True, exist_ok=True)
    with replacing(out / "agreement.json") as handle:
        json.dump(payload, handle, indent=2, ensure_ascii=False, allow_nan=False)
        handle.write("\n")
    with replacing(out / "agreement.csv") as handle:
        writer = csv.writer(handle, lineterminator="\n")
        writer.writerow(["layer", *CoefficientValue.COLUMNS, *marks])
        for layer, result in results.items():
            writer.writerows([layer, *row.cells(), *marks.values()] for row in result.coefficients)
    with replacing(out / "agreement_pairs.csv") as handle:
        writer = csv.writer(handle, lineterminator="\n")
        writer.writerow(["layer", "one", "other", *CoefficientValue.COLUMNS, *marks])
        for layer, result in results.items():
            for pair in result.pairwise:
                cells = (row.cells() for row in pair.coefficients)
                writer.writerows([layer, *pair.annotators, *one, *marks.values()] for one in cells)
