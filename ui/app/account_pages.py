"""Plain HTML pages where users change their password or set it by an invitation link, and where the first
admin is made. No Gradio.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import anyio
import anyio.to_thread
from fastapi import FastAPI, Form, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from clinicnum.annotations.types import User
from clinicnum.db.work.accounts.users import NAME_RULE
from clinicnum.errors import ClinicnumError, InputError
from clinicnum.translatable_text import Translatable
from clinicnum.ui.app.authorization import from_template
from clinicnum.ui.app.session import Sessions
from clinicnum.ui.components.html import capitalized
from clinicnum.ui.components.language import _, error_text

DIFFER = Translatable("The two new passwords differ; type the same one twice.")
GONE = Translatable(
    "This invitation has been used or is over. If you have chosen your password with it, log in with your "
    "name and that password; otherwise ask whoever sent it for another one."
)
USED = Translatable(
    "This link has been used or is over. Log in with the admin's account; if there is none, start the server "
    "again, and it prints a new link."
)
NO_LONGER = Translatable("This link works no longer")


@dataclass(frozen=True)
class Passwords:
    """The database operations of the account and invitation pages."""

    change: Callable[[User, str, str], User]
    """(user, old, new) -> the account with its new session version; raises ClinicnumError."""
    choose: Callable[[User, str], User]
    """(user, new) -> the account with its new session version; for invited users, without old password."""


@dataclass(frozen=True)
class FirstAdmin:
    """The database operations of the page on which the first admin chooses a name and a password."""

    is_wanted: Callable[[], bool]
    """Whether there is no admin yet."""
    create: Callable[[str, str], User]
    """(name, password) -> the new admin; raises ClinicnumError, also if there is an admin by now."""


def add_account(
    app: FastAPI, sessions: Sessions, passwords: Passwords, logins: anyio.CapacityLimiter
) -> None:
    """Add the routes `/account` and `/invitation/TOKEN`; `logins` limits concurrent password hashing."""
    saved = partial(_logged_in, sessions, logins)

    @app.get("/account")
    def show_account(request: Request) -> Response:
        user = sessions.user_of(request)
        return RedirectResponse("/login", status_code=303) if user is None else _page(user, invited=False)

    @app.post("/account")
    async def change(
        request: Request,
        old: str = Form(max_length=2000),
        new: str = Form(max_length=2000),
        again: str = Form(max_length=2000),
    ) -> Response:
        user = sessions.user_of(request)
        if user is None:
            return RedirectResponse("/login", status_code=303)
        try:
            _check_same(new, again)
            return await saved(request, lambda: passwords.change(user, old, new))
        except ClinicnumError as error:
            return _page(user, invited=False, message=error_text(error), status=422)

    @app.get("/invitation/{token}")
    def show_invitation(token: str) -> Response:
        user = sessions.invited_user(token)
        return _refused() if user is None else _page(user, invited=True)

    @app.post("/invitation/{token}")
    async def accept(
        request: Request,
        token: str,
        new: str = Form(max_length=2000),
        again: str = Form(max_length=2000),
    ) -> Response:
        user = sessions.invited_user(token)
        if user is None:
            return _refused()
        try:
            _check_same(new, again)
            return await saved(request, lambda: passwords.choose(user, new))
        except ClinicnumError as error:
            return _page(user, invited=True, message=error_text(error), status=422)


def add_first_admin(
    app: FastAPI, sessions: Sessions, first: FirstAdmin, logins: anyio.CapacityLimiter
) -> None:
    """Add the route `/first-admin/TOKEN`, which is gone as soon as there is an admin."""

    def is_open(token: str) -> bool:
        return sessions.is_first_admin_token(token) and first.is_wanted()

    @app.get("/first-admin/{token}")
    def show(token: str) -> Response:
        return _first_page() if is_open(token) else _refused(USED)

    @app.post("/first-admin/{token}")
    async def create(
        request: Request,
        token: str,
        name: str = Form(max_length=200),
        new: str = Form(max_length=2000),
        again: str = Form(max_length=2000),
    ) -> Response:
        if not is_open(token):
            return _refused(USED)
        try:
            _check_same(new, again)
            return await _logged_in(sessions, logins, request, lambda: first.create(name, new))
        except ClinicnumError as error:
            return _first_page(name=name, message=error_text(error), status=422)


async def _logged_in(
    sessions: Sessions, logins: anyio.CapacityLimiter, request: Request, work: Callable[[], User]
) -> Response:
    """Do the work in a thread, log in the account that it returns, and redirect to the start page."""
    # argon2 is slow by design: on the event loop it would block every user.
    user = await anyio.to_thread.run_sync(work, limiter=logins)
    response = RedirectResponse("/", status_code=303)
    sessions.set_login_cookie(response, user, secure=request.url.scheme == "https")
    return response


def _check_same(new: str, again: str) -> None:
    if new != again:
        raise InputError(DIFFER)


def _page(user: User, *, invited: bool, message: str | None = None, status: int = 200) -> HTMLResponse:
    return _form(status, name=user.name, invited=invited, first=False, message=message)


def _first_page(*, name: str = "", message: str | None = None, status: int = 200) -> HTMLResponse:
    values = {"name": name, "name_rule": _(NAME_RULE), "message": message}
    return _form(status, invited=True, first=True, **values)


def _form(status: int, *, message: str | None, **values: object) -> HTMLResponse:
    sentence = None if message is None else capitalized(message)
    return HTMLResponse(from_template("account.html", message=sentence, **values), status_code=status)


def _refused(why: str = GONE) -> HTMLResponse:
    said = from_template("refused.html", heading=_(NO_LONGER), message=_(why), log_in=True)
    return HTMLResponse(said, status_code=410)
