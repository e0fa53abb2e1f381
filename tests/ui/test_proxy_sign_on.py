"""Sign-on by a proxy, without a network."""

from typing import Any

import pytest
from itsdangerous import URLSafeTimedSerializer

from clinicnum.errors import InputError
from clinicnum.ui.app.proxy_sign_on import ProxySignOn, parse_trusted_header
from clinicnum.ui.components.static_files import static_path
from tests.ui.door import NAMED, PROXY, STRANGER, House, Raw, ask


@pytest.fixture(scope="module")
def signed() -> Any:
    return House().app(sign_on=True)


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
    for path in (
        "/",
        "/login",
        "/annotate/",
        "/annotate/config",
        static_path("components/base.css"),
        "/health",
    ):
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
    assert ask(signed, "POST", event, [*NAMED, *ORIGIN], json={}).status_code == 404  # past authorization
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
        parse_trusted_header(header, addresses)
    assert "\n" not in str(caught.value)


def test_sign_on_is_off_unless_both_are_named() -> None:
    assert parse_trusted_header(None, ()) is None
    made = parse_trusted_header("X-Remote-User", ("127.0.0.1,::1", "10.0.0.0/24"))
    assert made is not None
    assert (made[0], len(made[1])) == ("x-remote-user", 3)
    proxy = ProxySignOn(*made, find={}.get)  # type: ignore[arg-type]
    peers = ("127.0.0.1", "::1", "::ffff:127.0.0.1", "10.0.0.7", "10.0.1.7", "::2", "unix", None)
    headers = [(b"x-remote-user", b"ann")]
    let_in = [peer for peer in peers if not proxy.refusal({"headers": headers, "clinicnum_peer": peer})]
    assert let_in == ["127.0.0.1", "::1", "::ffff:127.0.0.1", "10.0.0.7"]
