"""Where in a generation the answer is marked: the last JSON object with `answer`, a box, "the answer is"."""

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

MAX_RAW = 400
"""Characters of a marked answer that are looked at."""
_MAX_BRACES = 300
_MAX_PHRASES = 20

_ASKED = re.compile(
    r"\{[ \t\r\n]*\"answer\"[ \t\r\n]*:[ \t\r\n]*"
    r"(?:\"(?P<text>[^\"\\\x00-\x1f]*)\"|(?P<number>-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?))[ \t\r\n]*\}\s*"
)
"""The asked form at the end of a text, as most answers have it; the decoder would say the same."""
_LOOSE = re.compile(r"[\"']answer[\"']\s{0,9}:\s{0,9}|\{\s{0,9}answer\s{0,9}:\s{0,9}", re.IGNORECASE)
_KEY = re.compile(r"\"(?:answer|final[_ ]answer)\"\s{0,9}:\s{0,9}", re.IGNORECASE)
_QUOTED = re.compile(r"\"([^\"\n]{0,400})\"?|'([^'\n]{0,400})'?")
_BARE = re.compile(r"\([^()\n]{0,200}\)|\[[^\[\]\n]{0,200}\]|[^,}\n\]]{0,400}")
_TAGGED = re.compile(r"<(?:final[_ ]?)?answer>([^<>]{0,400})(?:</|$)", re.IGNORECASE)
_HELD = ("value", "answer", "number", "count", "time", "date", "letter", "option", "choice")
"""Keys under which the value of a nested answer stands."""
_BARE_NUMBER = re.compile(r"\s*[-+−]?[0-9.,]{1,30}\s*")
_BOXED = re.compile(r"\\boxed\s?\{((?:[^{}]|\{[^{}]{0,100}\}){0,200})\}")
_PHRASE = re.compile(
    r"[aA](?<!\w.)(?i:nswer\b(?:\s(?:to|for|of)\s[^.:\n=]{0,80}?)?[\s*_`\"']{0,6}"
    r"(?:\bis\b|\bwas\b|\b(?:would|will|should|must) be\b|=|:)[\s:*_`]{0,10})"
)
_HASHES = re.compile(r"^#{4}\s{1,3}(?=\S{1,40}\s*$)", re.MULTILINE)
_LEAD_UP = 200
"""Characters before a phrase in which its clause is looked for."""
_CLAUSE_WORDS = re.compile(r"\b(?:but|so|however|yet|though|although|thus|therefore|hence)\b", re.IGNORECASE)
_CLAUSE_MARKS = "\n.,;:"
_SENTENCE_END = re.compile(r"\n|[.!?]\s+(?=[A-Z(])")
_PLACEHOLDER = re.compile(
    r"<[^<>]{0,60}>|\[[^\[\]0-9]{2,60}\]|[^\w]*|your answer(?: here)?"
    r"|(?:a |the )?(?:number|value|letter|right letter)",
    re.IGNORECASE,
)


class Place(NamedTuple):
    """A marked answer."""

    form: str
    """`json`, `json_loose` (nested, other key, list, not well formed), `boxed`, `tagged`, `the_answer_is`."""
    raw: str
    null: bool = False
    """JSON null: an explicit "nothing"."""
    open_end: bool = False
    """It runs to the end of the text, so that a cut may have shortened it."""
    before: str = ""
    """The clause that leads up to it, "answer" included."""
    span: tuple[int, int] | None = None
    """Where `raw` stands in the text, quotes and braces left out; None if that cannot be told."""

    @property
    def binding(self) -> bool:
        """Whether nothing else counts, even if this cannot be read."""
        return self.form != "the_answer_is"


class _Literal(str):
    """A JSON number as it was written."""

    __slots__ = ()


_DECODER = json.JSONDecoder(parse_float=_Literal, parse_int=_Literal, parse_constant=_Literal)
_BRACE = re.compile(r"\{")


def marked_places(text: str) -> Iterator[Place]:
    """Marked answers, the most binding first."""
    answer = "answer" in text or "answer" in text.lower()
    found = (_last_json(text) if answer else None) or _last_box(text) or (_last_tag(text) if answer else None)
    if found:
        yield found
    if not answer and "####" not in text:
        return
    phrases = [*_PHRASE.finditer(text), *(_HASHES.finditer(text) if "####" in text else ())]
    phrases = sorted(phrases, key=lambda match: match.start())[-_MAX_PHRASES:]
    for match in reversed(phrases):
        end = _SENTENCE_END.search(text, match.end())
        stop = min(end.start() if end else len(text), match.end() + MAX_RAW)
        raw = text[match.end() : stop].rstrip(" .")
        if raw.strip() and not _is_placeholder(raw):
            clause = _last_clause(text[max(0, match.start() - _LEAD_UP) : match.start()])
            open_end, span = not text[stop:].strip(), (match.end(), match.end() + len(raw))
            yield Place("the_answer_is", raw, open_end=open_end, before=clause + match[0], span=span)


def _last_clause(text: str) -> str:
    begin = 1 + max(text.rfind(mark) for mark in _CLAUSE_MARKS)
    return _CLAUSE_WORDS.split(text[begin:])[-1]


def _is_placeholder(raw: str) -> bool:
    """Whether this is the instruction's blank, as "..." or "<number>", and no answer."""
    if raw[:1].isdigit():
        return False
    return _PLACEHOLDER.fullmatch(raw[:MAX_RAW].strip(" \t\n\"'}.")) is not None


def _last_json(text: str) -> Place | None:
    """The last object with `answer`, well formed or not, whose value is not a placeholder."""
    asked = _ASKED.fullmatch(text, max(0, text.rfind("{")))
    if asked:
        kind = "number" if asked["text"] is None else "text"
        if not (asked["text"] and _is_placeholder(asked["text"])):
            return Place("json", asked[kind][:MAX_RAW], span=asked.span(kind))
    strict, strict_end = _last_object(text)
    quoted_or_braced = any(mark in text for mark in "{\"'")
    loose = list(_LOOSE.finditer(text, strict_end))[-_MAX_PHRASES:] if quoted_or_braced else []
    for match in reversed(loose):
        quoted = _QUOTED.match(text, match.end())
        value = quoted or _BARE.match(text, match.end())
        raw = (quoted[1] or quoted[2] or "") if quoted else text[match.end() : value.end() if value else None]
        if value and not _is_placeholder(raw):
            null = not quoted and raw.strip().lower() in ("null", "none")
            begin = (quoted.start(quoted.lastindex or 0) if quoted else match.end()) + _blanks(raw)
            span, open_end = (begin, begin + len(raw.strip())), value.end() >= len(text.rstrip())
            return Place("json_loose", raw.strip(), null=null, open_end=open_end, span=span)
    return strict


def _last_object(text: str) -> tuple[Place | None, int]:
    """The last well-formed object that holds `answer`, and where it ends."""
    place: Place | None = None
    place_end = position = 0
    starts = [match.start() for match in _BRACE.finditer(text)][-_MAX_BRACES:]
    for start in starts:
        if start < position:
            continue
        try:
            value, position = _DECODER.raw_decode(text, start)
            found = _from_object(value, depth=0)
        except (json.JSONDecodeError, RecursionError):
            continue
        if found:
            span = _value_span(text, start, position)
            place, place_end = Place(found.form, found.raw, found.null, span=span), position
    return place, place_end


def _value_span(text: str, start: int, stop: int) -> tuple[int, int] | None:
    """Where the value of the last `answer` of an object stands."""
    keys = list(_KEY.finditer(text, start, stop))
    if not keys:
        return None
    begin = keys[-1].end()
    try:
        _, end = _DECODER.raw_decode(text, begin)
    except (json.JSONDecodeError, RecursionError, ValueError):
        return None
    return (begin + 1, end - 1) if text[begin] == '"' else (begin, end)


def _blanks(text: str) -> int:
    return len(text) - len(text.lstrip())


def _from_object(value: object, *, depth: int) -> Place | None:
    if not isinstance(value, dict) or depth > 8:
        return None
    for key in reversed(value):
        if key.strip().lower().replace(" ", "_") in ("answer", "final_answer"):
            place = _from_value(value[key], "json" if key == "answer" and depth == 0 else "json_loose")
            return _with_unit(place, value) if place else None
    inner = (_from_object(item, depth=depth + 1) for item in reversed(value.values()))
    return next((place for place in inner if place), None)


def _from_value(value: object, form: str) -> Place | None:
    """The raw text of an `answer`; None for a placeholder such as "..." or "<number>"."""
    if value is None:
        return Place(form, "", null=True)
    if isinstance(value, str):
        return None if value and _is_placeholder(value) else Place(form, value[:MAX_RAW])
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
    """The place of a bare number with the unit that stands beside `answer`, if one does."""
    unit = value.get("unit", value.get("units"))
    if isinstance(unit, str) and unit.strip() and _BARE_NUMBER.fullmatch(place.raw):
        return place._replace(raw=f"{place.raw.strip()} {unit[:60].strip()}")
    return place


def _last_tag(text: str) -> Place | None:
    """The last `<answer>...</answer>`; the closing tag may be missing at the very end."""
    tags = list(_TAGGED.finditer(text))
    if not tags or _is_placeholder(tags[-1][1]):
        return None
    return Place("tagged", tags[-1][1], open_end=not text[tags[-1].end(1) :].strip(), span=tags[-1].span(1))


def _last_box(text: str) -> Place | None:
    found = None
    for found in _BOXED.finditer(text):  # noqa: B007 -- the last one is wanted
        pass
    return Place("boxed", found[1][:MAX_RAW], span=found.span(1)) if found else None
