"""The FastAPI parent: login, one mounted Gradio app per role, security headers, health.

Every request below a mounted page is checked here, before Gradio sees it: each Gradio event is a public
endpoint, hidden or not. The pages then take their user from the request, never from what the browser says.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import anyio.to_thread
import gradio as gr
from fastapi import FastAPI, Form, Request
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from fastapi.staticfiles import StaticFiles
from jinja2 import Environment, FileSystemLoader
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from annotations.rights import Right, may
from annotations.types import User
from clinicnum.errors import ClinicnumError
from ui.session import COOKIE, Sessions

HERE = Path(__file__).parent
STYLES = ("base", "gradio", "annotate")
HEADERS = {
    "content-security-policy": (
        # Gradio compiles its HTML templates in the page, hence unsafe-eval; nothing may come from elsewhere.
        "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; "
        "style-src 'self' 'unsafe-inline'; "
        "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; object-src 'none'; "
        "base-uri 'self'; form-action 'self'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    # Not no-referrer: with it, browsers post a form with "Origin: null", as strangers do.
    "referrer-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
    "cross-origin-opener-policy": "same-origin",
}


@dataclass(frozen=True)
class Page:
    """One mounted Gradio app."""

    path: str
    title: str
    right: Right
    """The right that every request below `path` needs."""
    build: Callable[[], gr.Blocks]


class Gate:
    """ASGI middleware: headers on all answers, same-origin writes only, the right for each page."""

    def __init__(self, app: ASGIApp, *, sessions: Sessions, pages: Sequence[Page]) -> None:
        self.app = app
        self.sessions = sessions
        self.pages = pages

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refusal = self._refuse(scope, headers)
        target = self.app if refusal is None else refusal
        await target(scope, receive, _with_headers(send))

    def _refuse(self, scope: Scope, headers: Headers) -> Response | None:
        origin = headers.get("origin")
        writes = scope["method"] not in ("GET", "HEAD")
        if writes and origin is not None and urlsplit(origin).netloc != headers.get("host"):
            return JSONResponse({"detail": f"requests from {origin} are refused"}, status_code=403)
        path: str = scope["path"]
        page = next((p for p in self.pages if path == p.path or path.startswith(p.path + "/")), None)
        if page is None:
            return None
        user = self.sessions.user_of(Request(scope))
        wants_page = path in (page.path, page.path + "/") and scope["method"] == "GET"
        if user is None:
            if wants_page:
                return RedirectResponse("/login", status_code=303)
            return JSONResponse({"detail": "log in first"}, status_code=401)
        if not may(user.role, page.right):
            message = f"{page.title} is not open to the role {user.role}."
            if wants_page:
                return HTMLResponse(_template("refused.html", message=message), status_code=403)
            return JSONResponse({"detail": message}, status_code=403)
        scope["clinicnum_user"] = user
        return None


def _with_headers(send: Send) -> Send:
    async def sender(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers[name] = value
            if not headers.get("content-type", "").startswith(
                ("text/css", "text/javascript", "application/javascript")
            ):
                headers.setdefault("cache-control", "no-store")
        await send(message)

    return sender


def _template(file: str, /, **values: object) -> str:
    environment = Environment(loader=FileSystemLoader(HERE / "templates"), autoescape=True)
    return environment.get_template(file).render(**values)


def _mounted_user(request: Request) -> str | None:
    """Gradio's own check of a mounted page; the Gate has put the user there."""
    user: User | None = request.scope.get("clinicnum_user")
    return None if user is None else user.user_id


def home_of(user: User, pages: Sequence[Page]) -> str | None:
    """The first page the user may open."""
    return next((page.path + "/" for page in pages if may(user.role, page.right)), None)


def build_app(*, sessions: Sessions, pages: Sequence[Page], check_database: Callable[[], None]) -> FastAPI:
    """The whole web application.

    `sessions` signs and reads the login cookie; `pages` are mounted in order, the first one a user may open
    is their home; `check_database` raises if the database does not answer (for `/health`).
    """
    app = FastAPI(title="clinicnum", docs_url=None, redoc_url=None, openapi_url=None)
    app.mount("/static", StaticFiles(directory=HERE / "static"), name="static")
    _add_login(app, sessions, pages)

    @app.get("/health")
    def health() -> JSONResponse:
        check_database()
        return JSONResponse({"status": "ok"})

    @app.get("/favicon.ico", include_in_schema=False)
    def favicon() -> RedirectResponse:
        return RedirectResponse("/static/favicon.svg")

    mounted: Any = app
    for page in pages:
        blocks = page.build()
        blocks.state_session_capacity = 200
        mounted = gr.mount_gradio_app(
            mounted,
            blocks,
            path=page.path,
            auth_dependency=_mounted_user,
            # Linked, not given as css: Gradio rewrites what it is given, and drops the dark scheme.
            head="".join(f'<link rel="stylesheet" href="/static/{name}.css">' for name in STYLES),
            theme=gr.themes.Base(
                primary_hue="blue",
                neutral_hue="slate",
                font=["system-ui", "sans-serif"],
                font_mono=["ui-monospace", "monospace"],
            ),
            run_history=False,
            footer_links=[],
            ssr_mode=False,
            show_error=False,
            max_file_size="1mb",
        )
    app.add_middleware(Gate, sessions=sessions, pages=pages)
    return app


def _add_login(app: FastAPI, sessions: Sessions, pages: Sequence[Page]) -> None:
    def page(message: str | None = None, name: str = "", status: int = 200) -> HTMLResponse:
        return HTMLResponse(_template("login.html", message=message, name=name), status_code=status)

    @app.get("/login")
    def show_login() -> HTMLResponse:
        return page()

    @app.post("/login")
    async def log_in(
        request: Request, name: str = Form(max_length=200), password: str = Form(max_length=1000)
    ) -> Response:
        try:
            # argon2 is slow on purpose: on the event loop it would stall every other annotator.
            user = await anyio.to_thread.run_sync(sessions.authenticate, name.strip(), password)
        except ClinicnumError as error:
            return page(str(error), name, 429)
        if user is None:
            return page("Name and password do not match.", name, 401)
        response = RedirectResponse(home_of(user, pages) or "/login", status_code=303)
        sessions.remember(response, user, secure=request.url.scheme == "https")
        return response

    @app.post("/logout")
    def log_out() -> Response:
        response = RedirectResponse("/login", status_code=303)
        response.delete_cookie(COOKIE)
        return response

    @app.get("/")
    def home(request: Request) -> Response:
        user = sessions.user_of(request)
        if user is None:
            return RedirectResponse("/login", status_code=303)
        path = home_of(user, pages)
        if path is None:
            return HTMLResponse(
                _template("refused.html", message=f"No page is open to the role {user.role} yet."), 403
            )
        return RedirectResponse(path, status_code=303)
