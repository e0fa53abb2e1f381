"""What the log-in page has the browser fetch while a name and a password are typed.

A page finds out only while it loads which of Gradio's hundreds of scripts it needs. What pages have asked
for before is known, so that the first page after the log-in finds it in the browser; what the annotate page
asks for is known from the start, from a list that is made anew when Gradio is upgraded.
"""

from pathlib import Path

from fastapi import status
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from clinicnum.ui.app.gradio_assets import FOLDER, PATH
from clinicnum.ui.components.static_files import served_paths

STATIC = "/static/"
LISTED = Path(__file__).with_name("annotate_page_files.txt")
"""What the annotate page asks for, `bench_log_in --write`: Gradio's files by name, ours by page and name."""
LARGEST = 64 << 10
"""Bytes of a file as it is sent: one library of charts weighs more than all that an annotator needs."""


def served_names() -> dict[str, str]:
    """The path of each script and style, Gradio's and ours -> its name in the list."""
    return {**{f"{PATH}/{one.name}": one.name for one in FOLDER.iterdir()}, **served_paths()}


def annotate_page_paths() -> set[str]:
    """The paths that are listed, as far as they are served by this version."""
    listed = frozenset(LISTED.read_text(encoding="utf-8").split())
    return {path for path, name in served_names().items() if name in listed}


class StaticPaths:
    """ASGI middleware that notes in `asked` each path below `/static/` that was served and is not large: as
    many at most as there are files.
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
