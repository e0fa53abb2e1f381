"""Accounts as the people page shows them. No Gradio, no database."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from clinicnum.annotations.types import ROLES, Role, User

DOES: dict[Role, str] = {
    "annotator": "judges items, blind to everyone else",
    "adjudicator": "decides where annotators differ, sees agreement",
    "curator": "looks after the templates, sees reports",
    "admin": "opens studies, looks after accounts; never labels",
}


def people_view(
    people: Sequence[User], *, last: Mapping[str, datetime], admins: Collection[str], viewer: str
) -> dict[str, Any]:
    """All accounts for the page of `viewer`; `last` is when each last changed anything, by user id."""
    return {
        "people": [_person(one, last.get(one.user_id), admins, viewer) for one in people],
        "roles": [{"role": role, "does": DOES[role]} for role in ROLES],
    }


def _person(one: User, last: datetime | None, admins: Collection[str], viewer: str) -> dict[str, Any]:
    why = ""
    if one.user_id == viewer:
        why = "your own account"
    elif set(admins) == {one.user_id}:
        why = "the last admin"
    return {
        "name": one.name,
        "role": one.role,
        "kind": one.kind,
        "active": one.active,
        "last": f"{last:%Y-%m-%d %H:%M} UTC" if last else "never",
        "switchable": not why,
        "why": why,
    }
