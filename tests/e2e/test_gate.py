"""What a hand-made request gets: every route and every Gradio event is a public endpoint."""

import http.client
import json
import urllib.parse

import pytest

from clinicnum.ui.components.static_files import static_path
from tests.e2e.conftest import PASSWORD, Server

SUBMIT = "/api/annotate/submit"


def request(
    server: Server, method: str, path: str, *, body: bytes = b"", headers: dict[str, str] | None = None
) -> tuple[int, dict[str, str], str]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    connection.request(method, path, body=body, headers=headers or {})
    answer = connection.getresponse()
    text = answer.read().decode("utf-8", "replace")
    connection.close()
    return answer.status, {name.lower(): value for name, value in answer.getheaders()}, text


def log_in(server: Server, name: str, password: str = PASSWORD) -> dict[str, str]:
    form = urllib.parse.urlencode({"name": name, "password": password}).encode()
    status, headers, _ = request(
        server, "POST", "/login", body=form, headers={"content-type": "application/x-www-form-urlencoded"}
    )
    assert status == 303, status
    cookie = headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    return {"cookie": cookie.split(";")[0]}


def post_event(server: Server, page: str, cookie: dict[str, str], data: list[object]) -> int:
    body = json.dumps({"data": data, "fn_index": 0, "session_hash": "made-by-hand"}).encode()
    statuses = set()
    for path in ("/gradio_api/run/predict", "/gradio_api/queue/join", "/gradio_api/api/predict"):
        status, _, _ = request(
            server, "POST", page + path, body=body, headers={"content-type": "application/json", **cookie}
        )
        statuses.add(status)
    assert len(statuses) == 1, statuses
    return statuses.pop()


def test_handlers_refuse_strangers_and_other_roles(standing_server: Server) -> None:
    annotator, admin = log_in(standing_server, "ann"), log_in(standing_server, "root")
    assert post_event(standing_server, "/people", {}, ["x"]) == 401
    assert post_event(standing_server, "/people", annotator, ["mallory", "admin", PASSWORD]) == 403
    assert post_event(standing_server, "/agreement", annotator, []) == 403
    assert post_event(standing_server, "/annotate", {}, []) == 401
    assert post_event(standing_server, "/annotate", admin, []) == 403
    assert post_event(standing_server, "/people", {"cookie": "clinicnum=forged.signature.here"}, []) == 401


def test_nothing_below_a_page_is_open_without_its_right(standing_server: Server) -> None:
    annotator = log_in(standing_server, "ann")
    for path in (
        "/people/config",
        "/people/gradio_api/info",
        "/people/theme.css",
        "/people/gradio_api/upload",
    ):
        assert request(standing_server, "GET", path)[0] == 401
        assert request(standing_server, "GET", path, headers=annotator)[0] == 403


def test_what_gradio_brings_and_the_pages_do_not_use_is_not_there(standing_server: Server) -> None:
    annotator = log_in(standing_server, "ann")
    for path in (
        *("/gradio_api/upload", "/gradio_api/queue/join", "/gradio_api/queue/data", "/gradio_api/info"),
        *("/gradio_api/deep_link?session_hash=x", "/config?deep_link=x", "/gradio_api/call/submit"),
        *("/?page=x", "/?page=", "?page=1", "/?page=%00&page=x", "/config?page=x"),
        *("/gradio_api/file=/etc/passwd", "/monitoring/summary", "/logout", "/openapi.json"),
    ):
        assert request(standing_server, "GET", f"/annotate{path}", headers=annotator)[0] == 404, path
        assert request(standing_server, "POST", f"/annotate{path}", headers=annotator)[0] == 404, path
    assert request(standing_server, "GET", "/annotate/config", headers=annotator)[0] == 200


def test_a_body_beyond_any_judgement_is_refused(standing_server: Server) -> None:
    headers = {**log_in(standing_server, "ann"), "content-type": "application/json"}
    body = b'{"assignment_id": "' + b"x" * 300_000 + b'"}'
    assert request(standing_server, "POST", SUBMIT, body=body, headers=headers)[0] == 413


def test_logging_out_ends_the_session_itself_not_only_its_cookie(server: Server) -> None:
    cookie = log_in(server, "eve")
    assert request(server, "GET", "/annotate/config", headers=cookie)[0] == 200
    assert request(server, "POST", "/logout", headers=cookie)[0] == 303
    assert request(server, "GET", "/annotate/config", headers=cookie)[0] == 401


def test_an_origin_that_is_none_and_a_name_with_nul_are_refused_quietly(standing_server: Server) -> None:
    assert request(standing_server, "POST", "/login", headers={"origin": "http://["})[0] == 403
    form = {"content-type": "application/x-www-form-urlencoded"}
    status, _, _ = request(standing_server, "POST", "/login", body=b"name=a%00b&password=x", headers=form)
    assert status == 401


def test_a_page_sends_strangers_to_the_login_and_other_roles_away(standing_server: Server) -> None:
    status, headers, _ = request(standing_server, "GET", "/annotate/")
    assert (status, headers["location"]) == (303, "/login?next=%2Fannotate%2F")
    status, _, text = request(standing_server, "GET", "/people/", headers=log_in(standing_server, "ann"))
    assert status == 403
    assert "not open to the role annotator" in text


def test_requests_from_another_origin_are_refused(standing_server: Server) -> None:
    headers = {
        **log_in(standing_server, "root"),
        "origin": "https://elsewhere.example",
        "content-type": "application/json",
    }
    assert (
        request(standing_server, "POST", "/people/gradio_api/run/predict", body=b"{}", headers=headers)[0]
        == 403
    )


def test_every_answer_carries_the_security_headers(standing_server: Server) -> None:
    for path in ("/login", static_path("components/base.css"), "/nowhere", "/annotate/"):
        _, headers, _ = request(standing_server, "GET", path)
        assert "default-src 'self'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"


def test_wrong_passwords_are_throttled(standing_server: Server) -> None:
    headers = {"content-type": "application/x-www-form-urlencoded"}
    pages: dict[str, list[str]] = {}
    for name in ("ben", "no-such-account"):
        form = urllib.parse.urlencode({"name": name, "password": "wrong"}).encode()
        tries = [request(standing_server, "POST", "/login", body=form, headers=headers) for _ in range(6)]
        assert [status for status, _, _ in tries] == [401] * 5 + [429]
        pages[name] = [text.replace(name, "NAME") for _, _, text in tries]
        assert "After 5 wrong passwords, a name is locked for up to 5 minutes." in pages[name][0]
        assert "try again in 5 min. If the password is forgotten, an admin can set" in pages[name][5]
    assert pages["ben"] == pages["no-such-account"], "nothing tells whether there is such an account"


@pytest.mark.parametrize(
    "garbage", [b"", b"{", b"[]", b'{"judgement": 7}', b'{"assignment_id": "a", "revision": -1}', b"\xff"]
)
def test_garbage_gets_a_sentence(standing_server: Server, garbage: bytes) -> None:
    headers = {**log_in(standing_server, "ann"), "content-type": "application/json"}
    status, _, text = request(standing_server, "POST", SUBMIT, body=garbage, headers=headers)
    assert status == 422
    assert json.loads(text)["detail"].startswith("Nothing was saved: ")


def test_a_route_of_a_page_takes_the_right_of_the_page_and_its_own_origin(standing_server: Server) -> None:
    annotator, admin = log_in(standing_server, "ann"), log_in(standing_server, "root")
    assert request(standing_server, "POST", SUBMIT, body=b"{}")[0] == 401
    assert request(standing_server, "POST", SUBMIT, body=b"{}", headers=admin)[0] == 403
    other = {**annotator, "origin": "https://elsewhere.example"}
    assert request(standing_server, "POST", SUBMIT, body=b"{}", headers=other)[0] == 403
    assert request(standing_server, "GET", SUBMIT, headers=annotator)[0] == 405
    for path in ("/api/annotate", "/api/annotate/", "/api/annotate/nothing", "/api/annotate/../draft/save"):
        assert request(standing_server, "POST", path, body=b"{}", headers=annotator)[0] == 404, path
    assert request(standing_server, "POST", "/api/draft/load", body=b"{}", headers=annotator)[0] == 403


def test_health_and_readiness_are_open_and_metrics_are_not_among_the_pages(standing_server: Server) -> None:
    for path in ("/health", "/ready"):
        status, _, text = request(standing_server, "GET", path)
        assert (status, json.loads(text)) == (200, {"status": "ok"})
    assert request(standing_server, "GET", "/metrics")[0] == 404
