"""Read the body of a server's response: limited in length, and parsed as JSON that any file can hold."""

import json
import re
from dataclasses import dataclass
from typing import Any

import httpx2

LONGEST_BODY = 16 * 1024 * 1024
"""Most bytes: about ten times the longest completion with log probabilities of today's models."""
_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")


class BodyTooLong(Exception):
    """The response is longer than the limit; it is discarded."""


class BodyTruncated(Exception):
    """The connection ended before the response was complete."""


@dataclass(frozen=True)
class Response:
    """An HTTP response."""

    status: int
    headers: httpx2.Headers
    body: bytes


async def fetch(http: httpx2.AsyncClient, method: str, url: str, payload: object = None) -> Response:
    """Send a request and read the response.

    Raises BodyTooLong once it is longer than LONGEST_BODY, and BodyTruncated if the connection ends early.
    """
    body = bytearray()
    async with http.stream(method, url, json=payload) as response:
        try:
            async for chunk in response.aiter_bytes():
                body += chunk
                if len(body) > LONGEST_BODY:
                    raise BodyTooLong
        except httpx2.TimeoutException:
            raise
        except httpx2.RequestError as error:
            raise BodyTruncated(str(error)) from None
    return Response(response.status_code, response.headers, bytes(body))


def json_of(body: bytes) -> Any:
    """The JSON in a body; lone surrogates, which no UTF-8 file can hold, become U+FFFD.

    Raises ValueError for invalid JSON and for extreme nesting.
    """
    try:
        parsed = json.loads(body)
        return _mended(parsed) if _SURROGATE.search(body) else parsed
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _mended(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [_mended(one) for one in value]
    if isinstance(value, dict):
        return {_mended(key): _mended(one) for key, one in value.items()}
    return value
