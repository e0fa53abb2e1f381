"""The application's front door, to be asked without a network."""

from dataclasses import dataclass, field
from functools import partial
from ipaddress import ip_network
from typing import Any

import httpx

from clinicnum.annotations.types import User
from clinicnum.ui.app.account_pages import FirstAdmin, Passwords
from clinicnum.ui.app.authorization import Page
from clinicnum.ui.app.download_routes import add_download_routes
from clinicnum.ui.app.observability import Metrics, ObservabilityMiddleware
from clinicnum.ui.app.proxy_sign_on import ProxySignOn
from clinicnum.ui.app.server import build_app
from clinicnum.ui.app.session import Sessions
from clinicnum.ui.components.downloadable_files import Download
from tests.apart import run_apart

ANN = User(user_id="1", name="ann", role="annotator", kind="human", active=True, session_version=1)
GONE = User(user_id="2", name="gone", role="annotator", kind="human", active=False, session_version=1)
PROXY, STRANGER = "127.0.0.1", "127.0.0.2"
Raw = list[tuple[bytes, bytes]]
NAMED: Raw = [(b"X-Remote-User", b"ann")]


@dataclass
class House:
    """The application with one page; accounts in place of a database, and where passwords were tried from."""

    users: dict[str, User] = field(default_factory=lambda: {"1": ANN, "2": GONE})
    tried_from: list[str | None] = field(default_factory=list)
    downloads: tuple[Download, ...] = ()

    def app(self, *, sign_on: bool) -> Any:
        by_name = {user.name: user for user in self.users.values()}
        proxy = ProxySignOn("x-remote-user", (ip_network(PROXY),), find=by_name.get)
        sessions = Sessions("secret", self.authenticate, self.users.get, self.end, proxy if sign_on else None)
        never: Any = None
        pages: list[Page] = []
        made: Any = build_app(
            sessions=sessions,
            passwords=Passwords(change=never, choose=never),
            first_admin=FirstAdmin(is_wanted=lambda: False, create=never),
            pages=pages,
            landing=lambda user: "/annotate/",
            check_database=self.fail,
            observability=partial(ObservabilityMiddleware, paths=["/annotate"], metrics=Metrics(), log=None),
        )
        # Behind authorization, and without Gradio, which is not what is tried here.
        pages.append(Page("/annotate", "Annotate", "label", "annotate", never, downloads=self.downloads))
        add_download_routes(made.app.app, "/annotate", self.downloads)
        made.app.app.get("/annotate/config")(lambda: {})
        return made

    def authenticate(self, name: str, password: str, address: str | None) -> User | None:
        self.tried_from.append(address)
        return ANN if (name, password) == ("ann", "right") else None

    def end(self, user_id: str) -> None:
        self.users[user_id] = self.users[user_id].model_copy(update={"session_version": 2})

    def fail(self) -> str | None:
        raise RuntimeError("the patient's name")


def ask(
    app: Any, method: str, path: str, headers: Raw | None = None, *, peer: str = PROXY, **more: Any
) -> Any:
    async def asked() -> httpx.Response:
        transport = httpx.ASGITransport(app, client=(peer, 50_000))
        async with httpx.AsyncClient(transport=transport, base_url="http://here") as client:
            return await client.request(method, path, headers=headers, **more)

    return run_apart(asked())
