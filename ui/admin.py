"""The admin page: accounts and studies."""

from typing import Any

import gradio as gr

from annotations.types import ROLES, Role
from clinicnum.errors import ClinicnumError, InputError
from db.store import Store
from db.work import study as studies
from db.work import users
from ui.shell import Shell
from ui.views import framed, note, table


class AdminHandlers:
    """The page's events; the gate has checked the right before any of them runs.

    Not async: argon2 and the counts of large studies belong in a thread.
    """

    def __init__(self, store: Store) -> None:
        self.store = store

    def load(self) -> tuple[str, str]:
        """Accounts and studies as tables."""
        with self.store.reading() as session:
            accounts = users.list_users(session)
            projects = studies.list_studies(session)
        return (
            framed(
                table(
                    f"{len(accounts)} accounts",
                    ("Name", "Role", "Kind", "Active"),
                    [(u.name, u.role, u.kind, "yes" if u.active else "no") for u in accounts],
                    prose=(1, 2, 3),
                )
            ),
            framed(
                table(
                    f"{len(projects)} studies",
                    ("Name", "Status", "Generations", "Overlap", "Annotators", "Submitted", "Assignments"),
                    [
                        (s.name, s.status, s.generations, s.overlap, s.annotators, s.submitted, s.assignments)
                        for s in projects
                    ],
                )
            ),
        )

    def add_user(self, name: str, role: Role | None, password: str, request: gr.Request) -> str:
        """Add an account."""
        if role is None:
            return framed(note("Choose a role for the account.", "bad"))
        try:
            with self.store.writing() as session:
                user = users.add_user(
                    session,
                    name=_text(name),
                    role=role,
                    password=_text(password),
                    actor=str(request.username),
                )
            return framed(note(f"Added {user.name} as {user.role}."))
        except ClinicnumError as error:
            return framed(note(str(error), "bad"))

    def reset_password(self, name: str, password: str, request: gr.Request) -> str:
        """Give an account a new password; this ends its sessions."""
        try:
            with self.store.writing() as session:
                users.reset_password(
                    session, name=_text(name), password=_text(password), actor=str(request.username)
                )
            return framed(note(f"{name} has a new password, and was logged out everywhere."))
        except ClinicnumError as error:
            return framed(note(str(error), "bad"))

    def close_study(self, name: str, request: gr.Request) -> str:
        """Close a study: nobody can submit to it any more."""
        try:
            with self.store.writing() as session:
                studies.close_study(session, name=_text(name), actor=str(request.username))
            return framed(note(f"Study {name} is closed."))
        except ClinicnumError as error:
            return framed(note(str(error), "bad"))


def _text(value: object) -> str:
    """What a field sent, as text that can be stored. Raises InputError for what a page never sends."""
    if not isinstance(value, str) or not value.isprintable():
        raise InputError(
            "a field was empty or held characters that cannot be typed; fill it in and try again"
        )
    return value


def build_admin(*, store: Store, shell: Shell) -> gr.Blocks:
    """The page as a Blocks, to be mounted behind the right `manage_users`."""
    handlers = AdminHandlers(store)
    quiet: dict[str, Any] = {"queue": False, "show_progress": "hidden", "api_visibility": "private"}
    with gr.Blocks(
        title="Accounts and studies · clinicnum", analytics_enabled=False, fill_width=True
    ) as page:
        shell.navigation(page, "/admin")
        gr.HTML('<div class="cn-page"><h1>Accounts and studies</h1></div>', apply_default_css=False)
        answer = gr.HTML("", apply_default_css=False)
        accounts = gr.HTML("", apply_default_css=False)
        with gr.Column(elem_classes="cn-form"):
            gr.HTML('<h2 class="cn-heading">Add an account</h2>', apply_default_css=False)
            name = gr.Textbox(label="Name", max_length=100)
            role = gr.Radio(list(ROLES), label="Role")
            password = gr.Textbox(label="Password", type="password", max_length=1000)
            add = gr.Button("Add account", variant="primary")
            gr.HTML('<h2 class="cn-heading">Reset a password</h2>', apply_default_css=False)
            reset_name = gr.Textbox(label="Name of the account", max_length=100)
            new_password = gr.Textbox(label="New password", type="password", max_length=1000)
            reset = gr.Button("Reset password")
        projects = gr.HTML("", apply_default_css=False)
        with gr.Column(elem_classes="cn-form"):
            gr.HTML('<h2 class="cn-heading">Close a study</h2>', apply_default_css=False)
            study = gr.Textbox(label="Name of the study", max_length=200)
            close = gr.Button("Close study")
        page.load(handlers.load, None, [accounts, projects], **quiet)
        for button, handler, inputs in (
            (add, handlers.add_user, [name, role, password]),
            (reset, handlers.reset_password, [reset_name, new_password]),
            (close, handlers.close_study, [study]),
        ):
            button.click(handler, inputs, answer, **quiet).then(
                handlers.load, None, [accounts, projects], **quiet
            )
    return page
