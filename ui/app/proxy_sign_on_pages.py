"""Replacements for the login, logout and password pages when a trusted proxy handles sign-on."""

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from clinicnum.ui.app.authorization import from_template
from clinicnum.ui.app.proxy_sign_on import ProxySignOn
from clinicnum.ui.app.session import Sessions
from clinicnum.ui.components.language import _


def add_proxy_sign_on(app: FastAPI, sessions: Sessions, sign_on: ProxySignOn) -> None:
    """Add `/login`, `/logout`, `/account` and `/invitation/TOKEN`, which refer the user to the proxy."""

    def page(message: str, status: int = 200) -> HTMLResponse:
        return HTMLResponse(from_template("signed_on.html", message=message), status_code=status)

    @app.api_route("/login", methods=["GET", "POST"])
    def log_in(request: Request) -> Response:
        if sessions.user_of(request) is not None:
            return RedirectResponse("/", status_code=303)
        name = sign_on.name_of(request.scope)
        if name is None:
            return page(
                _("The proxy in front of this server logs people in; it named nobody. Log in there."), 401
            )
        return page(
            _(
                "The proxy logged you in as {name}, and no active account here has just that name. "
                "Ask an admin for one.",
                name=name,
            ),
            403,
        )

    @app.post("/logout")
    def log_out() -> Response:
        return page(_("You are logged in by the proxy in front of this server, and log out there."))

    @app.api_route("/account", methods=["GET", "POST"])
    @app.api_route("/invitation/{token}", methods=["GET", "POST"])
    def password() -> Response:
        return page(_("Nobody needs a password here: the proxy in front of this server logs people in."))
