"""The route of pages that take files: `POST /api/PAGE/upload?name=...`, the file itself as the body.

The body goes to disk as it arrives and is never held in memory. Its length must be announced, as browsers do.
"""

from anyio.to_thread import run_sync
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from starlette.requests import ClientDisconnect

from clinicnum.annotations.types import User
from clinicnum.db.upload_storage import MEGABYTE, Receiving, Uploads
from clinicnum.errors import InputError
from clinicnum.io.parse_int import whole_number
from clinicnum.translatable_text import Translatable
from clinicnum.ui.components.language import error_text
from clinicnum.ui.components.upload_field import ROUTE

WRITTEN_AT_ONCE = MEGABYTE
"""Bytes gathered before a thread writes them, so that a slow disk does not keep other users waiting."""


def add_upload_route(app: FastAPI, page: str, uploads: Uploads) -> None:
    """Add the route of the page at the path `page`; its reply is `{"upload": id, "name", "size"}`."""

    async def upload(request: Request) -> JSONResponse:
        user: User = request.scope["clinicnum_user"]
        size = whole_number(request.headers.get("content-length", ""))
        name = request.query_params.get("name", "")
        try:
            if size is None:
                raise InputError(Translatable("The length of the file was not announced; use a browser."))
            receiving = await run_sync(lambda: uploads.begin(owner=user.user_id, name=name, size=size))
            return await _receive(request, receiving)
        except InputError as error:
            # What was not read of the body must not be taken for the next request.
            return JSONResponse({"detail": error_text(error)}, 422, headers={"connection": "close"})

    # Above the limit on a file, whose refusal says what the limit is.
    bodies = 2 * uploads.largest
    app.add_api_route(f"/api{page}/{ROUTE}", upload, methods=["POST"], name=ROUTE, max_body_size=bodies)


async def _receive(request: Request, receiving: Receiving) -> JSONResponse:
    with receiving:
        gathered = bytearray()
        try:
            async for content in request.stream():
                gathered += content
                if len(gathered) >= WRITTEN_AT_ONCE:
                    await run_sync(receiving.write, bytes(gathered))
                    gathered.clear()
        except ClientDisconnect:
            return JSONResponse({"detail": "cut off"}, 400)  # nobody reads it
        await run_sync(receiving.write, bytes(gathered))
        done = receiving.finish()
    return JSONResponse({"upload": done.upload_id, "name": done.name, "size": done.size})
