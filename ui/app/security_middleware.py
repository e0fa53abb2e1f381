"""Outermost middleware: records the peer's address and sets security headers on every response.

The server itself ignores forwarded headers (`proxy_headers=False`): they would replace the peer's address,
on which sign-on by a header depends.
"""

import ipaddress

from fastapi.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

PEER = "clinicnum_peer"
"""Scope key of the connecting peer's address; its value is None if the address is unknown."""
THIS_MACHINE = ["127.0.0.1", "::1"]
"""Addresses of this machine, from which `X-Forwarded-Proto` and `X-Forwarded-For` are trusted."""
HEADERS = {
    "content-security-policy": (
        # unsafe-eval: Gradio compiles its HTML templates in the browser. No other origin is allowed.
        "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; "
        "style-src 'self' 'unsafe-inline'; "
        "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; object-src 'none'; "
        "base-uri 'self'; form-action 'self'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    # With no-referrer, browsers would post forms with "Origin: null", which counts as cross-origin.
    "referrer-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
    "cross-origin-opener-policy": "same-origin",
}
DOCUMENT_HEADERS = HEADERS | {
    # Without allow-scripts no script runs; allow-same-origin lets links to files beside it bring the login.
    "content-security-policy": (
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'self'; sandbox allow-same-origin allow-downloads"
    ),
    "x-frame-options": "SAMEORIGIN",
}
"""For a document that a page shows in a frame, such as a report."""
DOCUMENT = "clinicnum_document"
"""Scope key that a route sets to true if its answer is such a document."""


def _raw(headers: dict[str, str]) -> list[tuple[bytes, bytes]]:
    return [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]


_RAW, _RAW_DOCUMENT = _raw(HEADERS), _raw(DOCUMENT_HEADERS)
_NAMES = frozenset(name for name, _ in _RAW)
_KEPT = (b"text/css", b"text/javascript", b"application/javascript")
"""Content types that browsers may cache; all other responses can hold a user's data."""


class SecurityMiddleware:
    """ASGI middleware around the whole application, so that refused requests get the headers too."""

    def __init__(self, app: ASGIApp) -> None:
        self.app: ASGIApp = ProxyHeadersMiddleware(app, trusted_hosts=THIS_MACHINE)  # type: ignore[arg-type, assignment]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        client = scope.get("client")
        scope[PEER] = client[0] if client else None
        send = _with_headers(send, scope)
        names = {name for name, _ in scope["headers"]}
        if b"content-length" in names and b"transfer-encoding" in names:
            # Against request smuggling: a proxy might find the body's end by one header, we by the other.
            both = {"detail": "a request has a length or is sent in chunks, never both"}
            await JSONResponse(both, status_code=400, headers={"connection": "close"})(scope, receive, send)
            return
        await self.app(scope, receive, send)


def _with_headers(send: Send, scope: Scope) -> Send:
    async def sender(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = [pair for pair in message.get("headers", ()) if pair[0] not in _NAMES]
            named = dict(headers)
            if b"cache-control" not in named and not named.get(b"content-type", b"").startswith(_KEPT):
                headers.append((b"cache-control", b"no-store"))
            message["headers"] = [*headers, *(_RAW_DOCUMENT if scope.get(DOCUMENT) else _RAW)]
        await send(message)

    return sender


def network_of(address: str | None) -> str | None:
    """The key for counting failed logins: an IPv4 address or an IPv6 /64 network; None if unreadable."""
    try:
        one = ipaddress.ip_address((address or "").partition("%")[0])
    except ValueError:
        return None
    if isinstance(one, ipaddress.IPv6Address):
        if one.ipv4_mapped is None:
            return str(ipaddress.ip_network((one, 64), strict=False))
        one = one.ipv4_mapped
    return str(one)
