"""Routes that serve the pages' scripts and styles."""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi.middleware.gzip import GZipMiddleware
from fastapi.responses import Response
from fastapi.staticfiles import StaticFiles
from starlette.types import ASGIApp

UI = Path(__file__).parents[1]
SERVED = (".js", ".css", ".svg")
KEPT = "public, max-age=31536000, immutable"
"""Browsers may cache files for good (`Cache-Control`), as each address holds a hash of the content."""


def _folders() -> Mapping[str, Path]:
    """The folders with scripts and styles, by the name in their address."""
    pages = [one for one in (UI / "pages").iterdir() if any(one.glob("*.js")) or any(one.glob("*.css"))]
    return {one.name: one for one in sorted(pages)} | {"components": UI / "components" / "static"}


def served_paths() -> Mapping[str, str]:
    """The address of each file -> its name, such as `annotate/page.js`."""
    names = (
        f"{name}/{path.name}"
        for name, folder in _folders().items()
        for path in folder.iterdir()
        if path.name.endswith(SERVED)
    )
    return {static_path(name): name for name in names}


def _build() -> str:
    """A hash over all files that are served; it is part of their addresses, so changed files get new ones."""
    found = hashlib.sha256()
    for folder in _folders().values():
        for path in sorted(one for one in folder.iterdir() if one.name.endswith(SERVED)):
            found.update(path.name.encode() + path.read_bytes())
    return found.hexdigest()[:12]


ROOT = f"/static/{_build()}"


def static_path(name: str) -> str:
    """The address of a file, such as `components/base.css` or `annotate/page.js`."""
    return f"{ROOT}/{name}"


LINK_SCRIPT = f'<script type="module" src="{static_path("components/links_in_same_tab.js")}"></script>'
"""Keeps links to our own pages in the same tab."""


class PageFiles(StaticFiles):
    """Serves the scripts, styles and SVG images of a folder, and no other file.

    Browsers keep them. Modules name each other by relative addresses, which all have the hash of one version
    in front, so that an upgrade never mixes old and new modules.
    """

    def lookup_path(self, path: str) -> tuple[str, Any]:
        """Look up a file directly in the folder whose suffix is in SERVED; ("", None) for any other path."""
        if not path.endswith(SERVED) or "/" in path:
            return "", None
        return super().lookup_path(path)

    def file_response(self, *args: Any, **kwargs: Any) -> Response:
        """The file, cached for good."""
        response = super().file_response(*args, **kwargs)
        response.headers["cache-control"] = KEPT
        return response


def add_static_files(app: FastAPI) -> None:
    """Add `/static/HASH/PAGE/FILE` for each page and `/static/HASH/components/FILE` for shared files."""
    for name, folder in _folders().items():
        app.mount(static_path(name), _compressed(folder))


def _compressed(folder: Path) -> ASGIApp:
    return GZipMiddleware(PageFiles(directory=folder))


def style_links(page: str) -> str:
    """`<link>` tags for the stylesheets of a page: shared ones and its own, no other page's."""
    folder = UI / "pages" / page.strip("/").replace("-", "_")
    own = [f"{path.parent.name}/{path.name}" for path in sorted(folder.glob("*.css"))]
    shared = [f"components/{name}.css" for name in ("base", "gradio", "codebook")]
    names = (*shared, *own, "components/forms.css")
    return "".join(f'<link rel="stylesheet" href="{static_path(name)}">' for name in names)
