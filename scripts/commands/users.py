"""`clinicnum users`: add accounts, list them, switch them off and on, change their role or password."""

import sys
from typing import Annotated

import typer

from clinicnum.scripts.commands.common.json_option import JsonOption
from clinicnum.scripts.commands.common.open_database import DatabaseOption

Name = Annotated[str, typer.Argument(help="Account name; kept in lower case.")]
PasswordStdin = Annotated[bool, typer.Option("--password-stdin", help="Read the password from stdin.")]


def add(
    name: Name,
    role: Annotated[str, typer.Option(help="annotator, adjudicator, curator, researcher or admin.")],
    password_stdin: PasswordStdin = False,
    db: DatabaseOption = None,
) -> None:
    """Add an account; asks for its password twice, or reads it from standard input.

    Example: clinicnum users add ann --role annotator
    """
    from clinicnum.annotations.types import ROLES
    from clinicnum.db.engine import writing
    from clinicnum.db.work.accounts import users
    from clinicnum.errors import InputError
    from clinicnum.scripts.commands.common.open_database import using_database

    if role not in ROLES:
        raise InputError(f"--role {role!r} does not exist; expected one of {', '.join(ROLES)}")
    password = _password(password_stdin)
    with using_database(db) as engine, writing(engine) as session:
        user = users.add_user(session, name=name, role=role, password=password)
    typer.echo(f"added {user.name} as {user.role}")


def list_all(db: DatabaseOption = None, json_output: JsonOption = False) -> None:
    """List the accounts.

    Example: clinicnum users list --json
    """
    import json

    from clinicnum.db.engine import reading
    from clinicnum.db.work.accounts.users import list_users
    from clinicnum.scripts.commands.common.open_database import existing_database

    with existing_database(db) as engine, reading(engine) as session:
        found = list_users(session)
    if json_output:
        fields = {"name", "role", "kind", "active"}
        typer.echo(json.dumps([one.model_dump(mode="json", include=fields) for one in found], indent=2))
        return
    for one in found or ():
        scripted = ", simulated" if one.kind == "simulated" else ""
        typer.echo(f"{one.name}: {one.role}{scripted}{'' if one.active else ', switched off'}")
    if not found:
        typer.echo("no account yet; add one: clinicnum users add --help")


def switch_off(name: Name, db: DatabaseOption = None) -> None:
    """Deactivate an account: nobody can log in with it, and its sessions end. Its labels stay.

    Example: clinicnum users switch-off ann
    """
    _switch(name, db, active=False)


def switch_on(name: Name, db: DatabaseOption = None) -> None:
    """Activate an account again.

    Example: clinicnum users switch-on ann
    """
    _switch(name, db, active=True)


def role(
    name: Name,
    role: Annotated[str, typer.Option(help="annotator, adjudicator, curator, researcher or admin.")],
    db: DatabaseOption = None,
) -> None:
    """Give an account another role; its sessions end. Studies that it labels stay barred to it until closed.

    Example: clinicnum users role ann --role adjudicator
    """
    from clinicnum.db.engine import writing
    from clinicnum.db.work.accounts import users
    from clinicnum.scripts.commands.common.open_database import using_database

    with using_database(db) as engine, writing(engine) as session:
        user = users.set_role(session, name=name, role=role)  # type: ignore[arg-type]
    typer.echo(f"{user.name} is now {user.role} and is logged out everywhere")


def _switch(name: str, db: str | None, *, active: bool) -> None:
    from clinicnum.db.engine import writing
    from clinicnum.db.work.accounts import users
    from clinicnum.scripts.commands.common.open_database import using_database

    with using_database(db) as engine, writing(engine) as session:
        user = users.set_active(session, name=name, active=active)
    typer.echo(f"{user.name} is switched {'on' if active else 'off'}")


def reset(name: Name, password_stdin: PasswordStdin = False, db: DatabaseOption = None) -> None:
    """Set a new password; all sessions of the account end.

    Example: clinicnum users reset ann
    """
    from clinicnum.db.engine import writing
    from clinicnum.db.work.accounts import users
    from clinicnum.scripts.commands.common.open_database import using_database

    password = _password(password_stdin)
    with using_database(db) as engine, writing(engine) as session:
        user = users.reset_password(session, name=name, password=password)
    typer.echo(f"{user.name} has a new password and is logged out everywhere")


def _password(from_stdin: bool) -> str:
    """Ask for a password. Raises InputError if there is neither a terminal nor --password-stdin."""
    from clinicnum.errors import InputError

    if from_stdin:
        return sys.stdin.readline().rstrip("\r\n")
    if not sys.stdin.isatty():
        raise InputError("there is no terminal to ask for a password on; pipe it in with --password-stdin")
    return str(typer.prompt("Password", hide_input=True, confirmation_prompt=True))
