"""Ways to spoil a valid file: bytes, words and the structure of JSON. Each is a name and three numbers.

The same mutation of the same content gives the same bytes, so that a case that was found can be kept.
"""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tests.fuzz.evil import BYTES, TOKENS, VALUES

_TOKEN = re.compile(rb'"(?:[^"\\\n]|\\.)*"|[-+]?\d[\d.eE+-]*|[A-Za-z_][\w.]*')


@dataclass(frozen=True)
class Mutation:
    """One change. `at` says where, `size` how much, `what` with what; each is taken modulo what there is."""

    kind: str
    at: int
    size: int
    what: int


def mutated(content: bytes, mutations: Sequence[Mutation]) -> bytes:
    """The content, changed in this order."""
    for one in mutations:
        content = KINDS[one.kind](content, one)
    return content


def _spot(content: bytes, one: Mutation) -> int:
    return one.at % (len(content) + 1)


def _flip(content: bytes, one: Mutation) -> bytes:
    at = one.at % max(1, len(content))
    return content[:at] + bytes([content[at] ^ 1 << one.what % 8]) + content[at + 1 :] if content else b"\1"


def _cut(content: bytes, one: Mutation) -> bytes:
    return content[: _spot(content, one)]


def _drop(content: bytes, one: Mutation) -> bytes:
    at = _spot(content, one)
    return content[:at] + content[at + 1 + one.size % 64 :]


def _repeat(content: bytes, one: Mutation) -> bytes:
    at = _spot(content, one)
    return content[: at + one.size % 256] + content[at:]


def _insert(content: bytes, one: Mutation) -> bytes:
    at = _spot(content, one)
    return content[:at] + BYTES[one.what % len(BYTES)] * (1 + one.size % 3) + content[at:]


def _line(content: bytes, one: Mutation) -> bytes:
    """A line goes, comes twice, comes first, is blank, or ends the file without its end."""
    lines = content.splitlines(keepends=True) or [b""]
    at = one.at % len(lines)
    chosen = lines[at]
    found = {
        0: [*lines[:at], *lines[at + 1 :]],
        1: [*lines[: at + 1], *lines[at:]],
        2: [chosen, *lines[:at], *lines[at + 1 :]],
        3: [*lines[:at], b" \t\n", *lines[at + 1 :]],
        4: [*lines[:at], chosen.rstrip(b"\r\n")],
        5: [*lines[:at], chosen.strip() * 2 + b"\n", *lines[at + 1 :]],
    }[one.what % 6]
    return b"".join(found)


def _whole(content: bytes, one: Mutation) -> bytes:
    """The file as another program would save it."""
    text = content.decode("utf-8", "replace")
    makers: tuple[Callable[[], bytes], ...] = (
        lambda: content.replace(b"\n", b"\r\n"),
        lambda: content.replace(b"\n", b"\r"),
        lambda: text.encode("utf-16"),
        lambda: text.encode("utf-8-sig"),
        lambda: b"",
        lambda: b"\n\n \n",
        lambda: content.replace(b"\n", b" "),
        lambda: content.replace(b",", b";"),
        lambda: b"x" * 1_000_000,
        lambda: content + b"\0" * 4_096,
        lambda: content.upper(),
        lambda: text.replace('"', "'").encode(),
        lambda: b"\xff\xfe" + content,
        lambda: content[: len(content) // 2] * 2,
    )
    return makers[one.what % len(makers)]()


def _token(content: bytes, one: Mutation) -> bytes:
    """One word, number or quoted text gives way to something else."""
    found = list(_TOKEN.finditer(content))
    if not found:
        return _insert(content, one)
    match = found[one.at % len(found)]
    new = TOKENS[one.what % len(TOKENS)]
    if one.size % 3 == 0:  # inside the quotes that are there
        new = new.strip('"')
        quoted = match[0].startswith(b'"') and len(match[0]) > 1
        start, stop = (match.start() + 1, match.end() - 1) if quoted else match.span()
    else:
        start, stop = match.span()
    return content[:start] + new.encode("utf-8", "surrogatepass") + content[stop:]


def _structure(content: bytes, one: Mutation) -> bytes:
    """A value in a JSON file, or in one line of it, is replaced, wrapped, taken out or doubled."""
    lines = content.split(b"\n")
    for number, part in ((None, content), *((at, lines[at]) for at in [one.size % len(lines)])):
        try:
            value = json.loads(part)
        except (ValueError, RecursionError):
            continue
        changed = json.dumps(_changed(value, one)).encode()
        if number is None:
            return changed
        return b"\n".join([*lines[:number], changed, *lines[number + 1 :]])
    return _token(content, one)


def _changed(root: Any, one: Mutation) -> Any:
    places: list[tuple[Any, Any]] = []
    _collect(root, places)
    new = VALUES[one.what % len(VALUES)]
    if not places or one.at % 97 == 0:
        return new
    holder, key = places[one.at % len(places)]
    match one.size % 7:
        case 0:
            del holder[key]
        case 1:
            holder[key] = [holder[key]]
        case 2 if isinstance(holder, dict):
            holder[f"{key}_"] = holder.pop(key)
        case 3 if isinstance(holder, list):
            holder.append(holder[key])
        case _:
            holder[key] = new
    return root


def _collect(value: Any, places: list[tuple[Any, Any]]) -> None:
    keys = value.keys() if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        places.append((value, key))
        _collect(value[key], places)


KINDS: dict[str, Callable[[bytes, Mutation], bytes]] = {
    "flip": _flip,
    "cut": _cut,
    "drop": _drop,
    "repeat": _repeat,
    "insert": _insert,
    "line": _line,
    "whole": _whole,
    "token": _token,
    "structure": _structure,
}
