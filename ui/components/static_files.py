"""Routes that serve the pages' scripts and styles."""

from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi.middleware.gzip import GZipMiddleware
from fastapi.responses import Response
from fastapi.staticfiles import StaticFiles
from starlette.types import ASGIApp

UI = Path(__file__).parents[1]
SERVED = (".js", ".css", ".svg")
LINK_SCRIPT = '<script type="module" src="/static/components/links.js"></script>'
"""Keeps links to our own pages in the same tab."""


class PageFiles(StaticFiles):
    """Serves the scripts, styles and SVG images of a folder, and no other file.

    Browsers must revalidate them on each load, so that an upgrade never mixes old and new modules.
    """

    def lookup_path(self, path: str) -> tuple[str, Any]:
        """Look up a file directly in the folder whose suffix is in SERVED; ("", None) for any other path."""
        if not path.endswith(SERVED) or "/" in path:
            return "", None
        return super().lookup_path(path)

    def file_response(self, *args: Any, **kwargs: Any) -> Response:
        """The file, with `cache-control: no-cache`."""
        response = super().file_response(*args, **kwargs)
        response.headers["cache-control"] = "no-cache"
        return response


def add_static_files(app: FastAPI) -> None:
    """Add `/static/PAGE/FILE` for each page and `/static/components/FILE` for shared files."""
    for folder in sorted((UI / "pages").iterdir()):
        if any(folder.glob("*.js")) or any(folder.glob("*.css")):
            app.mount(f"/static/{folder.name}", _compressed(folder))
    app.mount("/static/components", _compressed(UI / "components" / "static"))


def _compressed(folder: Path) -> ASGIApp:
    return GZipMiddleware(PageFiles(directory=folder))


def style_links(page: str) -> str:
    """`<link>` tags for the stylesheets of a page: shared ones and its own, no other page's."""
    folder = UI / "pages" / page.strip("/").replace("-", "_")
    own = [f"{path.parent.name}/{path.name}" for path in sorted(folder.glob("*.css"))]
    names = ("components/base.css", "components/gradio.css", *own, "components/forms.css")
    return "".join(f'<link rel="stylesheet" href="/static/{name}">' for name in names)
