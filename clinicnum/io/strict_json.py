"""Strict JSON from outside as plain values; `json.loads` accepts texts that no file of clinicnum may hold."""

import math
from typing import Any

from pydantic_core import from_json

BOM = b"\xef\xbb\xbf"


def plain_json(content: str | bytes) -> Any:
    """The values of a JSON text, ignoring a byte order mark. Raises ValueError with a short reason.

    Refused besides invalid JSON: NaN and infinite numbers, integers of thousands of digits, extreme nesting,
    lone surrogates, and bytes that are not UTF-8.
    """
    try:
        whole = content if isinstance(content, bytes) else content.encode()
        value = from_json(whole.removeprefix(BOM), allow_inf_nan=False)
    except UnicodeEncodeError as error:
        raise ValueError("half a character, a lone surrogate, in it") from error
    _refuse_infinite(value)
    return value


def _refuse_infinite(root: Any) -> None:
    waiting = [root]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            waiting.extend(value.values())
        elif isinstance(value, list):
            waiting.extend(value)
        elif isinstance(value, float) and not math.isfinite(value):
            raise ValueError("a number too large for one in it")
