"""The people page: accounts, their roles, and what was last heard of them."""

from collections.abc import Callable
from typing import Any, Literal

import gradio as gr
from pydantic import Field

from clinicnum.annotations.types import Role, User
from clinicnum.db.sessions import Store
from clinicnum.db.work.accounts import users
from clinicnum.errors import ClinicnumError, InputError
from clinicnum.types import Frozen
from clinicnum.ui.components.messages import Reply, bad, good, parse
from clinicnum.ui.components.navbar import Navbar
from clinicnum.ui.components.static_files import script
from clinicnum.ui.pages.people.view import people_view


class Message(Frozen):
    """What the page sends."""

    action: Literal["add", "invite", "reset", "switch_off", "switch_on"]
    name: str = Field(max_length=100)
    role: Role | None = None
    password: str = Field(default="", max_length=1000)


class PeopleHandlers:
    """The page's events; the gate has checked the right before any of them runs.

    Not async: argon2 belongs in a thread.
    """

    def __init__(self, store: Store, invitation: Callable[[User], str]) -> None:
        self.store = store
        self.invitation = invitation

    def load(self, request: gr.Request) -> Reply:
        """All accounts."""
        with self.store.reading() as session:
            return people_view(
                users.list_users(session),
                last=users.last_activity(session),
                admins=users.active_admins(session),
                viewer=str(request.username),
            )

    def change(self, payload: Any, request: gr.Request) -> Reply:
        """Do one thing to one account, and show them all again."""
        told: Reply = {}
        try:
            message = parse(Message, payload)
            if message.action == "invite" or (message.action == "add" and not message.password):
                told["invitation"] = self._invite(message, str(request.username))
            else:
                told = good(self._change(message, str(request.username)))
        except ClinicnumError as error:
            told = bad(error)
        return self.load(request) | told

    def _invite(self, message: Message, actor: str) -> Reply:
        """A link with which an account, new or not, chooses its password itself."""
        with self.store.writing() as session:
            if message.action == "add":
                users.add_user(session, **_account(message), actor=actor)
            user = users.invite(session, name=message.name, actor=actor)
        return {"name": user.name, "path": self.invitation(user)}

    def _change(self, message: Message, actor: str) -> str:
        name = message.name
        with self.store.writing() as session:
            if message.action == "add":
                user = users.add_user(session, **_account(message), actor=actor)
                return f"Added {user.name} as {user.role}."
            if message.action == "reset":
                user = users.reset_password(session, name=name, password=message.password, actor=actor)
                return f"{user.name} has a new password, and was logged out everywhere."
            user = users.set_active(session, name=name, active=message.action == "switch_on", actor=actor)
        return f"{user.name} is switched {'on' if user.active else 'off'}."


def _account(message: Message) -> dict[str, Any]:
    """What a new account is made of; without a password nobody can log in until one is chosen."""
    if message.role is None:
        raise InputError("Choose a role for the account.")
    return {"name": message.name, "role": message.role, "password": message.password or None}


def build_people(*, store: Store, navbar: Navbar, invitation: Callable[[User], str]) -> gr.Blocks:
    """The page as a Blocks, to be mounted behind the right `manage_users`.

    `invitation` makes the path where an account chooses its password.
    """
    handlers = PeopleHandlers(store, invitation)
    quiet: dict[str, Any] = {"queue": False, "show_progress": "hidden", "api_visibility": "private"}
    with gr.Blocks(title="People · clinicnum", analytics_enabled=False, fill_width=True) as page:
        navbar.add_to(page, "/people")
        board = gr.HTML(
            value={},
            html_template='<div class="cn-page"><h1>People</h1>'
            '<div class="pp-message" role="status"></div><div class="pp-root"></div></div>',
            js_on_load=script("dom.js", "people.js"),
            apply_default_css=False,
            elem_id="people",
        )
        page.load(handlers.load, None, board, **quiet)
        board.select(handlers.change, board, board, **quiet)
    return page
