"""The accounts of the demo, and how one logs in to them."""

import secrets
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from clinicnum.annotations.types import Role

PEOPLE: "dict[str, Role]" = {"ann": "annotator", "ada": "adjudicator", "admin": "admin"}
TO_DO = {
    "ann": "(labels the study “yours”, in which two simulated colleagues are done)",
    "ada": "(decides what the annotators of “demo” still differ on)",
    "admin": "(does all else: begin here)",
}
"""Purpose of each account."""


def add_people(engine: "Engine") -> list[tuple[str, str]]:
    """Add the accounts that are missing; returns (name, password) of each that was added."""
    from clinicnum.db.engine import writing
    from clinicnum.db.work.accounts.users import add_user, list_users

    with writing(engine) as session:
        there = {user.name for user in list_users(session)}
        accounts = [(name, secrets.token_urlsafe(9)) for name in PEOPLE if name not in there]
        for name, password in accounts:
            add_user(session, name=name, role=PEOPLE[name], password=password)
    return accounts


def print_how_to_log_in(database: str) -> None:
    """Print the names of the demo's accounts and how to set a new password: those of an earlier start are
    stored as hashes only, so that they cannot be printed again.
    """
    for name, purpose in TO_DO.items():
        typer.echo(f"log in    {name}  {purpose}")
    typer.echo(
        "Passwords were printed at the first start and are kept nowhere in plain text. To choose a new one, "
        f"in another terminal: {_program()} users reset {next(reversed(TO_DO))} --db {database}"
    )


def _program() -> str:
    """How a user can call this program again: the path by which it was called, or `clinicnum` if that is on
    the PATH.
    """
    called = Path(sys.argv[0])
    return str(called) if called.name == "clinicnum" and shutil.which("clinicnum") is None else "clinicnum"
