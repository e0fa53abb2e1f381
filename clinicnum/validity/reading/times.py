"""Read dated times in five unambiguous forms; numeric dates with day or month first are rejected."""

import re
from datetime import date, time
from string import ascii_letters

from clinicnum.validity.reading.memoize import Memo
from clinicnum.validity.reading.reading_result import Row, UnreadableError

_NAMES = "January February March April May June July August September October November December"
_MONTHS = {form: f"{n:02d}" for n, name in enumerate(_NAMES.split(), 1) for form in (name, name[:3])}

_DATE = "[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{1,2} [A-Z][a-z]+ [0-9]{4}|[0-9]{1,2}, [0-9]{4}"
"""Forms of a date; the last is `May 10, 2180` without its month, which is the word before it."""
_CLOCK = "[0-9]{2}:[0-9]{2}(?::[0-9]{2})?"
_TIME = rf"(?:({_DATE})(?:,? at |, |[ T])({_CLOCK})|({_CLOCK}) on ({_DATE}))"
_AFTER = r"([\])]?(?: (?:obs|observations|vitals|vital signs))?(?:[:,;.]| -| \|| /)?)(?: |$)"
"""After a time: a word for a set of vital signs, a mark and a blank; a blank alone; nothing more."""
_HEAD = re.compile(rf"([^0-9]{{0,48}}+){_TIME}{_AFTER}(.*)")
_ANYWHERE = re.compile(rf"(.*?)(?<![0-9]){_TIME}{_AFTER}(.*)")
_MINUTE = "hh:mm"

Timed = tuple[str, bool, str, str, str]
"""A time found in a line: `YYYY-MM-DD HH:MM:SS`; whether written without seconds; what stands before it; what
sets it off from the rest (empty if nothing does); the rest."""


def at_start(line: str) -> Timed | None:
    """The time at the start of a line, after words without digits; None if there is none."""
    match = _HEAD.match(line)
    return None if match is None else _timed(*match.groups())


def anywhere(line: str) -> Timed | None:
    """The first dated time in a line; None if there is none."""
    match = _ANYWHERE.match(line)
    return None if match is None else _timed(*match.groups())


def _timed(before: str, day: str, clock: str, clock_first: str, day_last: str, mark: str, rest: str) -> Timed:
    if clock_first is not None:
        day, clock = day_last, clock_first
    if "," in day:
        start = len(before.rstrip().rstrip(ascii_letters))
        before, day = before[:start], before[start:] + day
    return f"{_DATES[day]} {_CLOCKS[clock]}", len(clock) == len(_MINUTE), before, mark, rest


def cell(text: str) -> str:
    """The time in a table cell, `YYYY-MM-DD HH:MM:SS`. Raises UnreadableError for any other text."""
    day, blank, clock = text[:10], text[10:11], text[11:]
    if blank != " " or _DATES[day] != day or _CLOCKS[clock] != clock:
        raise UnreadableError(f"{text!r} where a time is expected")
    return text


def check_seconds(rows: list[Row]) -> None:
    """Raise UnreadableError if some times of a text have seconds and others none, which could hide some."""
    if not all(moment.endswith(":00") for moment, _ in rows):
        raise UnreadableError("some times have seconds, others leave them out")


def _date(text: str) -> str:
    words = text.replace(",", "").split(" ")
    if len(words) == 3:
        day, month = words[:2] if words[0].isdigit() else (words[1], words[0])
        iso = f"{words[2]}-{_MONTHS.get(month, month)}-{day.zfill(2)}"
    else:
        iso = text
    try:
        there = date.fromisoformat(iso).isoformat()
    except ValueError:
        there = ""
    if there != iso:  # what fromisoformat forgives: weeks, other digits
        raise UnreadableError(f"{text!r} is no date")
    return iso


def _clock(text: str) -> str:
    try:
        there = time.fromisoformat(text).isoformat()
    except ValueError:
        there = ""
    if there[: len(text)] != text or len(text) < len(_MINUTE):
        raise UnreadableError(f"{text!r} is no time of day")
    return there


_DATES = Memo(_date, 4096)
"""Text of a date -> `YYYY-MM-DD`."""
_CLOCKS = Memo(_clock, 4096)
"""Text of a time of day -> `HH:MM:SS`."""
