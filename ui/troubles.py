"""A database that cannot be worked with just now, told in the page: one sentence, whoever met it."""

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any

import gradio as gr
from fastapi import Request
from fastapi.responses import HTMLResponse, JSONResponse, Response

from clinicnum.errors import Unavailable
from ui.gate import from_template

TITLE = "Not done"
SHOWN_S = 30


def answer(error: Unavailable, request: Request) -> Response:
    """503: a page to whoever opens one, else JSON in the form in which Gradio's own half reads errors."""
    if request.method == "GET" and "text/html" in request.headers.get("accept", ""):
        return HTMLResponse(from_template("unavailable.html", message=str(error)), status_code=503)
    told = {"error": str(error), "title": TITLE, "duration": SHOWN_S, "visible": True}
    return JSONResponse({**told, "detail": str(error)}, status_code=503)


def tell_in(blocks: gr.Blocks) -> None:
    """Let every event of a page say in words why the database could not be worked with."""
    for event in blocks.fns.values():
        if event.fn is not None:
            event.fn = _telling(event.fn)


def _telling(handler: Callable[..., Any]) -> Callable[..., Any]:
    if inspect.iscoroutinefunction(handler):

        @wraps(handler)
        async def waiting(*values: Any) -> Any:
            try:
                return await handler(*values)
            except Unavailable as error:
                raise _shown(error) from error

        return waiting

    @wraps(handler)
    def calling(*values: Any) -> Any:
        try:
            return handler(*values)
        except Unavailable as error:
            raise _shown(error) from error

    return calling


def _shown(error: Unavailable) -> gr.Error:
    return gr.Error(str(error), duration=SHOWN_S, title=TITLE, print_exception=False)
