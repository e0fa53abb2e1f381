"""Texts and table rows for accounts. No Gradio, no database."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from clinicnum.annotations.types import AnnotatorKind, Role, User
from clinicnum.translatable_text import Translatable
from clinicnum.ui.components.language import _
from clinicnum.ui.components.next_steps import success_with_steps
from clinicnum.ui.components.value_display_names import ROLE_NAMES

DOES: dict[Role, str] = {
    "annotator": Translatable("judges items, blind to everyone else"),
    "adjudicator": Translatable("decides where annotators differ, sees agreement"),
    "curator": Translatable("looks after the templates, sees reports"),
    "researcher": Translatable("makes benchmarks, runs models, opens studies, reports; no accounts"),
    "admin": Translatable("all that a researcher does, and looks after accounts; never labels"),
}
COLUMNS = (
    Translatable("Name"),
    Translatable("Role"),
    Translatable("Kind"),
    Translatable("State"),
    Translatable("Last change saved"),
)
CHOOSE = Translatable("Or click its row in the table.")
INVITATION = Translatable(
    "Give this link to nobody else. It works once, within 7 days, and until the account's password changes."
)
NEW_ACCOUNT = Translatable("At least 8 characters. Leave it empty to invite the account to choose its own.")
RESET = Translatable("At least 8 characters. Every open session of the account ends.")
KINDS: dict[AnnotatorKind, str] = {"human": Translatable("human"), "simulated": Translatable("simulated")}


def role_label(role: Role) -> str:
    """A role's name and description."""
    return f"{_(ROLE_NAMES[role])}: {_(DOES[role])}"


def invitation_label(name: str) -> str:
    """The label of an invitation link."""
    return _("Invitation for {name}", name=name)


def added(user: User, *, invited: bool) -> str:
    """The message on a new account, with next steps, as HTML; `invited`: whether an invitation is shown
    below.
    """
    said = _("Added {name} as {role}.", name=user.name, role=_(ROLE_NAMES[user.role]))
    if invited:
        said = " ".join((said, _("Send them the invitation below, then add the next account.")))
    labels = user.role in ("annotator", "adjudicator")
    return success_with_steps(said, [(_("Make a study"), "/studies/?part=new")] if labels else [])


def account_rows(
    people: Sequence[User], *, last: Mapping[str, datetime], admins: Collection[str], viewer: str
) -> list[list[str]]:
    """Rows for COLUMNS, one per account; `last` maps user ids to the time of their last change."""
    return [_row(one, last.get(one.user_id), admins, viewer) for one in people]


def _row(one: User, last: datetime | None, admins: Collection[str], viewer: str) -> list[str]:
    own, last_admin = one.user_id == viewer, set(admins) == {one.user_id}
    when = f"{last:%Y-%m-%d %H:%M} UTC" if last else _("never")
    return [one.name, _(ROLE_NAMES[one.role]), _(KINDS[one.kind]), _state(one, own, last_admin), when]


def _state(one: User, own: bool, last_admin: bool) -> str:
    if own:
        return _("on, your own account") if one.active else _("switched off, your own account")
    if last_admin:
        return _("on, the last admin")
    return _("on") if one.active else _("switched off")
