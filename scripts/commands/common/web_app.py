"""Assemble and serve the web application: database, pages, login."""

import resource
import socket
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import uvicorn
from prometheus_client import start_http_server
from sqlalchemy import Engine
from starlette.types import ASGIApp

from clinicnum.annotations.types import User
from clinicnum.db.database_errors import translate_database_errors
from clinicnum.db.database_sessions import Store
from clinicnum.db.engine import why_unresponsive
from clinicnum.db.login import change_password, choose_password, log_in
from clinicnum.db.upload_storage import Uploads
from clinicnum.db.work.accounts import users
from clinicnum.db.work.bank import template_versions
from clinicnum.db.work.home.pending_work import starts_labelling
from clinicnum.scripts.commands.common.uploads_folder import files_folder, uploads_folder
from clinicnum.scripts.commands.common.web_app_pages import build_pages
from clinicnum.scripts.commands.common.write_audit_anchors import DailyAnchors, audit_folder
from clinicnum.ui.app.account_pages import FirstAdmin, Passwords
from clinicnum.ui.app.observability import Metrics, ObservabilityMiddleware
from clinicnum.ui.app.proxy_sign_on import ProxySignOn, TrustedHeader
from clinicnum.ui.app.server import build_app
from clinicnum.ui.app.session import Sessions
from clinicnum.ui.components.error_log import to_stderr
from clinicnum.ui.pages.annotate.custom_item_component import BuildItemView

KEEP_ALIVE_S = 120
"""Longer than most people think about an item, so that a save needs no new connection."""
MOST_CONNECTIONS = 4_096
"""Number of connections above which uvicorn answers 503."""
MOST_FILES = 65_536


def make_web(
    engine: Engine,
    *,
    metrics: Metrics | None = None,
    log: bool = False,
    trust: TrustedHeader | None = None,
    after_closing: Callable[[], None] = lambda: None,
    item_view: BuildItemView | None = None,
    on_first_admin: Callable[[str], None] = lambda path: None,
    uploads: Uploads | None = None,
) -> ASGIApp:
    """The application on a migrated database; `log` writes one JSON line per request to standard error.

    `trust` gives the header in which a proxy names the user, and the addresses it is accepted from.
    `after_closing` is called after a study is closed; `item_view` fills the slot beside the item.
    `on_first_admin` is called with the path at which the first admin is made, if there is no admin. `uploads`
    takes uploaded files; by default, they go to the database's own folder.
    """
    store = Store(engine)

    def authenticate(name: str, password: str, address: str | None) -> User | None:
        return log_in(engine, name=name, password=password, address=address)

    def find_user(user_id: str) -> User | None:
        # Committed, not rolled back: see clinicnum.db.engine.reading.
        with translate_database_errors(engine), engine.begin() as connection:
            return users.get_user(connection, user_id)

    def find_by_name(name: str) -> User | None:
        with translate_database_errors(engine), engine.begin() as connection:
            return users.get_named(connection, name)

    def end_sessions(user_id: str) -> None:
        with store.writing() as session:
            users.end_sessions(session, user_id=user_id)

    def has_no_admin() -> bool:
        with store.reading() as session:
            return not users.active_admins(session)

    def add_first_admin(name: str, password: str) -> User:
        with store.writing() as session:
            return users.add_first_admin(session, name=name, password=password)

    def landing(user: User) -> str:
        with store.reading() as session:
            return "/annotate/" if starts_labelling(session, user) else "/home/"

    with store.writing() as session:
        secret = users.cookie_secret(session)
        template_versions.add_packaged_templates(session)
    sessions = Sessions(
        secret=secret,
        authenticate=authenticate,
        find_user=find_user,
        end=end_sessions,
        sign_on=None if trust is None else ProxySignOn(*trust, find=find_by_name),
    )
    pages = build_pages(
        store,
        find_user=find_user,
        invitation=lambda user: f"/invitation/{sessions.invitation(user)}",
        after_closing=after_closing,
        item_view=item_view,
        uploads=uploads or Uploads(uploads_folder(files_folder(engine))),
    )
    passwords = Passwords(
        change=lambda user, old, new: change_password(engine, user=user, old=old, new=new),
        choose=lambda user, new: choose_password(engine, user=user, new=new),
    )
    if trust is None and has_no_admin():
        on_first_admin(f"first-admin/{sessions.first_admin_token()}")
    observability = partial(
        ObservabilityMiddleware,
        paths=[page.path for page in pages]
        + ["/login", "/language", "/account", "/invitation", "/first-admin", "/static"],
        metrics=metrics or Metrics(),
        log=to_stderr if log else None,
    )
    return build_app(
        sessions=sessions,
        passwords=passwords,
        first_admin=FirstAdmin(is_wanted=has_no_admin, create=add_first_admin),
        pages=pages,
        landing=landing,
        check_database=lambda: why_unresponsive(engine),
        observability=observability,
    )


def listen(
    engine: Engine,
    *,
    host: str,
    port: int,
    metrics_port: int | None = None,
    log: bool = False,
    trust: TrustedHeader | None = None,
    audit_dir: Path | None = None,
    item_view: BuildItemView | None = None,
    uploads: Uploads | None = None,
) -> None:
    """Serve until interrupted; prints the address once it is ready. Raises OSError if a port is in use.

    The audit log is anchored in `audit_dir`, or the database's own folder, at the start and daily. Metrics
    are served on a separate port on this machine only, so a proxy for the pages does not expose them.
    """
    allow_connections()
    metrics = Metrics()
    anchors = DailyAnchors(engine, audit_folder(engine, audit_dir), metrics)
    if metrics_port is not None:
        start_http_server(metrics_port, addr="127.0.0.1", registry=metrics.registry)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Declared as TCP, as otherwise asyncio leaves Nagle's algorithm on, which delays answers by 40 ms.
    with socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        first_admin: list[str] = []
        address = f"http://{host}:{listener.getsockname()[1]}/"
        server = uvicorn.Server(
            uvicorn.Config(
                make_web(
                    engine,
                    metrics=metrics,
                    log=log,
                    trust=trust,
                    after_closing=anchors.write,
                    item_view=item_view,
                    uploads=uploads,
                    on_first_admin=first_admin.append,
                ),
                http="h11",
                limit_concurrency=MOST_CONNECTIONS,
                proxy_headers=False,  # the security middleware does this and also keeps the peer's address
                log_level="warning",
                server_header=False,
                date_header=True,
                timeout_keep_alive=KEEP_ALIVE_S,
            )
        )
        print(f"clinicnum is at {address} (stop with Ctrl+C)", file=sys.stderr, flush=True)
        for path in first_admin:
            print(
                f"There is no admin yet. To be the first, open {address}{path}", file=sys.stderr, flush=True
            )
        anchors.start()
        try:
            server.run(sockets=[listener])
        finally:
            anchors.stop()
            print(
                "clinicnum has stopped. The same command opens the pages again.", file=sys.stderr, flush=True
            )


def allow_connections() -> None:
    """Raise this process's limit of open files as far as allowed, since each connection takes one."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
