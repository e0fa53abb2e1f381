"""The front door, without a network: sessions, headers on every answer."""

import re
import time
from collections.abc import AsyncIterator, Callable
from html import unescape
from typing import Any
from urllib.parse import urlencode

import pytest

from clinicnum.ui.app.security_middleware import HEADERS, network_of
from clinicnum.ui.app.server import LONGEST_BODY
from clinicnum.ui.app.session import MAX_AGE_S
from clinicnum.ui.components.static_files import static_path
from tests.ui.door import ANN, NAMED, House, ask

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


# ---------- where a login leads


LINK = "/annotate/?item=a%20b&study=x%26y"
LED_ASTRAY = (
    *("//evil.example/", "///evil.example", "https://evil.example/annotate/", "javascript:alert(1)"),
    *("/\\\\evil.example/annotate/", "\\\\evil.example", "/\t/evil.example", "/annotate/\r\nset-cookie: a=b"),
    *(
        "/annotate@evil.example/",
        "/annotate//evil.example",
        "/annotate/../../evil",
        "/annotate.evil.example/",
    ),
    *(
        "//evil.example/annotate/?/annotate/",
        " /annotate/",
        "/logout",
        "/annotate/config",
        "",
        "?",
        "x" * 5_000,
    ),
    "/annotate/?" + "x" * 5_000,
)


def test_a_login_leads_back_to_the_page_that_was_asked_for() -> None:
    app, right = House().app(sign_on=False), {"name": "ann", "password": "right"}
    login = ask(app, "GET", LINK).headers["location"]
    assert login.startswith("/login?next=%2Fannotate%2F%3Fitem%3Da")
    for shown in (ask(app, "GET", login), ask(app, "POST", login, data={**right, "password": "wrong"})):
        form = re.findall(r'<form method="post" action="(/login[^"]*)"', shown.text)
        entered = ask(app, "POST", unescape(form[0]), data=right)
        assert (entered.status_code, entered.headers["location"]) == (303, LINK)
    cookie = [(b"cookie", entered.headers["set-cookie"].partition(";")[0].encode())]
    assert ask(app, "GET", "/login", cookie).headers["location"] == "/annotate/", "as after Back"
    assert ask(app, "GET", login, cookie).headers["location"] == LINK
    long = ask(app, "GET", "/annotate/?study=" + "x" * 5_000)
    assert (long.status_code, long.headers["location"]) == (303, "/login")


def test_after_a_wrong_password_the_name_is_kept_and_the_password_is_typed_next() -> None:
    app = House().app(sign_on=False)
    focused = r'<input id="(\w+)"[^>]* autofocus'
    assert re.findall(focused, ask(app, "GET", "/login").text) == ["name"]
    refused = ask(app, "POST", "/login", data={"name": "ann", "password": "wrong"})
    assert re.findall(focused, refused.text) == ["password"]
    assert 'value="ann"' in refused.text


def test_a_used_invitation_tells_its_owner_to_log_in() -> None:
    refused = ask(House().app(sign_on=False), "GET", "/invitation/x")
    assert refused.status_code == 410
    assert "log in with your name and that password; otherwise ask whoever sent it" in refused.text
    assert '<a href="/login">' in refused.text
    assert "Not for this account" not in refused.text


@pytest.mark.parametrize("wanted", LED_ASTRAY)
def test_no_login_leads_to_another_host(wanted: str) -> None:
    app, right = House().app(sign_on=False), {"name": "ann", "password": "right"}
    for address in (
        f"/login?{urlencode({'next': wanted})}",
        f"/login?next=/annotate/&{urlencode({'next': wanted})}",
    ):
        entered = ask(app, "POST", address, data=right)
        cookie = [(b"cookie", entered.headers["set-cookie"].partition(";")[0].encode())]
        for answer in (entered, ask(app, "GET", address, cookie)):
            assert (answer.status_code, answer.headers["location"]) == (303, "/annotate/")


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
        ("GET", static_path("components/base.css"), 200),
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


BROWSER = (b"accept", b"text/html,application/xhtml+xml;q=0.9,*/*;q=0.8")


def test_an_unknown_address_is_a_page_with_a_way_back_for_people_and_json_for_scripts() -> None:
    house = House()
    app = house.app(sign_on=False)
    entered = ask(app, "POST", "/login", data={"name": "ann", "password": "right"})
    ann = (b"cookie", entered.headers["set-cookie"].partition(";")[0].encode())
    for path in ("/nonsense/", "/nonsense?x=<b>", "/static/none", "/annotate/nonsense", "/annotate/?page=x"):
        answer = ask(app, "GET", path, [BROWSER, ann])
        assert (answer.status_code, answer.headers["content-type"]) == (404, "text/html; charset=utf-8"), path
        assert "<h1>There is no such page</h1>" in answer.text
        assert '<a href="/">Back to your own page</a>' in answer.text
        assert "nonsense" not in answer.text
    german = ask(app, "GET", "/nonsense/", [BROWSER, (b"accept-language", b"de")])
    assert "<h1>Diese Seite gibt es nicht</h1>" in german.text
    logged_out = ask(app, "GET", "/annotate/nonsense", [BROWSER])
    assert (logged_out.status_code, logged_out.headers["location"]) == (303, "/login")
    for path in ("/nonsense/", "/api/annotate/nonsense", "/annotate/nonsense"):
        accepts = [ann, BROWSER] if path.startswith("/api") else [ann]
        answer = ask(app, "GET", path, accepts)
        assert (answer.status_code, answer.json()) == (404, {"detail": "there is nothing at this address"})


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


@pytest.mark.parametrize("folder", ["/static", "/static/gradio", "/annotate/static", "/annotate/assets"])
def test_no_path_leads_out_of_the_static_files(folder: str) -> None:
    app = House().app(sign_on=True)
    for spelled in TRAVERSALS:
        for name in ("server.py", "templates/login.html", "gate.py"):
            answer = ask(app, "GET", f"{folder}/{spelled(name)}", NAMED)
            assert answer.status_code in (404, 400), answer.url
            assert "import" not in answer.text
            assert "root:" not in answer.text
