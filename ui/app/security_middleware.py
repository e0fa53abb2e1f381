"""The outermost of the application: who the peer is, and headers on every answer.

The server itself reads no forwarded header (`proxy_headers=False`): it would put another address in the place
of the peer's, and sign-on by a header rests on who the peer is.
"""

import ipaddress

from fastapi.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

PEER = "clinicnum_peer"
"""Where the scope keeps the address at the other end of the connection; None where there is none."""
THIS_MACHINE = ["127.0.0.1", "::1"]
"""Whose `X-Forwarded-Proto` and `X-Forwarded-For` are believed."""
HEADERS = {
    "content-security-policy": (
        # Gradio compiles its HTML templates in the page, hence unsafe-eval; nothing may come from elsewhere.
        "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; "
        "style-src 'self' 'unsafe-inline'; "
        "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; object-src 'none'; "
        "base-uri 'self'; form-action 'self'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    # Not no-referrer: with it, browsers post a form with "Origin: null", as strangers do.
    "referrer-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
    "cross-origin-opener-policy": "same-origin",
}
_RAW = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in HEADERS.items()]
_NAMES = frozenset(name for name, _ in _RAW)
_KEPT = (b"text/css", b"text/javascript", b"application/javascript")
"""What a browser may keep; all else is somebody's."""


class SecurityMiddleware:
    """The ASGI application around the application: what is refused inside it has the headers, too."""

    def __init__(self, app: ASGIApp) -> None:
        self.app: ASGIApp = ProxyHeadersMiddleware(app, trusted_hosts=THIS_MACHINE)  # type: ignore[arg-type, assignment]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        client = scope.get("client")
        scope[PEER] = client[0] if client else None
        send = _with_headers(send)
        names = {name for name, _ in scope["headers"]}
        if b"content-length" in names and b"transfer-encoding" in names:
            # A proxy may go by the one and we by the other: what follows would be read as another request.
            both = {"detail": "a request has a length or is sent in chunks, never both"}
            await JSONResponse(both, status_code=400, headers={"connection": "close"})(scope, receive, send)
            return
        await self.app(scope, receive, send)


def _with_headers(send: Send) -> Send:
    async def sender(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = [pair for pair in message.get("headers", ()) if pair[0] not in _NAMES]
            named = dict(headers)
            if b"cache-control" not in named and not named.get(b"content-type", b"").startswith(_KEPT):
                headers.append((b"cache-control", b"no-store"))
            message["headers"] = [*headers, *_RAW]
        await send(message)

    return sender


def network_of(address: str | None) -> str | None:
    """What failed logins are counted by: an IPv4 address, or the /64 that one holder of IPv6 has."""
    try:
        one = ipaddress.ip_address((address or "").partition("%")[0])
    except ValueError:
        return None
    if isinstance(one, ipaddress.IPv6Address):
        if one.ipv4_mapped is None:
            return str(ipaddress.ip_network((one, 64), strict=False))
        one = one.ipv4_mapped
    return str(one)
