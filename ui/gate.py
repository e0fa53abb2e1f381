"""What stands before every request: same-origin writes, the right for each page, security headers.

Each Gradio event is a public endpoint, hidden or not, and Gradio brings more of them than our pages use:
uploads, streams, deep links that hand one user's page to another. Only what the pages need is let through.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import gradio as gr
from fastapi import Request
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from jinja2 import Environment, FileSystemLoader
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from annotations.rights import Right, may
from ui.session import Sessions

HERE = Path(__file__).parent
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


OPEN_PATHS = frozenset(
    {
        "",
        "/",
        "/config",
        "/theme.css",
        "/gradio_api/run/predict",
        "/gradio_api/app_id",
        "/gradio_api/startup-events",
    }
)
"""What our pages ask of Gradio; everything else below a page is not there."""
OPEN_FOLDERS = ("/assets/", "/static/")


@dataclass(frozen=True)
class Page:
    """One mounted Gradio app."""

    path: str
    title: str
    right: Right
    """The right that every request below `path` needs."""
    build: Callable[[], gr.Blocks]


class Gate:
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
        await target(scope, receive, _with_headers(send))

    def _refuse(self, scope: Scope, headers: Headers) -> Response | None:
        origin = headers.get("origin")
        writes = scope["method"] not in ("GET", "HEAD")
        if writes and origin is not None and origin.partition("://")[2] != headers.get("host"):
            return JSONResponse({"detail": "requests from another origin are refused"}, status_code=403)
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
                return HTMLResponse(from_template("refused.html", message=message), status_code=403)
            return JSONResponse({"detail": message}, status_code=403)
        rest = path.removeprefix(page.path)
        if "deep_link" in Request(scope).query_params or not (
            rest in OPEN_PATHS or rest.startswith(OPEN_FOLDERS)
        ):
            return JSONResponse({"detail": "not part of this page"}, status_code=404)
        scope["clinicnum_user"] = user
        return None


_RAW = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in HEADERS.items()]
_NAMES = frozenset(name for name, _ in _RAW)
_KEPT = (b"text/css", b"text/javascript", b"application/javascript")
"""What a browser may keep; all else is somebody's."""


def _with_headers(send: Send) -> Send:
    async def sender(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = [pair for pair in message["headers"] if pair[0] not in _NAMES]
            named = dict(headers)
            if b"cache-control" not in named and not named.get(b"content-type", b"").startswith(_KEPT):
                headers.append((b"cache-control", b"no-store"))
            message["headers"] = [*headers, *_RAW]
        await send(message)

    return sender


def from_template(file: str, /, **values: object) -> str:
    """A page of our own, every value escaped."""
    environment = Environment(loader=FileSystemLoader(HERE / "templates"), autoescape=True)
    return environment.get_template(file).render(**values)
