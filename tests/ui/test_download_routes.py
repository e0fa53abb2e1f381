"""Files that a page hands out: to whom, by which paths, and that what is shown can run nothing."""

from typing import Any

import pytest

from clinicnum.errors import InputError, NotAllowed
from clinicnum.ui.app.security_middleware import DOCUMENT_HEADERS, HEADERS
from clinicnum.ui.components.downloadable_files import Download, DownloadedFile
from tests.ui.door import NAMED, STRANGER, House, ask


def _hand_out(path: str, user_id: str) -> DownloadedFile:
    assert user_id == "1"
    if path == "secret.csv":
        raise NotAllowed("This is not yours.")
    files = {
        "a/report.html": DownloadedFile("six: <b>.html", b"<p>", shown=True),
        "a/kept.html": DownloadedFile('x"\r\nset-cookie: y.html', b"<p>"),
        "picture.svg": DownloadedFile("picture.svg", b"<svg/>", shown=True),
        "a/b.csv": DownloadedFile("b.csv", b"n"),
    }
    if path not in files:
        raise InputError("There is no such file.")
    return files[path]


@pytest.fixture(scope="module")
def app() -> Any:
    return House(downloads=(Download("files", _hand_out),)).app(sign_on=True)


def test_a_document_is_shown_where_it_can_run_nothing_and_all_else_is_saved(app: Any) -> None:
    shown = ask(app, "GET", "/api/annotate/files/a/report.html", NAMED)
    assert (shown.status_code, shown.content) == (200, b"<p>")
    assert shown.headers["content-disposition"] == 'inline; filename="six-b-.html"'
    policy = shown.headers["content-security-policy"]
    assert {name: shown.headers.get(name) for name in DOCUMENT_HEADERS} == DOCUMENT_HEADERS
    assert "default-src 'none'" in policy
    assert "sandbox" in policy
    assert "allow-scripts" not in policy
    kept = ask(app, "GET", "/api/annotate/files/a/kept.html", NAMED)
    assert kept.headers["content-disposition"] == 'attachment; filename="x-set-cookie-y.html"'
    assert "set-cookie" not in kept.headers
    picture = ask(app, "GET", "/api/annotate/files/picture.svg", NAMED)
    assert picture.headers["content-disposition"].startswith("attachment")
    table = ask(app, "GET", "/api/annotate/files/a/b.csv", NAMED)
    assert table.headers["content-type"] == "text/csv; charset=utf-8"
    assert table.headers["cache-control"] == "no-store"
    assert {name: table.headers.get(name) for name in HEADERS} == HEADERS


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/api/annotate/files/none.csv", 404),
        ("GET", "/api/annotate/files/secret.csv", 403),
        ("GET", "/api/annotate/files/", 404),
        ("GET", "/api/annotate/files", 404),
        ("GET", "/api/annotate/other/a/b.csv", 404),
        ("GET", "/api/annotate/filesa/b.csv", 404),
        ("GET", "/annotate/files/a/b.csv", 404),
        ("GET", "/api/annotate/files/..%2ffiles/a/b.csv", 404),
        ("GET", "/api/annotate/files/%2e%2e/files/a/b.csv", 404),
        ("GET", "/api/annotate/files/a%5cb.csv", 404),
        ("GET", "/api/annotate/files/a%00/b.csv", 404),
        ("GET", "/api/annotate/files/%2fetc/passwd", 404),
        ("GET", "/api/annotate/files/a/b.csv?deep_link=x", 404),
        ("DELETE", "/api/annotate/files/a/b.csv", 403),
        ("HEAD", "/api/annotate/files/a/b.csv", 405),
    ],
)
def test_a_path_that_names_no_file_gets_none(app: Any, method: str, path: str, status: int) -> None:
    answer = ask(app, method, path, NAMED)
    assert answer.status_code == status
    assert answer.content != b"n"
    assert {name: answer.headers.get(name) for name in HEADERS} == HEADERS


def test_a_stranger_gets_no_file(app: Any) -> None:
    for headers, peer in (([], "127.0.0.1"), (NAMED, STRANGER)):
        answer = ask(app, "GET", "/api/annotate/files/a/b.csv", headers, peer=peer)
        assert answer.status_code in (401, 403)


def test_a_role_without_the_right_to_the_page_gets_no_file() -> None:
    house = House(downloads=(Download("files", _hand_out),))
    house.users["1"] = house.users["1"].model_copy(update={"role": "curator"})
    answer = ask(house.app(sign_on=True), "GET", "/api/annotate/files/a/b.csv", NAMED)
    assert answer.status_code == 403
