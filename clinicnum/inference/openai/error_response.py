"""Interpret a server's error response: its message in one safe line, and whether to retry.

The line never contains the API key or any part of the prompt, though servers often repeat what they were
sent.
"""

import re
from collections.abc import Iterable
from typing import Any, Literal

from clinicnum.inference.openai.response_body import json_of

LONGEST_MESSAGE = 240
_REPEATED = 16
"""Run of letters and digits, common to message and prompt, from which it counts as part of the prompt."""

RETRIED = frozenset({408, 409, 425, 429})
"""Statuses under 500 that are retried, as they may pass."""

_MODEL_UNKNOWN = re.compile(
    r"pinned to|\bmodel\b.*(?:not exist|not found|not available)|(?:no such|unknown|invalid) model", re.I
)
_TOO_LONG = re.compile(r"context|too long|too many tokens|maximum (?:input|prompt|model) length", re.I)

Verdict = Literal["again", "final", "end"]
"""`again`: retry; `final`: this request cannot succeed; `end`: no request can, so the run ends."""


def verdict(status: int, message: str) -> Verdict:
    """What to do after a response with an HTTP status other than 200: `again` (retry), `final` (give up this
    request) or `end` (the run).
    """
    if status in RETRIED or status >= 500:
        return "again"
    if status in (401, 403, 404, 405) or status < 400 or _MODEL_UNKNOWN.search(message):
        return "end"
    return "final"


def advice(status: int, message: str) -> str:
    """What the user can do about an error response with this HTTP status and message."""
    if status in (401, 403):
        return "give the key that the server expects"
    if _MODEL_UNKNOWN.search(message):
        return "name the model as the server does"
    if status in (404, 405) or status < 400:
        return "give the address below which /chat/completions lies, as a rule ending in /v1"
    if _TOO_LONG.search(message):
        return "serve the model with a longer window, or leave the instance out"
    return "see the server's log"


def safe_line(status: int, message: str, *, secrets: Iterable[str], prompt: Iterable[str]) -> str:
    """`HTTP 400: the server's own words`, in one line, shortened, without key or prompt."""
    words = " ".join(message.split())
    if not words or status in (401, 403):  # these like to repeat a part of the key
        return f"HTTP {status}"
    if any(secret and secret in words for secret in secrets) or _repeats(words, prompt):
        return f"HTTP {status}: its message repeats what was sent and is left out"
    return f"HTTP {status}: {words[:LONGEST_MESSAGE].rstrip(' .')}"


def server_message(body: bytes) -> str:
    """The message in an error response, in any of the forms that servers use; empty for a web page."""
    text = body.decode(errors="replace")
    try:
        return _words(json_of(body))
    except (ValueError, RecursionError):
        return "" if "<" in text[:200] else text


def _words(parsed: Any) -> str:
    if isinstance(parsed, str):
        return parsed
    if isinstance(parsed, list):
        return "; ".join(filter(None, map(_words, parsed)))
    if not isinstance(parsed, dict):
        return ""
    found = next((parsed[key] for key in ("error", "message", "detail", "msg") if parsed.get(key)), "")
    place = parsed.get("loc")
    where = ".".join(map(str, place)) + ": " if isinstance(place, list) else ""
    return where + _words(found)


def _repeats(message: str, prompt: Iterable[str]) -> bool:
    """Whether the message repeats a run of letters and digits from the prompt, ignoring escapes."""
    told = _bare(message)
    sent = _bare(" ".join(prompt))
    return any(told[i : i + _REPEATED] in sent for i in range(len(told) - _REPEATED + 1))


def _bare(text: str) -> str:
    return re.sub(r"\\[nrt]|\W|_", "", text.lower())
