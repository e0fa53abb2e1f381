"""`clinicnum backup` and `clinicnum restore`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from clinicnum.scripts.commands.common.json_option import JsonOption
from clinicnum.scripts.commands.common.open_database import DatabaseOption

if TYPE_CHECKING:
    from clinicnum.db.backup import DatabaseCheck


def backup(
    file: Annotated[Path, typer.Argument(help="The file to write; it must not exist yet.")],
    db: DatabaseOption = None,
    json_output: JsonOption = False,
) -> None:
    """Copy the database into one file while others use it, and read the copy back.

    Example: clinicnum backup clinicnum-2026-11-22.backup
    """
    from clinicnum.db.backup import back_up
    from clinicnum.db.engine import reading
    from clinicnum.db.work.common.credentialed_data_notice import data_use_of_all
    from clinicnum.scripts.commands.common.credentialed_warning import warn
    from clinicnum.scripts.commands.common.open_database import existing_database
    from clinicnum.scripts.commands.common.write_audit_anchors import anchor_or_warn, write_anchor_beside

    with existing_database(db) as engine:
        anchor = anchor_or_warn(engine)
        _say(back_up(engine, file), f"{file}: holds", json_output)
        if anchor is not None:
            write_anchor_beside(file, anchor)
        with reading(engine) as session:
            warn(data_use_of_all(session))


def restore(
    file: Annotated[Path, typer.Argument(help="What `clinicnum backup` wrote.")],
    db: Annotated[str, typer.Option("--db", metavar="URL", help="Where to; nothing may be there yet.")],
    json_output: JsonOption = False,
) -> None:
    """Restore a database from a backup, upgrade it to this version, and check it completely.

    Example: clinicnum restore clinicnum-2026-11-22.backup --db sqlite:///restored.db
    """
    from clinicnum.db.backup import restore as bring_back

    _say(bring_back(file, db), "restored", json_output)


def _say(checked: "DatabaseCheck", began: str, json_output: bool) -> None:
    if json_output:
        typer.echo(checked.model_dump_json(indent=2))
        return
    rows, chains = sum(checked.rows.values()), len(checked.chains)
    plural = "s" if chains != 1 else ""
    typer.echo(
        f"{began} {rows:,} rows in {len(checked.rows)} tables, {checked.rows['annotation']:,} annotations; "
        f"{chains} audit chain{plural} whole; schema {checked.revision}"
    )
