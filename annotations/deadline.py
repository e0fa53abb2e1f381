"""The deadline of a study: read, in words, held against the pace of the last days. It blocks nothing."""

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime

from clinicnum.errors import InputError
from clinicnum.stats.jackknife import how_many

RECENT_DAYS = 7
"""Over how many days the pace is taken."""
NONE = ("", "none")


def today() -> date:
    """The date now, in UTC, as deadlines are days of UTC."""
    return datetime.now(UTC).date()


def read_deadline(text: str, *, now: date) -> date | None:
    """A deadline as somebody writes it; None for nothing or `none`.

    Raises InputError for what is no date, and for a day that is over.
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
            f"the deadline {written[:40]!r} is no date; expected year-month-day, such as 2030-12-15"
        ) from None
    if read < now:
        raise InputError(f"the deadline {read} is over already; expected a day from {now} on")
    return read


def deadline_words(deadline: date, *, now: date) -> str:
    """`due 30 Nov, 4 days left`, `due today`, `overdue by 2 days`; the year is named if it is another one."""
    left = (deadline - now).days
    if left < 0:
        return f"overdue by {how_many(-left, 'day')}"
    if left == 0:
        return "due today"
    year = "" if deadline.year == now.year else f" {deadline.year}"
    return f"due {deadline.day} {deadline:%b}{year}, {how_many(left, 'day')} left"


@dataclass(frozen=True)
class Pace:
    """What is left of an open study, and what came in lately."""

    left: int
    """Judgements that are still to be made."""
    recent: int
    """Judgements that were first submitted in the last days."""
    days: int
    """How many days these are: RECENT_DAYS, or since the study was opened."""

    @property
    def per_day(self) -> float:
        """Judgements a day."""
        return self.recent / self.days


def outlook(pace: Pace, deadline: date, *, now: date) -> str:
    """Whether the study gets done in time if it goes on as in the last days, in a sentence."""
    if pace.left <= 0:
        return "All judgements are in."
    left = how_many(pace.left, "judgement")
    if deadline < now:
        return f"Overdue by {how_many((now - deadline).days, 'day')}: {left} missing."
    needed = pace.left / ((deadline - now).days + 1)
    days = "the last day" if pace.days == 1 else f"the last {pace.days} days"
    verdict = "At risk" if pace.per_day < needed else "On course"
    return (
        f"{verdict}: {_rate(needed)} judgements a day are needed until {deadline}, {days} brought "
        f"{_rate(pace.per_day)} a day."
    )


def is_at_risk(pace: Pace, deadline: date, *, now: date) -> bool:
    """Whether judgements are missing, and the deadline is over or the pace too low for it."""
    return outlook(pace, deadline, now=now).startswith(("At risk", "Overdue"))


def _rate(value: float) -> str:
    """One decimal, and none where it is whole."""
    return f"{value:.1f}".removesuffix(".0")
