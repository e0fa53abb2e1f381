"""Responses sent while the database is unavailable."""

from fastapi import Request
from fastapi.responses import HTMLResponse, JSONResponse, Response

from clinicnum.errors import Unavailable
from clinicnum.translatable_text import Translatable
from clinicnum.ui.app.authorization import from_template
from clinicnum.ui.components.language import _, error_text

TITLE = Translatable("Not done")
SHOWN_S = 30


def unavailable_response(error: Unavailable, request: Request) -> Response:
    """A 503 response: an HTML page if one was requested, else JSON for the page's script to show."""
    if request.method == "GET" and "text/html" in request.headers.get("accept", ""):
        return HTMLResponse(from_template("unavailable.html", message=error_text(error)), status_code=503)
    return JSONResponse(gradio_error(error_text(error)), status_code=503)


def gradio_error(text: str) -> dict[str, str | int | bool]:
    """An error message as the JSON that Gradio's frontend displays."""
    return {"error": text, "title": _(TITLE), "duration": SHOWN_S, "visible": True, "detail": text}
