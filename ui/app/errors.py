"""What a browser gets where the database cannot be used just now: one sentence."""

from fastapi import Request
from fastapi.responses import HTMLResponse, JSONResponse, Response

from clinicnum.errors import Unavailable
from clinicnum.ui.app.authorization import from_template

TITLE = "Not done"
SHOWN_S = 30


def answer(error: Unavailable, request: Request) -> Response:
    """503: a page to whoever opens one, else JSON that the page shows."""
    if request.method == "GET" and "text/html" in request.headers.get("accept", ""):
        return HTMLResponse(from_template("unavailable.html", message=str(error)), status_code=503)
    return JSONResponse(message_of(str(error)), status_code=503)


def message_of(text: str) -> dict[str, str | int | bool]:
    """A sentence in the form in which Gradio's half in the browser shows errors."""
    return {"error": text, "title": TITLE, "duration": SHOWN_S, "visible": True, "detail": text}
