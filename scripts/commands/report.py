"""`clinicnum report`: a study's results, and the rows behind them."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from clinicnum.scripts.commands.common.open_database import DatabaseOption

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


StudiesOption = Annotated[
    list[str], typer.Option("--study", help="Name of a study; several compare models over all of them.")
]
SectionsOption = Annotated[
    str | None,
    typer.Option(help="Sections to include, by their ids and joined by commas, such as accuracy,taxonomy."),
]


def report(
    study: StudiesOption,
    out: OutOption,
    suppress_below: SuppressOption = None,
    consensus: ConsensusOption = None,
    sections: SectionsOption = None,
    db: DatabaseOption = None,
) -> None:
    """Write a study's report as one page that opens offline, with its figures (JSON, CSV, XLSX, LaTeX, SVG,
    PDF) and rows; with several studies, models are compared, and each study gets a folder. Prints a hash over
    all files.

    Example: clinicnum report --study first --out report/
    """
    from clinicnum.annotations.exports.report_files import PAGE
    from clinicnum.annotations.exports.report_folder import folder_hash, reports_folder
    from clinicnum.annotations.report.suppress_small_counts import check_limit
    from clinicnum.annotations.worker_jobs import ReportArguments
    from clinicnum.scripts.commands.common.credentialed_warning import warn

    check_limit(suppress_below)
    asked = ReportArguments(
        studies=tuple(study),
        consensus=consensus,
        sections=tuple(part.strip() for part in (sections or "").split(",") if part.strip()),
        suppress_below=suppress_below,
    )
    tables = [load_tables(name, db) for name in study]
    built, files = reports_folder(tables, asked, generated_by=this_program())
    if suppress_below is not None:
        _check_alone(out, files)
    write_files(out, files)
    typer.echo(f"{out / PAGE}  sha256 of all files {folder_hash(files)}")
    warn(built.data_use)


def _check_alone(out: Path, files: Mapping[str, bytes]) -> None:
    """Raise InputError for a folder with other files, as these could reveal suppressed counts."""
    from clinicnum.errors import InputError

    there = (
        (one.relative_to(out).as_posix() for one in out.rglob("*") if one.is_file()) if out.is_dir() else ()
    )
    others = sorted(one for one in there if one not in files)
    if others:
        raise InputError(
            f"{out}: holds {others[0]}, which may tell what --suppress-below withholds; name an empty folder"
        )


def this_program() -> str:
    """The program's name and version, as recorded in its output."""
    from clinicnum import __version__

    return f"clinicnum {__version__}"


def load_tables(study: str, db: str | None) -> "StudyTables":
    """The tables for a report. Raises InputError for an unknown study."""
    from clinicnum.db.engine import reading
    from clinicnum.db.work.studies.load_whole_study import load_study_tables
    from clinicnum.scripts.commands.common.open_database import existing_database

    with existing_database(db) as engine, reading(engine) as session:
        return load_study_tables(session, study)


def load_material(study: str, db: str | None) -> "StudyMaterial":
    """The material of a bundle. Raises InputError for an unknown study."""
    from clinicnum.db.engine import reading
    from clinicnum.db.work.studies.load_study_for_bundle import load_study_material
    from clinicnum.scripts.commands.common.open_database import existing_database

    with existing_database(db) as engine, reading(engine) as session:
        return load_study_material(session, study)


def load_released(study: str, db: str | None) -> dict[str, str]:
    """The files of the bank release named by the study's benchmark; empty if the database does not have it.

    Raises InputError for an unknown study.
    """
    from clinicnum.db.engine import reading
    from clinicnum.db.work.studies import load_study_for_bundle
    from clinicnum.scripts.commands.common.open_database import existing_database

    with existing_database(db) as engine, reading(engine) as session:
        return load_study_for_bundle.load_released(session, study)


def write_files(out: Path, files: Mapping[str, str | bytes]) -> None:
    """Write files into a folder, each completely or not at all. Raises InputError if `out` is a file."""
    from clinicnum.errors import InputError

    if out.exists() and not out.is_dir():
        raise InputError(f"{out}: is a file; --out takes a folder")
    for name, content in files.items():
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        write_file(out / name, content)


def write_file(path: Path, content: str | bytes) -> None:
    """Write one file, completely or not at all. Raises InputError if its folder does not exist."""
    from clinicnum.io.jsonl import replacing

    with replacing(path) as handle:
        handle.buffer.write(content if isinstance(content, bytes) else content.encode())
