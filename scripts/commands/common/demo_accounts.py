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
ADMIN = "admin"
TO_DO = {
    "ann": "(begin with this one: labels the study “yours”, in which two simulated colleagues are done)",
    "ada": "(then this one: decides what the annotators still differ on)",
    ADMIN: "(last: does all else)",
}
"""Purpose of each account, in the order of the tutorials."""


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


def print_accounts(
    new: list[tuple[str, str]], pages: str | None, database: str, *, starting: bool = False
) -> None:
    """Print where to begin, and each account with its purpose and, if it is new, its password.

    `new` holds (name, password); passwords of an earlier start are stored as hashes only, so that it is said
    how to set another. `pages` is the address of the pages, None if they are not opened; `starting`: they do
    not answer yet.
    """
    when = "once a line below says “clinicnum is at”, " if starting else ""
    where = f"{when}open {pages} in a browser" if pages else "open the pages (the demo without --no-serve)"
    typer.echo(f"\nBEGIN HERE: {where}, and log in with one of these names")
    passwords = dict(new)
    for name, purpose in TO_DO.items():
        password = f"password {passwords[name]}  " if name in passwords else ""
        typer.echo(f"log in    {name}  {password}{purpose}")
    if not passwords:
        typer.echo(
            "Passwords were printed at the first start and are kept nowhere in plain text. To choose a new "
            f"one, in another terminal: {_program()} users reset {ADMIN} --db {database}"
        )


def _program() -> str:
    """How a user can call this program again: the path by which it was called, or `clinicnum` if that is on
    the PATH.
    """
    called = Path(sys.argv[0])
    return str(called) if called.name == "clinicnum" and shutil.which("clinicnum") is None else "clinicnum"
