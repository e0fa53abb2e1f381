"""Normalise a server's address, and tell whether it is this machine."""

import socket
from collections.abc import Mapping
from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit, urlunsplit

from clinicnum.errors import InputError


def api_url(base_url: str) -> str:
    """The address below which `/chat/completions` lies: `http://host:8000` becomes `http://host:8000/v1`, and
    a path that is given is kept as it is, without a slash at its end.

    Raises InputError for what is not an http or https address, and for one that carries a name, a password, a
    query or a fragment.
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

    Loopback numbers count, and `localhost` if this machine resolves it to them: its list of hosts may say
    otherwise. What listens there may still pass text on, as a tunnel does.
    """
    parts = _split(base_url)
    if parts is None or parts.hostname is None:
        return False
    try:
        numbers = _numbers_of_localhost() if parts.hostname == "localhost" else [parts.hostname]
        return bool(numbers) and all(ip_address(number).is_loopback for number in numbers)
    except ValueError:
        return False


def gateway_of(headers: Mapping[str, str]) -> str | None:
    """Description of the gateway that answered and of where it passes requests on to; None for other servers.

    Only LiteLLM's proxy is recognised, by the headers that it adds to each response.
    """
    if not any(name.lower().startswith("x-litellm-") for name in headers):
        return None
    parts = _split(headers.get("x-litellm-model-api-base", ""))
    host = parts.hostname if parts else None
    return f"LiteLLM's proxy, which passes prompts on to {host[:80] if host else 'other servers'}"


def _numbers_of_localhost() -> list[str]:
    """The numeric addresses to which `localhost` leads on this machine; empty if it leads to none."""
    try:
        return [str(found[4][0]) for found in socket.getaddrinfo("localhost", None)]
    except OSError:
        return []


def _split(base_url: str) -> SplitResult | None:
    try:
        parts = urlsplit(base_url.strip())
        _ = parts.port  # raises for a port that is no number
    except ValueError:
        return None
    # `http://[::1].example.org` is another machine, though its host reads as ::1 here.
    after = parts.netloc.rpartition("]")[2]
    return None if "[" in parts.netloc and after and not after.startswith(":") else parts
