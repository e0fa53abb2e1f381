"""Files that the login page makes the browser prefetch while the user types.

A page finds out only while loading which of Gradio's hundreds of scripts it needs. Paths that pages requested
before are recorded, so that the first page after login finds the files in the browser's cache; those of the
annotate page come from a list that is regenerated when Gradio is upgraded.
"""

from pathlib import Path

from fastapi import status
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from clinicnum.ui.app.gradio_assets import FOLDER, PATH
from clinicnum.ui.components.static_files import served_paths

STATIC = "/static/"
LISTED = Path(__file__).with_name("annotate_page_files.txt")
"""Files of the annotate page (`bench_log_in --write`): Gradio's by name, ours by page and name."""
LARGEST = 64 << 10
"""Size limit in bytes as sent: one chart library is larger than all that an annotator needs."""


def served_names() -> dict[str, str]:
    """Path of each script and style, Gradio's and ours -> its name in the list of files to prefetch."""
    return {**{f"{PATH}/{one.name}": one.name for one in FOLDER.iterdir()}, **served_paths()}


def annotate_page_paths() -> set[str]:
    """URL paths of the scripts and styles that the annotate page loads: of the names in LISTED, those that
    the installed Gradio and clinicnum serve.
    """
    listed = frozenset(LISTED.read_text(encoding="utf-8").split())
    return {path for path, name in served_names().items() if name in listed}


class StaticPaths:
    """ASGI middleware that adds to `asked` each path below `/static/` served with at most LARGEST bytes;
    bounded by the number of files.
    """

    def __init__(self, app: ASGIApp, asked: set[str]) -> None:
        self.app, self.asked = app, asked

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = str(scope.get("path", ""))
        if not path.startswith(STATIC) or path in self.asked:
            await self.app(scope, receive, send)
            return

        async def noting(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] == status.HTTP_200_OK:
                size = Headers(raw=message["headers"]).get("content-length", "0")
                if int(size) <= LARGEST:
                    self.asked.add(path)
            await send(message)

        await self.app(scope, receive, noting)
