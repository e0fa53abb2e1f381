"""Read one date with time from a short text; parts that are missing are taken from the records.

Read: ISO with "T" or a blank, year first with slashes or dots, day and month in either order where only one
order is possible, month names in both orders, time before date, digits without separators, 12-hour clock;
seconds, year or the whole date may be missing if exactly one of the instance's records then fits.

Not read: a date without a time, "03/04/2180" (ambiguous), several different times, any UTC offset except
"+00:00".
"""

import re
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from clinicnum.parsing.parse_result import Found, Refused, cleaned
from clinicnum.translatable_text import Translatable

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"(?P<name>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_TH = r"(?:st|nd|rd|th)?"
DATES: tuple[tuple[str, str], ...] = (
    ("iso", r"(?P<y>[0-9]§[0-9]{3})-(?P<mo>[0-9]{1,2})-(?P<d>[0-9]{1,2})"),
    ("year_first", r"(?P<y>[0-9]§[0-9]{3})(?P<sep>[/.])(?P<mo>[0-9]{1,2})(?P=sep)(?P<d>[0-9]{1,2})"),
    ("day_or_month_first", r"(?P<a>[0-9]§[0-9]?)(?P<sep>[/.-])(?P<b>[0-9]{1,2})(?P=sep)(?P<y>[0-9]{4})"),
    (
        "month_name",
        rf"{_MONTH}\s?(?P<d>[0-9]{{1,2}})(?:st|nd|rd"
        rf"|th)?(?![0-9:])(?:\s{{0,3}},?\s{{0,3}}(?P<y>[0-9]{{4}}))?",
    ),
    (
        "month_name",
        rf"(?P<d>[0-9]§[0-9]?){_TH}[\s-](?:of\s)?{_MONTH}(?:,?[\s-]?(?P<y>[0-9]{{4}}))?",
    ),
    ("compact", r"(?P<y>[0-9]§[0-9]{3})(?P<mo>[0-9]{2})(?P<d>[0-9]{2})"),
)
_TIME = (
    r"(?:(?P<h>[0-9]§[0-9]?):(?P<mi>[0-9]{2})(?::(?P<s>[0-9]{2})(?:\.[0-9]{1,9})?)?"
    r"(?:\s?(?P<half>[ap])\.?m\b\.?)?(?:\s?(?:z|utc|gmt|h|hrs|hours)\b)?"
    r"(?:\s?[-+−]00:?00(?![0-9:]))?)(?!:?[0-9]|\s?[-+][0-9]{2}:?[0-9]{2})"
)
_COMPACT_TIME = r"(?P<h>[0-9]{2})(?P<mi>[0-9]{2})(?P<s>[0-9]{2})?z?(?![0-9])"
_BETWEEN = r"(?:t|[\s,;@]{1,3}(?:at\s)?)"


_SHAPES = {
    "iso": ("0000-0",),
    "year_first": ("0000/0", "0000.0"),
    "day_or_month_first": ("0/0000", "0.0000", "0-0000"),
    "compact": ("00000000",),
    "clock": ("0:00",),
}
"""Strings that a text, with every digit set to 0, must contain to hold a kind of date; a quick test."""
_ZEROS = str.maketrans("123456789", "000000000")
_TAKEN = "\ua015"
"""Replaces characters that were matched already: a word character, not a digit, in none of our texts."""
_CLOCKLESS = ("compact", "date_only")


def standing_alone(pattern: str, apart_from: str) -> re.Pattern[str]:
    """Compile `pattern` so that it matches only where no character of the class `apart_from` precedes it.

    If the pattern begins with a digit, the lookbehind is inserted at the mark `§`, behind that digit: this
    makes the search many times faster than a lookbehind at the beginning.
    """
    head, mark, tail = pattern.partition("§")
    first = f"{head}(?<!{apart_from}[0-9]){tail}" if mark and head.endswith("[0-9]") else None
    return re.compile((first or f"(?<!{apart_from}){pattern}").replace("§", ""), re.IGNORECASE)


def _forms() -> tuple[tuple[str, str, re.Pattern[str]], ...]:
    """(name, kind of date, pattern) of all spellings, the most specific first."""
    made = [(name, name, f"{date}{_BETWEEN}{_TIME}", r"[\w.-]") for name, date in DATES]
    made += [
        ("time_first", name, rf"{_TIME}[\s,]{{1,2}}(?:on\s)?(?:the\s)?{date}(?![0-9])", r"[\w:.]")
        for name, date in DATES[:5]
    ]
    made.append(("compact", "compact", rf"{DATES[5][1]}[t\s]?{_COMPACT_TIME}", r"[\w.-]"))
    made += [("date_only", name, rf"{date}(?![0-9])", r"[\w.-]") for name, date in DATES[:5]]
    made.append(("time_only", "clock", _TIME, r"[\w:.+-]"))
    return tuple((name, kind, standing_alone(pattern, apart)) for name, kind, pattern, apart in made)


_FORMS = _forms()
_ASKED = re.compile(r" *([0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}) *")
_OPENING = re.compile(
    r"(?:[\s:=(\[\"']|\b(?:is|was|at|on|the|time|recorded)\b|\b[a-z]{3,6}day,?){0,12}", re.IGNORECASE
)
_MORE_AFTER = re.compile(r"\s{0,3}(?:-|–|—|/|,|;|\bto\b|\bor\b|\band\b|\buntil\b)?\s{0,3}", re.IGNORECASE)
_DENIED = re.compile(r"\b(?:not|before|after|between|since|until|by)(?:\s(?:at|on))?\s$", re.IGNORECASE)


@dataclass(frozen=True)
class _Moment:
    """A date and time as written; a part that was not written is None."""

    year: int | None
    month: int | None
    day: int | None
    hour: int
    minute: int
    second: int | None

    def fits(self, time: datetime) -> bool:
        mine = (self.year, self.month, self.day, self.hour, self.minute, self.second)
        theirs = (time.year, time.month, time.day, time.hour, time.minute, time.second)
        return all(part is None or part == other for part, other in zip(mine, theirs, strict=True))


def read_datetime(raw: str, *, times: Collection[datetime] = (), anywhere: bool = False) -> Found | Refused:
    """The one date with time in `raw`; `times` are the records' times, which complete a partial one.

    With `anywhere`, a time at the beginning is not preferred.
    """
    asked = _ASKED.fullmatch(raw)
    if asked:  # most answers; the rest of this function would say the same
        with suppress(ValueError):
            return Found(datetime.fromisoformat(asked[1]), asked[1], None, plain=True, at_end=True)
    text = cleaned(raw)
    matches = _matches(text)
    read = [(name, match, _moment(match)) for name, match in matches if name != "date_only"]
    if not read:
        return Refused(Translatable("a date without a time") if matches else Translatable("no date and time"))
    distinct = {moment for _, _, moment in read}
    name, match, moment = read[0]
    if len(distinct) > 1:
        opens = match is matches[0][1] and _OPENING.fullmatch(text, 0, match.start())
        joined = _MORE_AFTER.fullmatch(text, match.end(), read[1][1].start())
        if anywhere or not opens or joined:
            return Refused("several times and none marked as the answer, as in “Answer: …”")
    if moment is None:
        return Refused("a date with two readings, or an impossible one")
    if _DENIED.search(text[max(0, match.start() - 20) : match.start()]):
        return Refused("a bound or a negation, not a time")
    return _complete(moment, name, match, raw, times, at_end=match.end() == len(text.rstrip()))


def times_in(text: str, times: Collection[datetime] = ()) -> list[datetime]:
    """Every date with time in a text; a partial one if exactly one of the records' `times` fits."""
    plain = cleaned(text)
    found = []
    for name, match in _matches(plain):
        moment = _moment(match) if name != "date_only" else None
        value = _complete(moment, name, match, match[0], times, at_end=False) if moment else None
        if isinstance(value, Found) and isinstance(value.value, datetime):
            found.append(value.value)
    return found


def without_times(text: str) -> str:
    """`text` with dates and times replaced by blanks; offsets stay the same."""
    return _scan(text)[1].replace(_TAKEN, " ")


def _matches(text: str) -> list[tuple[str, re.Match[str]]]:
    """Non-overlapping matches (name, match) in text order."""
    return sorted(_scan(text)[0], key=lambda pair: pair[1].start())


def _scan(text: str) -> tuple[list[tuple[str, re.Match[str]]], str]:
    """Non-overlapping matches, and the text with each of their characters replaced by `_TAKEN`."""
    there = _kinds_there(text)
    taken: list[tuple[str, re.Match[str]]] = []
    for name, kind, pattern in _FORMS:
        if kind not in there or (name not in _CLOCKLESS and "clock" not in there):
            continue
        found = list(pattern.finditer(text))
        if found:
            taken += [(name, match) for match in found]
            text = _with_taken(text, found)
    return taken, text


def _kinds_there(text: str) -> set[str]:
    """The kinds of date that may occur in the text; a quick test before any pattern is searched for."""
    shape, lower = text.translate(_ZEROS), text.lower()
    there = {kind for kind, shapes in _SHAPES.items() for one in shapes if one in shape}
    if any(month in lower for month in MONTHS):
        there.add("month_name")
    return there


def _with_taken(text: str, found: list[re.Match[str]]) -> str:
    parts, end = [], 0
    for match in found:
        parts += [text[end : match.start()], _TAKEN * (match.end() - match.start())]
        end = match.end()
    return "".join([*parts, text[end:]])


def _moment(match: re.Match[str]) -> _Moment | None:
    """The parts of a matched date and time; None if the date is ambiguous or does not exist."""
    parts = match.groupdict()
    month, day = parts.get("mo"), parts.get("d")
    if parts.get("name"):
        month = str(MONTHS.index(parts["name"][:3].lower()) + 1)
    if parts.get("a"):
        first, second = int(parts["a"]), int(parts["b"])
        if first <= 12 and second <= 12 and first != second:
            return None
        month, day = (parts["a"], parts["b"]) if first <= 12 else (parts["b"], parts["a"])
    hour = int(parts["h"])
    if parts.get("half"):
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if parts["half"].lower() == "p" else 0)
    minute = int(parts["mi"])
    y, mo, d, s = (int(part) if part else None for part in (parts.get("y"), month, day, parts.get("s")))
    try:  # any value will do for a missing part; 2000 is a leap year
        datetime(2000 if y is None else y, mo or 1, d or 1, hour, minute, s or 0)
    except ValueError:
        return None
    return _Moment(y, mo, d, hour, minute, s)


def _complete(
    moment: _Moment, name: str, match: re.Match[str], raw: str, times: Collection[datetime], *, at_end: bool
) -> Found | Refused:
    """Complete a partial date and time from the one record that fits."""
    whole = None not in (moment.year, moment.month, moment.day)
    told = whole and moment.second is not None
    fitting = [] if told else sorted({time for time in times if moment.fits(time)})
    value: datetime | None = None
    if whole and not fitting:
        date = (moment.year or 1, moment.month or 1, moment.day or 1)
        value = datetime(*date, moment.hour, moment.minute, moment.second or 0)
    elif len(fitting) == 1:
        value = fitting[0]
    elif fitting:
        return Refused(f"{match[0].strip()} fits {len(fitting)} records")
    elif not times:
        return Refused("a time without its date")
    written = value.isoformat(" ") if value else match[0].strip()
    plain = name == "iso" and moment.second is not None and raw.strip() == written
    return Found(value, written, None, plain, None if name == "iso" else name, at_end)
