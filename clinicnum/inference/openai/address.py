"""Where a server is: its address as the client uses it, and whether that is this machine."""

from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit, urlunsplit

from clinicnum.errors import InputError


def api_url(base_url: str) -> str:
    """The address below which `/chat/completions` lies: `http://host:8000` becomes `http://host:8000/v1`.

    Raises InputError for what is not an http address, and for one that carries a password or a query.
    """
    parts = _split(base_url)
    if parts is None or parts.scheme not in ("http", "https") or not parts.hostname:
        raise InputError(
            f"{base_url!r} is not the address of a server; expected one such as http://127.0.0.1:8000/v1"
        )
    if parts.username or parts.password or parts.query or parts.fragment:
        raise InputError(
            f"the address of {parts.hostname} carries a name, a password, a query or a fragment; "
            "give the address alone, and a key as the API key"
        )
    path = parts.path.rstrip("/") or "/v1"
    return urlunsplit((parts.scheme, parts.netloc, path, "", ""))


def is_local(base_url: str) -> bool:
    """Whether the server's address is this machine's loopback; False for what is no address at all.

    Only `localhost` and loopback numbers count. What listens there may still pass text on: a tunnel does.
    """
    parts = _split(base_url)
    if parts is None or parts.hostname is None:
        return False
    try:
        return parts.hostname == "localhost" or ip_address(parts.hostname).is_loopback
    except ValueError:
        return False


def _split(base_url: str) -> SplitResult | None:
    try:
        parts = urlsplit(base_url.strip())
        _ = parts.port  # raises for a port that is no number
    except ValueError:
        return None
    return parts
