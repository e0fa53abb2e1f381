"""What stands before every request: same-origin writes, sign-on, the right for each page.

Each Gradio event is a public endpoint, hidden or not, and Gradio brings more of them than our pages use:
uploads, streams, deep links that hand one user's page to another. Only what the pages need is let through:
calls of events, which `clinicnum.ui.app.event_guard` checks, and the routes of the workbenches' scripts
(`clinicnum.ui.app.page_api`). A page with uploads would need a route of our own, with limits.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import gradio as gr
from fastapi import Request
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from jinja2 import Environment, FileSystemLoader
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from clinicnum.annotations.rights import Right, may
from clinicnum.annotations.types import User
from clinicnum.ui.app.event_guard import PREDICT
from clinicnum.ui.app.page_api import PREFIX
from clinicnum.ui.app.session import Sessions
from clinicnum.ui.components.actions import Action

HERE = Path(__file__).parents[1]
OPEN_PATHS = frozenset(
    {
        "",
        "/",
        "/config",
        "/theme.css",
        "/gradio_api/app_id",
        "/gradio_api/startup-events",
    }
)
"""What our pages ask of Gradio; everything else below a page is not there."""
OPEN_FOLDERS = ("/assets/", "/static/")
SHUT_PARAMETERS = frozenset({"deep_link", "page"})
"""Gradio would hand out another user's page by the one, and answers a page that it has not by an error."""


@dataclass(frozen=True)
class Page:
    """One mounted Gradio app."""

    path: str
    title: str
    right: Right
    """The right that every request below `path` and `/api` + `path` needs."""
    build: Callable[[], gr.Blocks]
    actions: tuple[Action, ...] = ()
    """What the page's own script asks of the server, without Gradio."""


class AuthorizationMiddleware:
    """The ASGI middleware. Puts the user of a mounted page into the scope as `clinicnum_user`."""

    def __init__(self, app: ASGIApp, *, sessions: Sessions, pages: Sequence[Page]) -> None:
        self.app = app
        self.sessions = sessions
        self.pages = pages

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
            return
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refusal = self._refuse(scope, headers)
        target = self.app if refusal is None else refusal
        await target(scope, receive, send)

    def _refuse(self, scope: Scope, headers: Headers) -> Response | None:
        path: str = scope["path"]
        refused = self._refused_everywhere(scope, headers)
        if refused is not None:
            return JSONResponse({"detail": refused}, status_code=403)
        if "\\" in path or "\0" in path or ".." in path.split("/"):
            return JSONResponse({"detail": "not part of this page"}, status_code=404)
        inside = path.removeprefix(PREFIX)
        page = next((p for p in self.pages if inside == p.path or inside.startswith(p.path + "/")), None)
        if page is None:
            return None
        user = self.sessions.user_of(Request(scope))
        wants_page = path in (page.path, page.path + "/") and scope["method"] == "GET"
        refusal = _refuse_user(user, page, wants_page=wants_page) or _refuse_path(
            scope, inside.removeprefix(page.path), page, api=inside != path
        )
        scope["clinicnum_user"] = user
        return refusal

    def _refused_everywhere(self, scope: Scope, headers: Headers) -> str | None:
        """Why a request is refused wherever it goes."""
        sign_on, origin = self.sessions.sign_on, headers.get("origin")
        if scope["method"] not in ("GET", "HEAD"):
            if origin is not None and origin.partition("://")[2] != headers.get("host"):
                return "requests from another origin are refused"
            if origin is None and sign_on is not None:
                # No cookie of ours stands between the proxy's login and another site; browsers say whence.
                return "a request that writes must name its origin"
        return None if sign_on is None else sign_on.refusal(scope)


def _refuse_user(user: User | None, page: Page, *, wants_page: bool) -> Response | None:
    if user is None:
        if wants_page:
            return RedirectResponse("/login", status_code=303)
        return JSONResponse({"detail": "log in first"}, status_code=401)
    if may(user.role, page.right):
        return None
    message = f"{page.title} is not open to the role {user.role}."
    if wants_page:
        return HTMLResponse(from_template("refused.html", message=message), status_code=403)
    return JSONResponse({"detail": message}, status_code=403)


def _refuse_path(scope: Scope, rest: str, page: Page, *, api: bool) -> Response | None:
    """`rest`: what follows the page's path; `api`: whether the route is the script's, not Gradio's."""
    posts = rest.removeprefix("/") in {one.name for one in page.actions} if api else rest == PREDICT
    reads = not api and (rest in OPEN_PATHS or rest.startswith(OPEN_FOLDERS))
    if not (posts or reads) or not SHUT_PARAMETERS.isdisjoint(Request(scope).query_params):
        return JSONResponse({"detail": "not part of this page"}, status_code=404)
    allowed = ("POST",) if posts else ("GET", "HEAD")
    if scope["method"] in allowed:
        return None
    refused = f"{scope['method'][:20]} is not used here; expected {' or '.join(allowed)}"
    return JSONResponse({"detail": refused}, status_code=405, headers={"allow": ", ".join(allowed)})


def from_template(file: str, /, **values: object) -> str:
    """A page of our own, every value escaped."""
    environment = Environment(loader=FileSystemLoader(HERE / "templates"), autoescape=True)
    return environment.get_template(file).render(**values)
