"""Where a login leads: back to the page that was asked for, and never to another host."""

from collections.abc import Iterable
from urllib.parse import urlencode

from fastapi import Request

LOGIN = "/login"
PARAMETER = "next"
"""Query parameter of the login page: path and query of the page that was asked for."""
LONGEST = 2_000
"""Longest path and query, in characters, that is carried through the login."""


def login_address(request: Request) -> str:
    """The address of the login page from which a login leads back to the page of this request."""
    url = request.url
    asked = f"{url.path}?{url.query}" if url.query else url.path
    return f"{LOGIN}?{urlencode({PARAMETER: asked})}" if len(asked) <= LONGEST else LOGIN


def return_path(asked: str, paths: Iterable[str]) -> str | None:
    """`asked`, a path perhaps with a query, if its path is one of `paths`; otherwise None.

    A final slash of the path does not matter; more than `LONGEST` characters give None.
    The path is compared whole, so that nothing a link can hold (a scheme, a host, `//`, a backslash) passes.
    """
    path = asked.partition("?")[0]
    known = any(path in (one, f"{one}/") for one in paths)
    return asked if known and len(asked) <= LONGEST else None
