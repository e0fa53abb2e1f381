"""`clinicnum report` and `clinicnum export`: what a study found, and the rows behind it."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scripts.database import DatabaseOption

if TYPE_CHECKING:
    from annotations.report.tables import StudyTables

StudyOption = Annotated[str, typer.Option("--study", help="Name of the study.")]
OutOption = Annotated[Path, typer.Option("--out", help="Folder to write into; made if it is not there.")]


def report(study: StudyOption, out: OutOption, db: DatabaseOption = None) -> None:
    """Write a study's report as one HTML file that opens offline, its tables and the rows behind as CSV.

    Example: clinicnum report --study first --out report/
    """
    from annotations.report.build import build_report
    from annotations.report.render import render_html, report_csvs
    from clinicnum import __version__

    tables = _load(study, db)
    built = build_report(tables, generated_by=f"clinicnum {__version__}")
    _write(out, {"report.html": render_html(built), **report_csvs(built), **_rows(tables)})
    typer.echo(out / "report.html")


def export(study: StudyOption, out: OutOption, db: DatabaseOption = None) -> None:
    """Write a study's annotations (CSV and JSONL, all revisions) and scores (CSV).

    Example: clinicnum export --study first --out export/
    """
    files = _rows(_load(study, db))
    _write(out, files)
    for name in files:
        typer.echo(out / name)


def _load(study: str, db: str | None) -> "StudyTables":
    from db.engine import reading
    from db.work.reporting import load_study_tables
    from scripts.database import using_database

    with using_database(db) as engine, reading(engine) as session:
        return load_study_tables(session, study)


def _rows(tables: "StudyTables") -> dict[str, str]:
    from annotations.report.exports import annotations_csv, annotations_jsonl, scores_csv

    return {
        "annotations.csv": annotations_csv(tables.annotations),
        "annotations.jsonl": annotations_jsonl(tables.annotations),
        "scores.csv": scores_csv(tables),
    }


def _write(out: Path, files: dict[str, str]) -> None:
    from clinicnum.errors import InputError
    from clinicnum.jsonl import replacing

    if out.exists() and not out.is_dir():
        raise InputError(f"{out}: is a file; --out takes a folder")
    out.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        with replacing(out / name) as handle:
            handle.write(text)
