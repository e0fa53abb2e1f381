"""The routes of files that a page hands out: `GET /api/PAGE/NAME/PATH`, for the user of the request alone.

The path is a key that the page's handler looks up, never a file path. A file is saved under its own name; a
displayed document has its own security policy: it can run, send and embed nothing.
"""

import re
from collections.abc import Awaitable, Callable
from pathlib import PurePosixPath

from anyio.to_thread import run_sync
from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, Response

from clinicnum.annotations.types import User
from clinicnum.errors import ClinicnumError, NotAllowed, Unavailable
from clinicnum.ui.app.authorization import from_template
from clinicnum.ui.app.page_action_routes import PREFIX
from clinicnum.ui.app.security_middleware import DOCUMENT
from clinicnum.ui.components.downloadable_files import Download, DownloadedFile
from clinicnum.ui.components.language import error_text

MEDIA_TYPES = {
    ".csv": "text/csv; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".json": "application/json",
    ".jsonl": "application/x-ndjson",
    ".md": "text/markdown; charset=utf-8",
    ".pdf": "application/pdf",
    ".svg": "image/svg+xml",
    ".tex": "application/x-tex",
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ".zip": "application/zip",
}
"""Media types by suffix; anything else is `application/octet-stream`."""


def add_download_routes(app: FastAPI, page: str, downloads: tuple[Download, ...]) -> None:
    """Add one route for each kind of file that the page at the path `page` hands out."""
    for one in downloads:
        app.add_api_route(
            f"{PREFIX}{page}/{one.name}/{{path:path}}", _endpoint(one), methods=["GET"], name=one.name
        )


def _endpoint(download: Download) -> Callable[[Request, str], Awaitable[Response]]:
    async def endpoint(request: Request, path: str) -> Response:
        user: User = request.scope["clinicnum_user"]
        try:
            found = await run_sync(download.handler, path, user.user_id)
        except Unavailable:
            raise
        except ClinicnumError as error:
            status = 403 if isinstance(error, NotAllowed) else 404
            return HTMLResponse(from_template("refused.html", message=error_text(error)), status)
        if found.shown:
            request.scope[DOCUMENT] = True
        return _response(found)

    return endpoint


def _response(found: DownloadedFile) -> Response:
    suffix = PurePosixPath(found.name).suffix
    kind = MEDIA_TYPES.get(suffix, "application/octet-stream")
    plain = re.sub(r"[^A-Za-z0-9._-]+", "-", found.name).strip(".-") or "file"
    placed = "inline" if found.shown and suffix == ".html" else "attachment"
    return Response(
        found.content,
        media_type=kind,
        headers={"content-disposition": f'{placed}; filename="{plain}"'},
    )
