"""Scripts and styles of the pages: where they stand, and the routes by which a browser gets them."""

from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi.responses import Response
from fastapi.staticfiles import StaticFiles

UI = Path(__file__).parents[1]
SERVED = (".js", ".css", ".svg")


class PageFiles(StaticFiles):
    """Scripts and styles of a folder, and none of its other files.

    The browser asks for them anew each time: after an upgrade, no old module meets a new one.
    """

    def lookup_path(self, path: str) -> tuple[str, Any]:
        """A file of the folder itself with one of the SERVED endings; else nothing."""
        if not path.endswith(SERVED) or "/" in path:
            return "", None
        return super().lookup_path(path)

    def file_response(self, *args: Any, **kwargs: Any) -> Response:
        """The file, to be revalidated."""
        response = super().file_response(*args, **kwargs)
        response.headers["cache-control"] = "no-cache"
        return response


def add_static_files(app: FastAPI) -> None:
    """Add `/static/PAGE/FILE` of each page and `/static/components/FILE` of what they share."""
    for folder in sorted((UI / "pages").iterdir()):
        if any(folder.glob("*.js")) or any(folder.glob("*.css")):
            app.mount(f"/static/{folder.name}", PageFiles(directory=folder))
    app.mount("/static/components", PageFiles(directory=UI / "components" / "static"))


def style_links() -> str:
    """Links to the styles of all pages, between the shared ones."""
    own = [f"{path.parent.name}/{path.name}" for path in sorted((UI / "pages").glob("*/*.css"))]
    names = ("components/base.css", "components/gradio.css", *own, "components/forms.css")
    return "".join(f'<link rel="stylesheet" href="/static/{name}">' for name in names)
