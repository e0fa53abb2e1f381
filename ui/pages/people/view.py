"""Texts and table rows for accounts. No Gradio, no database."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from clinicnum.annotations.types import Role, User

DOES: dict[Role, str] = {
    "annotator": "judges items, blind to everyone else",
    "adjudicator": "decides where annotators differ, sees agreement",
    "curator": "looks after the templates, sees reports",
    "admin": "opens studies, looks after accounts; never labels",
}
COLUMNS = ("Name", "Role", "Kind", "State", "Last change saved")
CHOOSE = "Or click its row in the table."
INVITATION = (
    "Give this link to nobody else. It works once, within 7 days, and until the account's password changes."
)
NEW_ACCOUNT = "At least 8 characters. Leave it empty to invite the account to choose its own."
RESET = "At least 8 characters. Every open session of the account ends."


def role_label(role: Role) -> str:
    """A role's name and description."""
    return f"{role}: {DOES[role]}"


def invitation_label(name: str) -> str:
    """The label of an invitation link."""
    return f"Invitation for {name}"


def account_rows(
    people: Sequence[User], *, last: Mapping[str, datetime], admins: Collection[str], viewer: str
) -> list[list[str]]:
    """Rows for COLUMNS, one per account; `last` maps user ids to the time of their last change."""
    return [_row(one, last.get(one.user_id), admins, viewer) for one in people]


def _row(one: User, last: datetime | None, admins: Collection[str], viewer: str) -> list[str]:
    state = "on" if one.active else "switched off"
    if one.user_id == viewer:
        state += ", your own account"
    elif set(admins) == {one.user_id}:
        state += ", the last admin"
    return [one.name, one.role, one.kind, state, f"{last:%Y-%m-%d %H:%M} UTC" if last else "never"]
