"""`clinicnum audit`: whether the audit log is complete, and whether the tables agree with it."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from clinicnum.scripts.commands.common.json_option import JsonOption
from clinicnum.scripts.commands.common.open_database import DatabaseOption
from clinicnum.scripts.commands.common.write_audit_anchors import AuditDirOption

if TYPE_CHECKING:
    from sqlalchemy import Engine
    from sqlmodel import Session

    from clinicnum.annotations.audit_anchor import AnchorCheck
    from clinicnum.db.work.audit.audit_log import ChainCheck
    from clinicnum.db.work.audit.compare_tables_with_log import Difference


def verify(
    since: Annotated[
        Path | None,
        typer.Option(help="What --json printed before: those rows must still be there, unchanged."),
    ] = None,
    anchors: Annotated[
        Path | None, typer.Option(help="Anchors kept elsewhere; default: those of the audit folder.")
    ] = None,
    key: Annotated[
        Path | None, typer.Option(help="Public key kept elsewhere; default: that of the audit folder.")
    ] = None,
    audit_dir: AuditDirOption = None,
    db: DatabaseOption = None,
    json_output: JsonOption = False,
) -> None:
    """Check the audit log, the tables against it, and the log against its anchors; exit code 1 for any
    difference.

    Every hash of the log is computed again. Every label, assignment, decision, contest, invalidation and
    template must be as the log says; each difference is named. Anchors are signed copies of the log's last
    rows, which show whether it was cut off or rewritten.

    Example: clinicnum audit verify --anchors usb/anchors.jsonl
    """
    from clinicnum.db.engine import reading
    from clinicnum.db.work.audit.audit_log import verify_chain
    from clinicnum.db.work.audit.compare_tables_with_log import compare_with_log
    from clinicnum.db.work.audit.detect_truncated_log import read_heads, verify_since
    from clinicnum.scripts.commands.common.open_database import existing_database

    heads = read_heads(since) if since else ()
    with existing_database(db) as engine, reading(engine) as session:
        chains = verify_chain(session)
        lost = verify_since(session, heads)
        differences = compare_with_log(session)
        anchored = _check_anchors(engine, session, anchors, key, audit_dir)
    if json_output:
        _print_json(chains, differences)
    else:
        _print(chains, differences, anchored)
    for said in (*lost, *anchored.faults):
        typer.echo(said, err=True)
    whole = not (lost or differences or anchored.faults) and all(one.broken_at is None for one in chains)
    if not whole:
        raise typer.Exit(1)


def anchor(
    restored: Annotated[
        str | None,
        typer.Option(help="Say that a backup was restored, and which: the log then goes on from there."),
    ] = None,
    audit_dir: AuditDirOption = None,
    db: DatabaseOption = None,
) -> None:
    """Sign the last rows of the audit log, and add the signature to the anchors in the audit folder.

    `serve` does this every day; closing a study, making a backup and making a bundle do it as well.
    Example: clinicnum audit anchor
    """
    from clinicnum.db.audit_anchors import ANCHORS, write_anchor
    from clinicnum.scripts.commands.common.open_database import existing_database
    from clinicnum.scripts.commands.common.write_audit_anchors import audit_folder

    with existing_database(db) as engine:
        folder = audit_folder(engine, audit_dir)
        made = write_anchor(engine, folder, restored=restored)
    typer.echo(f"{folder / ANCHORS}: {len(made.heads)} chains anchored, key {made.key}")


def key(audit_dir: AuditDirOption = None, db: DatabaseOption = None) -> None:
    """Print the public key for checking anchors, to be stored apart from the database.

    Example: clinicnum audit key > audit-key.pem
    """
    from clinicnum.annotations.audit_anchor import fingerprint, public_pem
    from clinicnum.db.audit_anchors import signing_key
    from clinicnum.scripts.commands.common.open_database import existing_database
    from clinicnum.scripts.commands.common.write_audit_anchors import audit_folder

    with existing_database(db) as engine:
        public = signing_key(audit_folder(engine, audit_dir)).public_key()
    typer.echo(public_pem(public).decode(), nl=False)
    typer.echo(f"fingerprint (SHA-256): {fingerprint(public)}", err=True)


def _check_anchors(
    engine: "Engine", session: "Session", anchors: Path | None, key: Path | None, audit_dir: Path | None
) -> "AnchorCheck":
    """Compare the log with the anchors. Raises InputError for given files that are missing or invalid."""
    from clinicnum.db.audit_anchors import ANCHORS, PUBLIC_KEY, check_anchors, read_anchors, read_keys
    from clinicnum.errors import InputError
    from clinicnum.scripts.commands.common.write_audit_anchors import audit_folder

    for named in (anchors, key):
        if named is not None and not named.is_file():
            raise InputError(f"{named}: no such file; expected a copy of {ANCHORS} or of the public key")
    folder = audit_folder(engine, audit_dir)
    given = read_anchors(anchors or folder / ANCHORS)
    return check_anchors(session, given, read_keys(key or folder / PUBLIC_KEY))


def _print(
    chains: "tuple[ChainCheck, ...]", differences: "tuple[Difference, ...]", anchored: "AnchorCheck"
) -> None:
    for one in chains:
        state = "whole" if one.broken_at is None else f"BROKEN at row {one.broken_at}: {one.reason}"
        typer.echo(f"{one.chain}: {one.rows} rows, {state}, last hash {one.last_hash}")
    if not chains:
        typer.echo("nothing was logged yet")
    for difference in differences:
        typer.echo(f"CHANGED {difference}")
    if differences:
        typer.echo(f"{len(differences)} differences between the tables and the log")
    for note in anchored.notes:
        typer.echo(note)


def _print_json(chains: "tuple[ChainCheck, ...]", differences: "tuple[Difference, ...]") -> None:
    import json

    told = [
        one.model_copy(update={"differences": tuple(str(d) for d in differences if d.chain == one.chain)})
        for one in chains
    ]
    typer.echo(json.dumps([one.model_dump(mode="json") for one in told], indent=2))
