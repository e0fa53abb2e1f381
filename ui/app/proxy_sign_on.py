"""Sign-on by a header that a trusted proxy sets; off unless `clinicnum serve --trust-header` names one.

The header is accepted only on connections from a trusted address. A request from any other address that
carries it is refused rather than served without it: it is either an attack or a misconfigured proxy, and
both should be noticed.
"""

import ipaddress
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from starlette.types import Scope

from clinicnum.annotations.types import User
from clinicnum.errors import InputError
from clinicnum.ui.app.security_middleware import PEER

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
TrustedHeader = tuple[str, tuple[Network, ...]]
"""Name of the trusted header, and the networks from which it is accepted."""
RESERVED_HEADERS = frozenset(
    {"host", "origin", "cookie", "authorization", "connection", "content-length", "content-type"}
)
"""Headers that any browser sends, so none of them can name the user."""


@dataclass(frozen=True)
class ProxySignOn:
    """Which header names the user, and from which networks it is accepted."""

    header: str
    """Name of the header in lower case, as in ASGI."""
    networks: tuple[Network, ...]
    find: Callable[[str], User | None]
    """Finds an account by its exact name; None if there is none."""

    def refusal(self, scope: Scope) -> str | None:
        """Why the request's header is refused (untrusted peer, sent twice, misspelt); None if it is not."""
        sent = [name for name, _ in scope["headers"] if _plain(name) == self.header]
        if not sent:
            return None
        if not self._trusts(scope.get(PEER)):
            return f"{self.header} is not taken from this address"
        if len(sent) > 1:
            return f"{self.header} was sent {len(sent)} times; expected once"
        if sent[0] != self.header.encode("ascii"):
            return f"{sent[0].decode('latin-1')} is not {self.header}"
        return None

    def name_of(self, scope: Scope) -> str | None:
        """The account name in the header; None if it is absent or empty. Call `refusal` first."""
        name = self.header.encode("ascii")
        value = next((value for sent, value in scope["headers"] if sent == name), b"")
        return value.decode("utf-8", "replace").strip() or None

    def user_of(self, scope: Scope) -> User | None:
        """The active account that the header names; None if there is none or the header is refused."""
        name = None if self.refusal(scope) else self.name_of(scope)
        user = self.find(name) if name else None
        return user if user is not None and user.active else None

    def _trusts(self, peer: str | None) -> bool:
        try:
            address = ipaddress.ip_address((peer or "").partition("%")[0])
        except ValueError:
            return False
        if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None:
            address = address.ipv4_mapped
        return any(address in network for network in self.networks)


def _plain(name: bytes) -> str:
    """A header name in lower case with `_` as `-`, as some servers treat the two alike."""
    return name.decode("latin-1").lower().replace("_", "-")


def parse_trusted_header(header: str | None, addresses: Sequence[str]) -> TrustedHeader | None:
    """The trusted header and networks from the command line; None if neither option was given.

    Each of `addresses` is a comma-separated list. Raises InputError if only one option is given, or for an
    unusable header name or an invalid address or network.
    """
    named = [one.strip() for part in addresses for one in part.split(",") if one.strip()]
    if header is None and not named:
        return None
    if header is None or not named:
        has, lacks = (
            ("--trust-from", "--trust-header") if header is None else ("--trust-header", "--trust-from")
        )
        raise InputError(f"{has} is given without {lacks}; sign-on needs both: add it, or leave both out")
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9-]{0,63}", header) or header.lower() in RESERVED_HEADERS:
        raise InputError(
            f"--trust-header {header!r} cannot be used; expected the name of a header that only the proxy "
            "sets, of letters, digits and '-', such as X-Remote-User"
        )
    try:
        return header.lower(), tuple(ipaddress.ip_network(one) for one in named)
    except ValueError as error:
        raise InputError(
            f"--trust-from cannot be read: {error}; expected addresses or networks "
            "such as 127.0.0.1,10.0.0.0/24"
        ) from error
