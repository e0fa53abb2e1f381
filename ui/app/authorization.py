"""Authorize every request before routing: same-origin writes, sign-on, and the right each page requires.

Every Gradio event is a public endpoint, hidden or not, and Gradio adds routes that our pages do not use:
uploads, streams, and deep links that expose one user's page to another. Only three kinds of call are allowed:
Gradio events, validated by `clinicnum.ui.app.event_validation`, the routes of the page scripts
(`clinicnum.ui.app.page_action_routes`) with that of a page's uploads (`clinicnum.ui.app.upload_route`), and
files that a page hands out (`clinicnum.ui.app.download_routes`).
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

from clinicnum.annotations.role_rights import Right, may
from clinicnum.annotations.types import User
from clinicnum.db.upload_storage import Uploads
from clinicnum.translatable_text import Translatable
from clinicnum.ui.app.event_validation import PREDICT
from clinicnum.ui.app.login_redirect import LOGIN, login_address
from clinicnum.ui.app.page_action_routes import PREFIX
from clinicnum.ui.app.session import Sessions
from clinicnum.ui.components.downloadable_files import Download
from clinicnum.ui.components.language import LANGUAGES, _, current_language
from clinicnum.ui.components.navbar import Group, PageLink
from clinicnum.ui.components.page_action import Action
from clinicnum.ui.components.static_files import static_path
from clinicnum.ui.components.upload_field import ROUTE
from clinicnum.ui.components.value_display_names import ROLE_NAMES

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
"""The Gradio paths that our pages request; any other path below a page returns 404."""
OPEN_FOLDERS = ("/assets/", "/static/")
REFUSED_PARAMETERS = frozenset({"deep_link", "page"})
"""Query parameters that are refused: `deep_link` would expose another user's page; an unknown
`page` makes Gradio return a server error."""


NO_PAGE = Translatable("There is no such page")
NO_ADDRESS = Translatable("Nothing is at this address: it is mistyped, or the link to it is old.")


@dataclass(frozen=True)
class Page:
    """A page: one mounted Gradio app, and the right that it requires."""

    path: str
    title: str
    group: Group | None
    """Its group in the navigation bar; None if it has none."""
    right: Right
    """The right required for every request below `path` and below `/api` + `path`."""
    build: Callable[[], gr.Blocks]
    actions: tuple[Action, ...] = ()
    """The routes that the page's own script calls, bypassing Gradio."""
    downloads: tuple[Download, ...] = ()
    """The files that the page hands out."""
    uploads: Uploads | None = None
    """Store for files uploaded on the page; None if it takes none."""

    def routes(self) -> frozenset[str]:
        """Names of the page's routes for POST requests: the last segments of paths below `/api` + `path`."""
        return frozenset({one.name for one in self.actions} | ({ROUTE} if self.uploads else set()))

    def link(self) -> PageLink:
        """The page as the navigation bar shows it."""
        return PageLink(self.title, self.path, self.right, self.group)


class AuthorizationMiddleware:
    """ASGI middleware that refuses writes from another origin, whatever the path, and below a page's path all
    requests of users without the page's right.

    There it stores the user in the scope as `clinicnum_user`. Any other route gets no user and must check for
    itself.
    """

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
        request = Request(scope)
        if "\\" in path or "\0" in path or ".." in path.split("/"):
            return not_found_response(request)
        inside = path.removeprefix(PREFIX)
        page = next((p for p in self.pages if inside == p.path or inside.startswith(p.path + "/")), None)
        if page is None:
            return None
        user = self.sessions.user_of(request)
        opens_page = path in (page.path, page.path + "/") and scope["method"] == "GET"
        login = login_address(request) if opens_page else LOGIN
        wants_page = opens_page or _wants_page(request)
        refusal = _refuse_user(user, page, login=login, wants_page=wants_page) or _refuse_path(
            request, inside.removeprefix(page.path), page, api=inside != path
        )
        scope["clinicnum_user"] = user
        return refusal

    def _refused_everywhere(self, scope: Scope, headers: Headers) -> str | None:
        """The reason why a request is refused whatever its path; None if it is allowed."""
        sign_on, origin = self.sessions.sign_on, headers.get("origin")
        if scope["method"] not in ("GET", "HEAD"):
            if origin is not None and origin.partition("://")[2] != headers.get("host"):
                return "requests from another origin are refused"
            if origin is None and sign_on is not None:
                # Behind a proxy there is no same-site cookie of ours, so Origin is the only CSRF defence.
                return "a request that writes must name its origin"
        return None if sign_on is None else sign_on.refusal(scope)


def _refuse_user(user: User | None, page: Page, *, login: str, wants_page: bool) -> Response | None:
    if user is None:
        if wants_page:
            return RedirectResponse(login, status_code=303)
        return JSONResponse({"detail": "log in first"}, status_code=401)
    if may(user.role, page.right):
        return None
    message = _("{page} is not open to the role {role}.", page=_(page.title), role=_(ROLE_NAMES[user.role]))
    if wants_page:
        return HTMLResponse(from_template("refused.html", message=message), status_code=403)
    return JSONResponse({"detail": message}, status_code=403)


def _refuse_path(request: Request, rest: str, page: Page, *, api: bool) -> Response | None:
    """A 404 or 405 response for a path, parameter or method that the page does not serve; else None.

    `rest` is the part of the path after the page's own; `api` marks a route of ours, not Gradio's.
    """
    posts = rest.removeprefix("/") in page.routes() if api else rest == PREDICT
    folders = tuple(f"/{one.name}/" for one in page.downloads) if api else OPEN_FOLDERS
    reads = rest.startswith(folders) or (not api and rest in OPEN_PATHS)
    if not (posts or reads) or not REFUSED_PARAMETERS.isdisjoint(request.query_params):
        return not_found_response(request)
    allowed = ("POST",) if posts else ("GET", "HEAD")
    if request.method in allowed:
        return None
    refused = f"{request.method[:20]} is not used here; expected {' or '.join(allowed)}"
    return JSONResponse({"detail": refused}, status_code=405, headers={"allow": ", ".join(allowed)})


def _wants_page(request: Request) -> bool:
    """Whether a person opens this address in a browser; scripts accept other types, and have `/api`."""
    accepted = request.headers.get("accept", "")
    return request.method == "GET" and "text/html" in accepted and not request.url.path.startswith(PREFIX)


def not_found_response(request: Request) -> Response:
    """A 404 response: a page in words, with a way back, for a person's browser, else JSON."""
    if _wants_page(request):
        text = from_template("refused.html", heading=_(NO_PAGE), message=_(NO_ADDRESS))
        return HTMLResponse(text, status_code=404)
    return JSONResponse({"detail": "there is nothing at this address"}, status_code=404)


def from_template(file: str, /, **values: object) -> str:
    """Render a template from `ui/templates` in the current language, with every value escaped."""
    environment = Environment(loader=FileSystemLoader(HERE / "templates"), autoescape=True)
    language = current_language()
    return environment.get_template(file).render(
        _=_, language=language, languages=LANGUAGES, static_path=static_path, **values
    )
