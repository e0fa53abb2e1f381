"""Requests that no page of ours makes: bodies that are no JSON or no form, wrong types, sizes, odd bytes."""

from collections.abc import Iterator
from urllib.parse import quote

from clinicnum.scripts.dev.load_test.browser_connection import Answer, Connection

FORM, JSON = "application/x-www-form-urlencoded", "application/json"
DEEP = 100_000
BODIES: tuple[bytes, ...] = (
    *(b"", b"{", b"null", b"[]", b"\0", b"\xff\xfe", b"\xef\xbb\xbf{}", b'"\\ud800"', b"NaN", b"9" * 5_000),
    *(b"[" * DEEP, b'{"a":' * DEEP, b'{"fn_index": NaN, "data": [1e999]}'),
    *(b'{"fn_index": ' + b"9" * 5_000 + b', "data": []}', b'{"fn_index": 1E+999999999, "data": []}'),
    *(b'{"fn_index": 0, "data": ["\\ud800"]}', b'{"fn_index": 0, "data": [{"out": {"\\ud800": NaN}}]}'),
    *(b'{"fn_index": 0, "data": ' + b"[" * DEEP + b"]" * DEEP + b"}", b'{"fn_index": 0, "fn_index": 1}'),
    b'{"fn_index": 0, "data": ["' + b"x" * 3_000_000 + b'"]}',
)
"""Sent to a page's events and to the routes of its script."""
FORMS: tuple[bytes, ...] = (
    *(
        b"",
        b"name",
        b"name=&password=",
        b"name=%ff&password=%00",
        b"name=%00&password=x",
        b"%ff=%ff",
        b"=" * 9,
    ),
    *(
        b"name=%ed%a0%80&password=%ed%a0%80",
        b"name=ann%0d%0aset-cookie:x&password=x",
        b"name=a&name=b&name=c",
    ),
    *(
        b"old=%00&new=%00&again=%00",
        b"old=&new=x&again=y",
        b"new=" + b"x" * 3_000 + b"&again=x",
        b"&" * 5_000,
    ),
    *(b"name=" + b"x" * 300 + b"&password=x", b"name=ann&password=" + b"x" * 3_000_000, b"\xff" * 100),
)
"""Sent to the forms."""
TYPES = (
    FORM,
    JSON,
    "multipart/form-data",
    "multipart/form-data; boundary=x",
    "text/plain; charset=utf-99",
    "\xff",
)
PAGES = (
    *("/login", "/logout", "/account", "/invitation/x", "/first-admin/x"),
    *("/health", "/ready", "/metrics", "/", "/nothing"),
)


def odd_requests(visitor: Connection, page: str) -> Iterator[tuple[str, Answer]]:
    """What was asked, and the answer."""
    events = f"{page}/gradio_api/run/predict"
    for number, body in enumerate(BODIES):
        kind = TYPES[number % len(TYPES)] if number % 5 == 4 else JSON
        for path in (events, f"/api{page}/submit"):
            yield f"{path} {body[:60]!r}", ask(visitor, "POST", path, body, kind)
    yield from odd_forms(visitor)


def odd_forms(visitor: Connection) -> Iterator[tuple[str, Answer]]:
    """The pages that are no Gradio app."""
    for path in PAGES:
        for number, body in enumerate(FORMS):
            kind = TYPES[number % len(TYPES)] if number % 3 == 2 else FORM
            yield f"{path} {kind} {body[:60]!r}", ask(visitor, "POST", path, body, kind)
        for method in ("PUT", "DELETE", "OPTIONS", "TRACE"):
            yield f"{method} {path}", ask(visitor, method, path, b"", FORM)
    for token in ("%00", "%ff", "..%2f..", "a.b.c", "WyJ4Il0.x.y", "x" * 5_000, quote("\u202e")):
        yield token, ask(visitor, "GET", f"/invitation/{token}", b"", FORM)
        yield token, ask(visitor, "GET", f"/?{token}={token}", b"", FORM)


def ask(visitor: Connection, method: str, path: str, body: bytes, kind: str) -> Answer:
    """One request as it is; a server that hangs up on it said nothing."""
    try:
        return visitor._ask(method, path, body, {"content-type": kind})
    except OSError:
        visitor.close()
        return Answer(0, b"", None)
