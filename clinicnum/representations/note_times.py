"""The forms in which a note writes a time; no form is purely numeric with an ambiguous order of day
and month.
"""

from collections.abc import Callable, Sequence

from clinicnum.representations.record_text import Written

MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)


def spoken_date(time: str) -> str:
    """`2180-05-10 06:27:00` as `10 May 2180`."""
    return f"{int(time[8:10])} {MONTHS[int(time[5:7]) - 1]} {time[:4]}"


def _iso(time: str) -> str:
    return time


def _iso_with_t(time: str) -> str:
    return f"{time[:10]}T{time[11:]}"


def _day_first(time: str) -> str:
    return f"{spoken_date(time)} {time[11:]}"


def _month_first(time: str) -> str:
    return f"{MONTHS[int(time[5:7]) - 1]} {int(time[8:10])}, {time[:4]} at {time[11:]}"


def _clock_first(time: str) -> str:
    return f"{time[11:]} on {spoken_date(time)}"


TimeForm = tuple[str, Callable[[str], str]]
FORMS: tuple[TimeForm, ...] = (
    ("at", _iso),
    ("at", _iso_with_t),
    ("on", _day_first),
    ("on", _month_first),
    ("at", _clock_first),
)
"""Preposition, and function that formats a `YYYY-MM-DD HH:MM[:SS]` in the form."""


def seconds_needed(texts: Sequence[Written]) -> bool:
    """Whether omitting the seconds would lose information."""
    return not all(text.time.endswith(":00") for text in texts)
