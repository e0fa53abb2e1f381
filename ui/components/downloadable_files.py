"""Files that a page hands out by GET: `GET /api/PAGE/NAME/PATH`; see `clinicnum.ui.app.download_routes`."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class DownloadedFile:
    """A file, and what the browser is to do with it."""

    name: str
    """The name that it is saved under."""
    content: bytes
    shown: bool = False
    """Whether a browser shows it, which only an HTML document of our own may be: it can run nothing, and be
    framed by our pages alone. Anything else is saved."""


@dataclass(frozen=True)
class Download:
    """The files of one kind that a page hands out."""

    name: str
    """The first segment of their paths below the page."""
    handler: Callable[[str, str], DownloadedFile]
    """(path, user_id) -> the file; checks the right. Raises ClinicnumError for what is not there or not
    allowed. It runs in a thread."""
