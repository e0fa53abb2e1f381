"""Serve Gradio's scripts and styles at one path for all pages, cached by the browser.

Gradio serves them below the path of each page: a browser would load and compile the same two megabytes anew
for each page, and the server compress them anew for each browser.
"""

import functools
import gzip
import mimetypes
import re
from pathlib import Path

import gradio
from fastapi import FastAPI, Request, Response
from fastapi.responses import FileResponse, JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from clinicnum.ui.components.static_files import KEPT

FOLDER = Path(gradio.__file__).parent / "templates" / "frontend" / "assets"
PATH = "/static/gradio"
_PACKED = (".js", ".css", ".svg")
_SCRIPT = re.compile(rb'src="\./assets/')
_STYLE = re.compile(rb'<link rel="stylesheet" crossorigin href="\./assets/([^"]+)">')
_SHARED_SCRIPT = f'src="{PATH}/'.encode()
# Gradio adds its style once more unless a link names it as Gradio's document does: the idle second link does.
_SHARED_STYLE = (
    rf'<link rel="stylesheet" crossorigin href="{PATH}/\1"><link rel="alternate" href="./assets/\1">'.encode()
)


def add_gradio_assets(app: FastAPI) -> None:
    """Add the route `/static/gradio/FILE`, which serves Gradio's scripts and styles, compressed if the
    browser accepts it.
    """
    names = frozenset(one.name for one in FOLDER.iterdir() if one.is_file())

    @app.api_route(PATH + "/{name}", methods=["GET", "HEAD"])
    def asset(name: str, request: Request) -> Response:
        if name not in names:
            return JSONResponse({"detail": "no such file"}, status_code=404)
        kept = {"cache-control": KEPT, "vary": "Accept-Encoding"}
        if not name.endswith(_PACKED) or "gzip" not in request.headers.get("accept-encoding", ""):
            return FileResponse(FOLDER / name, headers=kept)
        kind = mimetypes.guess_type(name)[0]
        return Response(_packed(name), media_type=kind, headers=kept | {"content-encoding": "gzip"})


@functools.cache
def _packed(name: str) -> bytes:
    return gzip.compress((FOLDER / name).read_bytes(), compresslevel=6, mtime=0)


class SharedAssets:
    """ASGI wrapper of a page's app: its HTML links the script and style that all pages share."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        start: Message = {}

        async def sender(message: Message) -> None:
            nonlocal start
            if message["type"] == "http.response.start" and _is_document(message):
                start = message
                return
            if start and message["type"] == "http.response.body" and not message.get("more_body"):
                message = {**message, "body": name_shared_assets(message["body"])}
                length = (b"content-length", str(len(message["body"])).encode())
                others = [pair for pair in start["headers"] if pair[0] != b"content-length"]
                await send({**start, "headers": [*others, length]})
                start = {}
            await send(message)

        await self.app(scope, receive, sender)


def _is_document(start: Message) -> bool:
    return any(name == b"content-type" and kind.startswith(b"text/html") for name, kind in start["headers"])


def name_shared_assets(document: bytes) -> bytes:
    """The page's HTML, changed to link the script and style that all pages share; these load the other files
    from beside them.
    """
    return _STYLE.sub(_SHARED_STYLE, _SCRIPT.sub(_SHARED_SCRIPT, document))
