"""The FastAPI application: login, health checks, and one mounted Gradio app per page behind authorization.

Pages take the user from the authorized request, never from values that the browser sends.
"""

from collections.abc import Callable, Sequence
from datetime import timedelta
from functools import partial

import anyio
import anyio.to_thread
import gradio as gr
from fastapi import FastAPI, Form, Query, Request
from fastapi.middleware.gzip import GZipMiddleware
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp

from clinicnum.annotations.types import User
from clinicnum.db.work.accounts.login_throttle import FAILURES, WINDOW
from clinicnum.errors import ClinicnumError, Unavailable
from clinicnum.translatable_text import Translatable
from clinicnum.ui.app.account_pages import FirstAdmin, Passwords, add_account, add_first_admin
from clinicnum.ui.app.authorization import AuthorizationMiddleware, Page, from_template, not_found_response
from clinicnum.ui.app.download_routes import add_download_routes
from clinicnum.ui.app.event_validation import EventValidationMiddleware, page_events
from clinicnum.ui.app.gradio_assets import SharedAssets, add_gradio_assets
from clinicnum.ui.app.help_pages import add_help
from clinicnum.ui.app.language_choice import LanguageMiddleware, add_language_choice
from clinicnum.ui.app.lazy_page_apps import BuiltPage, LazyPageApps
from clinicnum.ui.app.login_redirect import LOGIN, PARAMETER, return_path
from clinicnum.ui.app.page_action_routes import add_page_action_routes
from clinicnum.ui.app.prefetch import StaticPaths, annotate_page_paths
from clinicnum.ui.app.proxy_sign_on_pages import add_proxy_sign_on
from clinicnum.ui.app.security_middleware import THIS_MACHINE, SecurityMiddleware, network_of
from clinicnum.ui.app.session import COOKIE, Sessions
from clinicnum.ui.app.theme import theme
from clinicnum.ui.app.upload_route import add_upload_route
from clinicnum.ui.components.documentation import ADDRESS, documents
from clinicnum.ui.components.language import LANGUAGES, _, current_language, error_text, script_messages
from clinicnum.ui.components.static_files import LINK_SCRIPT, add_static_files, static_path, style_links

LONGEST_BODY = 256 * 1024
WANTED = Query("", alias=PARAMETER)
LOGINS_AT_ONCE = 2
"""Most logins hashed at once: each occupies tens of megabytes and one core while argon2 runs."""
NO_MATCH = Translatable(
    "Name and password do not match. After {n} wrong passwords, a name is locked for up to {minutes} minutes."
)


def _mounted_user(request: Request) -> str | None:
    """The user id for Gradio's own authentication hook, as set by the authorization middleware."""
    user: User | None = request.scope.get("clinicnum_user")
    return None if user is None else user.user_id


def build_app(
    *,
    sessions: Sessions,
    passwords: Passwords,
    first_admin: FirstAdmin,
    pages: Sequence[Page],
    landing: Callable[[User], str],
    check_database: Callable[[], str | None],
    observability: Callable[[ASGIApp], ASGIApp],
) -> ASGIApp:
    """Build the complete web application.

    `sessions` identifies users; `passwords` changes passwords, and `first_admin` makes an admin where there
    is none; `pages` are mounted in order; `landing` gives the path at which a user begins;
    `check_database` returns the database's problem or None (for `/ready`); `observability` wraps the
    application in its metrics middleware.
    """
    apps = LazyPageApps()
    app = FastAPI(
        lifespan=apps.lifespan,
        max_body_size=LONGEST_BODY,
        title="clinicnum",
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
    )
    app.add_exception_handler(404, lambda request, _: not_found_response(request))
    asked = annotate_page_paths()
    app.add_middleware(StaticPaths, asked=asked)
    add_gradio_assets(app)
    add_static_files(app)
    add_language_choice(app)
    logins = anyio.CapacityLimiter(LOGINS_AT_ONCE)

    def leads_to(user: User, wanted: str) -> str:
        known = [*(one.path for one in pages), ADDRESS, *(f"{ADDRESS}/{one}" for one in documents())]
        return return_path(wanted, known) or landing(user)

    if sessions.sign_on is None:
        _add_login(app, sessions, leads_to, logins, first_admin.is_wanted, asked)
        add_account(app, sessions, passwords, logins)
        add_first_admin(app, sessions, first_admin, logins)
    else:
        add_proxy_sign_on(app, sessions, sessions.sign_on)
    _add_root(app, sessions, landing)
    add_help(app, sessions, pages)

    @app.get("/health")
    async def health() -> JSONResponse:
        return JSONResponse({"status": "ok"})

    @app.get("/ready")
    def ready() -> JSONResponse:
        wrong = check_database()
        return JSONResponse({"status": wrong or "ok"}, status_code=503 if wrong else 200)

    @app.get("/favicon.ico", include_in_schema=False)
    def favicon() -> RedirectResponse:
        return RedirectResponse(static_path("components/favicon.svg"))

    for page in pages:
        add_page_action_routes(app, page.path, page.actions)
        add_download_routes(app, page.path, page.downloads)
        if page.uploads is not None:
            add_upload_route(app, page.path, page.uploads)
        app.mount(page.path, apps.app(partial(build_page, page)))
    app.add_middleware(AuthorizationMiddleware, sessions=sessions, pages=pages)
    app.add_middleware(LanguageMiddleware)
    app.add_middleware(observability)
    return SecurityMiddleware(app)


def build_page(page: Page) -> BuiltPage:
    """Build the page's Gradio app and wrap it in event validation."""
    blocks = page.build()
    blocks.state_session_capacity = 200
    host = gr.mount_gradio_app(
        FastAPI(),
        blocks,
        path=page.path,
        auth_dependency=_mounted_user,
        # Linked rather than passed as css=: Gradio rewrites that CSS and drops the dark colour scheme.
        head=style_links(page.path) + LINK_SCRIPT + script_messages(current_language()),
        theme=theme(),
        run_history=False,
        footer_links=[],
        ssr_mode=False,
        show_error=False,
        max_file_size="1mb",
        # Gradio reads this to screen readers after each event, and its own catalogues lack it.
        i18n=gr.I18n(**{one: {"common.complete": _("Done.")} for one in LANGUAGES}),
    )
    gradio_app = host.routes[-1].app
    # What `host` would start beside Gradio's own app is its queue, which looks for events a thousand times a
    # second for each page; our events have queue=False.
    blocks.is_running = True
    app = SharedAssets(gradio_app)
    # Only Gradio's routes: the replies to page scripts are small, many, and waited for.
    return gradio_app, GZipMiddleware(EventValidationMiddleware(app, events={page.path: page_events(blocks)}))


def _add_login(
    app: FastAPI,
    sessions: Sessions,
    leads_to: Callable[[User, str], str],
    logins: anyio.CapacityLimiter,
    has_no_admin: Callable[[], bool],
    asked: set[str],
) -> None:
    def page(
        wanted: str, message: str | None = None, name: str = "", status: int = 200, *, no_admin: bool = False
    ) -> HTMLResponse:
        shown = {"message": message, "name": name, "no_admin": no_admin, "ahead": sorted(asked)}
        text = from_template("login.html", wanted=wanted, **shown)
        return HTMLResponse(text, status_code=status)

    @app.get(LOGIN)
    def show_login(request: Request, wanted: str = WANTED) -> Response:
        user = sessions.user_of(request)
        if user is not None:  # who goes back after a login, or logged in in another tab
            return RedirectResponse(leads_to(user, wanted), status_code=303)
        return page(wanted, no_admin=has_no_admin())

    @app.post(LOGIN)
    async def log_in(
        request: Request,
        name: str = Form(max_length=200),
        password: str = Form(max_length=1000),
        wanted: str = WANTED,
    ) -> Response:
        try:
            # argon2 is slow by design: on the event loop it would block every other user.
            user = await anyio.to_thread.run_sync(
                sessions.authenticate, name.strip(), password, _address(request), limiter=logins
            )
        except Unavailable as error:
            return page(wanted, error_text(error), name, 503)
        except ClinicnumError as error:
            return page(wanted, error_text(error), name, 429)
        if user is None:
            # The same for every name: how many attempts are left would tell that others try it, too.
            wrong = _(NO_MATCH, n=FAILURES, minutes=WINDOW // timedelta(minutes=1))
            return page(wanted, wrong, name, 401)
        response = RedirectResponse(await anyio.to_thread.run_sync(leads_to, user, wanted), status_code=303)
        sessions.set_login_cookie(response, user, secure=request.url.scheme == "https")
        return response

    @app.post("/logout")
    def log_out(request: Request) -> Response:
        user = sessions.user_of(request)
        if user is not None:
            sessions.end(user.user_id)
        response = RedirectResponse(LOGIN, status_code=303)
        response.delete_cookie(COOKIE)
        return response


def _address(request: Request) -> str | None:
    """The client network for counting failed logins; None if a local proxy hides the client's address."""
    host = request.client.host if request.client else None
    return None if host in THIS_MACHINE else network_of(host)


def _add_root(app: FastAPI, sessions: Sessions, landing: Callable[[User], str]) -> None:
    @app.get("/")
    def root(request: Request) -> Response:
        user = sessions.user_of(request)
        return RedirectResponse(LOGIN if user is None else landing(user), status_code=303)
