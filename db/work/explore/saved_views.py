"""Saved views: slices under a name, which everyone who may explore can open by an address."""

import secrets
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlmodel import Session, col

from clinicnum.db.rows import SavedViewRow, UserRow, utc_now
from clinicnum.db.work.jobs.job_store import evaluator
from clinicnum.errors import InputError, NotAllowed
from clinicnum.translatable_text import Translatable
from clinicnum.types import Frozen

MOST_VIEWS = 500
LONGEST_NAME = 100


class SavedView(Frozen):
    """A saved view in the list."""

    view_id: str
    name: str
    by: str
    """Name of the account that saved it."""
    at: datetime
    mine: bool


def save_view(session: Session, *, user_id: str, name: str, query: Mapping[str, Any]) -> str:
    """Save a view; return its id.

    Raises InputError for an empty, too long or taken name, and if there are MOST_VIEWS already, NotAllowed
    for an account that may not evaluate.
    """
    evaluator(session, user_id)
    name = " ".join(name.split())
    if not name or len(name) > LONGEST_NAME:
        raise InputError(
            Translatable("Give the view a name of 1 to {most} characters first.", most=LONGEST_NAME)
        )
    names = session.scalars(select(col(SavedViewRow.name))).all()
    if name in names:
        raise InputError(Translatable("There is a view named {name!r} already; choose another.", name=name))
    if len(names) >= MOST_VIEWS:
        raise InputError(Translatable("There are {n} views; delete one of yours first.", n=len(names)))
    row = SavedViewRow(
        id=secrets.token_hex(8), name=name, query=dict(query), created_by=user_id, created_at=utc_now()
    )
    session.add(row)
    return row.id


def list_views(session: Session, *, user_id: str) -> tuple[SavedView, ...]:
    """All saved views, by name. Raises NotAllowed for an account that may not evaluate."""
    evaluator(session, user_id)
    statement = select(SavedViewRow, col(UserRow.name)).join(
        UserRow, col(UserRow.id) == col(SavedViewRow.created_by)
    )
    found = [
        SavedView(view_id=row.id, name=row.name, by=by, at=row.created_at, mine=row.created_by == user_id)
        for row, by in session.execute(statement)
    ]
    return tuple(sorted(found, key=lambda one: (one.name, one.view_id)))


def view_query(session: Session, *, user_id: str, view_id: str) -> dict[str, Any]:
    """The query of a saved view.

    Raises InputError for an unknown view, NotAllowed for an account that may not evaluate.
    """
    evaluator(session, user_id)
    return dict(_find(session, view_id).query)


def delete_view(session: Session, *, user_id: str, view_id: str) -> str:
    """Delete an own view, or as an admin anyone's; return its name.

    Raises InputError for an unknown view, NotAllowed for another's and for an account that may not evaluate.
    """
    evaluator(session, user_id)
    row = _find(session, view_id)
    user = session.get_one(UserRow, user_id)
    if row.created_by != user_id and user.role != "admin":
        raise NotAllowed(Translatable("Only who saved a view, or an admin, deletes it."))
    session.delete(row)
    return row.name


def _find(session: Session, view_id: str) -> SavedViewRow:
    row = None if "\0" in view_id else session.get(SavedViewRow, view_id)
    if row is None:
        raise InputError(
            Translatable("There is no such view; it may have been deleted. Choose one from the list.")
        )
    return row
