"""`clinicnum export`: a study's rows in formats for other programs, and the whole study as one bundle."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from clinicnum.scripts.commands.common.open_database import DatabaseOption
from clinicnum.scripts.commands.report import (
    ConsensusOption,
    StudyOption,
    load_material,
    load_released,
    this_program,
    write_file,
    write_files,
)

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from clinicnum.annotations.bundle.raw_files import StudyMaterial
    from clinicnum.annotations.report.study_tables import StudyTables

Files = dict[str, str | bytes]
FORMATS = ("csv", "jsonl", "parquet", "xlsx", "label-studio", "hugging-face")
NOT_BLIND = "these files name models and rounds; keep them from its annotators and adjudicators"
WITH_RECORDS = ("label-studio", "hugging-face")
"""Formats that contain the records themselves."""


def export(
    study: StudyOption,
    out: Annotated[Path | None, typer.Option(help="Folder to write into; made if it is not there.")] = None,
    formats: Annotated[
        str, typer.Option("--format", help=f"Joined by commas: {', '.join(FORMATS)}.")
    ] = "csv,jsonl",
    bundle: Annotated[
        Path | None, typer.Option(help="One file with everything, for `clinicnum verify`.")
    ] = None,
    bank: Annotated[
        Path | None, typer.Option(help="For --bundle: folder of the templates, if they are your own.")
    ] = None,
    guideline: Annotated[
        Path | None, typer.Option(help="For --bundle: the guideline that annotators were given.")
    ] = None,
    consensus: ConsensusOption = None,
    allow_credentialed: Annotated[
        bool, typer.Option("--allow-credentialed", help="Write credentialed records into the files.")
    ] = False,
    db: DatabaseOption = None,
) -> None:
    """Write a study's labels and scores with a data dictionary, or the whole study as one verifiable file.

    Example: clinicnum export --study first --out export/ --format csv,parquet,xlsx --bundle first.zip
    """
    from clinicnum.annotations.exports.report_folder import with_consensus
    from clinicnum.annotations.report.study_view import StudyView
    from clinicnum.annotations.study_kind import KINDS
    from clinicnum.errors import InputError
    from clinicnum.scripts.commands.common.credentialed_warning import warn

    _check_paths(out, bundle, bank, guideline)
    wanted = _formats(formats) if out is not None else []
    material = load_material(study, db)
    material = replace(material, tables=with_consensus(material.tables, consensus))
    if not KINDS[material.tables.kind].judges_failures and "label-studio" in wanted:
        raise InputError(
            "--format label-studio holds judgements of single answers as failures, and this study {asks}; "
            "leave it out: csv, xlsx, parquet and jsonl hold what it asked",
            asks=KINDS[material.tables.kind].asks,
        )
    said = StudyView(material.tables).data_use
    _check_credentialed(said, study, wanted, bundle, allow_credentialed)
    if material.opened.seed is None:
        state = "not decided to the end" if material.opened.status == "closed" else material.opened.status
        typer.echo(f"warning: study {study!r} is {state}: {NOT_BLIND}", err=True)
    files = {name: made for form in wanted for name, made in _MAKERS[form](material.tables).items()}
    packed = None
    if bundle is not None:
        released, anchored = load_released(study, db), _anchored(db)
        packed = packed_bundle(material, released, bank=bank, guideline=guideline, anchored=anchored)
    if out is not None:
        write_files(out, files)
        for name in files:
            typer.echo(out / name)
    if bundle is not None and packed is not None:
        _write_bundle(bundle, packed)
    warn(said)


def _check_paths(out: Path | None, bundle: Path | None, bank: Path | None, guideline: Path | None) -> None:
    """Raise InputError, before anything is read, for no output, outputs that cannot be written, inputs that
    do not exist, and inputs of a bundle without one.
    """
    from clinicnum.errors import InputError

    if out is None and bundle is None:
        what = "give --out FOLDER for rows, --bundle FILE for everything, or both"
        raise InputError(f"nothing to write: {what}")
    if bundle is None and (bank or guideline):
        raise InputError("--bank and --guideline go into a bundle; name it with --bundle FILE")
    if bundle is not None and (bundle.is_dir() or not bundle.parent.is_dir()):
        raise InputError(f"--bundle {bundle}: expected a file in a folder that exists; make the folder first")
    if out is not None and out.exists() and not out.is_dir():
        raise InputError(f"--out {out}: is a file; expected a folder, or a name that is free for one")
    if bank is not None and not bank.is_dir():
        raise InputError(f"--bank {bank}: no such folder; --bank takes the templates of the benchmark")
    if guideline is not None and not guideline.is_file():
        raise InputError(f"{guideline}: no such file; --guideline takes the text annotators were given")


def _formats(joined: str) -> list[str]:
    from clinicnum.errors import InputError

    wanted = [part.strip() for part in joined.split(",") if part.strip()]
    strange = [form for form in wanted if form not in FORMATS]
    if strange or not wanted:
        raise InputError(f"--format {joined!r} is not known; expected some of {', '.join(FORMATS)}")
    return list(dict.fromkeys(wanted))


def _check_credentialed(
    said: str | None, study: str, wanted: list[str], bundle: Path | None, allowed: bool
) -> None:
    from clinicnum.errors import InputError

    holding = [form for form in wanted if form in WITH_RECORDS] + (["bundle"] if bundle else [])
    if holding and not allowed and said is not None:
        raise InputError(
            f"study {study!r} rests on records that are not open, which {', '.join(holding)} would hold; add "
            "--allow-credentialed, and give the files only to people who may see the records"
        )


def _csv(tables: "StudyTables") -> Files:
    from clinicnum.annotations.exports.data_files import csv_files

    return dict(csv_files(tables))


def _jsonl(tables: "StudyTables") -> Files:
    from clinicnum.annotations.exports.data_files import jsonl_files

    return dict(jsonl_files(tables))


def _parquet(tables: "StudyTables") -> Files:
    from clinicnum.annotations.exports.data_files import parquet_files

    return dict(parquet_files(tables))


def _xlsx(tables: "StudyTables") -> Files:
    from clinicnum.annotations.exports.data_files import data_use_files, rows_workbook

    return {"rows.xlsx": rows_workbook(tables), **data_use_files(tables)}


def _label_studio(tables: "StudyTables") -> Files:
    from clinicnum.annotations.exports.data_files import data_use_files
    from clinicnum.annotations.exports.label_studio import label_studio_files

    return {**label_studio_files(tables), **data_use_files(tables)}


def _hugging_face(tables: "StudyTables") -> Files:
    from clinicnum.annotations.exports.hugging_face import hugging_face_files

    made = hugging_face_files(tables, generated_by=this_program())
    return {f"hugging_face/{name}": content for name, content in made.items()}


_MAKERS: dict[str, Callable[["StudyTables"], Files]] = dict(
    zip(FORMATS, (_csv, _jsonl, _parquet, _xlsx, _label_studio, _hugging_face), strict=True)
)


def packed_bundle(
    material: "StudyMaterial",
    released: dict[str, str],
    *,
    bank: Path | None = None,
    guideline: Path | None = None,
    anchored: dict[str, bytes],
) -> bytes:
    """The bytes of a study's bundle, with its templates and the files `anchored` of the audit log's anchor.

    `bank` is a folder of the study's own templates, `guideline` the file that its annotators were given.
    Raises InputError if `bank` is not the benchmark's, or if the study's rows do not fit together.
    """
    from clinicnum.annotations.bundle.archive import pack
    from clinicnum.annotations.bundle.bundle_file_paths import OWN_GUIDELINE
    from clinicnum.annotations.bundle.template_files import bank_files
    from clinicnum.annotations.bundle.write import bundle_files

    given = bank_files(material.tables.benchmark, bank, released) | anchored
    if guideline is not None:
        given |= {f"{OWN_GUIDELINE}/{guideline.name}": guideline.read_bytes()}
    return pack(bundle_files(material, generated_by=this_program(), given=given))


def anchored_files(engine: "Engine") -> dict[str, bytes]:
    """The audit log's anchor as files of a bundle; none, with a warning, if it cannot be written."""
    from clinicnum.annotations.audit_anchor import public_pem
    from clinicnum.annotations.bundle.bundled_audit_anchor import anchor_files
    from clinicnum.db.audit_anchors import signing_key
    from clinicnum.scripts.commands.common.write_audit_anchors import anchor_or_warn, audit_folder

    anchor = anchor_or_warn(engine)
    if anchor is None:
        return {}
    return anchor_files(anchor, public_pem(signing_key(audit_folder(engine)).public_key()))


def _anchored(db: str | None) -> dict[str, bytes]:
    from clinicnum.scripts.commands.common.open_database import using_database

    with using_database(db) as engine:
        return anchored_files(engine)


def _write_bundle(path: Path, packed: bytes) -> None:
    import hashlib

    write_file(path, packed)
    typer.echo(f"{path}  sha256 {hashlib.sha256(packed).hexdigest()}")
