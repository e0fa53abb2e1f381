"""The documentation as plain pages of the app, for everyone who is logged in. No Gradio."""

from collections.abc import Sequence

from fastapi import FastAPI, Request
from fastapi.responses import FileResponse, HTMLResponse, RedirectResponse, Response
from markupsafe import Markup

from clinicnum.annotations.role_rights import may
from clinicnum.annotations.types import User
from clinicnum.ui.app.authorization import Page, from_template, not_found_response
from clinicnum.ui.app.login_redirect import login_address
from clinicnum.ui.app.session import Sessions
from clinicnum.ui.components.documentation import ADDRESS, FIRST, document_html, documents, image_path
from clinicnum.ui.components.navbar import navigation

BEGIN = (
    *("tutorials/clinician", "tutorials/researcher", "tutorials/curator"),
    *("glossary", "explanation/golds", "explanation/coefficients", "explanation/intervals"),
)
"""The pages that the list begins with; the others follow by title."""


def add_help(app: FastAPI, sessions: Sessions, pages: Sequence[Page]) -> None:
    """Add `/help` and below it a page for each document, with their pictures."""

    @app.get(ADDRESS)
    @app.get(f"{ADDRESS}/")
    def first(request: Request) -> Response:
        return shown(request, FIRST)

    @app.get(f"{ADDRESS}/images/{{name}}")
    def image(request: Request, name: str) -> Response:
        path = image_path(name) if sessions.user_of(request) else None
        return not_found_response(request) if path is None else FileResponse(path)

    @app.get(f"{ADDRESS}/{{name:path}}")
    def document(request: Request, name: str) -> Response:
        return shown(request, name)

    def shown(request: Request, name: str) -> Response:
        user = sessions.user_of(request)
        if user is None:
            return RedirectResponse(login_address(request), status_code=303)
        if name not in documents():
            return not_found_response(request)
        return HTMLResponse(_page(user, name, pages))


def _page(user: User, name: str, pages: Sequence[Page]) -> str:
    mine = [page.link() for page in pages if page.group and may(user.role, page.right)]
    titles = documents()
    listed = [one for one in BEGIN if one in titles] + [
        one for one in titles if one not in (*BEGIN, FIRST, "tutorials/index")
    ]
    return from_template(
        "help.html",
        bar=navigation(user, mine, ADDRESS),
        title=titles[name],
        text=Markup(document_html(name)),  # noqa: S704 -- raw HTML in it is escaped
        listed=[(f"{ADDRESS}/{one}", titles[one], one == name) for one in listed],
        first=ADDRESS,
    )
