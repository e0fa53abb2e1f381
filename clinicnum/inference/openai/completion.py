"""Convert a server's successful response to a completion."""

import codecs
import math
from collections.abc import Sequence
from typing import Any, Literal

from clinicnum.inference.client_interface import Completion, Token
from clinicnum.parsing.thinking import split_thinking

_CUT_OFF = {"length", "max_tokens"}
BROKEN_OFF = {"abort", "error"}
_CERTAIN = 1e-3
"""Largest log probability accepted: 0, with room for rounding."""
_MOST_TOKENS = 10**9
"""Largest token count accepted, beyond the window of any model."""
_END_TOKENS = 2
"""Most tokens after the text: the end of the turn, and with some templates a line feed."""


def read_reply(body: Any, *, instance_id: str, max_new_tokens: int, latency_s: float) -> Completion | str:
    """The completion in the body of a response with status 200, or one line that says why there is none.

    `latency_s` is the time in seconds that the response took. Text that the server withheld on purpose gives
    a completion with an error. A truncated or malformed response gives the line; its request may be sent
    again.
    """
    choice = first_choice(body, "message", dict)
    if choice is None:
        return "the answer holds no completion"
    reason = choice.get("finish_reason")
    reason = reason if isinstance(reason, str) else None
    if reason in BROKEN_OFF:
        return f"the server broke off (finish_reason {reason})"
    if not isinstance(choice["message"].get("content"), str | None):
        return "the answer's content is no text"
    text, thinking = _text_of(choice["message"])
    usage = body.get("usage") or {}
    prompt_tokens, made = token_count(usage, "prompt_tokens"), token_count(usage, "completion_tokens")
    withheld = reason == "content_filter"
    return Completion(
        instance_id=instance_id,
        text="" if withheld else text,
        finish_reason="error" if withheld else finish_reason(reason, made, max_new_tokens),
        prompt_tokens=prompt_tokens,
        completion_tokens=made,
        latency_s=round(latency_s, 3),
        thinking=None if withheld else thinking,
        tokens=None if withheld else align_tokens(text, _logprobs(choice)),
        error="the server withheld the text (content_filter); see its own settings" if withheld else None,
    )


def align_tokens(text: str, entries: Sequence[tuple[bytes, float]] | None) -> tuple[Token, ...] | None:
    """The tokens of `text`, given the bytes and log-probability of every token that was generated.

    The text is looked for at the end of what was generated: thinking comes before it, an end token after it,
    and a server may have cut blanks off. None where it is not found, and for no text.
    """
    if not entries or not text:
        return None
    ends: list[int] = []
    for piece, _ in entries:
        ends.append((ends[-1] if ends else 0) + len(piece))
    raw, wanted = b"".join(piece for piece, _ in entries), text.encode(errors="replace")
    start = _start(raw, ends, wanted)
    if start is None:
        return None
    decoder = codecs.getincrementaldecoder("utf-8")(errors="ignore")
    tokens, length = [], 0
    for end, (piece, logprob) in zip(ends, entries, strict=True):
        if end > start:
            length += len(decoder.decode(piece[max(0, start - (end - len(piece))) :]))
            tokens.append(Token(end=min(length, len(text)), logprob=logprob))
    return tuple(tokens)


def _start(raw: bytes, ends: Sequence[int], wanted: bytes) -> int | None:
    """Where in `raw` the last occurrence of `wanted` begins that only end tokens and blanks follow."""
    for dropped in range(min(_END_TOKENS, len(ends) - 1) + 1):
        upto = raw[: ends[-1 - dropped]]
        for candidate in (upto, upto.rstrip()):
            if candidate.endswith(wanted):
                return len(candidate) - len(wanted)
    return None


def first_choice(body: Any, key: str, kind: type) -> dict[str, Any] | None:
    """The first choice in a response's JSON, if its field `key` is of type `kind`; None otherwise."""
    choices = body.get("choices") if isinstance(body, dict) else None
    first = choices[0] if isinstance(choices, list) and choices else None
    return first if isinstance(first, dict) and isinstance(first.get(key), kind) else None


def _text_of(message: dict[str, Any]) -> tuple[str, str | None]:
    """Answer and thinking: as the server separated them, otherwise separated by `split_thinking`."""
    content = message.get("content")
    text = content if isinstance(content, str) else ""
    for key in ("reasoning_content", "reasoning"):
        apart = message.get(key)
        if isinstance(apart, str) and apart.strip():
            return text.lstrip(), apart.strip()
    return split_thinking(text)


def finish_reason(reason: Any, made: int | None, max_new_tokens: int) -> Literal["stop", "length"]:
    """Why the text ends: by the server's `reason` or, if that is None, by the number of tokens `made`."""
    if reason is None and made is not None:
        return "length" if made >= max_new_tokens else "stop"
    return "length" if reason in _CUT_OFF else "stop"


def token_count(usage: Any, key: str) -> int | None:
    """A number of tokens in the server's `usage`; None if it is missing or no plausible count."""
    value = usage.get(key) if isinstance(usage, dict) else None
    return value if type(value) is int and 0 <= value <= _MOST_TOKENS else None  # True is an int, too


def _logprobs(choice: dict[str, Any]) -> list[tuple[bytes, float]] | None:
    given = choice.get("logprobs")
    entries = given.get("content") if isinstance(given, dict) else None
    if not isinstance(entries, list):
        return None
    try:
        found = [(_bytes(entry), float(entry["logprob"])) for entry in entries]
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
        return None
    return found if all(-math.inf < logprob <= _CERTAIN for _, logprob in found) else None


def _bytes(entry: dict[str, Any]) -> bytes:
    """The bytes of a token, as a token may end inside a character; those of its text if the server gives no
    bytes.
    """
    given = entry.get("bytes")
    return bytes([*given]) if given is not None else str(entry["token"]).encode(errors="replace")
