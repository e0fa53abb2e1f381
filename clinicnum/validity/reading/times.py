"""Dated times in five unambiguous forms. All-numeric dates with day or month first are never read."""

import re
from datetime import datetime
from string import ascii_letters
from typing import NamedTuple

from clinicnum.validity.reading.memo import Memo
from clinicnum.validity.reading.result import Row, UnreadableError

_NAMES = "January February March April May June July August September October November December"
_MONTHS = {form: f"{n:02d}" for n, name in enumerate(_NAMES.split(), 1) for form in (name, name[:3])}

_CLOCK = "[0-9]{2}:[0-9]{2}(?::[0-9]{2})?"
_TIME = (
    rf"(?:[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}[ T]{_CLOCK}"
    # The month stands after the day, or else is the last word before it.
    rf"|[0-9]{{1,2}}(?: [A-Z][a-z]+ |, )[0-9]{{4}}(?:,? at|,)? {_CLOCK}"
    rf"|{_CLOCK} on [0-9]{{1,2}} [A-Z][a-z]+ [0-9]{{4}})"
)
_AFTER = r"([\])]?(?: (?:obs|observations|vitals|vital signs))?(?:[:,;.]| -| \|| /)?)(?: |$)"
"""After a time: a word for a set of vital signs, a mark and a blank; a blank alone; nothing more."""
_HEAD = re.compile(rf"([^0-9]{{0,48}}+)({_TIME}){_AFTER}")
_ANYWHERE = re.compile(rf"()(?<![0-9])({_TIME}){_AFTER}")

_PARTS = re.compile(
    rf"(?P<date>[0-9-]{{10}})[ T](?P<c1>{_CLOCK})"
    rf"|(?P<d2>[0-9]{{1,2}}) (?P<m2>[A-Za-z]+) (?P<y2>[0-9]{{4}})(?:,? at|,)? (?P<c2>{_CLOCK})"
    rf"|(?P<m3>[A-Za-z]*) (?P<d3>[0-9]{{1,2}}), (?P<y3>[0-9]{{4}})(?:,? at|,)? (?P<c3>{_CLOCK})"
    rf"|(?P<c4>{_CLOCK}) on (?P<d4>[0-9]{{1,2}}) (?P<m4>[A-Za-z]+) (?P<y4>[0-9]{{4}})"
)
_MINUTE = "hh:mm"


class Timed(NamedTuple):
    """A time found in a line."""

    time: str
    """`YYYY-MM-DD HH:MM:SS`."""
    to_the_minute: bool
    """Written without seconds."""
    before: str
    """What stands before it in the line."""
    mark: str
    """What sets it off from what follows; empty if nothing does, or if nothing follows."""
    rest: str
    """What follows."""


def at_start(line: str) -> Timed | None:
    """The time that a line begins with, after words without digits; None if there is none."""
    match = _HEAD.match(line)
    return None if match is None else _timed(match, line, match[1])


def anywhere(line: str) -> Timed | None:
    """The first dated time in a line; None if there is none."""
    match = _ANYWHERE.search(line)
    return None if match is None else _timed(match, line, line[: match.start()])


def _timed(match: re.Match[str], line: str, before: str) -> Timed:
    text, mark = match.group(2, 3)
    if "," in text[:3]:
        start = len(before.rstrip().rstrip(ascii_letters))
        before, text = before[:start], before[start:] + text
    time, to_the_minute = _READ[text]
    return Timed(time, to_the_minute, before, mark, line[match.end() :])


def _read(text: str) -> tuple[str, bool]:
    match = _PARTS.fullmatch(text)
    if match is None:
        raise UnreadableError(f"{text!r} is no time")
    clock, date = match["c1"], match["date"]
    if date is None:
        form = "2" if match["c2"] else "3" if match["c3"] else "4"
        clock, month = match["c" + form], match["m" + form]
        if month not in _MONTHS:
            raise UnreadableError(f"a month called {month!r}")
        date = f"{match['y' + form]}-{_MONTHS[month]}-{match['d' + form].zfill(2)}"
    to_the_minute = len(clock) == len(_MINUTE)
    return MOMENTS[f"{date} {clock}:00" if to_the_minute else f"{date} {clock}"], to_the_minute


_READ = Memo(_read, 4096)
"""Per time as written: the time, and whether it was written without seconds."""


def _moment(text: str) -> str:
    """Raises UnreadableError for all but an existing time written `YYYY-MM-DD HH:MM:SS`."""
    try:
        there = datetime.fromisoformat(text).isoformat(sep=" ")
    except ValueError:
        there = ""
    if there != text:  # what fromisoformat forgives: other marks, other digits
        raise UnreadableError(f"{text!r} is no time")
    return text


MOMENTS = Memo(_moment, 4096)
"""Times known to exist; `MOMENTS[text]` raises UnreadableError for text that is no time."""


def check_seconds(rows: list[Row]) -> None:
    """Where one time is written without seconds, all must have none: else it may hide some."""
    if not all(time.endswith(":00") for time, _ in rows):
        raise UnreadableError("some times have seconds, others leave them out")
