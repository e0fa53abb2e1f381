"""The front door, without a network: sign-on by a proxy, sessions, headers on every answer, slow bodies."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from functools import partial
from ipaddress import ip_network
from typing import Any

import httpx
import pytest
from itsdangerous import URLSafeTimedSerializer

from annotations.types import User
from clinicnum.errors import InputError
from tests.apart import run_apart
from ui.account import Passwords
from ui.doorway import HEADERS, Doorway, network_of
from ui.gate import Page
from ui.server import LONGEST_BODY, build_app
from ui.session import MAX_AGE_S, Sessions
from ui.sign_on import SignOn, trusted
from ui.watch import Metrics, Watch

ANN = User(user_id="1", name="ann", role="annotator", kind="human", active=True, session_version=1)
GONE = User(user_id="2", name="gone", role="annotator", kind="human", active=False, session_version=1)
PROXY, STRANGER = "127.0.0.1", "127.0.0.2"
Raw = list[tuple[bytes, bytes]]


@dataclass
class House:
    """The application with one page; accounts in place of a database, and where passwords were tried from."""

    users: dict[str, User] = field(default_factory=lambda: {"1": ANN, "2": GONE})
    tried_from: list[str | None] = field(default_factory=list)

    def app(self, *, sign_on: bool) -> Any:
        by_name = {user.name: user for user in self.users.values()}
        proxy = SignOn("x-remote-user", (ip_network(PROXY),), find=by_name.get)
        sessions = Sessions("secret", self.authenticate, self.users.get, self.end, proxy if sign_on else None)
        never: Any = None
        pages: list[Page] = []
        made: Any = build_app(
            sessions=sessions,
            passwords=Passwords(change=never, choose=never),
            pages=pages,
            check_database=self.fail,
            watch=partial(Watch, paths=["/annotate"], metrics=Metrics(), log=None),
        )
        # Behind the gate, and without Gradio, which is not what is tried here.
        pages.append(Page("/annotate", "Annotate", "annotate", never))
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


@pytest.fixture(scope="module")
def signed() -> Any:
    return House().app(sign_on=True)


NAMED: Raw = [(b"X-Remote-User", b"ann")]
ORIGIN: Raw = [(b"origin", b"http://here")]


def test_who_the_proxy_names_is_signed_on_and_no_cookie_is_needed_or_set(signed: Any) -> None:
    for headers in (NAMED, [(b"x-rEMOTE-uSER", b"ann")]):
        home = ask(signed, "GET", "/", headers)
        assert (home.status_code, home.headers["location"]) == (303, "/annotate/")
        assert "set-cookie" not in home.headers
    assert ask(signed, "GET", "/annotate/config", NAMED).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        NAMED,
        [(b"X_Remote_User", b"ann")],
        [*NAMED, (b"X-Forwarded-For", PROXY.encode())],
        [(b"x-remote-user", b"")],
    ],
)
def test_from_any_other_peer_the_header_is_refused(signed: Any, headers: Raw) -> None:
    for path in ("/", "/login", "/annotate/", "/annotate/config", "/static/base.css", "/health"):
        refused = ask(signed, "GET", path, headers, peer=STRANGER)
        assert (refused.status_code, refused.json()["detail"]) == (
            403,
            "x-remote-user is not taken from this address",
        )


def test_a_proxy_that_forwards_another_address_is_still_the_peer(signed: Any) -> None:
    forwarded = [*NAMED, (b"X-Forwarded-For", b"203.0.113.9")]
    assert ask(signed, "GET", "/annotate/config", forwarded).status_code == 200


@pytest.mark.parametrize(
    ("headers", "said"),
    [
        ([*NAMED, *NAMED], "x-remote-user was sent 2 times; expected once"),
        ([*NAMED, (b"X_Remote_User", b"root")], "x-remote-user was sent 2 times"),
        ([(b"X_Remote_User", b"ann")], "x_remote_user is not x-remote-user"),
        ([(b"X-Remote_User", b"ann")], "x-remote_user is not x-remote-user"),
    ],
)
def test_a_header_that_two_could_read_differently_is_refused_from_the_proxy_too(
    signed: Any, headers: Raw, said: str
) -> None:
    refused = ask(signed, "GET", "/annotate/config", headers)
    assert refused.status_code == 403
    assert said in refused.json()["detail"]


@pytest.mark.parametrize(
    "name", [b"nobody", b"gone", b"Ann", b"ANN", b"ann,root", b"an", b"1", b"\xc3\xa4nn", b"\xe4nn", b"a nn"]
)
def test_a_name_that_is_not_just_an_active_account_is_nobody(signed: Any, name: bytes) -> None:
    headers = [(b"X-Remote-User", name)]
    assert ask(signed, "GET", "/annotate/config", headers).status_code == 401
    told = ask(signed, "GET", "/login", headers)
    assert told.status_code == 403
    assert "no active account here has just that name" in told.text


def test_an_empty_header_and_none_are_not_logged_in(signed: Any) -> None:
    for headers in ([], [(b"X-Remote-User", b"")], [(b"X-Remote-User", b"   ")]):
        assert ask(signed, "GET", "/annotate/config", headers).status_code == 401
        told = ask(signed, "GET", "/login", headers)
        assert (told.status_code, "it named nobody" in told.text) == (401, True)


def test_with_sign_on_cookie_and_password_count_for_nothing(signed: Any) -> None:
    cookie = str(URLSafeTimedSerializer("secret", salt="clinicnum-login").dumps(["1", 1]))
    held = [(b"cookie", f"clinicnum={cookie}".encode())]
    assert ask(House().app(sign_on=False), "GET", "/annotate/config", held).status_code == 200
    assert ask(signed, "GET", "/annotate/config", held).status_code == 401
    form = {"name": "ann", "password": "right"}
    assert ask(signed, "POST", "/login", ORIGIN, data=form).status_code == 401
    for method, path in (("POST", "/logout"), ("GET", "/account"), ("POST", "/invitation/x")):
        told = ask(signed, method, path, [*NAMED, *ORIGIN])
        assert (told.status_code, "proxy in front of this server" in told.text) == (200, True)


def test_with_sign_on_a_write_must_name_its_own_origin(signed: Any) -> None:
    event = "/annotate/gradio_api/run/predict"
    other: Raw = [(b"origin", b"https://elsewhere.example")]
    assert ask(signed, "POST", event, [*NAMED, *ORIGIN], json={}).status_code == 404  # past the gate
    assert ask(signed, "POST", event, NAMED, json={}).status_code == 403
    assert ask(signed, "POST", event, [*NAMED, *other], json={}).status_code == 403


@pytest.mark.parametrize(
    ("header", "addresses", "said"),
    [
        ("X-Remote-User", (), "without --trust-from"),
        ("X-Remote-User", (" , ",), "without --trust-from"),
        (None, ("127.0.0.1",), "without --trust-header"),
        ("X_Remote_User", ("127.0.0.1",), "cannot be used"),
        ("Cookie", ("127.0.0.1",), "cannot be used"),
        ("X-Remote-User\r\n", ("127.0.0.1",), "cannot be used"),
        ("X-Remote-User", ("127.0.0.1,proxy",), "cannot be read: 'proxy'"),
        ("X-Remote-User", ("10.0.0.1/8",), "has host bits set"),
    ],
)
def test_half_a_sign_on_and_addresses_that_are_none_are_refused(
    header: str | None, addresses: tuple[str, ...], said: str
) -> None:
    with pytest.raises(InputError, match=said) as caught:
        trusted(header, addresses)
    assert "\n" not in str(caught.value)


def test_sign_on_is_off_unless_both_are_named() -> None:
    assert trusted(None, ()) is None
    made = trusted("X-Remote-User", ("127.0.0.1,::1", "10.0.0.0/24"))
    assert made is not None
    assert (made[0], len(made[1])) == ("x-remote-user", 3)
    proxy = SignOn(*made, find={}.get)  # type: ignore[arg-type]
    peers = ("127.0.0.1", "::1", "::ffff:127.0.0.1", "10.0.0.7", "10.0.1.7", "::2", "unix", None)
    headers = [(b"x-remote-user", b"ann")]
    let_in = [peer for peer in peers if not proxy.refusal({"headers": headers, "clinicnum_peer": peer})]
    assert let_in == ["127.0.0.1", "::1", "::ffff:127.0.0.1", "10.0.0.7"]


# ---------- sessions


def test_a_session_ends_after_twelve_hours_and_with_every_change_of_the_account(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    house = House()
    app = house.app(sign_on=False)
    entered = ask(app, "POST", "/login", data={"name": "ann", "password": "right"})
    cookie = entered.headers["set-cookie"]
    assert f"Max-Age={MAX_AGE_S}" in cookie
    held = [(b"cookie", cookie.partition(";")[0].encode())]

    def status() -> int:
        return int(ask(app, "GET", "/annotate/config", held).status_code)

    assert (status(), MAX_AGE_S) == (200, 12 * 3600)
    changes: tuple[tuple[dict[str, Any], int], ...] = (
        ({"session_version": 2}, 401),  # logged out, a new password, switched off and on, another role
        ({"active": False}, 401),
        ({"role": "curator"}, 403),
        ({}, 200),
    )
    for update, wanted in changes:
        house.users["1"] = ANN.model_copy(update=update)
        assert status() == wanted, update
    later = int(time.time()) + MAX_AGE_S + 1
    monkeypatch.setattr("itsdangerous.TimestampSigner.get_timestamp", lambda _: later)
    assert status() == 401


# ---------- addresses


@pytest.mark.parametrize(
    ("peer", "forwarded", "counted"),
    [
        ("203.0.113.9", None, "203.0.113.9"),
        ("203.0.113.9", "198.51.100.1", "203.0.113.9"),
        ("127.0.0.1", "198.51.100.1", "198.51.100.1"),
        ("127.0.0.1", "10.9.9.9, 198.51.100.1", "198.51.100.1"),
        ("127.0.0.1", "2001:db8::5", "2001:db8::/64"),
        ("127.0.0.1", "nonsense", None),
        ("127.0.0.1", None, None),
        ("::1", None, None),
    ],
)
def test_failed_logins_count_for_the_address_that_a_proxy_of_this_machine_names(
    peer: str, forwarded: str | None, counted: str | None
) -> None:
    house = House()
    headers = [] if forwarded is None else [(b"X-Forwarded-For", forwarded.encode())]
    refused = ask(
        house.app(sign_on=False), "POST", "/login", headers, peer=peer, data={"name": "x", "password": "y"}
    )
    assert (refused.status_code, house.tried_from) == (401, [counted])


def test_what_is_no_address_is_counted_by_none() -> None:
    assert [network_of(one) for one in (None, "", "unix", "fe80::1%eth0", "::ffff:192.0.2.1")] == [
        *(None, None, None),
        "fe80::/64",
        "192.0.2.1",
    ]


# ---------- every answer


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/login", 200),
        ("GET", "/static/base.css", 200),
        ("GET", "/health", 200),
        ("GET", "/", 303),
        ("GET", "/annotate/", 303),
        ("GET", "/annotate/config", 401),
        ("GET", "/invitation/x", 410),
        ("GET", "/nowhere", 404),
        ("GET", "/static/none.css", 404),
        ("DELETE", "/login", 405),
        ("POST", "/login", 422),
        ("GET", "/ready", 500),
    ],
)
def test_every_answer_has_the_headers(method: str, path: str, status: int) -> None:
    answer = ask(House().app(sign_on=False), method, path)
    assert answer.status_code == status
    assert {name: answer.headers.get(name) for name in HEADERS} == HEADERS
    assert "patient" not in answer.text


def test_a_body_too_large_is_refused_with_the_headers_said_or_not() -> None:
    app = House().app(sign_on=False)

    async def pieces() -> AsyncIterator[bytes]:
        for _ in range(LONGEST_BODY // 1024 + 2):
            yield b"x" * 1024

    for path in ("/login", "/annotate/gradio_api/run/predict", "/nowhere"):
        for body in (b"x" * (LONGEST_BODY + 1), pieces()):
            answer = ask(
                app, "POST", path, [(b"content-type", b"application/x-www-form-urlencoded")], content=body
            )
            assert answer.status_code in (401, 404, 413), path
            assert path != "/login" or answer.status_code == 413
            assert {name: answer.headers.get(name) for name in HEADERS} == HEADERS


def test_a_body_that_does_not_come_is_answered_in_time_and_changes_nothing() -> None:
    house = House()
    inner = house.app(sign_on=False).app
    sent: list[Any] = []

    async def dripping() -> None:
        messages = iter([{"type": "http.request", "body": b"name=ann&", "more_body": True}])

        async def receive() -> Any:
            for message in messages:
                return message
            return await asyncio.Event().wait()

        async def send(message: Any) -> None:
            sent.append(message)

        head = {"type": "http", "method": "POST", "path": "/login", "query_string": b"", "scheme": "http"}
        form = [(b"content-type", b"application/x-www-form-urlencoded")]
        scope = {**head, "headers": form, "client": (STRANGER, 1), "server": ("here", 80), "root_path": ""}
        await Doorway(inner, body_s=0.05)(scope, receive, send)

    run_apart(dripping())
    assert [one["status"] for one in sent if one["type"] == "http.response.start"] == [408]
    assert house.tried_from == []


TRAVERSALS: tuple[Callable[[str], str], ...] = (
    lambda name: f"../{name}",
    lambda name: f"..%2f{name}",
    lambda name: f"%2e%2e/{name}",
    lambda name: f"%2e%2e%2f%2e%2e%2f{name}",
    lambda name: f"..%5c{name}",
    lambda name: f"annotate/../../{name}",
    lambda name: f"/etc/passwd?{name}",
    lambda name: f"%2fetc%2fpasswd%00{name}",
)


@pytest.mark.parametrize("folder", ["/static", "/annotate/static", "/annotate/assets"])
def test_no_path_leads_out_of_the_static_files(folder: str) -> None:
    app = House().app(sign_on=True)
    for spelled in TRAVERSALS:
        for name in ("server.py", "templates/login.html", "gate.py"):
            answer = ask(app, "GET", f"{folder}/{spelled(name)}", NAMED)
            assert answer.status_code in (404, 400), answer.url
            assert "import" not in answer.text
            assert "root:" not in answer.text
