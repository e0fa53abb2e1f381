"""`clinicnum report`: a study's results, and the rows behind them."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from clinicnum.scripts.commands.common.database import DatabaseOption

if TYPE_CHECKING:
    from clinicnum.annotations.bundle.raw_files import StudyMaterial
    from clinicnum.annotations.report.study_tables import StudyTables

StudyOption = Annotated[str, typer.Option("--study", help="Name of the study.")]
OutOption = Annotated[Path, typer.Option("--out", help="Folder to write into; made if it is not there.")]


SuppressOption = Annotated[
    int | None,
    typer.Option(help="Show no count of 1 to N - 1, nor what would tell one; no rows, no examples."),
]
ConsensusOption = Annotated[
    str | None,
    typer.Option(
        help="What results rest on: three_expert, majority, unanimous or dawid_skene. Without: adjudicators' "
        "decisions (three_expert) once there are any, else the majority."
    ),
]


def report(
    study: StudyOption,
    out: OutOption,
    suppress_below: SuppressOption = None,
    consensus: ConsensusOption = None,
    db: DatabaseOption = None,
) -> None:
    """Write a study's report as one page that opens offline, with its figures (JSON, CSV, XLSX, LaTeX) and
    its rows.

    Example: clinicnum report --study first --out report/
    """
    from clinicnum.annotations.exports.report_files import PAGE, report_files, report_workbook
    from clinicnum.annotations.report.build import build_report
    from clinicnum.annotations.report.suppression import suppressed
    from clinicnum.scripts.commands.common.credentialed_warning import warn

    tables = with_consensus(load_tables(study, db), consensus)
    built = build_report(tables, generated_by=this_program())
    if suppress_below is not None:
        built = suppressed(built, suppress_below)
    files: dict[str, str | bytes] = {
        **report_files(built),
        **_rows(tables, suppress_below),
        "report.xlsx": report_workbook(built),
    }
    if suppress_below is not None:
        _check_alone(out, files)
    write_files(out, files)
    typer.echo(out / PAGE)
    warn(built.data_use)


def _rows(tables: "StudyTables", suppress_below: int | None) -> dict[str, str]:
    """The rows behind the figures; none if small counts are suppressed, since rows would reveal them."""
    from clinicnum.annotations.exports.annotation_tables import annotations_jsonl
    from clinicnum.annotations.exports.data_files import csv_files, data_use_files, meta_files

    if suppress_below is not None:
        return data_use_files(tables)
    labels = {"annotations.jsonl": annotations_jsonl(tables.annotations)}
    return csv_files(tables) | labels | meta_files(tables, *labels)


def _check_alone(out: Path, files: "dict[str, str | bytes]") -> None:
    """Raise InputError for a folder with other files, as these could reveal suppressed counts."""
    from clinicnum.errors import InputError

    others = sorted(one.name for one in out.iterdir() if one.name not in files) if out.is_dir() else []
    if others:
        raise InputError(
            f"{out}: holds {others[0]}, which may tell what --suppress-below withholds; name an empty folder"
        )


def this_program() -> str:
    """The program's name and version, as recorded in its output."""
    from clinicnum import __version__

    return f"clinicnum {__version__}"


def with_consensus(tables: "StudyTables", consensus: str | None) -> "StudyTables":
    """The tables with the named consensus protocol, or with None the default one.

    Raises InputError for an unknown name.
    """
    from clinicnum.annotations.consensus import asked_protocol

    return tables.model_copy(update={"consensus": asked_protocol(consensus)})


def load_tables(study: str, db: str | None) -> "StudyTables":
    """The tables for a report. Raises InputError for an unknown study."""
    from clinicnum.db.engine import reading
    from clinicnum.db.work.studies.study_report import load_study_tables
    from clinicnum.scripts.commands.common.database import using_database

    with using_database(db) as engine, reading(engine) as session:
        return load_study_tables(session, study)


def load_material(study: str, db: str | None) -> "StudyMaterial":
    """The material of a bundle. Raises InputError for an unknown study."""
    from clinicnum.db.engine import reading
    from clinicnum.db.work.studies.study_bundle import load_study_material
    from clinicnum.scripts.commands.common.database import using_database

    with using_database(db) as engine, reading(engine) as session:
        return load_study_material(session, study)


def load_released(study: str, db: str | None) -> dict[str, str]:
    """The files of the bank release named by the study's benchmark, if the database has it."""
    from clinicnum.db.engine import reading
    from clinicnum.db.work.studies import study_bundle
    from clinicnum.scripts.commands.common.database import using_database

    with using_database(db) as engine, reading(engine) as session:
        return study_bundle.load_released(session, study)


def write_files(out: Path, files: dict[str, str | bytes]) -> None:
    """Write files into a folder, each completely or not at all. Raises InputError if `out` is a file."""
    from clinicnum.errors import InputError

    if out.exists() and not out.is_dir():
        raise InputError(f"{out}: is a file; --out takes a folder")
    for name, content in files.items():
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        write_file(out / name, content)


def write_file(path: Path, content: str | bytes) -> None:
    """Write one file, completely or not at all."""
    from clinicnum.io.jsonl import replacing

    with replacing(path) as handle:
        handle.buffer.write(content if isinstance(content, bytes) else content.encode())
