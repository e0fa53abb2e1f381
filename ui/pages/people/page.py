"""The people page: manage accounts and their roles."""

from collections.abc import Callable
from functools import partial

import gradio as gr
from pydantic import Field

from clinicnum.annotations.types import ROLES, Role, User
from clinicnum.db.database_sessions import Store
from clinicnum.db.work.accounts import users
from clinicnum.errors import InputError
from clinicnum.translatable_text import Translatable
from clinicnum.types import Frozen
from clinicnum.ui.components.form_draft import FormDraft
from clinicnum.ui.components.gradio_page import (
    Outputs,
    bring_into_view,
    data_table,
    gradio_page,
    listen,
    status_line,
    success_message,
    validated,
)
from clinicnum.ui.components.language import _, ngettext
from clinicnum.ui.components.navbar import Navbar
from clinicnum.ui.pages.people import view

RESULT = "account-result"
"""The id of the part below the forms that holds an invitation."""
LONGEST_NAME_READ = 200
"""More characters than an account's name may have, so that one that is too long is refused, not cut."""


class Account(Frozen):
    """Form values about an account, as the page sends them."""

    name: str = Field(default="", max_length=LONGEST_NAME_READ, pattern=r"^[^\x00]*$")
    role: Role | None = None
    password: str = Field(default="", max_length=1000)

    def required_name(self) -> str:
        """The account's name. Raises InputError if none was given."""
        if not self.name:
            raise InputError(Translatable("Choose an account first."))
        return self.name


class PeopleHandlers:
    """The page's events; the authorization middleware has already checked the right.

    Not async, so that argon2 runs in a worker thread. Each returns a message, the table of accounts, the
    chosen account and the invitation.
    """

    def __init__(self, store: Store, invitation: Callable[[User], str]) -> None:
        self.store = store
        self.invitation = invitation

    def load(self, request: gr.Request) -> Outputs:
        """All accounts."""
        return "", *self._accounts(request, None)

    def choose(self, selected: gr.SelectData) -> Outputs:
        """Select the account of the clicked row."""
        row = selected.row_value
        name = validated(Account, name=row[0] if isinstance(row, list) and row else None).required_name()
        with self.store.reading() as session:
            if not any(one.name == name for one in users.list_users(session)):
                raise InputError(Translatable("There is no such account any more; reload the page."))
        return "", name

    def add(self, name: object, role: object, password: object, request: gr.Request) -> Outputs:
        """Add an account; without a password, create an invitation to set one. Clears the fields."""
        account = validated(Account, name=name, role=role, password=password)
        if account.role is None:
            raise InputError(Translatable("Choose a role for the account."))
        actor = str(request.username)
        with self.store.writing() as session:
            user = users.add_user(
                session, name=account.name, role=account.role, password=account.password or None, actor=actor
            )
            if not account.password:
                user = users.invite(session, name=user.name, actor=actor)
        link = None if account.password else self._link(user, request)
        return (
            view.added(user, invited=link is not None),
            *self._accounts(request, user, link),
            "",
            "",
        )

    def invite(self, name: object, request: gr.Request) -> Outputs:
        """Create a link with which the account's owner sets a password."""
        account = validated(Account, name=name)
        with self.store.writing() as session:
            user = users.invite(session, name=account.required_name(), actor=str(request.username))
        return success_message(_("{name} is invited.", name=user.name)), *self._accounts(
            request, user, self._link(user, request)
        )

    def reset_password(self, name: object, password: object, request: gr.Request) -> Outputs:
        """Set a new password for an account, which ends its sessions. Clears the field."""
        account = validated(Account, name=name, password=password)
        with self.store.writing() as session:
            user = users.reset_password(
                session, name=account.required_name(), password=account.password, actor=str(request.username)
            )
        said = success_message(_("{name} has a new password, and was logged out everywhere.", name=user.name))
        return said, *self._accounts(request, user), ""

    def switch_off(self, name: object, request: gr.Request) -> Outputs:
        """Deactivate an account."""
        return self._switch(name, request, active=False)

    def switch_on(self, name: object, request: gr.Request) -> Outputs:
        """Reactivate an account."""
        return self._switch(name, request, active=True)

    def _switch(self, name: object, request: gr.Request, *, active: bool) -> Outputs:
        account = validated(Account, name=name)
        with self.store.writing() as session:
            user = users.set_active(
                session, name=account.required_name(), active=active, actor=str(request.username)
            )
        done = _("{name} is switched on.") if user.active else _("{name} is switched off.")
        return success_message(done.format(name=user.name)), *self._accounts(request, user)

    def _link(self, user: User, request: gr.Request) -> str:
        return f"{request.headers.get('origin', '')}{self.invitation(user)}"

    def _accounts(self, request: gr.Request, chosen: User | None, link: str | None = None) -> Outputs:
        """Values for the table, the account dropdown and the invitation, which is hidden if there is none."""
        with self.store.reading() as session:
            people = users.list_users(session)
            rows = view.account_rows(
                people,
                last=users.last_activity(session),
                admins=users.active_admins(session),
                viewer=str(request.username),
            )
        names = [one.name for one in people]
        invited = "" if link is None or chosen is None else view.invitation_label(chosen.name)
        return (
            gr.update(value=rows, label=ngettext("{n} account", "{n} accounts", len(rows))),
            gr.update(choices=names, value=None if chosen is None else chosen.name),
            gr.update(value=link or "", label=invited, visible=link is not None),
        )


def build_people(*, store: Store, navbar: Navbar, invitation: Callable[[User], str]) -> gr.Blocks:
    """Build the page; the caller mounts it for users who have the permission `manage_users`.

    `invitation` returns the path at which an account's owner sets a password.
    """
    handlers = PeopleHandlers(store, invitation)
    with gradio_page(_("People"), "/people", navbar) as page:
        table = data_table(view.COLUMNS, elem_id="accounts", explains=None)
        with gr.Row():
            with gr.Column():
                gr.Markdown("## " + _("Manage an account"))
                account = gr.Dropdown([], label=_("Account"), info=_(view.CHOOSE))
                with gr.Row(equal_height=True):
                    invite = gr.Button(_("Invite"), min_width=110)
                    switch_off = gr.Button(_("Switch off"), min_width=110)
                    switch_on = gr.Button(_("Switch on"), min_width=110)
                managed = status_line()
                new_password = gr.Textbox(
                    label=_("New password"), info=_(view.RESET), type="password", max_length=1000
                )
                reset = gr.Button(_("Set the password"))
                was_reset = status_line()
            with gr.Column():
                gr.Markdown("## " + _("Add an account"))
                draft = FormDraft("account")
                name = gr.Textbox(label=_("Name"), info=_(users.NAME_RULE), max_length=LONGEST_NAME_READ)
                role = gr.Radio([(view.role_label(one), one) for one in ROLES], label=_("Role"))
                password = gr.Textbox(
                    label=_("Password"), info=_(view.NEW_ACCOUNT), type="password", max_length=1000
                )
                add = gr.Button(_("Add the account"), variant="primary")
                added = status_line()
        with gr.Column(elem_id=RESULT):
            # Interactive because a disabled field cannot get keyboard focus.
            link = gr.Textbox(label=_("Invitation"), info=_(view.INVITATION), visible=False, interactive=True)
        accounts = [table, account, link]
        on = partial(listen, status=managed)
        on(page.load, handlers.load, outputs=accounts)
        on(table.select, handlers.choose, outputs=[account])
        resets = partial(gr.on, [reset.click, new_password.submit])
        adds = partial(gr.on, [add.click, name.submit, password.submit])
        draft.listen({"name": name, "role": role}, page.load)
        adding = listen(adds, handlers.add, [name, role, password], [*accounts, name, password], status=added)
        draft.forget_after(adding, added)
        for event in (adding, on(invite.click, handlers.invite, [account], accounts)):
            bring_into_view(event, RESULT)
        on(switch_off.click, handlers.switch_off, [account], accounts)
        on(switch_on.click, handlers.switch_on, [account], accounts)
        changing = [account, new_password]
        listen(resets, handlers.reset_password, changing, [*accounts, new_password], status=was_reset)
    return page
