"""Find an answer given as JSON: the last object with the key `answer`, well formed or not."""

import json
import re

from clinicnum.parsing.marked_answer import MAX_RAW, Place, is_blank, is_placeholder

_MAX_BRACES = 300
_MAX_KEYS = 20
_ASKED = re.compile(
    r"\{[ \t\r\n]*\"answer\"[ \t\r\n]*:[ \t\r\n]*"
    r"(?:\"(?P<text>[^\"\\\x00-\x1f]*)\"|(?P<number>-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?))[ \t\r\n]*\}\s*"
)
"""The requested form at the end of a text; most answers have it, and this is faster than the decoder."""
_LOOSE = re.compile(r"[\"']answer[\"']\s{0,9}:\s{0,9}|\{\s{0,9}answer\s{0,9}:\s{0,9}", re.IGNORECASE)
_QUOTED = re.compile(r"\"([^\"\n]{0,400})\"?|'([^'\n]{0,400})'?")
_BARE = re.compile(r"\([^()\n]{0,200}\)|\[[^\[\]\n]{0,200}\]|[^,}\n\]]{0,400}")
_ANSWER_KEYS = ("answer", "final_answer")
_OTHER_KEYS = ("value", "result")
"""Keys that mark an answer if no object has `answer`."""
_KEYS: dict[tuple[str, ...], re.Pattern[str]] = {
    names: re.compile(
        rf"\"(?:{'|'.join(name.replace('_', '[_ ]') for name in names)})\"\s{{0,9}}:\s{{0,9}}", re.IGNORECASE
    )
    for names in (_ANSWER_KEYS, _OTHER_KEYS)
}
_HELD = ("value", "answer", "number", "count", "time", "date", "letter", "option", "choice")
"""Keys of a nested object that may hold the answer's value."""
_BARE_NUMBER = re.compile(r"\s*[-+−]?[0-9.,]{1,30}\s*")
_BRACE = re.compile(r"\{")


class _Literal(str):
    """A JSON number as it was written."""

    __slots__ = ()


_DECODER = json.JSONDecoder(parse_float=_Literal, parse_int=_Literal, parse_constant=_Literal)


def last_json(text: str) -> Place | None:
    """The last object with `answer` whose value is not a placeholder; if no object has that key, the last
    one with `value` or `result`.
    """
    if "answer" in text.lower():
        return _last_answer(text)
    if '"value"' in text or '"result"' in text:
        return _last_object(text, _OTHER_KEYS)[0]
    return None


def _last_answer(text: str) -> Place | None:
    asked = _ASKED.fullmatch(text, max(0, text.rfind("{")))
    if asked:
        kind = "number" if asked["text"] is None else "text"
        if kind == "number" or is_blank(asked["text"]) or not is_placeholder(asked["text"]):
            null = kind == "text" and is_blank(asked["text"])
            return Place("json", asked[kind][:MAX_RAW], null, span=asked.span(kind))
    strict, strict_end = _last_object(text, _ANSWER_KEYS)
    quoted_or_braced = any(mark in text for mark in "{\"'")
    loose = list(_LOOSE.finditer(text, strict_end))[-_MAX_KEYS:] if quoted_or_braced else []
    for match in reversed(loose):
        place = _from_loose(text, match)
        if place:
            return place
    return strict


def _from_loose(text: str, match: re.Match[str]) -> Place | None:
    """The value after an `answer` key that is not part of a well-formed object."""
    quoted = _QUOTED.match(text, match.end())
    value = quoted or _BARE.match(text, match.end())
    raw = (quoted[1] or quoted[2] or "") if quoted else text[match.end() : value.end() if value else None]
    if not value or is_placeholder(raw):
        return None
    null = not quoted and raw.strip().lower() in ("null", "none")
    begin = (quoted.start(quoted.lastindex or 0) if quoted else match.end()) + len(raw) - len(raw.lstrip())
    span, open_end = (begin, begin + len(raw.strip())), value.end() >= len(text.rstrip())
    return Place("json_loose", raw.strip(), null=null, open_end=open_end, span=span)


def _last_object(text: str, keys: tuple[str, ...]) -> tuple[Place | None, int]:
    """The last well-formed object with one of `keys`, and the offset of its end."""
    place: Place | None = None
    place_end = position = 0
    starts = [match.start() for match in _BRACE.finditer(text)][-_MAX_BRACES:]
    for start in starts:
        if start < position:
            continue
        try:
            value, position = _DECODER.raw_decode(text, start)
            found = _from_object(value, keys, depth=0)
        except (json.JSONDecodeError, RecursionError):
            continue
        if found:
            span = _value_span(text, start, position, keys)
            place, place_end = Place(found.form, found.raw, found.null, span=span), position
    return place, place_end


def _value_span(text: str, start: int, stop: int, names: tuple[str, ...]) -> tuple[int, int] | None:
    """The span, without quotes, of the value of the last of the keys `names` in an object."""
    keys = list(_KEYS[names].finditer(text, start, stop))
    if not keys:
        return None
    begin = keys[-1].end()
    try:
        _, end = _DECODER.raw_decode(text, begin)
    except (json.JSONDecodeError, RecursionError, ValueError):
        return None
    return (begin + 1, end - 1) if text[begin] == '"' else (begin, end)


def _from_object(value: object, keys: tuple[str, ...], *, depth: int) -> Place | None:
    if not isinstance(value, dict) or depth > 8:
        return None
    for key in reversed(value):
        if key.strip().lower().replace(" ", "_") in keys:
            place = _from_value(value[key], "json" if key == "answer" and depth == 0 else "json_loose")
            return _with_unit(place, value) if place else None
    inner = (_from_object(item, keys, depth=depth + 1) for item in reversed(value.values()))
    return next((place for place in inner if place), None)


def _from_value(value: object, form: str) -> Place | None:
    """The raw text of an `answer`; None for a placeholder such as "..." or "<number>"."""
    if value is None:
        return Place(form, "", null=True)
    if isinstance(value, str):
        if is_blank(value):
            return Place(form, value, null=True)
        return None if is_placeholder(value) else Place(form, value[:MAX_RAW])
    if isinstance(value, list) and len(value) == 1:
        return _from_value(value[0], "json_loose")
    if isinstance(value, list) and value and all(isinstance(item, str) for item in value):
        return Place("json_loose", ", ".join(value)[:MAX_RAW])
    if isinstance(value, dict):
        held = next((value[key] for key in _HELD if key in value), None)
        inner = _from_value(held, "json_loose") if held is not None else None
        return _with_unit(inner, value) if inner else Place("json_loose", "")
    return Place("json_loose", "")  # a list of other things, a boolean, an object: no one value


def _with_unit(place: Place, value: dict[str, object]) -> Place:
    """Append the value of the key `unit` to an answer that is a bare number."""
    unit = value.get("unit", value.get("units"))
    if isinstance(unit, str) and unit.strip() and _BARE_NUMBER.fullmatch(place.raw):
        return place._replace(raw=f"{place.raw.strip()} {unit[:60].strip()}")
    return place
