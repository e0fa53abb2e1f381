"""The numbers, dates and times in a text, with their positions.

Numbers: digits with a decimal point and thousands commas; no sign, as a dash may be a bullet or a range.
Digits inside a word ("SpO2", "2nd") are none. Dates: year first, or with a month's name; a date all in
numbers with the year last ("05/10/2180") has two readings and is only kept out of the numbers. Clock times:
24 hours, or am and pm.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple


def whole_word(words: Iterable[str]) -> str:
    """A regex for any of the words (patterns) as a whole word.

    The lookbehind for its start comes after the first letter, which is faster to search.
    """
    by_letter: dict[str, list[str]] = {}
    for word in words:
        by_letter.setdefault(word[0], []).append(word[1:])
    return "|".join([rf"{a}(?<!\w{a})(?:{'|'.join(rest)})" for a, rest in by_letter.items()])


_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH_NAMES = (
    "jan(?:uary)?", "feb(?:ruary)?", "mar(?:ch)?", "apr(?:il)?", "may", "june?", "july?", "aug(?:ust)?",
    "sept?(?:ember)?", "oct(?:ober)?", "nov(?:ember)?", "dec(?:ember)?",
)  # fmt: skip
_MONTH = rf"(?:{'|'.join(_MONTH_NAMES)})\b\.?"
_START = r"[0-9](?<![\w.].)(?<![0-9]:.)"
"""The first digit, followed by the lookbehind for what precedes it, which is faster."""
_WHOLE = r"(?P<whole>[0-9]{3}-[0-9]{2}-[0-9]{2}[ t][0-9]{2}:[0-9]{2}(?::[0-9]{2})?)(?!:?[0-9]|\s?[ap]\.?m\b)"
_CLOCK = r"(?P<h>[0-9]?):(?P<mi>[0-9]{2})(?::(?P<s>[0-9]{2}))?(?!:?[0-9])(?:\s?(?P<half>[ap])\.?m\b)?"
_DATE = r"(?P<y>[0-9]{3})[-/](?P<mo>[0-9]{1,2})[-/](?P<d>[0-9]{1,2})(?![0-9])(?P<t>t(?=[0-9]))?"
_UNSURE = r"[0-9]?[/.-][0-9]{1,2}[/.-][0-9]{4}"
_LIKE = r"(?=[0-9]{0,3}+(?:[-:/]|\.[0-9]{1,2}[-/.])[0-9])"
"""What follows in a date or time, but in few numbers."""
_IN_DIGITS = re.compile(rf"{_START}{_LIKE}(?:{_WHOLE}|{_CLOCK}|{_DATE}|{_UNSURE})")
"""Groups lack the first digit."""
_IN_WORDS = re.compile(
    rf"{_START}(?:{_WHOLE}|{_CLOCK}|{_DATE}"
    rf"|(?P<d2>[0-9]?)(?:st|nd|rd|th)?\s(?:of\s)?(?P<m2>{_MONTH})(?:,?\s(?P<y2>[0-9]{{4}}))?"
    rf"|{_UNSURE})|(?<![\w.])(?<![0-9]:)"
    rf"(?P<m3>{_MONTH})\s(?P<d3>[0-9]{{1,2}})(?![0-9:])(?:st|nd|rd|th)?(?:,?\s(?P<y3>[0-9]{{4}}))?"
)
_CLOCK_AFTER_T = re.compile(r"(?P<h>[0-9]{2}):(?P<mi>[0-9]{2})(?::(?P<s>[0-9]{2}))?")
_NAMED = re.compile(
    rf"(?:{'|'.join(_MONTHS)})(?<!\w...)(?:uary|ruary|ch|il|e|y|ust|t|(?:t?em|o)ber)?\b"  # quick to look for
)
_JOINS = re.compile(r"(?:,?\s{0,2}(?:at|on)?\s{0,2})")
_NUMBER = re.compile(
    r"[0-9](?<![\w.].)(?:[0-9]{0,2}(?:,[0-9]{3})+(?![0-9,])|[0-9]*)(?:\.[0-9]+)?(?!st\b|nd\b|rd\b|th\b|[0-9_])"
    r"|\.(?<![\w.].)[0-9]+"
)
"""The lookbehind comes after the first digit, which makes a search faster."""
MAX_DIGITS = 24


class Number(NamedTuple):
    """An unsigned number as written."""

    start: int
    end: int
    value: float
    decimals: int


class Moment(NamedTuple):
    """A date, a clock time, or both."""

    start: int
    end: int
    date: str | None
    """`YYYY-MM-DD`, with `----` for a year that is not written; None without a date."""
    clock: str | None
    """`HH:MM` or `HH:MM:SS`; None without one."""


class TextParts(NamedTuple):
    """A text, its dates and times, and the text without them."""

    text: str
    moments: Sequence[Moment]
    plain: str


def fold_case(text: str) -> str:
    """`text` in lower case with unchanged offsets; letters whose length would change are kept."""
    low = text.lower()
    return low if len(low) == len(text) else text


def moments_in(text: str) -> list[Moment]:
    """Dates and times of a (case-folded) text, in order; a date and a clock time next to each other
    count as one.
    """
    found: list[Moment] = []
    for match in (_IN_WORDS if _NAMED.search(text) else _IN_DIGITS).finditer(text):
        if match.lastgroup == "whole":
            start, end = match.span()
            found.append(Moment(start, end, text[start : start + 10], text[start + 11 : end]))
            continue
        moment = _moment(text, match)
        if found and _completes(text, found[-1], moment):
            last = found.pop()
            moment = Moment(last.start, moment.end, last.date or moment.date, last.clock or moment.clock)
        found.append(moment)
    return found


def _moment(text: str, match: re.Match[str]) -> Moment:
    parts, (start, end) = match.groupdict(), match.span()
    digit = text[start]
    if parts["h"] is not None:
        return Moment(start, end, None, _clock(digit + parts["h"], parts))
    year, month, day = parts["y"] and digit + parts["y"], parts["mo"], parts["d"]
    name = parts.get("m2") or parts.get("m3")
    if name is not None:
        year = parts["y2"] or parts["y3"] or "----"
        month, day = str(_MONTHS.index(name[:3]) + 1), parts["d3"] or digit + parts["d2"]
    date = f"{year}-{int(month):02d}-{int(day):02d}" if month and day else None
    clock = _CLOCK_AFTER_T.match(text, end) if parts["t"] else None
    if clock is None:
        return Moment(start, end, date, None)
    return Moment(start, clock.end(), date, _clock(clock["h"], clock.groupdict() | {"half": None}))


def _clock(hours: str, parts: dict[str, str | None]) -> str:
    hour = int(hours)
    if parts["half"] is not None and 1 <= hour <= 12:
        hour = hour % 12 + (12 if parts["half"] == "p" else 0)
    return f"{hour:02d}:{parts['mi']}" + (f":{parts['s']}" if parts["s"] else "")


def _completes(text: str, last: Moment, moment: Moment) -> bool:
    """Whether a date and a clock time belong together, with nothing but "at" between them."""
    halves = (last.date is None) != (last.clock is None) and (moment.date is None) != (moment.clock is None)
    return (
        halves
        and (last.date is None) != (moment.date is None)
        and _JOINS.fullmatch(text, last.end, moment.start) is not None
    )


def without_times(text: str, moments: Sequence[Moment]) -> str:
    """`text` with dates and times replaced by NULs, offsets unchanged."""
    if not moments:
        return text
    pieces, position = [], 0
    for moment in moments:
        pieces += [text[position : moment.start], "\x00" * (moment.end - moment.start)]
        position = moment.end
    return "".join([*pieces, text[position:]])


def split_times(text: str) -> TextParts:
    """Split a (case-folded) text into its dates and times, and the rest."""
    moments = moments_in(text)
    return TextParts(text, moments, without_times(text, moments))


parted_once = lru_cache(maxsize=100)(split_times)
"""Cached `split_times`, for worked solutions read repeatedly."""


def numbers_in(text: str) -> list[Number]:
    """The numbers of a text from which dates and times have been removed."""
    found = []
    for match in _NUMBER.finditer(text):
        written = match[0]
        if len(written) <= MAX_DIGITS:
            point = written.find(".")
            decimals = len(written) - point - 1 if point >= 0 else 0
            value = float(written.replace(",", ""))
            found.append(Number(match.start(), match.end(), value, decimals))
    return found


def values_in(text: str) -> set[float]:
    """The values of a text's numbers, as `numbers_in` finds them."""
    return {
        float(written.replace(",", "")) for written in _NUMBER.findall(text) if len(written) <= MAX_DIGITS
    }


def has_near(pool: Sequence[float], wanted: float, tolerance: float) -> bool:
    """Whether the sorted `pool` has a number within `tolerance` of `wanted`."""
    index = bisect_left(pool, wanted - tolerance)
    return index < len(pool) and pool[index] <= wanted + tolerance


def half_unit(decimals: int) -> float:
    """Half a unit in the last of `decimals` decimal places, plus a margin for floating-point error."""
    return 0.5 * 10.0**-decimals + 1e-9
