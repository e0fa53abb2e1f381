"""The deadline of a study: parsed, in words, and compared with the recent pace. It blocks nothing."""

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime

from clinicnum.errors import InputError
from clinicnum.translatable_text import Translatable

RECENT_DAYS = 7
"""Days over which the pace is measured."""
NONE = ("", "none")
_MONTHS = (
    Translatable("Jan"),
    Translatable("Feb"),
    Translatable("Mar"),
    Translatable("Apr"),
    Translatable("May"),
    Translatable("Jun"),
    Translatable("Jul"),
    Translatable("Aug"),
    Translatable("Sep"),
    Translatable("Oct"),
    Translatable("Nov"),
    Translatable("Dec"),
)


def today() -> date:
    """The date now, in UTC, as deadlines are days of UTC."""
    return datetime.now(UTC).date()


def read_deadline(text: str, *, now: date) -> date | None:
    """Parse a deadline; None for empty text or `none`.

    Raises InputError for text that is not a date, and for a day in the past.
    """
    written = text.strip()
    if written.lower() in NONE:
        return None
    try:
        if re.fullmatch(r"\d{4}-\d{2}-\d{2}", written) is None:
            raise ValueError
        read = date.fromisoformat(written)
    except ValueError:
        raise InputError(
            "the deadline {written!r} is no date; expected year-month-day, such as 2030-12-15",
            written=written[:40],
        ) from None
    if read < now:
        raise InputError(
            "the deadline {read} is over already; expected a day from {now} on", read=read, now=now
        )
    return read


def deadline_words(deadline: date, *, now: date) -> Translatable:
    """`due 30 Nov, 4 days left`, `due today`, `overdue by 2 days`; the year is named if it is another one."""
    left = (deadline - now).days
    if left == -1:
        return Translatable("overdue by {n} day", n=1)
    if left < 0:
        return Translatable("overdue by {n} days", n=-left)
    if left == 0:
        return Translatable("due today")
    day = _day(deadline, now)
    if left == 1:
        return Translatable("due {day}, {n} day left", day=day, n=1)
    return Translatable("due {day}, {n} days left", day=day, n=left)


def _day(day: date, now: date) -> Translatable:
    """`30 Nov`, with the year if it is another one than now."""
    month = _MONTHS[day.month - 1]
    if day.year == now.year:
        return Translatable("{day} {month}", day=day.day, month=month)
    return Translatable("{day} {month} {year}", day=day.day, month=month, year=day.year)


@dataclass(frozen=True)
class Pace:
    """Judgements missing in an open study, and recent ones."""

    left: int
    """Number of judgements still to make."""
    recent: int
    """Judgements first submitted in the last `days` days."""
    days: int
    """RECENT_DAYS, or fewer if the study was opened later."""

    @property
    def per_day(self) -> float:
        """Judgements a day."""
        return self.recent / self.days


def outlook(pace: Pace, deadline: date, *, now: date) -> Translatable:
    """A sentence on whether the study will be done in time at the recent pace."""
    if pace.left <= 0:
        return Translatable("All judgements are in.")
    if deadline < now:
        return _overdue((now - deadline).days, pace.left)
    needed = pace.left / ((deadline - now).days + 1)
    values = {
        "verdict": Translatable("At risk") if pace.per_day < needed else Translatable("On course"),
        "needed": _rate(needed),
        "deadline": deadline,
        "rate": _rate(pace.per_day),
    }
    if pace.days == 1:
        return Translatable(
            "{verdict}: {needed} judgements a day are needed until {deadline}, the last day brought {rate} a "
            "day.",
            **values,
        )
    return Translatable(
        "{verdict}: {needed} judgements a day are needed until {deadline}, the last {n} days brought {rate} "
        "a day.",
        n=pace.days,
        **values,
    )


def _overdue(days: int, left: int) -> Translatable:
    missing = Translatable("{n} judgement", n=1) if left == 1 else Translatable("{n} judgements", n=left)
    if days == 1:
        return Translatable("Overdue by {n} day: {missing} missing.", n=1, missing=missing)
    return Translatable("Overdue by {n} days: {missing} missing.", n=days, missing=missing)


def is_at_risk(pace: Pace, deadline: date, *, now: date) -> bool:
    """Whether judgements are missing and the deadline is past or the pace too slow."""
    return outlook(pace, deadline, now=now).startswith(("At risk", "Overdue"))


def _rate(value: float) -> str:
    """One decimal, and none where it is whole."""
    return f"{value:.1f}".removesuffix(".0")
