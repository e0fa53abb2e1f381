"""Answer each request in its user's language, and let users choose another one."""

from urllib.parse import urlsplit

from fastapi import FastAPI, Form, Request
from fastapi.responses import JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from clinicnum.ui.components.language import COOKIE, LANGUAGES, answer_in, language_of

A_YEAR_S = 365 * 24 * 3600


class LanguageMiddleware:
    """ASGI middleware that sets the language for the rest of the request."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request = Request(scope)
        with answer_in(language_of(request.cookies.get(COOKIE), request.headers.get("accept-language"))):
            await self.app(scope, receive, send)


def add_language_choice(app: FastAPI) -> None:
    """Add `POST /language`, which stores the chosen language in a cookie and returns to the page before."""

    @app.post("/language")
    def choose_language(request: Request, language: str = Form(max_length=20)) -> Response:
        if language not in LANGUAGES:
            there_are = ", ".join(LANGUAGES)
            detail = f"there is no language {language!r}; expected one of {there_are}"
            return JSONResponse({"detail": detail}, status_code=422)
        back = urlsplit(request.headers.get("referer", ""))
        # The path alone, so that no link can lead to another server.
        path = "/" + back.path.lstrip("/") + (f"?{back.query}" if back.query else "")
        response = RedirectResponse(path, status_code=303)
        secure = request.url.scheme == "https"
        response.set_cookie(COOKIE, language, max_age=A_YEAR_S, httponly=True, samesite="lax", secure=secure)
        return response
